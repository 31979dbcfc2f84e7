"""Where a table has its labels, and which of its columns may hold them if nobody says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from thresher.errors import Hint

if TYPE_CHECKING:
    from thresher.streams.chunk import Chunk
    from thresher.streams.formats.format import RecordFormat, TextFormat

#: What people call the column that is to be predicted, in small letters.
USUAL = (
    *("target", "class", "y", "label", "labels", "outcome", "species", "risk", "category"),
    *("diagnosis", "result", "response", "survived", "churn", "default", "sentiment", "spam"),
)
#: A column of classes has few values: no more than this.
FEW = 20
#: Where lines have their label, in formats that have no fields.
_LINES = {"text": "and a tab in every line", "vw": "before the first bar"}
_SHOWN = 30
#: Rows that are looked at for the names of their fields, and bytes of text.
_LOOKED_AT, _BYTES_LOOKED_AT = 1000, 1 << 18


def likely_labels(header: Sequence[str], records: Sequence[Sequence[bytes]]) -> list[str]:
    """The columns that may hold labels, the likeliest first.

    A column is called as such columns are, or it is the last or the first; and it has few values.

    >>> rows = [[b"1", b"good"], [b"2", b"bad"], [b"3", b"good"], [b"4", b"good"]]
    >>> likely_labels(["size", "Risk"], rows), likely_labels(["size", "x"], rows)
    (['Risk'], ['x'])
    """
    usual = [k for k, name in enumerate(header) if name.lower() in USUAL]
    most = min(FEW, max(2, len(records) - 1))

    def few(k: int) -> bool:
        return bool(header[k]) and 1 < len({row[k] for row in records}) <= most

    called = sorted((header[k] for k in usual if few(k)), key=_how_usual)
    return called or [header[k] for k in (-1, 0) if few(k)][:1]


def _how_usual(name: str) -> int:
    return USUAL.index(name.lower())


def place_of_labels(
    format_: TextFormat | RecordFormat, file: str, chunk: Chunk, *, guess: bool
) -> tuple[str, Hint | None]:
    """Where a format has the label, and what to do if it is elsewhere; nothing if it is obvious.

    Parameters
    ----------
    format_
        The format that read the rows.
    file
        What the first file is called.
    chunk
        Some rows, one of which lacks its label.
    guess
        Whether to say which column may hold the label; not to those who know what labels are.
    """
    if format_.name in _LINES:
        remedy = "BadLinePolicy('skip') leaves out lines without."
        return f" {_LINES[format_.name]}", Hint("line.without_label", remedy)
    if format_.name not in ("json", "csv", "parquet", "arrow"):
        return "", None
    if format_.name == "csv":
        header: list[str] = getattr(format_, "header", [])
        likely: list[str] = getattr(format_, "likely", [])
    else:
        header, likely = _fields_of(_objects(chunk))
    absent = bool(header) and format_.recipe.label_field not in header
    likely = likely if guess else []
    remedy = f"Recipe(label_field={likely[0]!r})?" if absent and likely else ""
    remedy = remedy or "Recipe(label_field=...) names another."
    perhaps_text = ".tsv" in file.lower()
    if perhaps_text:
        remedy += " Lines of a label, a tab and a text are Recipe(format='text')."
    where = f" in the field {format_.recipe.label_field!r}"
    if absent:
        more = ", ..." if len(header) > _SHOWN else ""
        called = "fields" if format_.name == "json" else "columns"
        where += f"; the {called} are {', '.join(header[:_SHOWN])}{more}"
    fields = {"perhaps_text": perhaps_text, "likely": likely if absent else []}
    return where, Hint("line.label", remedy, fields)


def _objects(chunk: Chunk) -> list[dict[str, Any]]:
    """The first rows of a chunk as objects with named fields."""
    if chunk.records is not None:
        found: list[dict[str, Any]] = chunk.records.slice(0, _LOOKED_AT).to_pylist()
        return found
    objects = []
    for line in (chunk.text or b"")[:_BYTES_LOOKED_AT].split(b"\n")[:_LOOKED_AT]:
        with suppress(ValueError, RecursionError):
            objects.append(json.loads(line))
    return [one for one in objects if isinstance(one, dict)]


def _fields_of(objects: list[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """The names of all fields, and of those that may hold labels."""
    header = list(dict.fromkeys(name for one in objects for name in one))
    cells = [[str(one.get(name, "")).encode("utf-8", "replace") for name in header]
             for one in objects]  # fmt: skip
    return header, likely_labels(header, cells) if header else []
