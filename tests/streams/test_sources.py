from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
import zstandard
from blake3 import blake3
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.streams.reads import everything
from thresher.errors import SourceError
from thresher.streams.sources.source import ByteSource, expanded

LINES = b"".join(b"%d %d:1 %d:0.5\n" % (n % 2, n % 50, 50 + n % 7) for n in range(3000))

PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": gzip.compress,
    ".zst": zstandard.ZstdCompressor(write_checksum=True).compress,
    ".xz": lzma.compress,
    ".bz2": bz2.compress,
}


def contents(path: Path, size: int) -> bytes:
    data = b""
    with closing(ByteSource(str(path))) as source:
        while part := source.read(size):
            assert len(part) <= max(size, 1 << 20)
            data += part
    return data


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_packed_file_is_read_as_the_plain_one(tmp_path: Path, suffix: str) -> None:
    plain, packed = tmp_path / "rows.svm", tmp_path / f"rows.svm{suffix}"
    plain.write_bytes(LINES)
    packed.write_bytes(PACKERS[suffix](LINES))
    a, b = everything(plain), everything(packed)
    assert [row[1:] for row in a.rows] == [row[1:] for row in b.rows]
    assert len(b.rows) == 3000
    stored = packed.read_bytes()
    assert b.sources == [(str(packed), len(stored), f"blake3:{blake3(stored).hexdigest()}")]


@pytest.mark.parametrize("suffix", PACKERS)
def test_the_name_does_not_matter_the_first_bytes_do(tmp_path: Path, suffix: str) -> None:
    packed, plain = tmp_path / "rows.svm", tmp_path / f"rows.svm{suffix}"
    packed.write_bytes(PACKERS[suffix](LINES))
    plain.write_bytes(LINES)
    assert contents(packed, 1 << 16) == contents(plain, 1 << 16) == LINES


@pytest.mark.parametrize("suffix", PACKERS)
@given(parts=st.lists(st.binary(max_size=2000), min_size=1, max_size=4), size=st.integers(1, 3000))
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_packed_files_in_a_row_are_one_file(
    tmp_path: Path, suffix: str, parts: list[bytes], size: int
) -> None:
    file = tmp_path / "rows"
    file.write_bytes(b"".join(map(PACKERS[suffix], parts)))
    assert contents(file, size) == b"".join(parts)


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("left", [0.1, 0.5, 0.99])
def test_a_packed_file_that_is_cut_short_is_an_error(
    tmp_path: Path, suffix: str, left: float
) -> None:
    file = tmp_path / f"rows.svm{suffix}"
    stored = PACKERS[suffix](LINES)
    file.write_bytes(stored[: int(left * len(stored))])
    with pytest.raises(SourceError, match=r"data ends in the middle.*fetch it again"):
        contents(file, 1 << 16)


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("others", [b"j", b"junkjunk\n", bytes(range(1, 256)) * 400])
@pytest.mark.parametrize("size", [7, 1 << 16])
def test_other_bytes_behind_a_packed_file_are_called_that(
    tmp_path: Path, suffix: str, others: bytes, size: int
) -> None:
    file = tmp_path / f"rows.svm{suffix}"
    file.write_bytes(PACKERS[suffix](LINES) + b"\0" * 5 + others)
    with pytest.raises(SourceError, match=r"behind the \w+ data are bytes that are none"):
        contents(file, size)


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_packed_file_that_is_damaged_is_an_error(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"rows.svm{suffix}"
    stored = bytearray(PACKERS[suffix](random.Random(0).randbytes(5000) + LINES))
    stored[len(stored) // 2] ^= 0x55
    file.write_bytes(stored)
    with pytest.raises(SourceError, match="is damaged"):
        assert contents(file, 1 << 16) == b"never equal to this"


@pytest.mark.parametrize("suffix", PACKERS)
def test_a_small_file_that_unpacks_to_a_huge_one_comes_in_small_pieces(
    tmp_path: Path, suffix: str
) -> None:
    file = tmp_path / f"zeros{suffix}"
    file.write_bytes(PACKERS[suffix](b"0" * 20_000_000))
    source = ByteSource(str(file))
    sizes = []
    while part := source.read(1 << 16):
        sizes.append(len(part))
    source.close()
    assert sum(sizes) == 20_000_000
    assert max(sizes) <= 1 << 16


def test_what_is_looked_at_first_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "rows.svm"
    file.write_bytes(LINES)
    source = ByteSource(str(file))
    assert source.head(10) == LINES[:10]
    assert source.head(100_000_000) == LINES
    assert source.digest is not None
    assert source.read(7) + source.read(1 << 20) == LINES
    assert source.read(1) == b""
    source.close()


def test_a_file_named_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    odd = tmp_path / "a[1].svm"
    odd.write_bytes(b"")
    assert expanded(odd) == [str(odd)]


def test_a_pattern_gives_its_files_sorted_and_no_folders(tmp_path: Path) -> None:
    for name in ("c.svm", "a.svm", "deep/b.svm"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "d.svm").mkdir()
    assert [Path(p).name for p in expanded(str(tmp_path / "*.svm"))] == ["a.svm", "c.svm"]
    assert [Path(p).name for p in expanded(str(tmp_path / "**/*.svm"))] == [
        "a.svm",
        "c.svm",
        "b.svm",
    ]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("missing.svm", "there is no such file"),
        ("folder", "is a directory. Name the files in it: .*/folder/\\*"),
        ("no*match", "no file matches this pattern"),
        ("dangling", "there is no such file"),
    ],
)
def test_what_cannot_be_read_is_said_before_anything_is_read(
    tmp_path: Path, name: str, says: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    with pytest.raises(SourceError, match=says):
        expanded([tmp_path / "folder/../missing2" if name == "" else tmp_path / name])


def test_nothing_to_read_and_standard_input_twice_are_refused() -> None:
    with pytest.raises(SourceError, match="nothing to read"):
        expanded([])
    with pytest.raises(SourceError, match="only once"):
        expanded(["-", "-"])


def test_a_file_that_may_not_be_opened_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: str) -> io.FileIO:
        raise PermissionError(13, "Permission denied")

    file = tmp_path / "secret.svm"
    file.write_bytes(b"1 1:1\n")
    monkeypatch.setattr("thresher.streams.sources.source.FileIO", refuse)
    with pytest.raises(SourceError, match=r"secret\.svm: cannot be read: Permission denied"):
        ByteSource(str(file))


def test_a_standard_input_without_a_descriptor_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = io.TextIOWrapper(io.BytesIO(gzip.compress(LINES)))
    monkeypatch.setattr(sys, "stdin", packed)
    assert len(everything("-").rows) == 3000


def test_a_standard_input_that_is_closed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    assert everything("-").error == "SourceError: <stdin>: standard input is closed."
