"""Texts over the wire: a row is a text, a line is `label<TAB>text`, as in files.

In the log the label stands before the text, wherever the files of the model have it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

import msgspec

from thresher.errors import ServiceError
from thresher.service.inputs import Inputs
from thresher.service.messages import DelayedLabel, Example
from thresher.streams.formats.detection import first_lines
from thresher.streams.formats.format import BYTE_ORDER_MARK
from thresher.streams.formats.mending import mended
from thresher.streams.formats.objects import UnsoundError, label_text
from thresher.streams.formats.text_header import LONGEST_HEADER, names_columns
from thresher.streams.formats.text_layout import label_first, label_is_last
from thresher.streams.recipe import NGrams, Recipe

#: Words and sequences that the texts of a request may have, at the worst: each takes some sixty
#: bytes while a text is cut. Those of a vocabulary are looked up one by one, and everybody waits.
MOST_PIECES, MOST_LOOKED_UP = 1 << 23, 1 << 19
#: What a line cannot have inside is a blank to the words, and to the characters, of a text.
_BLANKS = str.maketrans(dict.fromkeys("\t\n\r\0", " "))
#: The label of lines whose labels do not matter: without one, an empty text would be no row.
_ANY = b"?"


class Texts(Inputs):
    """Texts, of which words and their neighbours are features."""

    called: ClassVar[str] = "texts"
    kind: ClassVar[str] = "text"
    types: ClassVar[Mapping[str, str]] = {
        "text/plain": "text",
        "text/tab-separated-values": "text",
    }

    def __init__(self, recipe: Recipe, *, hashed: bool = True) -> None:
        super().__init__(recipe)
        self._most_bytes = most_bytes(recipe.text, MOST_PIECES if hashed else MOST_LOOKED_UP)

    def to_learn(self, rows: Iterable[Example]) -> bytes:
        """Rows as lines of a label, a tab and a text."""
        return self._bounded(
            b"".join(b"%b\t%b\n" % (_label(row), _text(row).encode()) for row in rows)
        )

    def to_predict(self, rows: Iterable[Example]) -> bytes:
        """Rows as such lines, whose labels do not matter."""
        return self._bounded(b"".join(b"%b\t%b\n" % (_ANY, _text(row).encode()) for row in rows))

    def kept(self, row: Example) -> bytes:
        """The text, as JSON has it."""
        return msgspec.json.encode(_text(row))

    def joined(self, kept: bytes, told: DelayedLabel) -> Example:
        """The text that was kept, with its label."""
        return Example(
            id=told.id, label=told.label, importance=told.importance, text=msgspec.json.decode(kept)
        )

    def lines_in(self, type_: str, body: bytes, most_rows: int) -> bytes:
        """The lines of a body with the label before the text; a header is a blank line.

        Bytes that are not UTF-8 are read as in files, unless the model's files had an encoding.
        """
        self.require_type(type_)
        self._bounded(body)
        body = body.removeprefix(BYTE_ORDER_MARK)
        first, end, rest = body.partition(b"\n")
        columns = None
        if len(first) < LONGEST_HEADER:
            columns = names_columns(first, self._recipe.label_field)
        last = self._recipe.label_last if columns is None else columns == "label last"
        if columns is not None:
            body = end + rest
        elif label_is_last(first_lines(body)) is (not last):
            where = ("behind", "before") if last else ("before", "behind")
            raise ServiceError(
                f"the model reads lines with the label {where[0]} the text, and these seem to have "
                f"it {where[1]} it.",
                "Put a header before them that names the columns: label and text, with a tab.",
            )
        if self._recipe.encoding is None:
            body = mended(body).block
        return label_first(body) if last else body

    def _bounded(self, lines: bytes) -> bytes:
        """The lines, unless cutting them would take too much memory."""
        if len(lines) > self._most_bytes:
            raise ServiceError(
                f"found {len(lines)} bytes of text, and a request to this model has at most "
                f"{self._most_bytes}.",
                "Send several requests, or shorter texts.",
                code="service.too_large",
            )
        return lines


def most_bytes(grams: NGrams, most_pieces: int = MOST_PIECES) -> int:
    """How many bytes of text may be cut at a time.

    >>> most_bytes(NGrams()), most_bytes(NGrams(words=None, characters=(3, 5)))
    (8388608, 2796202)
    """
    # A word has a letter and a blank at least.
    halves = 0 if grams.words is None else grams.words[1] - grams.words[0] + 1
    halves += 0 if grams.sparse_bigrams is None else grams.sparse_bigrams - 1
    if grams.characters is not None:
        halves += 2 * (grams.characters[1] - grams.characters[0] + 1)
    return 2 * most_pieces // max(2, halves)


def _text(row: Example) -> str:
    if row.text is None:
        raise ServiceError(
            "this model reads texts, and the row has none.",
            'Send {"text": "free cash now"}.',
            code="service.message",
        )
    if bytes(row.features):
        raise ServiceError(
            "this model reads texts: a row has a text and no features.", code="service.message"
        )
    if row.importance not in (None, 1.0):
        raise ServiceError(
            f"the row has importance {row.importance:g}, and a line of text says nothing of it: "
            "all texts count alike.",
            "Make a model of features by name to weigh rows.",
            code="service.message",
        )
    return row.text.translate(_BLANKS)


def _label(row: Example) -> bytes:
    """The label of a row as a line has it."""
    try:
        label = label_text(row.label)
    except UnsoundError as error:
        found, expected = error.args
        raise ServiceError(f"found {found}, expected {expected}.", code="service.message") from None
    if label is None:
        raise ServiceError("a row that is to be learned has no label.", code="service.message")
    if not label.strip() or {*label} & {*"\t\n\r\0"}:
        raise ServiceError(
            f"found the label {label[:40]!r}, and the label of a text has no tab, line end or NUL, "
            "and is not blank.",
            code="service.message",
        )
    return label.encode()
