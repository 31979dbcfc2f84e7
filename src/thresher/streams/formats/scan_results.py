"""From what a compiled scanner put down to what the pipeline wants, with faults in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from thresher.errors import Hint
from thresher.kernels.scanning.row_sink import RowSink, is_of_pairs, words_for
from thresher.streams.bad_lines import ENCODINGS
from thresher.streams.chunk import BadLine, FaultyLines
from thresher.streams.formats.format import Scanned
from thresher.streams.rows import ones


class Words(NamedTuple):
    """A fault in words: what was found, what was expected, and what can be done."""

    found: str
    expected: str
    hint: Hint | None = None


def scanned(
    sink: RowSink, file: str, block: bytes, words: Callable[[int, bytes], Words]
) -> Scanned:
    """The rows of a block, and its bad lines.

    `words` says what is wrong, given the number of a fault and the bytes it is about.
    """

    def bad_line(
        number: int, first: int, last: int, code: int, found: int, found_stop: int
    ) -> BadLine:
        if is_of_pairs(code):
            said = Words(*words_for(code, found))
        else:
            said = words(code, block[found:found_stop])
        return BadLine(file, number, said.found, said.expected, block[first:last], said.hint)

    return with_bad_lines(sink, FaultyLines(sink.faults(), bad_line))


def with_bad_lines(sink: RowSink, bad: Sequence[BadLine]) -> Scanned:
    """The rows of a block, with bad lines that have been put in words elsewhere."""
    ones_only = sink.only_ones
    arrays = sink.arrays(with_values=not ones_only)
    row_start, column, value, label, importance, line, start, stop = arrays
    return Scanned(
        row_start=row_start,
        column=column,
        value=ones(len(column)) if ones_only else value,
        label=label,
        label_names=sink.label_names(),
        importance=importance,
        line=line,
        start=start,
        stop=stop,
        bad=bad,
        n_lines=sink.n_lines,
    )


def not_text(found: bytes) -> Words:
    """A byte that no text has, in words."""
    return Words(f"the byte 0x{found[0]:02x}", "text in UTF-8, without NUL bytes", ENCODINGS)
