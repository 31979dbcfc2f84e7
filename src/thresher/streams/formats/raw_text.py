"""Raw text: `label<TAB>text`, from which words and their neighbours become features."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import Hint
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.scan_text import LONGEST_TEXT, count_names, scan
from thresher.streams.chunk import shown
from thresher.streams.formats.format import Scanned
from thresher.streams.formats.line_format import NamedLines
from thresher.streams.formats.scan_results import Words, not_text, scanned
from thresher.streams.formats.text_header import LONGEST_HEADER, names_columns, perhaps_header
from thresher.streams.formats.text_layout import label_behind, label_first
from thresher.streams.recipe import NGrams, Recipe
from thresher.streams.remark import Remark

#: Lines that are looked at to tell whether the first may be a header, in so many bytes.
_LINES_LOOKED_AT, _BYTES_LOOKED_AT = 50, 1 << 16


class RawText(NamedLines):
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

    A first line such as `label<TAB>text` is a header (`text_header.py` says which are), and no row.
    The label may also stand behind the text, if the recipe or the header says so.
    """

    name: ClassVar[str] = "text"

    def __init__(self, recipe: Recipe, names: NameTable, add: bool = True) -> None:
        # A number in a text is a word, not a column.
        super().__init__(recipe, names, add, numbers=False)
        self._wanted = wanted(recipe.text)
        # Whoever names an encoding, be it UTF-8, wants to hear of lines that are not in it.
        self.mends = recipe.encoding is None
        self._file = ""
        self._label_last = recipe.label_last

    def begin(self, file: str, head: bytes) -> int:
        """Skip a byte order mark."""
        self._file, self._label_last = file, self.recipe.label_last
        return super().begin(file, head)

    def header_in(self, block: bytes) -> int:
        """How many bytes the first line takes, if it names the two columns."""
        first, end, _ = block[:LONGEST_HEADER].partition(b"\n")
        whole = end or len(block) < LONGEST_HEADER
        columns = names_columns(first, self.recipe.label_field) if whole else None
        if columns is None:
            self._note_likely_header(block)
            return 0
        self._label_last = columns == "label last"
        self.recipe = replace(self.recipe, label_last=self._label_last)
        what = f"{self._file}: the first line, {shown(first)}, is a header, and no row"
        self.remarks.append(Remark(what))
        return len(first + end)

    def _note_likely_header(self, block: bytes) -> None:
        lines = block[:_BYTES_LOOKED_AT].splitlines()[:_LINES_LOOKED_AT]
        if perhaps_header(self.arranged(b"\n".join(lines)).splitlines()):
            label = self.arranged(lines[0]).partition(b"\t")[0].decode("utf-8", "replace")
            remedy = f"If it is a header, say so: Recipe(label_field={label!r})."
            hint = Hint("text.header", remedy, {"label": label})
            what = f"{self._file}: the first line, {shown(lines[0])}, was read as a row"
            self.remarks.append(Remark(what, hint))

    def arranged(self, block: bytes) -> bytes:
        """The block with the label first in every line."""
        return label_first(block) if self._label_last else block

    def as_written(self, line: bytes) -> bytes:
        """A line with its label where it stood."""
        return label_behind(line) if self._label_last else line

    def scan(self, file: str, block: bytes, first_line: int) -> Scanned:
        """The rows of a block of whole lines."""
        sink = scan(block, first_line, self._lexicon, self._wanted, self.recipe.text.counts)
        return scanned(sink, file, block, _words)

    def _count(
        self,
        block: bytes,
        places: tuple[NDArray[np.int64], NDArray[np.int64]],
        counts: NameCounts,
        columns: bool,
    ) -> None:
        count_names(block, *places, self._reader, counts, self._wanted)


def wanted(text: NGrams) -> tuple[int, int, int, int, int]:
    """Shortest and longest words, shortest and longest characters, window; 0 for none."""
    return (*(text.words or (0, 0)), *(text.characters or (0, 0)), text.sparse_bigrams or 0)


def _words(code: int, found: bytes) -> Words:
    if code == 0:
        return not_text(found)
    return Words(f"a line of {len(found)} bytes", f"lines of at most {LONGEST_TEXT} bytes")
