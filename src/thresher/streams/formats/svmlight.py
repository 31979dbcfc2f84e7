"""svmlight (libsvm) text: `label index:value index:value ... # comment`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, ClassVar, overload

import numpy as np
from numpy.typing import NDArray

from thresher.errors import Hint, NameTableFullError
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.crossing import JOINT
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.scan_svmlight import scan
from thresher.kernels.scanning.spare_memory import SpareArrays
from thresher.streams.bad_lines import ENCODINGS, MORE_COLUMNS
from thresher.streams.chunk import BadLine, shown
from thresher.streams.formats.crossed_rows import crossed, lexicon_of_pairs
from thresher.streams.formats.format import Scanned
from thresher.streams.formats.line_format import LineFormat
from thresher.streams.formats.mending import is_text
from thresher.streams.recipe import Recipe
from thresher.streams.rows import MAX_INDEX, Facts, ones


class Svmlight(LineFormat):
    """A line is a label, then `index:value` pairs in any order, each index once.

    `qid:...` is skipped, and so is everything after a `#`. An index is the column it names,
    whether the file counts from 0 or from 1 (`Recipe.one_based` takes 1 off). Blank lines and
    lines with nothing but a comment are no rows.
    """

    name: ClassVar[str] = "svmlight"

    def __init__(self, recipe: Recipe, names: NameTable, add: bool = True) -> None:
        super().__init__()
        self.recipe = recipe
        self.in_order = not names.hashed
        self._names, self._add = names, add
        self._first = int(recipe.one_based)
        #: The number of columns that an index may name; with a vocabulary an index is a name.
        self._n_columns = names.n_features if names.hashed else MAX_INDEX + 1
        self._lexicon = lexicon_of_pairs(self.name, recipe, names)
        #: What blocks that nobody needs any more were scanned into.
        kinds = (np.int64, np.int32, np.int32, np.float64)
        self._spare = [SpareArrays(kind) for kind in kinds]
        #: Rows that such a block may have.
        self._room = 0
        #: An index has no other name, so that there is none to keep, but for pairs.
        self.nameless = self._lexicon is None

    def scan(self, file: str, block: bytes, first_line: int) -> Scanned:
        """The rows of a block of whole lines."""
        rows = self._without_pairs(file, block, first_line)
        return rows if self._lexicon is None else crossed(rows, self._lexicon, file, block)

    def _without_pairs(self, file: str, block: bytes, first_line: int) -> Scanned:
        arrays, found = self._scanned(block, self._room or block.count(b"\n") + 2)
        if found is None:
            # It has shorter lines than the one before.
            arrays, found = self._scanned(block, block.count(b"\n") + 2)
        places, labels, column, value = arrays
        (n_lines, n_rows, n, n_faults), label_names, has_values, facts = found
        # Most often the next block has about as many lines.
        self._room = n_lines + n_lines // 4 + 64
        row_start, (line, start, stop) = places[0, : n_rows + 1], places[1:4, :n_rows]
        scanned = Scanned(
            row_start=row_start,
            column=column[:n],
            value=value[:n] if has_values else ones(n),
            label=labels[:n_rows],
            label_names=label_names,
            importance=None,
            line=line + (first_line - 1) if first_line > 1 else line,
            start=start,
            stop=stop,
            bad=_BadLines(self, file, block, places[4:, :n_faults], first_line),
            n_lines=n_lines,
            facts=Facts(*facts),
        )
        return scanned if self._names.hashed else self._named(scanned)

    def _scanned(self, block: bytes, room: int) -> Any:
        """Places, labels, columns and values, with room for so many lines, and what `scan` says."""
        most_values = len(block) // 4 + 1
        sizes = 9 * room, room, most_values, most_values
        places, labels, column, value = map(SpareArrays.take, self._spare, sizes)
        arrays = places.reshape(9, -1), labels, column, value
        return arrays, scan(block, self._n_columns, self.recipe.one_based, *arrays)

    def names(self, block: bytes, start: int, stop: int) -> list[tuple[int, str]]:
        """Column and name of the features of one line: the name of a feature is its index."""
        line = self._without_pairs("", block[start:stop], 1)
        columns = line.column.tolist()
        if self._lexicon is not None:
            names = self._lexicon.with_pairs([b"%d" % column for column in columns])
            found = self._lexicon.columns_of(names)
            return [(int(c or 0), self._shown(n)) for c, n in zip(found, names, strict=True)]
        if self._names.hashed:
            return [(column, str(column + self._first)) for column in columns]
        known = {column: name for name, column in self._names.vocabulary.items()}
        return [(column, known[column]) for column in columns]

    def _shown(self, name: bytes) -> str:
        """A feature or a pair, by the indices of the file."""
        indices = (int(part) + self._first for part in name.decode().split(JOINT))
        return JOINT.join(map(str, indices))

    def count_names(
        self, block: bytes, start: NDArray[np.int64], stop: NDArray[np.int64], counts: NameCounts
    ) -> None:
        """Count the names of the pairs of some lines."""
        places = zip(start.tolist(), stop.tolist(), strict=True)
        lines = b"\n".join(block[first:last] for first, last in places)
        rows = self._without_pairs("", lines, 1)
        counts.count_pairs(rows.row_start, rows.column)

    def _named(self, scanned: Scanned) -> Scanned:
        """The rows with columns from the vocabulary, where an index is a name like any other."""
        index, first, where = np.unique(scanned.column, return_index=True, return_inverse=True)
        new_column = np.empty(len(index), np.int32)
        for place in np.argsort(first, kind="stable").tolist():
            new_column[place] = self._column_named(str(int(index[place]) + self._first))
        column = new_column[where]
        row = np.repeat(np.arange(len(scanned.label)), np.diff(scanned.row_start))
        keep = column >= 0
        order = np.flatnonzero(keep)[np.lexsort((column[keep], row[keep]))]
        kept_before = np.concatenate(([0], np.cumsum(keep, dtype=np.int64)))
        return replace(
            scanned,
            row_start=kept_before[scanned.row_start],
            column=column[order],
            value=scanned.value[order],
            facts=None,
        )

    def _column_named(self, name: str) -> int:
        """The column of a name; -1 if the vocabulary lacks it and may not grow."""
        vocabulary = self._names.vocabulary
        if name not in vocabulary:
            if not self._add:
                return -1
            if not self._names.growing and len(vocabulary) >= self._names.n_features:
                raise NameTableFullError(name, self._names.n_features)
            vocabulary[name] = len(vocabulary)
        return vocabulary[name]

    def _bad_line(self, file: str, block: bytes, fault: NDArray[np.int64], before: int) -> BadLine:
        """A fault in words."""
        line, start, stop, kind, detail = fault.tolist()
        what, expected = _FAULTS[kind]
        if kind == _TWICE:
            found = f"index {detail} twice"
        else:
            token = _TOKEN_END.split(block[detail:stop], 1)[0]
            found = f"{what}{shown(token)}"
        hint = None
        if kind == _INDEX_RANGE:
            expected = f"an index from {self._first} to {self._n_columns - 1 + self._first}"
            hint = MORE_COLUMNS if self._n_columns <= MAX_INDEX else None
            index = token.partition(b":")[0].lstrip(b"0")
            if index.isdigit() and (len(index) > 18 or int(index) > MAX_INDEX):
                hint = _BEYOND
            elif not self._first and token.startswith(b"%d:" % self._n_columns):
                hint = _FROM_ONE
        elif kind == _LABEL and not is_text(token):
            hint = ENCODINGS
        return BadLine(file, line + before, found, expected, block[start:stop], hint)


_TOKEN_END = re.compile(rb"[ \t\r\n#]")
_LABEL, _INDEX_RANGE, _TWICE = 2, 4, 7
#: For the first index that has no column: in files that count from 1 it is the last column.
_FROM_ONE = Hint(
    "line.from_one",
    "If the file counts from 1, say Recipe(one_based=True); a larger n_features allows more.",
)
#: For an index that no learner has a column for, however many it is given.
_BEYOND = Hint("line.beyond", "Number the columns anew: no learner has one of this number.")
#: For each kind of fault: what to say before the token that was found, and what was expected.
_FAULTS = {
    1: ("the feature ", "a label at the start of the line"),
    _LABEL: ("the label ", "a label in UTF-8, without control characters"),
    3: ("", "a feature such as 7:1 or 7:0.5"),
    _INDEX_RANGE: ("", ""),
    5: ("", "a decimal number behind the colon"),
    6: ("", "a number that is finite in double precision"),
    _TWICE: ("", "each index once in a line"),
}


class _BadLines(Sequence[BadLine]):
    """The bad lines of a block; put into words when somebody asks, for there may be many."""

    def __init__(
        self,
        format_: Svmlight,
        file: str,
        block: bytes,
        faults: NDArray[np.int64],
        first_line: int,
    ) -> None:
        self._format, self._file, self._block = format_, file, block
        self._faults, self._before = faults, first_line - 1

    def __len__(self) -> int:
        return len(self._faults[0])

    @overload
    def __getitem__(self, place: int) -> BadLine: ...
    @overload
    def __getitem__(self, place: slice) -> list[BadLine]: ...
    def __getitem__(self, place: int | slice) -> BadLine | list[BadLine]:
        if isinstance(place, slice):
            return [self[k] for k in range(*place.indices(len(self)))]
        return self._format._bad_line(self._file, self._block, self._faults[:, place], self._before)
