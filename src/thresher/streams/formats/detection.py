"""Which format a file has: as stated, by its name, or by its first lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from os.path import splitext
from typing import TYPE_CHECKING

from thresher.addresses import shown
from thresher.errors import FormatError
from thresher.records import record
from thresher.streams.formats.text_header import names_columns, perhaps_header
from thresher.streams.formats.text_layout import label_first, label_is_last

if TYPE_CHECKING:
    from thresher.kernels.rows.named_rows import NameTable
    from thresher.streams.formats.format import RecordFormat, TextFormat
    from thresher.streams.recipe import Recipe

#: How much of a file is looked at: so many lines, but no more than so many bytes.
LINES_LOOKED_AT, BYTES_LOOKED_AT = 20, 1 << 16
_PACKED = (".gz", ".zst", ".xz", ".bz2")
_SVMLIGHT = re.compile(rb"[^\s:|#]+(?:\s+(?:qid:\S+|[0-9]+:\S+))*\s*(?:#.*)?")
_VW = re.compile(rb"[^|]*\|(?:[^|\s:]+(?::\S+)?)?(?:\s|$).*")
_QUOTED = re.compile(rb'"[^"]*"')
_TEXT = re.compile(rb"[^\t]{1,100}\t[^\t]*")
_NUMERAL = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
#: What no line of a text looks like, or hardly any.
_SURELY = {
    "json": re.compile(rb'\s*\{\s*".*\}\s*'),
    "svmlight": re.compile(rb"[+-]?[0-9.]+(?:\s+[0-9]+:[+-]?[0-9.][0-9.eE+-]*)+\s*"),
    "vw": re.compile(rb"(?:[+-]?[0-9.]+\s[^|\t]*)?\|.*"),
}


def _all_match(pattern: re.Pattern[bytes]) -> Callable[[bytes, list[bytes]], bool]:
    return lambda _, lines: bool(lines) and all(pattern.fullmatch(line) for line in lines)


def _looks_like_svmlight(_: bytes, lines: list[bytes]) -> bool:
    """Labels alone are not enough: they could be anything."""
    return b":" in b"".join(lines) and all(_SVMLIGHT.fullmatch(line) for line in lines)


def _looks_like_json(_: bytes, lines: list[bytes]) -> bool:
    return bool(lines) and all(line.lstrip().startswith(b"{") for line in lines)


def _looks_like_csv(_: bytes, lines: list[bytes]) -> bool:
    """A separator that every line has as often as the header, not counting those in quotes."""
    bare = [_QUOTED.sub(b"", line) for line in lines]
    if b'"' in b"".join(bare):
        # A quoted field with a line end in it: the header has to do.
        bare = bare[:1]
    counts = ({line.count(separator) for line in bare} for separator in (b",", b";", b"\t"))
    return any(len(count) == 1 and count != {0} for count in counts)


def _looks_like_texts(_: bytes, lines: list[bytes]) -> bool:
    """A label of moderate length before a tab, or a text before it and a label behind."""
    return (bool(lines) and all(map(_TEXT.fullmatch, lines))) or label_is_last(lines) is True


def _begins_with(*magic: bytes) -> Callable[[bytes, list[bytes]], bool]:
    return lambda head, _: head.startswith(magic)


@record
class KnownFormat:
    """A line of the table of formats."""

    name: str
    suffixes: tuple[str, ...]
    #: Whether a file with these first bytes, and these first lines that are not blank, may be one.
    recognises: Callable[[bytes, list[bytes]], bool]
    #: Module and class, imported when a file has the format. The class is called with the recipe,
    #: the table of names, and whether new names may be added to that table.
    home: str


#: Every format. The first that recognises a file's content has it, so the strict ones come first.
FORMATS = (
    KnownFormat("parquet", (".parquet",), _begins_with(b"PAR1"), "arrow:Parquet"),
    KnownFormat(
        "arrow",
        (".arrow", ".feather", ".arrows"),
        _begins_with(b"ARROW1", b"\xff\xff\xff\xff"),
        "arrow:Arrow",
    ),
    KnownFormat("binary", (".thb",), _begins_with(b"\x89THB"), "binary:Binary"),
    KnownFormat("json", (".json", ".jsonl", ".ndjson"), _looks_like_json, "json_lines:JsonLines"),
    KnownFormat(
        "svmlight", (".svm", ".svmlight", ".libsvm"), _looks_like_svmlight, "svmlight:Svmlight"
    ),
    KnownFormat("vw", (".vw",), _all_match(_VW), "vw_text:VwText"),
    KnownFormat("text", (), _looks_like_texts, "raw_text:RawText"),
    KnownFormat("csv", (".csv", ".tsv"), _looks_like_csv, "csv_table:CsvTable"),
)


def format_named(name: str) -> KnownFormat:
    """The format with this name.

    >>> format_named("svm")
    Traceback (most recent call last):
    thresher.errors.FormatError: there is no format 'svm'. \
Formats are: parquet, arrow, binary, json, svmlight, vw, text, csv.
    """
    for known in FORMATS:
        if known.name == name:
            return known
    raise FormatError(f"there is no format {name!r}. Formats are: {_names()}.")


def told_by_name(file: str) -> KnownFormat | None:
    """The format that the name of a file promises, if it does."""
    suffix = _suffix(file)
    return next((known for known in FORMATS if suffix in known.suffixes), None)


def _suffix(file: str) -> str:
    stem, suffix = splitext(shown(file))
    return (splitext(stem)[1] if suffix in _PACKED else suffix).lower()


def of_lines(known: KnownFormat) -> bool:
    """Whether a format is text in lines, which may be in one encoding or another."""
    return known.name not in ("parquet", "arrow", "binary")


def may_be_texts(file: str) -> bool:
    """Whether a name leaves it open that its lines are texts: a .tsv may be a table or not."""
    named = told_by_name(file)
    return named is None or (named.name == "csv" and _suffix(file) == ".tsv")


def texts_in(head: bytes, label_field: str) -> bool:
    """Whether lines with tabs are a label and a text each, and no table with a header.

    A table has more than two columns, or names its columns in the first line: one is called as
    the label is, or it is the only one whose first word is no label of other lines, or has no
    number where all the others have one. Below a header of texts (`text_header.py`) are texts if
    most have several words and differ.

    >>> texts_in(b"ham\\tsee you\\nspam\\tfree cash\\nham\\tlate again\\n", "label")
    True
    >>> texts_in(b"label\\tsize\\n1\\t2.5\\n0\\t3\\n", "label")
    False
    >>> texts_in(b"label\\ttext\\nham\\tsee you\\nspam\\tfree cash\\nham\\tno\\n", "label")
    True
    >>> texts_in(b"sort\\tnote\\nham\\tsee you\\nspam\\tfree cash\\nham\\tno\\n", "label")
    False
    """
    lines = first_lines(head)
    if lines and (columns := names_columns(lines[0], label_field)):
        texts = [line.rpartition(b"\t")[0] for line in lines[1:]]
        if columns == "label first":
            texts = [line.partition(b"\t")[2] for line in lines[1:]]
        return all(line.count(b"\t") == 1 for line in lines) and _differ_in_words(texts)
    if label_is_last(lines):
        return not perhaps_header([label_first(line) for line in lines])
    if not lines or not all(_TEXT.fullmatch(line) for line in lines):
        return False
    cells = [line.split(b"\t") for line in lines]
    if label_field.encode("utf-8", "surrogatepass") in cells[0]:
        return False
    if all(_NUMERAL.fullmatch(second.strip()) for _, second in cells[1:] or cells):
        return False
    labels = [first for first, _ in cells]
    repeated = len({*labels[1:]}) < len(labels[1:])
    return labels[0] in labels[1:] or not (repeated and b" " not in lines[0])


def _differ_in_words(texts: list[bytes]) -> bool:
    """Whether most of these have several words, and most are there once."""
    texts = [text.strip() for text in texts]
    return 2 * min(len({*texts}), sum(b" " in text for text in texts)) > len(texts)


def surely(head: bytes) -> str | None:
    """The format that first lines have beyond doubt; None where they may be texts.

    >>> surely(b'{"label": 1, "a": 2}\\n'), surely(b"1 3:1 7:0.5\\n"), surely(b"1 |w free\\n")
    ('json', 'svmlight', 'vw')
    >>> surely(b"see you at 7:30 | or not\\n"), surely(b"lunch 12:30\\n")
    (None, None)
    """
    lines = first_lines(head)
    for name, pattern in _SURELY.items():
        if lines and all(pattern.fullmatch(line) for line in lines):
            return name
    return None


def detected(file: str, head: bytes) -> KnownFormat:
    """The format of a file, from its name and from its first bytes.

    >>> detected("mail.svm.gz", b"").name, detected("mail.txt", b"1 |w free cash").name
    ('svmlight', 'vw')
    """
    lines = first_lines(head)
    if named := told_by_name(file):
        return named
    for known in FORMATS:
        if known.recognises(head, lines):
            return known
    if not lines:
        raise FormatError(f"{file}: there are no lines in it to tell the format from.")
    shown = lines[0][:60].decode("utf-8", "backslashreplace")
    found = f"the format cannot be told from the name, nor from a first line such as {shown!r}."
    if not shown.replace("\t", " ").isprintable():
        found = "this is not text, and no other file that is read; its name tells no format either."
    raise FormatError(
        f"{file}: {found}",
        f"Say which it is: Recipe(format=...), with one of {_names()}.",
        code="format.unknown",
        file=file,
        formats=[known.name for known in FORMATS],
    )


def opened(
    known: KnownFormat, recipe: Recipe, names: NameTable, add: bool
) -> TextFormat | RecordFormat:
    """The format, ready to read; its code is imported now."""
    module, _, class_ = known.home.partition(":")
    make = getattr(import_module(f"thresher.streams.formats.{module}"), class_)
    format_: TextFormat | RecordFormat = make(recipe, names, add)
    return format_


def enough_to_detect(head: bytes) -> bool:
    """Whether these first bytes of a file are all that is looked at."""
    return len(head) >= BYTES_LOOKED_AT or head.count(b"\n") >= LINES_LOOKED_AT


def first_lines(head: bytes) -> list[bytes]:
    """The first lines that are not blank or comments, without one that may be cut off."""
    lines = head.removeprefix(b"\xef\xbb\xbf").split(b"\n")
    if len(lines) > 1:
        lines.pop()
    bare = (line.rstrip(b"\r") for line in lines[:LINES_LOOKED_AT])
    return [line for line in bare if line.strip() and not line.startswith(b"#")]


def _names() -> str:
    return ", ".join(known.name for known in FORMATS)
