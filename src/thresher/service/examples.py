"""Lines that came over the wire, as checked rows of a model: decided before anything is kept.

The lines are those of files: what a service learned, `thresher train` learns from its log, line by
line, to the same bits.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import (
    ImportanceError,
    LabelError,
    ServiceError,
    StreamFaultError,
    ThresherError,
)
from thresher.kernels.rows.check_rows import inspect
from thresher.kernels.rows.named_rows import NameTable
from thresher.models.model import Model
from thresher.models.multiclass import ClassNames
from thresher.service.inputs import REQUEST, Inputs
from thresher.service.tables import Tables
from thresher.service.texts import Texts
from thresher.service.vocabularies import require_room
from thresher.streams.batch import Batch
from thresher.streams.chunk import Chunk
from thresher.streams.formats.detection import format_named, opened
from thresher.streams.formats.format import TextFormat
from thresher.streams.label_scheme import LabelScheme, canonical
from thresher.streams.labels import Label
from thresher.streams.recipe import Recipe
from thresher.streams.rows import MAX_INDEX, Facts, Rows

#: Formats of files whose columns have kinds.
TABLES = ("csv", "parquet", "arrow")
#: A label that means -1 beside 1, as -1 does.
ZERO = "0"


class Examples(NamedTuple):
    """Rows of a model, with the lines that they were read from; labels may be missing."""

    kind: str
    text: bytes
    rows: Rows
    #: Labels as they are written, and the number of each row's among them; -1 where it has none.
    label_names: list[str]
    label: NDArray[np.int32]
    #: None: all 1.
    importance: NDArray[np.float64] | None
    #: The line of each row, from 1, and where in the text it begins and ends.
    line: NDArray[np.int64]
    start: NDArray[np.int64]
    stop: NDArray[np.int64]

    @property
    def size(self) -> int:
        """How many rows there are."""
        return len(self.label)

    def place(self, row: int) -> str:
        """What messages call a row."""
        return f"{REQUEST}:{self.line[row]}"

    def lines(self) -> list[bytes]:
        """The line of each row, with a line end."""
        places = zip(self.start.tolist(), self.stop.tolist(), strict=True)
        return [self.text[start:stop] + b"\n" for start, stop in places]

    def chunk(self) -> Chunk:
        """The same, for those who read files."""
        places = (self.line, (), len(self.text), self.text, self.start, self.stop)
        return Chunk(REQUEST, self.rows, self.label, self.importance, *places)


class ExampleReader:
    """Reads lines for a model.

    Where names are hashed, rows depend on nothing but the line. A vocabulary gives columns to new
    names in the order in which they are learned: what is only looked at gives none.
    """

    def __init__(self, model: Model) -> None:
        #: How rows are sent, and which lines the log keeps of them.
        self.inputs = inputs_for(model.recipe, hashed=model.name_table.hashed)
        self._table = model.name_table
        #: Whether new names get columns.
        self.grows = not self._table.hashed
        self._recipe = model.recipe
        self._several = model.learner.several
        self._domain = model.learner.domain
        self._weighted = model.learner.takes_importance
        self._check_importance = getattr(model.learner, "check_importance", None)
        self._title = type(model.learner).__name__
        self._called = ClassNames(model.learner)
        self._scheme = scheme_of(model)
        # By kind, and whether new names get columns.
        self._formats: dict[tuple[str, bool], Any] = {}
        for kind in self.inputs.kinds:
            # Made now, so that a process that can open no more files need not load them; whoever
            # sends lines of a kind that the model does not take is told so then.
            with suppress(ThresherError):
                self._format(kind)

    def _format(self, kind: str, *, add: bool = False) -> Any:
        key = kind, add and self.grows
        found = self._formats.get(key)
        if found is None:
            found = self._formats[key] = self._opened(kind, self._table, add=add)
        return found

    def _opened(self, kind: str, table: NameTable, *, add: bool = False) -> Any:
        """A format as the log has it: there labels are called so, and stand before texts."""
        if kind not in self.inputs.kinds:
            # No fault of a line: a log that is not ours, or of another release.
            raise ValueError(f"lines of the kind {kind[:40]!r} are none of a log")
        own: dict[str, Any] = {"label_field": "label", "label_last": False}
        recipe = replace(self._recipe, format=kind, **own)
        return opened(format_named(kind), recipe, table, add)

    def read(self, kind: str, text: bytes, n_rows: int | None = None) -> Examples:
        """The rows of some lines, all of which must be sound, to be looked at.

        Parameters
        ----------
        kind
            How they are written.
        text
            Whole lines.
        n_rows
            How many rows there must be, if that is known.
        """
        return self._read(self._format(kind), kind, text, n_rows)

    def checked(self, kind: str, text: bytes, n_rows: int | None = None) -> Examples:
        """The same to be learned later, if there is room for names that are new.

        A vocabulary is not touched: columns of its rows are numbered among themselves.
        """
        if not self.grows:
            return self.read(kind, text, n_rows)
        apart = NameTable(None, False, 0, self._table.strongest)
        examples = self._read(self._opened(kind, apart, add=True), kind, text, n_rows)
        require_room(self._table, apart)
        return examples

    def require_room(self, kind: str, text: bytes) -> None:
        """Refuse lines for whose names there is no room, whatever else may be wrong with them."""
        if self.grows:
            apart = NameTable(None, False, 0, self._table.strongest)
            with suppress(ThresherError):
                self._opened(kind, apart, add=True).scan(REQUEST, text, 1)
            require_room(self._table, apart)

    def taken(self, kind: str, text: bytes, n_rows: int | None = None) -> Examples:
        """The same to be learned now; whoever cannot learn them has the names forgotten."""
        return self._read(self._format(kind, add=True), kind, text, n_rows)

    def _read(self, format_: Any, kind: str, text: bytes, n_rows: int | None) -> Examples:
        examples = self._settled(format_, text) if kind == "json" else None
        if examples is None:
            examples = self._scanned(format_, kind, text)
        if n_rows is not None and examples.size != n_rows:
            raise ServiceError(f"{n_rows} rows are expected, found {examples.size}.")
        self._check_values(examples)
        return examples

    def _settled(self, format_: Any, text: bytes) -> Examples | None:
        """Objects that have nothing rare in them, straight from the scanner; None: others."""
        sink = format_.settled(text)
        if sink is None:
            return None
        row_start, column, value, *others = sink.arrays()
        unsound, largest, zeros, whole, low, high = inspect(row_start, column, value)
        # A scanner checks what it makes.
        assert (unsound, zeros) == (-1, 0)
        rows = Rows.with_facts(row_start, column, value, Facts(largest + 1, whole, low, high))
        return Examples("json", text, rows, sink.label_names(), *others)

    def _scanned(self, format_: Any, kind: str, text: bytes) -> Examples:
        scanned = format_.scan(REQUEST, text, 1)
        for bad in scanned.bad:
            raise bad.error()
        arrays = scanned.row_start, scanned.column, scanned.value
        rows = Rows(*arrays) if scanned.facts is None else Rows.with_facts(*arrays, scanned.facts)
        return Examples(
            kind,
            text,
            rows,
            scanned.label_names,
            scanned.label,
            scanned.importance,
            scanned.line,
            scanned.start,
            scanned.stop,
        )

    def _check_values(self, examples: Examples) -> None:
        rows = examples.rows
        if self._domain.hold_for(rows):
            return
        for place in self._domain.misfits(rows).tolist():
            row = int(np.searchsorted(rows.row_start, place, side="right")) - 1
            value, column = float(rows.value[place]), int(rows.column[place])
            raise StreamFaultError(
                f"{examples.place(row)}: found the value {value:g} in column {column}, expected "
                f"{self._domain.expected}.",
                code="fault.value",
            )

    def batch(self, examples: Examples) -> Batch:
        """Rows that `read` gave, every one with its label, as the learner takes them."""
        names, signs = self.learnable(examples)
        if self._several:
            return self._called(_of_classes(examples, names))
        sign = np.array(signs, np.int8).take(examples.label)
        return Batch.from_rows(examples.rows, sign, examples.importance)

    def learnable(self, examples: Examples) -> tuple[list[str], list[int]]:
        """What the labels of rows are called, and for two classes their signs; or an error.

        After this the learner takes the rows, each with its label and its weight.
        """
        self._require_labels(examples)
        self._require_importance(examples)
        names = [canonical(name) for name in examples.label_names]
        if self._several:
            return names, []
        return names, [self._sign(examples, k, name) for k, name in enumerate(names)]

    def _require_labels(self, examples: Examples) -> None:
        # One row is most of them, and a look takes less than a search.
        label = examples.label
        if (label[0] if len(label) == 1 else label.min(initial=0)) < 0:
            row = int(np.argmax(examples.label < 0))
            raise LabelError(
                f"{examples.place(row)}: found no label, expected {self._scheme.expected()}.",
                code="label.missing",
            )

    def _require_importance(self, examples: Examples) -> None:
        weight = examples.importance
        if weight is None or not (odd := weight != 1.0).any():
            return
        row = int(np.argmax(odd))
        if not self._weighted:
            raise ImportanceError.useless(self._title, row, float(weight[row]))
        if self._check_importance is not None:
            for worst in (row, int(np.argmax(weight))):
                self._check_importance(worst, float(weight[worst]))

    def _sign(self, examples: Examples, number: int, name: str) -> int:
        found = self._scheme.sign(name)
        if found is None and name == ZERO and self._scheme.negative == "-1":
            found = -1
        if found is None:
            row = int(np.argmax(examples.label == number))
            raise LabelError(
                f"{examples.place(row)}: found the label {name}, expected "
                f"{self._scheme.expected()}.",
                code="label.unknown",
            )
        return found

    def names(self, examples: Examples, row: int) -> list[tuple[int, str]]:
        """Column and name of the features of a row."""
        reader = self.format_of(examples.kind)
        return reader.names(examples.text, int(examples.start[row]), int(examples.stop[row]))

    def format_of(self, kind: str) -> TextFormat:
        """The format at work, for whoever keeps names."""
        found: TextFormat = self._format(kind)
        return found


def inputs_for(recipe: Recipe, *, hashed: bool = True) -> Inputs:
    """How the rows of a model with this recipe are sent."""
    if recipe.format == "text":
        return Texts(recipe, hashed=hashed)
    return (Tables if recipe.format in TABLES else Inputs)(recipe)


def lines_of_rows(kind: str, text: bytes) -> list[bytes]:
    r"""The lines of a text that are rows to whatever model, with their ends.

    >>> lines_of_rows("svmlight", b"1 3:1\n\n# nothing\n-1 900000:2 # x\n")
    [b'1 3:1\n', b'-1 900000:2 # x\n']
    """
    anybody = NameTable(MAX_INDEX + 1, True)
    reader: Any = opened(format_named(kind), Recipe(format=kind), anybody, add=False)
    scanned = reader.scan(REQUEST, text, 1)
    for bad in scanned.bad:
        raise bad.error()
    places = zip(scanned.start.tolist(), scanned.stop.tolist(), strict=True)
    return [text[start:stop] + b"\n" for start, stop in places]


def require_within(examples: Examples, most_features: int) -> None:
    """Refuse rows with more features than a request may have; texts are bounded by their bytes."""
    if len(examples.rows.column) <= most_features or examples.kind == "text":
        return
    sizes = np.diff(examples.rows.row_start)
    row = int(np.argmax(sizes))
    if sizes[row] > most_features:
        raise ServiceError(
            f"{examples.place(row)}: found {sizes[row]} features, and a row has at most "
            f"{most_features}.",
            code="service.too_large",
        )


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


def _of_classes(examples: Examples, names: list[str]) -> Batch:
    """A batch of named classes; two ways to write one name are one class."""
    classes = tuple(dict.fromkeys(names))
    place = {name: k for k, name in enumerate(classes)}
    number: NDArray[np.int32] = np.array([place[name] for name in names], np.int32)
    return Batch.from_rows(examples.rows, number.take(examples.label), examples.importance, classes)
