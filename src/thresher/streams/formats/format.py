"""What a format is to the pipeline: a way to cut blocks and to scan them, or jobs of its own."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from thresher.records import record
from thresher.streams.chunk import BadLine
from thresher.streams.recipe import Recipe
from thresher.streams.remark import Remark
from thresher.streams.rows import Facts
from thresher.streams.sources.source import ByteSource


@record
class Scanned:
    """What a format read in one block of whole lines.

    Columns increase strictly within a row; values are finite and not 0.
    """

    row_start: NDArray[np.int64]
    column: NDArray[np.int32]
    value: NDArray[np.float64]
    #: Index into `label_names`; -1 where a line has no label.
    label: NDArray[np.int32]
    #: Labels as they were written, in the order in which this block first has them.
    label_names: list[str]
    importance: NDArray[np.float64] | None
    line: NDArray[np.int64]
    #: Where in the block the line of each row begins and ends (without its line end).
    start: NDArray[np.int64]
    stop: NDArray[np.int64]
    bad: Sequence[BadLine]
    #: Lines in the block, good and bad, blank and commented ones too.
    n_lines: int
    #: What the scanner knows of the values; None: let the check find out.
    facts: Facts | None = None
    #: How many lines were read although they are not UTF-8, and the first, from 1 in the block.
    mended: tuple[int, int] = (0, 0)


#: What some editors put before a text in UTF-8.
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class RecordEnds(Protocol):
    """Where records end, in a format whose records may have line ends inside."""

    def last(self, block: bytes, /) -> int:
        """Where the last whole record ends in a block that begins with a record; 0: none does."""

    def next(self, block: bytes, at: int, state: int, /) -> tuple[int, int]:
        """Where the record that goes on at `at` ends, and the state to go on in behind this block.

        The state at the beginning of a record is 0. The end is -1 if it is not in this block.
        """


class TextFormat(Protocol):
    """A format that is read in blocks of whole lines, by several threads at once."""

    name: ClassVar[str]
    #: How many bytes of a file `begin` wants to see (it gets fewer only if there are no more).
    head_bytes: ClassVar[int]
    #: Whether blocks must be scanned one after another (a vocabulary gives out columns in order).
    in_order: bool
    #: The recipe, completed by what `begin` found.
    recipe: Recipe
    #: Where records end, known after `begin`; None: a record is a line.
    ends: RecordEnds | None
    #: Whether lines with bytes that are not UTF-8 are read all the same.
    mends: bool
    #: What was noticed on the way.
    remarks: list[Remark]

    def begin(self, file: str, head: bytes) -> int:
        """Look at the first bytes of a file; return how many of them to skip (a header)."""

    def header_in(self, block: bytes) -> int:
        """How many bytes a header takes that only whole lines tell: behind what `begin` skips."""

    def arranged(self, block: bytes) -> bytes:
        """A block with its lines as `scan` wants them."""

    def as_written(self, line: bytes) -> bytes:
        """A line of an arranged block as it stood in the file."""

    def scan(self, file: str, block: bytes, first_line: int) -> Scanned:
        """The rows of a block of whole records. Changes nothing in the format.

        The pipeline may count lines from 1 in every block, and add what came before later.
        """

    def names(self, block: bytes, start: int, stop: int) -> list[tuple[int, str]]:
        """Column and name of the features of one line, for those who want to see names."""


@record
class Job:
    """Some rows to be made: what to run, in whatever thread, and where in the file they end."""

    run: Callable[[], Scanned]
    #: Bytes of the file, as stored, up to the end of these rows.
    position: int
    #: The block that `start` and `stop` of the result point into, if it is text.
    text: bytes | None = None
    #: The table that `start` of the result counts the rows of, if it is one.
    records: Any = None


@runtime_checkable
class RecordFormat(Protocol):
    """A format that finds its own way through a file: Parquet, our own binary."""

    name: ClassVar[str]
    in_order: bool
    recipe: Recipe
    remarks: list[Remark]

    def jobs(self, source: ByteSource) -> Iterator[Job]:
        """The work that makes the rows of a file, in order.

        Runs in the reading thread, so it does little itself. It tells the source which bytes it
        has used (`ByteSource.absorb`), for the digest.
        """


@record
class TableHeader:
    """What the first line of a table says of its columns."""

    names: tuple[str, ...]
    separator: str


@runtime_checkable
class HasHeader(Protocol):
    """A format whose files begin with a line that names the columns, all with the same."""

    #: That of the first file of a stream, once it was read; to be set before anything is read
    #: where others read the first file.
    first_header: TableHeader | None


@runtime_checkable
class ChoosesFields(Protocol):
    """A format of objects with named fields that can pass over some."""

    def read_only(self, fields: Collection[str]) -> None:
        """Read no other fields; to be called before anything is read."""
