"""Lines that came over the wire, as checked rows of a model: decided before anything is kept.

The lines are those of files: what a service learned, `thresher train` learns from its log, line by
line, to the same bits.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import (
    ImportanceError,
    LabelError,
    ServiceError,
    StreamFaultError,
)
from thresher.models.model import Model
from thresher.models.multiclass import ClassNames
from thresher.records import record
from thresher.streams.batch import Batch
from thresher.streams.chunk import Chunk
from thresher.streams.formats.detection import format_named, opened
from thresher.streams.formats.format import TextFormat
from thresher.streams.label_scheme import LabelScheme, canonical
from thresher.streams.labels import Label
from thresher.streams.rows import Rows

#: What lines may be written in.
KINDS = ("json", "svmlight", "vw")
#: What messages call the lines of a request.
REQUEST = "request"
#: A label that means -1 beside 1, as -1 does.
ZERO = "0"


@record
class Examples:
    """Rows of a model, with the lines that they were read from; labels may be missing."""

    kind: str
    text: bytes
    chunk: Chunk
    #: Labels as they are written; the numbers in `chunk.label` count in it.
    label_names: list[str]

    def __len__(self) -> int:
        return len(self.chunk.rows)


class ExampleReader:
    """Reads lines for a model whose names are hashed: rows depend on nothing but the line."""

    def __init__(self, model: Model) -> None:
        self._several = model.learner.several
        self._domain = model.learner.domain
        self._weighted = model.learner.takes_importance
        self._check_importance = getattr(model.learner, "check_importance", None)
        self._title = type(model.learner).__name__
        self._called = ClassNames(model.learner)
        self._scheme = scheme_of(model)
        self._formats: dict[str, TextFormat] = {}
        for kind in KINDS:
            recipe = replace(model.recipe, format=kind)
            made: Any = opened(format_named(kind), recipe, model.name_table, add=False)
            self._formats[kind] = made

    def read(self, kind: str, text: bytes, n_rows: int | None = None) -> Examples:
        """The rows of some lines, all of which must be sound.

        Parameters
        ----------
        kind
            How they are written.
        text
            Whole lines.
        n_rows
            How many rows there must be, if that is known.
        """
        scanned = self._formats[kind].scan(REQUEST, text, 1)
        for bad in scanned.bad:
            raise bad.error()
        arrays = scanned.row_start, scanned.column, scanned.value
        rows = Rows(*arrays) if scanned.facts is None else Rows.with_facts(*arrays, scanned.facts)
        if n_rows is not None and len(rows) != n_rows:
            raise ServiceError(f"{n_rows} rows are expected, found {len(rows)}.")
        chunk = Chunk(
            REQUEST,
            rows,
            scanned.label,
            scanned.importance,
            scanned.line,
            (),
            len(text),
            text,
            scanned.start,
            scanned.stop,
        )
        self._check_values(chunk)
        return Examples(kind, text, chunk, scanned.label_names)

    def _check_values(self, chunk: Chunk) -> None:
        rows = chunk.rows
        for place in self._domain.misfits(rows).tolist():
            row = int(np.searchsorted(rows.row_start, place, side="right")) - 1
            value, column = float(rows.value[place]), int(rows.column[place])
            raise StreamFaultError(
                f"{chunk.place(row)}: found the value {value:g} in column {column}, expected "
                f"{self._domain.expected}.",
                code="fault.value",
            )

    def batch(self, examples: Examples) -> Batch:
        """Rows that `read` gave, every one with its label, as the learner takes them."""
        chunk = examples.chunk
        self._require_labels(chunk)
        self._require_importance(chunk)
        names = [canonical(name) for name in examples.label_names]
        if self._several:
            return self._called(_of_classes(chunk, names))
        signs = np.array([self._sign(chunk, k, name) for k, name in enumerate(names)], np.int8)
        return Batch.from_rows(chunk.rows, signs.take(chunk.label), chunk.importance)

    def _require_labels(self, chunk: Chunk) -> None:
        if int(chunk.label.min(initial=0)) < 0:
            row = int(np.argmax(chunk.label < 0))
            raise LabelError(
                f"{chunk.place(row)}: found no label, expected {self._scheme.expected()}.",
                code="label.missing",
            )

    def _require_importance(self, chunk: Chunk) -> None:
        weight = chunk.importance
        if weight is None or not (odd := weight != 1.0).any():
            return
        row = int(np.argmax(odd))
        if not self._weighted:
            raise ImportanceError.useless(self._title, row, float(weight[row]))
        if self._check_importance is not None:
            for worst in (row, int(np.argmax(weight))):
                self._check_importance(worst, float(weight[worst]))

    def _sign(self, chunk: Chunk, number: int, name: str) -> int:
        found = self._scheme.sign(name)
        if found is None and name == ZERO and self._scheme.negative == "-1":
            found = -1
        if found is None:
            row = int(np.argmax(chunk.label == number))
            raise LabelError(
                f"{chunk.place(row)}: found the label {name}, expected {self._scheme.expected()}.",
                code="label.unknown",
            )
        return found

    def names(self, examples: Examples, row: int) -> list[tuple[int, str]]:
        """Column and name of the features of a row."""
        chunk = examples.chunk
        assert chunk.text is not None
        assert chunk.start is not None
        assert chunk.stop is not None
        reader = self._formats[examples.kind]
        return reader.names(chunk.text, int(chunk.start[row]), int(chunk.stop[row]))

    def format_of(self, kind: str) -> TextFormat:
        """The format at work, for whoever keeps names."""
        return self._formats[kind]


def require_within(examples: Examples, most_features: int) -> None:
    """Refuse rows with more features than a request may have."""
    sizes = np.diff(examples.chunk.rows.row_start)
    if int(np.max(sizes, initial=0)) > most_features:
        row = int(np.argmax(sizes))
        raise ServiceError(
            f"{examples.chunk.place(row)}: found {sizes[row]} features, and a row has at most "
            f"{most_features}.",
            code="service.too_large",
        )


def part(examples: Examples, here: slice) -> Examples:
    """Some of the rows."""
    chunk = examples.chunk
    assert chunk.start is not None
    assert chunk.stop is not None
    weight = chunk.importance
    return replace(
        examples,
        chunk=replace(
            chunk,
            rows=chunk.rows[here],
            label=chunk.label[here],
            importance=None if weight is None else weight[here],
            line=chunk.line[here],
            start=chunk.start[here],
            stop=chunk.stop[here],
        ),
    )


def lines_of(examples: Examples) -> list[bytes]:
    """The line of each row, with a line end."""
    chunk = examples.chunk
    assert chunk.text is not None
    assert chunk.start is not None
    assert chunk.stop is not None
    places = zip(chunk.start.tolist(), chunk.stop.tolist(), strict=True)
    return [chunk.text[start:stop] + b"\n" for start, stop in places]


def scheme_of(model: Model) -> LabelScheme:
    """What labels mean to a model; undecided, as of a learner made in a program: -1 and +1."""
    scheme = LabelScheme.from_dict(model.labels.to_dict())
    if model.learner.several:
        return scheme.allow_several(certain=True)
    if not scheme.decided:
        return LabelScheme("1", "-1")
    if scheme.negative is None and not scheme.rest:
        scheme.negative = "-1"
    return scheme


def label_value(name: Label | None) -> Label | None:
    """A label as JSON has it: a whole number where it is one.

    >>> [label_value(name) for name in ("1", "-1", "+1", "1.5", "spam", None, 3)]
    [1, -1, 1, '1.5', 'spam', None, 3]
    """
    if not isinstance(name, str):
        return name
    digits = name.removeprefix("-").removeprefix("+")
    short = digits.isascii() and digits.isdigit() and len(digits) <= 15
    return int(name) if short else name


def _of_classes(chunk: Chunk, names: list[str]) -> Batch:
    """A batch of named classes; two ways to write one name are one class."""
    classes = tuple(dict.fromkeys(names))
    place = {name: k for k, name in enumerate(classes)}
    number: NDArray[np.int32] = np.array([place[name] for name in names], np.int32)
    return Batch.from_rows(chunk.rows, number.take(chunk.label), chunk.importance, classes)
