"""Raw text: `label<TAB>text`, from which words and their neighbours become features."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.scan_text import LONGEST_TEXT, count_names, scan
from thresher.streams.formats.format import BYTE_ORDER_MARK, RecordEnds, Scanned
from thresher.streams.formats.scan_results import (
    Words,
    counts_of_one_line,
    not_text,
    scanned,
    with_columns,
)
from thresher.streams.recipe import NGrams, Recipe


class RawText:
    """A line is a label, a tab and a text; without a tab it is all text.

    - A word is a stretch of letters, digits and characters outside ASCII, with apostrophes inside;
      A to Z count as a to z. `NGrams.words` takes sequences of them: `free`, `free cash`.
    - `NGrams.characters` takes sequences of characters of the text, punctuation included. A to
      Z count as a to z, a stretch of white space as one space, and there is one space before and
      one behind the text. The name has `c:` before it: `c:e c`.
    - `NGrams.sparse_bigrams` takes pairs of words in a window, with how far they are apart
      (orthogonal sparse bigrams, Siefkes, Assis, Chhabra and Yerazunis, 2004): `free ~2 cash`
      has one word between the two.

    A feature that is there has the value 1, or, with `NGrams.counts`, how often it is there.
    """

    name: ClassVar[str] = "text"
    head_bytes: ClassVar[int] = len(BYTE_ORDER_MARK)
    ends: RecordEnds | None = None

    def __init__(self, recipe: Recipe, names: NameTable, add: bool = True) -> None:
        self.recipe = recipe
        self.in_order = not names.hashed
        # A number in a text is a word, not a column.
        self._lexicon = Lexicon(names, add, False)
        self._reader = Lexicon(names, False, False)
        self._wanted = wanted(recipe.text)

    def begin(self, file: str, head: bytes) -> int:
        """Skip a byte order mark."""
        return len(BYTE_ORDER_MARK) if head.startswith(BYTE_ORDER_MARK) else 0

    def scan(self, file: str, block: bytes, first_line: int) -> Scanned:
        """The rows of a block of whole lines."""
        sink = scan(block, first_line, self._lexicon, self._wanted, self.recipe.text.counts)
        return scanned(sink, file, block, _words)

    def names(self, block: bytes, start: int, stop: int) -> list[tuple[int, str]]:
        """Column and name of the features of one line."""
        counts = counts_of_one_line()
        self.count_names(block, np.array([start]), np.array([stop]), counts)
        return with_columns(counts, self._reader)

    def count_names(
        self, block: bytes, start: NDArray[np.int64], stop: NDArray[np.int64], counts: NameCounts
    ) -> None:
        """Count the names of some lines, each of them a row."""
        count_names(block, start, stop, self._reader, counts, self._wanted)


def wanted(text: NGrams) -> tuple[int, int, int, int, int]:
    """Shortest and longest words, shortest and longest characters, window; 0 for none."""
    return (*(text.words or (0, 0)), *(text.characters or (0, 0)), text.sparse_bigrams or 0)


def _words(code: int, found: bytes) -> Words:
    if code == 0:
        return not_text(found)
    return Words(f"a line of {len(found)} bytes", f"lines of at most {LONGEST_TEXT} bytes")
