"""The bytes of a binary file: a prologue, frames of rows, an end; see docs/binary-format.md.

Everything is little-endian, and every array begins at a multiple of 8 bytes, so that a
reader may use the arrays where they lie.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from struct import Struct
from typing import Any

import numpy as np
from isal.isal_zlib import crc32
from numpy.typing import NDArray

from thresher.errors import BinaryFileError
from thresher.parameters import MAX_FEATURES
from thresher.records import record
from thresher.streams.sources.source import opened_anywhere

#: The first byte is not ASCII and the line ends are both kinds: a file that was mangled as a
#: text file is recognised.
MAGIC = b"\x89THB\r\n\x1a\n"
VERSION = 1
#: magic, version, bytes of JSON, 0, CRC-32 of these and of the JSON.
PROLOGUE = Struct("<8sIIII")
_BEFORE_CRC = PROLOGUE.size - 4
#: kind, CRC-32 of what follows, rows, values, bytes after this head, bytes of label names, kind of
#: the values, whether there are importances, columns.
HEAD = Struct("<4sIQQQIBB2xI20x")
ROWS, END = b"ROWS", b"END."
#: At the end stand the numbers of rows, values and columns, and the SHA-256 of everything before.
END_BYTES = HEAD.size + 32
#: Where the values are all 1 none are stored; otherwise they have the narrowest of these types
#: that holds each of them exactly.
VALUE_TYPES: tuple[Any, ...] = (None, np.dtype("<i1"), np.dtype("<f4"), np.dtype("<f8"))
#: No frame is larger: what a damaged head claims is not allocated. A row of 2^26 values fits.
LARGEST_FRAME = 2**30
_ALIGNED = 8
_DAMAGED = "Convert it again from its source."


@record(kw_only=True)
class Columns:
    """What the columns of the rows mean."""

    #: Whether names were hashed to make them; otherwise a column is the number it had.
    hashed: bool = False
    #: With hashing: into how many columns, with which seed, and whether of two names on one
    #: column the stronger value was kept, rather than the sum.
    n_features: int = 0
    seed: int = 0
    strongest: bool = False


def prologue(columns: Columns) -> bytes:
    """The first bytes of a file."""
    text = json.dumps({"columns": asdict(columns)}).encode()
    text += b" " * (-(PROLOGUE.size + len(text)) % _ALIGNED)
    start = PROLOGUE.pack(MAGIC, VERSION, len(text), 0, 0)[:_BEFORE_CRC]
    return start + crc32(text, crc32(start)).to_bytes(4, "little") + text


def prologue_size(file: str, start: bytes) -> int:
    """How long the prologue is whose first `PROLOGUE.size` bytes are given."""
    if not start.startswith(MAGIC):
        raise BinaryFileError(
            file,
            "this is not a thresher binary file",
            "Name its format: Recipe(format=...).",
            code="binary.foreign",
        )
    if len(start) < PROLOGUE.size:
        raise BinaryFileError(file, "the file ends within its first bytes", _DAMAGED)
    _, version, length, _, _ = PROLOGUE.unpack_from(start)
    if version > VERSION:
        raise BinaryFileError(
            file,
            f"the file has format version {version}, and this thresher reads up to {VERSION}",
            "Upgrade thresher, or convert the file again with this version.",
        )
    if length > 2**20 or version < 1:
        raise BinaryFileError(file, "its prologue is damaged", _DAMAGED)
    return PROLOGUE.size + int(length)


def read_prologue(file: str, whole: bytes) -> Columns:
    """What the prologue says."""
    *_, checksum = PROLOGUE.unpack_from(whole)
    text = whole[PROLOGUE.size :]
    if crc32(text, crc32(whole[:_BEFORE_CRC])) != checksum:
        raise BinaryFileError(file, "its prologue is damaged", _DAMAGED)
    try:
        columns = Columns(**json.loads(text)["columns"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BinaryFileError(file, "its prologue is damaged", _DAMAGED) from None
    kinds = (bool, int, int, bool)
    said = (columns.hashed, columns.n_features, columns.seed, columns.strongest)
    if tuple(map(type, said)) != kinds or not 0 <= columns.n_features <= MAX_FEATURES:
        what = f"its prologue says of the columns what cannot be: {columns}"
        raise BinaryFileError(file, what, _DAMAGED)
    return columns


def columns_told(path: str) -> Columns:
    """What the columns of a file mean, and how many it says that there are (0: it does not).

    Only a plain file with its end is asked: what is damaged, its reader will say.
    """
    with opened_anywhere(path) as file:
        start = file.read(PROLOGUE.size)
        if not start.startswith(MAGIC):
            return Columns()
        size = prologue_size(path, start)
        columns = read_prologue(path, start + file.read(size - len(start)))
        if columns.hashed or file.seek(0, os.SEEK_END) < size + END_BYTES:
            return columns
        file.seek(-END_BYTES, os.SEEK_END)
        try:
            raw, digest = file.read(HEAD.size), file.read()
        except ValueError:
            # A server that hands out no parts of files.
            return columns
    end = Head.of(raw)
    if end is None or end.kind != END or checksum(raw, memoryview(digest)) != end.checksum:
        return columns
    return replace(columns, n_features=end.n_columns)


@record
class Head:
    """What the head of a frame says."""

    kind: bytes
    checksum: int
    n_rows: int
    n_values: int
    n_bytes: int
    name_bytes: int
    value_type: int
    has_importance: bool
    #: At the end of the file: the largest column plus one; 0 if it was not counted.
    n_columns: int

    @classmethod
    def of(cls, raw: bytes) -> Head | None:
        """The head that some bytes are, or None if they can be none."""
        head = cls(*HEAD.unpack(raw))
        plausible = (
            head.n_bytes == END_BYTES - HEAD.size
            if head.kind == END
            else head.kind == ROWS
            and head.value_type < len(VALUE_TYPES)
            and max(head.n_rows, head.n_values, head.n_bytes) <= LARGEST_FRAME
            and head.n_bytes == head.places()[-1]
        )
        return head if plausible else None

    def places(self) -> list[int]:
        """Where the arrays begin: starts, columns, values, labels, importances, names; the end."""
        dtype = VALUE_TYPES[self.value_type]
        sizes = (
            8 * (self.n_rows + 1),
            4 * self.n_values,
            0 if dtype is None else dtype.itemsize * self.n_values,
            4 * self.n_rows,
            8 * self.n_rows if self.has_importance else 0,
            self.name_bytes,
        )
        places = [0]
        for size in sizes:
            places.append(places[-1] + size + -size % _ALIGNED)
        return places


@record
class Frame:
    """Some rows as a frame holds them."""

    row_start: NDArray[np.int64]
    column: NDArray[np.int32]
    #: None where every value is 1.
    value: NDArray[Any] | None
    label: NDArray[np.int32]
    importance: NDArray[np.float64] | None
    #: Labels that no earlier frame has.
    new_labels: list[str]

    @classmethod
    def of(cls, head: Head, body: memoryview) -> Frame:
        """The frame with this head and body: views of the body, nothing is copied."""
        at = head.places()

        def array(place: int, count: int, dtype: Any) -> NDArray[Any]:
            found = np.frombuffer(body, dtype, count, at[place])
            return found if found.dtype.isnative else found.astype(found.dtype.newbyteorder("="))

        dtype = VALUE_TYPES[head.value_type]
        return cls(
            array(0, head.n_rows + 1, "<i8"),
            array(1, head.n_values, "<i4"),
            None if dtype is None else array(2, head.n_values, dtype),
            array(3, head.n_rows, "<i4"),
            array(4, head.n_rows, "<f8") if head.has_importance else None,
            names_in(head, body),
        )

    def to_bytes(self) -> bytes:
        """The frame as it stands in a file."""
        value, kind = _narrowest(self.value)
        names = json.dumps(self.new_labels).encode() if self.new_labels else b""
        arrays = (self.row_start, self.column, value, self.label, self.importance)
        parts = [
            b"" if a is None else a.astype(a.dtype.newbyteorder("<")).tobytes() for a in arrays
        ]
        body = b"".join(part + bytes(-len(part) % _ALIGNED) for part in (*parts, names))
        counts = (len(self.label), len(self.column), len(body), len(names))
        return _sealed(ROWS, body, *counts, kind, self.importance is not None, 0)


def names_in(head: Head, body: memoryview) -> list[str]:
    """The labels that a frame names; none if it is so damaged that they cannot be told."""
    start = head.places()[5]
    text = bytes(body[start : start + head.name_bytes])
    try:
        names = json.loads(text) if text else []
        # Fails for what is no text, and for half of a surrogate pair, which nobody can write.
        "".join(names).encode()
        return list(names)
    except (ValueError, TypeError, RecursionError):
        return []


def end_frame(n_rows: int, n_values: int, n_columns: int, digest: bytes) -> bytes:
    """The last bytes of a file: how much there is, and what all before them hashes to."""
    return _sealed(END, digest, n_rows, n_values, len(digest), 0, 0, False, n_columns)


def _sealed(kind: bytes, body: bytes, *head: int) -> bytes:
    rest = HEAD.pack(kind, 0, *head)[8:]
    return HEAD.pack(kind, crc32(body, crc32(rest)), *head) + body


def checksum(raw_head: bytes, body: memoryview) -> int:
    """What the checksum in the head of a frame must be."""
    return crc32(body, crc32(raw_head[8:]))


def _narrowest(value: NDArray[Any] | None) -> tuple[NDArray[Any] | None, int]:
    if value is None or bool(np.all(value == 1.0)):
        return None, 0
    for kind, dtype in enumerate(VALUE_TYPES[1:-1], 1):
        with np.errstate(invalid="ignore", over="ignore"):
            narrow = value.astype(dtype)
        if np.array_equal(narrow, value):
            return narrow, kind
    return value, len(VALUE_TYPES) - 1
