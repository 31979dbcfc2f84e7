"""The binary format: rows as they lie in memory, read at the speed of memory.

A file that can be mapped is: its rows are views of the map, nothing is copied. From a pipe
each frame is read into memory of its own. Every frame is checked, its checksum and then its
rows, before any of it is handed out; nothing is promised if the file changes meanwhile. The
digest of the file is the one that its writer put at its end: to hash it again would take longer
than to learn from it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BinaryFileError
from thresher.kernels.rows import check_rows
from thresher.kernels.rows.named_rows import LARGEST_GROWN_INDEX, NameTable
from thresher.streams.formats.binary_frame import (
    END,
    END_BYTES,
    HEAD,
    PROLOGUE,
    Columns,
    Frame,
    Head,
    checksum,
    names_in,
    prologue_size,
    read_prologue,
)
from thresher.streams.formats.crossed_rows import crossed, lexicon_of_pairs
from thresher.streams.formats.format import Job, Scanned
from thresher.streams.recipe import Recipe
from thresher.streams.remark import Remark
from thresher.streams.rows import Facts, ones
from thresher.streams.sources.machine import map_file, release_pages
from thresher.streams.sources.source import ByteSource

_AGAIN = "Convert it again from its source; nothing was taken from the damaged part."
_NOWHERE = np.empty(0, np.int64)
#: So many frames of a mapped file stay in memory: about as many are between reader and learner.
_KEPT_FRAMES = 6


class Binary:
    """Reader of binary files, which `thresher convert` makes."""

    name: ClassVar[str] = "binary"

    def __init__(self, recipe: Recipe, names: NameTable, add: bool = True) -> None:
        self.recipe = recipe
        self.remarks: list[Remark] = []
        self.in_order = False
        self._names = names
        self._n_columns = LARGEST_GROWN_INDEX + 1 if names.growing else names.n_features
        self._lexicon = lexicon_of_pairs(self.name, recipe, names)
        #: What the columns of the first file mean, once it was opened; others are read ahead.
        self.columns: Columns | None = None

    def jobs(self, source: ByteSource) -> Iterator[Job]:
        """One job for each frame: to check it, then to hand it out as it is."""
        file = source.name
        # Whether it is compressed shows in the first bytes.
        source.head(1)
        bytes_ = _Mapped(source) if source.can_be_mapped else _Piped(source)
        self._check_columns(file, bytes_.columns)
        self.columns = self.columns or bytes_.columns
        label_names: list[str] = []
        n_rows = n_values = 0
        while (head := bytes_.next_head()).kind != END:
            limits = self._n_columns, bytes_.n_columns
            frame = _Rows(file, bytes_.position, n_rows + 1, *limits)
            raw, body = bytes_.next_body(head)
            if head.name_bytes:
                label_names = [*label_names, *names_in(head, body)]
            rows = partial(frame.read, head, raw, body)
            yield Job(partial(self._run, rows, label_names, file), bytes_.position)
            n_rows += head.n_rows
            n_values += head.n_values
        digest = bytes_.last_bytes(head)
        if (head.n_rows, head.n_values) != (n_rows, n_values):
            raise BinaryFileError(
                file,
                f"the file says that it has {head.n_rows} rows with {head.n_values} values, but "
                f"it has {n_rows} with {n_values}",
                "Parts of it are missing or repeated; convert it again from its source.",
            )
        source.declare(digest.hex())

    def _run(self, read: Callable[[list[str]], Scanned], labels: list[str], file: str) -> Scanned:
        rows = read(labels)
        return rows if self._lexicon is None else crossed(rows, self._lexicon, file, b"")

    def _check_columns(self, file: str, columns: Columns) -> None:
        """Names that were hashed must have been hashed as this reader would."""
        names = self._names
        if not columns.hashed:
            return
        if not names.hashed or (names.n_features, names.seed) != (columns.n_features, columns.seed):
            ours = (
                f"into {names.n_features} with seed {names.seed}" if names.hashed else "not at all"
            )
            raise BinaryFileError(
                file,
                f"its names were hashed into {columns.n_features} columns with seed "
                f"{columns.seed}, and here they are hashed {ours}",
                "Use the same settings, or convert the file again with the ones wanted.",
            )


class _Rows:
    """A frame on its way to rows; runs in any thread."""

    def __init__(self, file: str, position: int, first: int, n_columns: int, told: int) -> None:
        self.file, self.position = file, position
        #: The number of the first row, from 1 in the file.
        self._first = first
        #: How many columns there are here, and how many the file says that it has (0: it does not).
        self._n_columns, self._told = n_columns, told

    def read(self, head: Head, raw: bytes, body: memoryview, label_names: list[str]) -> Scanned:
        """The rows of a frame whose checksum is right and whose rows are sound."""
        if checksum(raw, body) != head.checksum:
            raise BinaryFileError(
                self.file, f"{self._where(head)} is damaged: its checksum differs", _AGAIN
            )
        frame = Frame.of(head, body)
        at_fault, largest = check_rows.inspect_frame(
            frame.row_start, frame.column, frame.label, len(label_names)
        )
        if at_fault >= 0:
            raise self._unsound(head, at_fault, _fault(frame, at_fault, len(label_names)))
        if 0 < self._told <= largest:
            what = f"has column {largest}, and the file says that it has {self._told} columns"
            raise BinaryFileError(self.file, f"{self._where(head)} {what}", _AGAIN)
        if largest >= self._n_columns:
            raise BinaryFileError(
                self.file,
                f"{self._where(head)} has column {largest}, and there are {self._n_columns} "
                "columns here",
                "Ask for more with n_features.",
                code="binary.columns",
                column=largest,
                n_columns=self._n_columns,
            )
        self._check_importances(head, frame)
        value, facts = self._values(head, frame, largest + 1)
        return Scanned(
            row_start=frame.row_start,
            column=frame.column,
            value=value,
            label=frame.label,
            label_names=label_names,
            importance=frame.importance,
            line=np.arange(1, head.n_rows + 1),
            start=_NOWHERE,
            stop=_NOWHERE,
            bad=(),
            n_lines=head.n_rows,
            facts=facts,
        )

    def _check_importances(self, head: Head, frame: Frame) -> None:
        if (weight := frame.importance) is not None:
            odd = ~((weight >= 0) & np.isfinite(weight))
            if odd.any():
                row = int(np.argmax(odd))
                raise self._unsound(head, row, f"its importance is {weight[row]}")

    def _values(
        self, head: Head, frame: Frame, n_features: int
    ) -> tuple[NDArray[np.float64], Facts]:
        """The values, and what is known of the rows, if they are sound."""
        if frame.value is None:
            one = float(bool(len(frame.column)))
            return ones(len(frame.column)), Facts(n_features, True, one, one)
        value = np.ascontiguousarray(frame.value, np.float64)
        unsound, zeros, integral, lowest, highest = check_rows.inspect_values(value)
        if unsound >= 0 or zeros:
            place = unsound if unsound >= 0 else int(np.argmin(np.abs(value)))
            row = int(np.searchsorted(frame.row_start, place, side="right")) - 1
            what = f"column {frame.column[place]} has the value {value[place]}"
            raise self._unsound(head, row, what)
        return value, Facts(n_features, integral, lowest, highest)

    def _where(self, head: Head) -> str:
        last = self._first + head.n_rows - 1
        return f"the frame at byte {self.position}, rows {self._first} to {last},"

    def _unsound(self, head: Head, row: int, what: str) -> BinaryFileError:
        where = f"{self._where(head)} breaks the rules of the format"
        return BinaryFileError(self.file, f"{where}: row {self._first + row}: {what}", _AGAIN)


def _fault(frame: Frame, row: int, n_labels: int) -> str:
    """What is wrong with a row that the kernel refused."""
    n_values = len(frame.column)
    if row == len(frame.label):
        return f"it is not there, and {n_values - frame.row_start[row]} values are left over"
    start, stop = frame.row_start[row : row + 2].tolist()
    if (row == 0 and start) or not start <= stop <= n_values:
        return f"it has the values from {start} to {stop}, and the frame has {n_values}"
    columns = frame.column[start:stop].tolist()
    for before, after in pairwise([-1, *columns]):
        if after <= before:
            return f"column {after} comes after {before}" if before >= 0 else f"column {after}"
    return f"its label has number {frame.label[row]}, and {n_labels} labels have a name"


class _Bytes(Protocol):
    """Where the frames of a file come from."""

    columns: Columns
    #: How many columns the rows have, if that is known before they are read; otherwise 0.
    n_columns: int
    position: int

    def next_head(self) -> Head:
        """The head of the next frame."""

    def next_body(self, head: Head) -> tuple[bytes, memoryview]:
        """The frame whose head this is: the bytes of the head, and those after it."""

    def last_bytes(self, head: Head) -> bytes:
        """What stands behind the head of the end: the digest, and nothing after it."""


class _Mapped:
    """A file mapped into memory; whether its end is there is seen at once."""

    def __init__(self, source: ByteSource) -> None:
        self.file = source.name
        self._source = source
        if not source.size:
            prologue_size(self.file, b"")
        self._map, self._released = map_file(source.fileno()), 0
        self._begun: deque[int] = deque(maxlen=_KEPT_FRAMES)
        self._bytes = memoryview(self._map)
        self.position = prologue_size(self.file, bytes(self._bytes[: PROLOGUE.size]))
        self.columns = read_prologue(self.file, bytes(self._bytes[: self.position]))
        raw = bytes(self._bytes[-END_BYTES:][: HEAD.size])
        if len(self._bytes) < self.position + END_BYTES or not raw.startswith(END):
            raise _cut_short(self.file)
        end = _head_of(self.file, raw, len(self._bytes) - END_BYTES)
        _checked_digest(self.file, end, raw, self._bytes[-end.n_bytes :])
        self.n_columns = end.n_columns

    def next_head(self) -> Head:
        self._raw = bytes(self._bytes[self.position : self.position + HEAD.size])
        return _head_of(self.file, self._raw, self.position)

    def next_body(self, head: Head) -> tuple[bytes, memoryview]:
        start = self.position + HEAD.size
        body = self._bytes[start : start + head.n_bytes]
        if len(body) < head.n_bytes:
            raise _cut_short(self.file)
        self._release(start)
        self.position = start + head.n_bytes
        return self._raw, body

    def _release(self, start: int) -> None:
        """Give back the memory of what lies behind."""
        self._begun.append(start)
        self._released = release_pages(self._map, self._released, self._begun[0])

    def last_bytes(self, head: Head) -> bytes:
        if self.position + END_BYTES != len(self._bytes):
            raise _more_after_the_end(self.file)
        return _checked_digest(self.file, head, *self.next_body(head))


class _Piped:
    """A file that can only be read in order: standard input, or a compressed one."""

    def __init__(self, source: ByteSource) -> None:
        self.file = source.name
        self._source = source
        start = self._read(PROLOGUE.size)
        rest = self._read(prologue_size(self.file, bytes(start)) - PROLOGUE.size)
        self.columns = read_prologue(self.file, bytes(start + rest))
        self.n_columns = 0

    @property
    def position(self) -> int:
        """Bytes as stored, so that a compressed file counts as such."""
        return self._source.n_bytes

    def _read(self, size: int) -> bytearray:
        """So many bytes, or as many as there are; never more memory than has arrived."""
        found = bytearray()
        while len(found) < size and (part := self._source.read(min(size - len(found), 2**24))):
            found += part
        return found

    def next_head(self) -> Head:
        self._raw = bytes(self._read(HEAD.size))
        return _head_of(self.file, self._raw, self.position)

    def next_body(self, head: Head) -> tuple[bytes, memoryview]:
        body = memoryview(self._read(head.n_bytes)).toreadonly()
        if len(body) < head.n_bytes:
            raise _cut_short(self.file)
        return self._raw, body

    def last_bytes(self, head: Head) -> bytes:
        digest = _checked_digest(self.file, head, *self.next_body(head))
        if self._source.read(1):
            raise _more_after_the_end(self.file)
        return digest


def _checked_digest(file: str, head: Head, raw: bytes, body: memoryview) -> bytes:
    if checksum(raw, body) != head.checksum:
        raise BinaryFileError(file, "the end of the file is damaged", _AGAIN)
    return bytes(body)


def _head_of(file: str, raw: bytes, position: int) -> Head:
    if len(raw) < HEAD.size:
        raise _cut_short(file)
    head = Head.of(raw)
    if head is None:
        raise BinaryFileError(file, f"the frame at byte {position} is damaged", _AGAIN)
    return head


def _cut_short(file: str) -> BinaryFileError:
    return BinaryFileError(file, "the file is cut short: its end is missing", _AGAIN)


def _more_after_the_end(file: str) -> BinaryFileError:
    return BinaryFileError(
        file,
        "there is more after the end of the file",
        "Give several files one by one, not joined.",
    )
