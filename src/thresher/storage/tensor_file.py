"""The container of a model: arrays and one text, in the safetensors format, with digests.

Eight bytes give the length of a JSON header; it names the arrays, their types and where in
the rest of the file they are. Any safetensors reader opens such a file. It does not notice
a flipped bit, though, so the header also holds the SHA-256 of every array, and its own,
taken with the 64 digits of that digest as zeros. An array is checked when it is first
used: what is not needed is not read.
"""

from __future__ import annotations

import json
import mmap
import os
import stat
from collections.abc import Iterator, Mapping
from hashlib import sha256
from math import prod
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ModelFileError
from thresher.streams.crew import at_once
from thresher.streams.sources.machine import sync_data
from thresher.streams.sources.whole_file import can_go_back

#: Header bytes before the digest; files that begin otherwise are not ours.
OPENING = b'{"__metadata__":{"sha256":"'
BLANK = b"0" * 64
#: A header holds no data, so a long one is not ours; reading it would only cost memory.
LONGEST_HEADER = 2**24
#: Arrays are written in pieces of about so many bytes.
PIECE = 2**20
#: Arrays of so many bytes take longer to hash than a thread to begin.
WORTH_A_THREAD = 2**20
DTYPES = {
    "F64": "<f8", "F32": "<f4", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "|i1",
    "U64": "<u8", "U32": "<u4", "U16": "<u2", "U8": "|u1", "BOOL": "|b1",
}  # fmt: skip
CODES = {np.dtype(dtype): code for code, dtype in DTYPES.items()}


def write(file: BinaryIO, text: str, tensors: Mapping[str, NDArray[Any]]) -> str:
    """Write this text and these arrays; return the digest that stands for them all.

    The same text and arrays give the same bytes. The arrays are read twice, and must not change
    meanwhile: for the digests in the header, and to be written, at the same time where the file
    lets the header be written last.
    """
    ordered = _in_order(tensors)
    blank = _header(text, ordered, dict.fromkeys(tensors, BLANK.decode()))

    again = can_go_back(file)
    large = sum(array.nbytes for _, array in ordered) > WORTH_A_THREAD

    def hashing() -> dict[str, str]:
        return _digests(ordered)

    def rest() -> dict[str, str]:
        for _, array in ordered:
            file.writelines(pieces(array))
        if large and again:
            # On its way to the disk while the other thread still hashes; whoever opened the file
            # waits for all of it to be there.
            file.flush()
            sync_data(file.fileno())
        return {}

    if again:
        file.write(len(blank).to_bytes(8, "little") + blank)
        digests, _ = at_once([hashing, rest], threads=1 + large)
        header = _header(text, ordered, digests)
        file.seek(8)
        file.write(header)
        file.seek(0, os.SEEK_END)
    else:
        header = _header(text, ordered, hashing())
        file.write(len(header).to_bytes(8, "little") + header)
        rest()
    return digest_of(header)


def digest_if_written(text: str, tensors: Mapping[str, NDArray[Any]]) -> str:
    """The digest that `write` would return."""
    ordered = _in_order(tensors)
    return digest_of(_header(text, ordered, _digests(ordered)))


def _in_order(tensors: Mapping[str, NDArray[Any]]) -> list[tuple[str, NDArray[Any]]]:
    """Large items first: then every array begins at a multiple of its item size."""
    return sorted(tensors.items(), key=lambda item: (-item[1].dtype.itemsize, item[0]))


def _digests(ordered: list[tuple[str, NDArray[Any]]]) -> dict[str, str]:
    """The SHA-256 of each array."""
    digests = {}
    for name, array in ordered:
        digest = sha256()
        for piece in pieces(array):
            digest.update(piece)
        digests[name] = digest.hexdigest()
    return digests


def _header(
    text: str, ordered: list[tuple[str, NDArray[Any]]], digests: Mapping[str, str]
) -> bytes:
    """What stands before the arrays; as long as with other digests."""
    entries: dict[str, Any] = {}
    offset = 0
    for name, array in ordered:
        end = offset + array.nbytes
        entries[name] = {
            "dtype": CODES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [offset, end],
        }
        offset = end
    listed = {name: digests[name] for name, _ in ordered}
    metadata = {"sha256": BLANK.decode(), "digests": _compact(listed), "thresher": text}
    header = _compact({"__metadata__": metadata, **entries}).encode("ascii")
    header += b" " * (-len(header) % 8)
    if len(header) > LONGEST_HEADER:
        raise ModelFileError(
            "model", f"its description takes {len(header)} bytes, more than {LONGEST_HEADER}"
        )
    digest = sha256(header).hexdigest().encode()
    return OPENING + digest + header[len(OPENING) + len(BLANK) :]


def pieces(array: NDArray[Any]) -> Iterator[memoryview]:
    r"""The bytes of an array, little end first; no more of them are copied than one piece.

    >>> table = np.arange(6, dtype="<i2").reshape(2, 3)
    >>> [bytes(piece) for piece in pieces(table[:, :2])]
    [b'\x00\x00\x01\x00\x03\x00\x04\x00']
    """
    lines = array.reshape(-1) if array.ndim < 2 else array
    step = max(1, PIECE * len(lines) // max(array.nbytes, 1))
    for start in range(0, len(lines) if array.size else 0, step):
        part = lines[start : start + step]
        plain = np.ascontiguousarray(part, part.dtype.newbyteorder("<"))
        yield plain.reshape(-1).view(np.uint8).data


def digest_of(header: bytes | memoryview) -> str:
    """The digest that a header states."""
    return bytes(header[len(OPENING) : len(OPENING) + len(BLANK)]).decode("ascii", "replace")


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)


class TensorFile:
    """An open file of arrays: the header has been checked, an array is when it is used."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        kind = os.stat(path).st_mode
        if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
            # Before it is opened: nobody may be there to write to a pipe.
            raise ModelFileError(path, "a model is read from a file, not from a pipe or a device")
        with open(path, "rb") as file:
            if not os.fstat(file.fileno()).st_size:
                raise ModelFileError.foreign(path, "the file is empty")
            # The map stays valid when the file is renamed over or deleted.
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        length = int.from_bytes(self._map[:8], "little")
        if self._map[8 : 8 + len(OPENING)] != OPENING:
            raise ModelFileError.foreign(path, "it does not begin like one")
        if length > LONGEST_HEADER:
            raise ModelFileError.damaged(path, f"its header would take {length} bytes")
        if 8 + length > len(self._map):
            raise self._cut_off(8 + length)
        header = self._map[8 : 8 + length]
        #: The SHA-256 that stands for the whole file.
        self.digest = digest_of(header)
        blanked = OPENING + BLANK + header[len(OPENING) + len(BLANK) :]
        if sha256(blanked).hexdigest() != self.digest:
            raise ModelFileError.damaged(path, "the header does not match its SHA-256")
        self._start = 8 + length
        self._read(header)
        self._checked: dict[str, NDArray[Any]] = {}

    def _cut_off(self, expected: int) -> ModelFileError:
        found = f"it ends after {len(self._map)} of {expected} bytes"
        return ModelFileError.damaged(self.path, found)

    def _read(self, header: bytes) -> None:
        """Take the header apart; its digest matches, but that proves no good intentions."""
        try:
            entries = json.loads(header, object_pairs_hook=unrepeated)
            metadata = entries.pop("__metadata__")
            self._digests = json.loads(metadata["digests"], object_pairs_hook=unrepeated)
            self.text = str(metadata["thresher"])
            self._entries = {name: _entry(**entry) for name, entry in entries.items()}
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise ModelFileError.unsound(self.path, "header", str(error)) from error
        end = 0
        for _, _, (start, stop) in sorted(self._entries.values(), key=lambda entry: entry[2]):
            if start != end:
                raise ModelFileError.unsound(self.path, "header", "the arrays leave gaps")
            end = stop
        if self._entries.keys() != self._digests.keys():
            raise ModelFileError.unsound(self.path, "header", "the digests are of other arrays")
        if self._start + end > len(self._map):
            raise self._cut_off(self._start + end)
        if self._start + end < len(self._map):
            more = len(self._map) - self._start - end
            raise ModelFileError.damaged(self.path, f"{more} bytes follow its end")

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """The array of this name, read-only, in the file's own memory, its digest checked."""
        found = self._checked.get(name)
        if found is None:
            dtype, shape, (start, stop) = self._entries[name]
            block = memoryview(self._map)[self._start + start : self._start + stop]
            if sha256(block).hexdigest() != self._digests[name]:
                raise ModelFileError.damaged(
                    self.path, f"the array {name!r} does not match its SHA-256"
                )
            found = np.frombuffer(block, dtype).reshape(shape)
            self._checked[name] = found
        return found


def unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object whose keys differ; readers do not agree on what the others mean."""
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _entry(
    dtype: str, shape: list[int], data_offsets: list[int]
) -> tuple[np.dtype[Any], tuple[int, ...], tuple[int, int]]:
    start, stop = data_offsets
    whole = [*shape, start, stop]
    if not all(type(n) is int and 0 <= n < 2**48 for n in whole) or len(shape) > 4:
        raise ValueError("a shape or a place in the file is not possible")
    kind = np.dtype(DTYPES[dtype])
    if stop - start != prod(shape) * kind.itemsize:
        raise ValueError("an array does not fill its place in the file")
    return kind, tuple(shape), (start, stop)
