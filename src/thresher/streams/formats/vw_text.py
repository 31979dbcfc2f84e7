"""Vowpal Wabbit text: `label importance 'tag |namespace name:value name ... |namespace ...`."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import Hint
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.scan_vw import LONGEST_NAMESPACE, count_names, scan
from thresher.streams.bad_lines import COLUMN_OR_NAME
from thresher.streams.chunk import shown
from thresher.streams.formats.format import Scanned
from thresher.streams.formats.line_format import NamedLines
from thresher.streams.formats.scan_results import Words, not_text, scanned
from thresher.streams.recipe import Recipe

#: By the numbers in `kernels/scanning/scan_vw.pyx`: words before what was found; what was
#: expected.
_FAULTS = (
    ("", ""),
    ("no | in ", "[label [importance]] |[namespace] name[:value] ..."),
    ("the label ", "one label, a word without : and ,; several labels, costs and examples of "
     "several lines are not supported"),
    ("the importance ", "a number that is finite and not negative"),
    ("the initial prediction ", "none, or 0: no learner here begins from one"),
    ("", "label, importance and tag before the first |"),
    ("the namespace ", "|name or |name:weight, with a finite number behind the colon"),
    ("the namespace ", f"a namespace of at most {LONGEST_NAMESPACE} bytes"),
    ("the feature ", "a word, or a decimal number behind the colon, finite also times the weight "
     "of its namespace"),
    ("the feature ", ""),
    ("values that add up to more than a number holds in ", "values of one feature, or of features "
     "that share a column, with a finite sum"),
)  # fmt: skip
_NOT_TEXT, _INITIAL, _COLUMN = 0, 4, 9
_IGNORED = Hint("line.initial", "Recipe(ignore_initial=True) passes over such predictions.")


class VwText(NamedLines):
    """A line is what Vowpal Wabbit calls a simple example, with or without a label.

    A feature `f` of the namespace `ns` is called `ns^f`, one of the nameless namespace `f`. A
    whole number in the nameless namespace is the column itself, unless names are kept in a
    vocabulary. What is repeated in a line is added up. The tag is read and left alone.

    As in Vowpal Wabbit, a value that is a word makes one feature of name and value: `mood:calm` is
    `mood^calm`, with the value 1. White space behind a colon is passed over. A feature without a
    name is called by its number among those of its namespace, from 0: in `|ns :2 :5` there are
    `ns^0` and `ns^1`.
    """

    name: ClassVar[str] = "vw"

    def __init__(self, recipe: Recipe, names: NameTable, add: bool = True) -> None:
        super().__init__(recipe, names, add, numbers=True)
        self._n_features = names.n_features

    def scan(self, file: str, block: bytes, first_line: int) -> Scanned:
        """The rows of a block of whole lines."""
        return scanned(
            scan(block, first_line, self._lexicon, self.recipe.ignore_initial),
            file,
            block,
            self._words,
        )

    def _count(
        self,
        block: bytes,
        places: tuple[NDArray[np.int64], NDArray[np.int64]],
        counts: NameCounts,
        columns: bool,
    ) -> None:
        count_names(block, *places, self._reader, counts, columns)

    def _words(self, code: int, found: bytes) -> Words:
        if code == _NOT_TEXT:
            return not_text(found)
        before, expected = _FAULTS[code]
        if code == _COLUMN:
            expected = f"a column from 0 to {self._n_features - 1}"
        hint = {_COLUMN: COLUMN_OR_NAME, _INITIAL: _IGNORED}.get(code)
        return Words(before + shown(found), expected, hint)
