"""The binary format: what was written comes back; what is damaged is refused."""

from __future__ import annotations

import itertools
import json
import re
from contextlib import closing
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from isal.isal_zlib import crc32

from tests.streams.examples import batches, chunks_of, joined, read_examples
from thresher import Batch
from thresher.errors import BinaryFileError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.first_look import FirstLook
from thresher.streams.formats import binary_frame
from thresher.streams.formats.binary import Binary
from thresher.streams.formats.binary_frame import (
    END_BYTES,
    HEAD,
    MAGIC,
    PROLOGUE,
    VERSION,
    Columns,
    prologue,
)
from thresher.streams.labelled_rows import read
from thresher.streams.reading import Stream, read_stream
from thresher.streams.recipe import Recipe
from thresher.streams.sources.source import ByteSource
from thresher.streams.writers import binary as writing
from thresher.streams.writers.examples import Examples


def in_bytes(parts: list[Examples], columns: Columns | None = None) -> bytes:
    file = BytesIO()
    writer = writing.BinaryWriter(file, columns)
    for part in parts:
        writer.write(part)
    writer.finish()
    return file.getvalue()


SMALL = Examples(
    Batch.of([{0: 1, 3: 1}, {}, {2: 0.1}], [1, -1, 1]),
    np.array([0, -1, 1], np.int32),
    ["spam", "häm"],
    np.array([1.0, 2.5, 1.0]),
)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    path = tmp_path / "small.thb"
    path.write_bytes(in_bytes([SMALL]))
    return path


@pytest.fixture
def tiny_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "FRAME_ROWS", 3)
    monkeypatch.setattr(writing, "FRAME_VALUES", 6)


def test_rows_labels_and_importances_come_back(small: Path) -> None:
    stream, rows, labels, importance = read_examples(small)
    assert list(rows) == [{0: 1.0, 3: 1.0}, {}, {2: 0.1}]
    assert labels == ["spam", None, "häm"]
    assert importance == [1.0, 2.5, 1.0]
    assert stream.format == "binary"


@given(batches(), st.lists(st.integers(0, 12), max_size=3))
def test_the_bytes_do_not_depend_on_how_the_rows_came(batch: Batch, cuts: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "FRAME_ROWS", 3)
        patch.setattr(writing, "FRAME_VALUES", 6)
        ends = [0, *sorted(min(cut, len(batch)) for cut in cuts), len(batch)]
        parts = [Examples.of(batch[a:b]) for a, b in itertools.pairwise(ends)]
        whole = in_bytes([Examples.of(batch)])
        assert in_bytes(parts) == whole
        assert len(in_bytes([])) == len(prologue(Columns())) + END_BYTES


@given(batch=batches())
def test_what_was_written_is_read_from_a_file_and_from_a_pipe(
    tmp_path_factory: pytest.TempPathFactory, batch: Batch
) -> None:
    path = tmp_path_factory.mktemp("binary") / "some.thb"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "FRAME_ROWS", 3)
        patch.setattr(writing, "FRAME_VALUES", 6)
        path.write_bytes(in_bytes([Examples.of(batch)]))
    mapped = chunks_of(path)
    assert joined(path) == batch
    # What the reader says of the rows without looking at the values is what the check says.
    for chunk in mapped:
        fresh = type(chunk.rows)(chunk.rows.row_start, chunk.rows.column, chunk.rows.value)
        for fact in ("n_features", "integral", "lowest", "highest"):
            assert getattr(chunk.rows, fact) == getattr(fresh, fact)
        assert chunk.rows.column.ctypes.data % 4 == chunk.rows.row_start.ctypes.data % 8 == 0
    assert [piece.tolist() for piece in _piped(path)] == [c.rows.column.tolist() for c in mapped]


def _piped(path: Path) -> list[np.ndarray]:
    """The columns of the rows, read as from a pipe."""
    with closing(ByteSource(str(path))) as source:
        source.size = None
        jobs = Binary(Recipe(), NameTable(2**31 - 1, True)).jobs(source)
        return [job.run().column for job in jobs]


def test_nothing_is_copied_from_a_mapped_file(small: Path) -> None:
    (chunk,) = chunks_of(small)
    for array in (chunk.rows.row_start, chunk.rows.column, chunk.label):
        assert not array.flags.owndata
        assert not array.flags.writeable


@pytest.mark.parametrize(
    ("value", "itemsize"), [(1.0, 0), (-3.0, 1), (0.5, 4), (200.0, 4), (0.1, 8)]
)
def test_values_take_the_narrowest_type_that_holds_them(value: float, itemsize: int) -> None:
    some = in_bytes([Examples.of(Batch.of([dict.fromkeys(range(800), value)], [1]))])
    ones = in_bytes([Examples.of(Batch.of([dict.fromkeys(range(800), 1.0)], [1]))])
    assert len(some) == len(ones) + 800 * itemsize


def test_every_flipped_byte_is_noticed(small: Path) -> None:
    sound = small.read_bytes()
    for place in range(len(sound)):
        damaged = bytearray(sound)
        damaged[place] ^= 1 << place % 8
        small.write_bytes(damaged)
        with pytest.raises(BinaryFileError):
            chunks_of(small, format="binary")


@pytest.mark.usefixtures("tiny_frames")
def test_nothing_is_taken_from_a_damaged_frame_and_everything_before_it(tmp_path: Path) -> None:
    path = tmp_path / "some.thb"
    batch = Batch.of([{t: 1} for t in range(9)], [1] * 9)
    data = bytearray(in_bytes([Examples.of(batch)]))
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    chunks = _stream(path).chunks()
    assert list(next(iter(chunks)).rows) == [{0: 1.0}, {1: 1.0}, {2: 1.0}]
    with pytest.raises(BinaryFileError, match=r"rows 4 to 6, is damaged: its checksum differs"):
        next(iter(chunks))


def test_every_cut_is_noticed_before_anything_is_learned(small: Path) -> None:
    sound = small.read_bytes()
    for size in range(1, len(sound)):
        small.write_bytes(sound[:size])
        with pytest.raises(BinaryFileError):
            next(iter(_stream(small).chunks()))
        with pytest.raises(BinaryFileError):
            _piped(small)


def _stream(path: Path, names: NameTable | None = None) -> Stream:
    names = names or NameTable(2**18, True)
    return read_stream(path, names=names, recipe=Recipe(format="binary"))


def _resealed(data: bytes, start: int, change: dict[int, bytes]) -> bytes:
    """A frame changed by somebody who knows how to make its checksum right."""
    raw = bytearray(data)
    for place, bytes_ in change.items():
        raw[place : place + len(bytes_)] = bytes_
    length = int.from_bytes(raw[start + 24 : start + 32], "little")
    head, body = raw[start + 8 : start + HEAD.size], raw[start + HEAD.size :][:length]
    raw[start + 4 : start + 8] = crc32(body, crc32(head)).to_bytes(4, "little")
    return bytes(raw)


@given(st.data())
def test_a_frame_that_lies_is_refused_or_sound(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    """Whatever the bytes say, with a checksum that is right: rows that are sound, or an error."""
    sound = in_bytes([SMALL])
    start = len(prologue(Columns()))
    places = st.integers(start + 8, len(sound) - END_BYTES - 1)
    change = data.draw(st.dictionaries(places, st.binary(min_size=1, max_size=1), max_size=6))
    path = tmp_path_factory.mktemp("lies") / "lie.thb"
    path.write_bytes(_resealed(sound, start, change))
    try:
        chunks = chunks_of(path)
    except BinaryFileError:
        return
    for chunk in chunks:
        rows = chunk.rows
        type(rows)(rows.row_start, rows.column, rows.value)
        assert chunk.label.max(initial=-1) < 100


# The arrays of the small frame, behind its head: starts at 0, columns at 32, values at 48, labels
# at 72, importances at 88, names at 112.
@pytest.mark.parametrize(
    ("place", "content", "what"),
    [
        (0, b"\x01", "row 1: it has the values from 1 to 2, and the frame has 3"),
        (8, b"\x09", "row 1: it has the values from 0 to 9, and the frame has 3"),
        (16, b"\x01", "row 2: it has the values from 2 to 1, and the frame has 3"),
        (15, b"\x80", "row 1: it has the values from 0 to -9223372036854775806"),
        (24, b"\x02", "row 4: it is not there, and 1 values are left over"),
        (32, b"\x05", "row 1: column 3 comes after 5"),
        (32, b"\x03", "row 1: column 3 comes after 3"),
        (35, b"\x80", "row 1: column -2147483648"),
        (64, b"\0\0\0\0\0\0\xf0\x7f", "row 3: column 2 has the value inf"),
        (64, bytes(8), "row 3: column 2 has the value 0.0"),
        (72, b"\x02", "row 1: its label has number 2, and 2 labels have a name"),
        (72, b"\xfe\xff\xff\xff", "row 1: its label has number -2, and 2 labels have a name"),
        (112, b"}", "row 1: its label has number 0, and 0 labels have a name"),
        (95, b"\xbf", "row 1: its importance is -1.0"),
    ],
)
def test_unsound_rows_are_refused_although_the_checksum_is_right(
    small: Path, place: int, content: bytes, what: str
) -> None:
    start = len(prologue(Columns()))
    place += start + HEAD.size
    small.write_bytes(_resealed(small.read_bytes(), start, {place: content}))
    said = r"the frame at byte 104, rows 1 to 3, breaks the rules of the format: "
    with pytest.raises(BinaryFileError, match=said + re.escape(what)):
        chunks_of(small)


def test_a_newer_format_is_refused(small: Path) -> None:
    data = bytearray(small.read_bytes())
    data[8] = VERSION + 1
    small.write_bytes(data)
    with pytest.raises(BinaryFileError, match=f"format version {VERSION + 1}.*Upgrade thresher"):
        chunks_of(small)


def test_joined_files_are_refused(small: Path) -> None:
    small.write_bytes(2 * small.read_bytes())
    with pytest.raises(BinaryFileError, match=r"says that it has|more after the end"):
        chunks_of(small)


def test_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "text.thb"
    path.write_text("1 3:1\n")
    with pytest.raises(BinaryFileError, match="not a thresher binary file"):
        chunks_of(path)
    path.write_bytes(b"")
    with pytest.raises(BinaryFileError):
        chunks_of(path)


def test_hashed_names_must_be_wanted_as_they_were_hashed(tmp_path: Path) -> None:
    path = tmp_path / "hashed.thb"
    path.write_bytes(in_bytes([SMALL], Columns(hashed=True, n_features=2**10, seed=7)))
    assert len(list(_stream(path, NameTable(2**10, True, 7)).chunks())) == 1
    for other in (NameTable(2**11, True, 7), NameTable(2**10, True, 8), NameTable(None, False)):
        with pytest.raises(BinaryFileError, match="hashed into 1024 columns with seed 7"):
            list(_stream(path, other).chunks())


def test_a_column_too_many_says_what_to_do(small: Path) -> None:
    with pytest.raises(BinaryFileError, match=r"has column 3, and there are 3 columns.*n_features"):
        list(_stream(small, NameTable(3, True)).chunks())


def test_a_file_knows_how_many_columns_it_has(tmp_path: Path) -> None:
    path, wide = tmp_path / "some.thb", Batch.of([{0: 1}, {2**18: 1}], [1, -1])
    path.write_bytes(in_bytes([Examples.of(wide)]))
    assert FirstLook([str(path)], Recipe()).features == 2**18 + 1
    (batch,) = read(path)
    assert batch == wide
    # As many as a text of the same rows would have.
    path.write_bytes(in_bytes([SMALL]))
    assert FirstLook([str(path)], Recipe()).features == 2**18
    # Exactly as many as names were hashed into.
    path.write_bytes(in_bytes([SMALL], Columns(hashed=True, n_features=2**10)))
    assert FirstLook([str(path)], Recipe()).features == 2**10
    # A claim costs no memory that nobody asked for.
    path.write_bytes(in_bytes([Examples.of(Batch.of([{2**24: 1}], [1]))]))
    assert FirstLook([str(path)], Recipe()).features == 2**18


def test_a_file_without_a_number_of_columns_is_read_as_ever(small: Path) -> None:
    data = small.read_bytes()
    assert data[-END_BYTES + 40 : -END_BYTES + 44] == (4).to_bytes(4, "little")
    small.write_bytes(_resealed(data, len(data) - END_BYTES, {len(data) - END_BYTES + 40: b"\0"}))
    assert list(read_examples(small)[1]) == [{0: 1.0, 3: 1.0}, {}, {2: 0.1}]


def test_a_column_beyond_those_that_the_file_has_is_refused(small: Path) -> None:
    data = small.read_bytes()
    small.write_bytes(_resealed(data, len(data) - END_BYTES, {len(data) - END_BYTES + 40: b"\3"}))
    with pytest.raises(BinaryFileError, match="has column 3, and the file says that it has 3"):
        chunks_of(small)


@pytest.mark.parametrize("said", [{"hashed": 1}, {"n_features": -1}, {"seed": "x"}, {"size": 3}])
def test_a_prologue_that_says_what_cannot_be_is_refused(small: Path, said: dict[str, Any]) -> None:
    data = small.read_bytes()
    text = json.dumps({"columns": said}).encode()
    text += b" " * (-len(text) % 8)
    start = PROLOGUE.pack(MAGIC, VERSION, len(text), 0, 0)[:-4]
    seal = crc32(text, crc32(start)).to_bytes(4, "little")
    small.write_bytes(start + seal + text + data[len(prologue(Columns())) :])
    with pytest.raises(BinaryFileError, match="its prologue"):
        chunks_of(small)


def test_the_digest_is_that_of_everything_before_the_end(small: Path) -> None:
    stream = read_stream(small, names=NameTable(8, True))
    list(stream.chunks())
    (record,) = stream.sources
    data = small.read_bytes()
    assert record.digest == f"sha256:{sha256(data[:-END_BYTES]).hexdigest()}"
    assert record.n_bytes == len(data)


@pytest.mark.usefixtures("tiny_frames")
def test_a_frame_that_is_missing_or_repeated_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "some.thb"
    data = in_bytes([Examples.of(Batch.of([{t: 1} for t in range(9)], [1] * 9))])
    second, third = [place for place in range(len(data)) if data.startswith(b"ROWS", place)][1:]
    for odd in (data[:second] + data[third:], data[:third] + data[second:]):
        path.write_bytes(odd)
        with pytest.raises(BinaryFileError, match="says that it has 9 rows with 9 values, but"):
            chunks_of(path)


@pytest.mark.parametrize("names", ['["\\ud800"]', "[null]", "[1, 2]", '{"a": 1, "b": 2}x', "7"])
def test_labels_that_are_no_texts_are_damage(names: str) -> None:
    head = SimpleNamespace(places=lambda: [0] * 6, name_bytes=len(names))
    assert binary_frame.names_in(head, memoryview(names.encode())) == []  # type: ignore[arg-type]
