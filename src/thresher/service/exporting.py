"""The log of a model as a file that `thresher train` reads as the model's own files were read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw

from thresher.errors import StoreError
from thresher.models.file import load_model
from thresher.service.recovery import MODEL
from thresher.service.store import CHANGES, Store, StoredModel, stored_called
from thresher.service.upkeep import Exported, exported
from thresher.streams.formats.format import BYTE_ORDER_MARK
from thresher.streams.formats.text_header import names_columns
from thresher.streams.formats.text_layout import label_behind
from thresher.streams.recipe import Recipe

_to_json = msgspec.json.encode
#: Fields of a line of JSON, and of its features.
_fields = msgspec.json.Decoder(dict[str, Raw])
#: Fields that a label cannot be called by in the lines of the log.
_TAKEN = ("id", "weight", "features")


class AsFile(NamedTuple):
    """The log of a model as a file of the model's own kind."""

    #: The log that it was made from.
    log: Exported
    #: How the lines are written.
    kind: str
    lines: Iterator[bytes]
    #: What must be said to read them so, as `Recipe` has it.
    reading: dict[str, Any]


def as_file(store: Store, name: str, kind: str | None = None, *, effective: bool = False) -> AsFile:
    """The events of a model's log.

    Parameters
    ----------
    store, name
        Which model.
    kind
        How the lines are written; None: as the files of the model are, if all lines can be.
    effective
        Whether events that were taken back are left out.
    """
    stored = stored_called(store, name)
    recipe = _recipe(store, stored)
    if kind is None and recipe.format in ("csv", "text"):
        kind = recipe.format
    if kind == "csv" and recipe.format != "csv":
        raise StoreError(f"{name!r} does not read the columns of a table.", "Leave the kind out.")
    own = "json" if kind == "csv" else kind

    def log() -> Exported:
        return exported(store, name, own, effective=effective)

    found = log()
    if kind is None:
        kinds = {entry.kind for entry in store.entries(stored.number, 0)} - {*CHANGES}
        kind = next(iter(kinds), "json")
    lines = found.lines
    if kind == "csv":
        lines = _as_csv(name, recipe, _columns(recipe, log().lines), lines)
    elif kind == "text":
        lines = _as_texts(recipe, lines)
    elif kind == "json" and recipe.format not in ("csv", "parquet", "arrow"):
        lines = _with_label_field(recipe, lines)
    return AsFile(found, kind, lines, _reading(recipe, kind))


def _recipe(store: Store, stored: StoredModel) -> Recipe:
    """How the model reads rows."""
    snapshots = store.snapshots(stored.number)
    with store.base.file(snapshots[max(snapshots)].files[MODEL]) as path:
        return load_model(path, journal=False, names=False).recipe


def _reading(recipe: Recipe, kind: str) -> dict[str, Any]:
    """What a reader of the lines cannot see from them."""
    plain = Recipe()
    names = {"csv": ("label_field", "numeric", "categorical"), "text": ("label_last",)}.get(
        kind, ("label_field", "one_based")
    )
    found = {name: getattr(recipe, name) for name in (*names, "pairs")}
    return {name: value for name, value in found.items() if value != getattr(plain, name)}


def _as_texts(recipe: Recipe, lines: Iterator[bytes]) -> Iterator[bytes]:
    """Lines of texts, with the label where the files of the model have it."""
    for number, line in enumerate(lines):
        if number == 0 and (
            names_columns(line, recipe.label_field) or line.startswith(BYTE_ORDER_MARK)
        ):
            # Or it would be taken for a header itself.
            yield b"text\tlabel\n" if recipe.label_last else b"label\ttext\n"
        yield label_behind(line[:-1]) + b"\n" if recipe.label_last else line


def _with_label_field(recipe: Recipe, lines: Iterator[bytes]) -> Iterator[bytes]:
    """Lines of JSON, with the label in the field that the files of the model have it in."""
    field = recipe.label_field
    if field == "label" or field in _TAKEN:
        yield from lines
        return
    for line in lines:
        fields = _fields.decode(line)
        yield _to_json({field if k == "label" else k: one for k, one in fields.items()}) + b"\n"


def _columns(recipe: Recipe, lines: Iterator[bytes]) -> list[str]:
    """All columns, in the order in which rows have them: a vocabulary numbers them by it."""
    order: list[str] = []
    for line in lines:
        before = -1
        for column in _fields.decode(_fields.decode(line)["features"]):
            if column not in order:
                order.insert(before + 1, column)
            before = order.index(column)
    return [*order, *(one for one in (*recipe.numeric, *recipe.categorical) if one not in order)]


def _as_csv(
    name: str, recipe: Recipe, columns: list[str], lines: Iterator[bytes]
) -> Iterator[bytes]:
    """Lines of JSON as the records of a table, below its header."""
    mark = (recipe.separator or ",").encode()
    yield mark.join(map(_quoted, (recipe.label_field, *columns))) + b"\n"
    for line in lines:
        fields = _fields.decode(line)
        if "weight" in fields:
            raise StoreError(
                f"a row of {name!r} has an importance, and a table in CSV says nothing of it.",
                "The lines can be written as the log has them, of the kind json.",
            )
        cells = _fields.decode(fields["features"])
        found = [_cell(fields["label"]), *(_cell(cells.get(column)) for column in columns)]
        yield mark.join(found) + b"\n"


def _cell(value: Raw | None) -> bytes:
    text = b"" if value is None else bytes(value)
    return _quoted(msgspec.json.decode(text)) if text[:1] == b'"' else text


def _quoted(text: str) -> bytes:
    return b'"%b"' % text.replace('"', '""').encode()
