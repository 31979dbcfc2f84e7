from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import BadLineError
from thresher.verifier.readers import unpacked as unpacking
from thresher.verifier.readers.text_blocks import Block, text_blocks
from thresher.verifier.readers.unpacked import unpacked

MARK = b"\xef\xbb\xbf"
pieces = st.lists(
    st.sampled_from([b"\xef", b"\xbb", b"\xbf", b"a", b"bcd", b"\n", b"e\nf\n", b"\r"])
)


@given(pieces)
def test_however_a_file_is_cut_its_lines_come_out_whole(parts: list[bytes]) -> None:
    whole = b"".join(parts).removeprefix(MARK)
    blocks = list(text_blocks("f", parts))
    assert b"".join(block.text for block in blocks) == whole
    line = 1
    for block in blocks:
        assert block.first_line == line
        line += block.text.count(b"\n")
    assert all(block.text.endswith(b"\n") for block in blocks[:-1])


@given(pieces, st.integers(1, 6))
def test_the_lines_before_one_that_is_too_long_come_out(parts: list[bytes], most: int) -> None:
    lines = b"".join(parts).removeprefix(MARK).split(b"\n")
    long = next((n for n, line in enumerate(lines, 1) if len(line) > most), None)
    found: list[Block] = []
    if long is None:
        found = list(text_blocks("f", parts, most))
        assert b"".join(block.text for block in found) == b"\n".join(lines)
        return
    with pytest.raises(BadLineError, match=rf"^f:{long}: found a line of more than {most} bytes"):
        found.extend(text_blocks("f", parts, most))
    before = b"".join(line + b"\n" for line in lines[: long - 1])
    assert b"".join(block.text for block in found) == before


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, bytes])
@pytest.mark.parametrize("piece", [1, 7, 1000])
def test_pieces_of_any_size_unpack_to_the_same(
    pack: Callable[[bytes], bytes], piece: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = b"".join(b"%d %d:1\n" % (k % 3, k) for k in range(400))
    file = tmp_path / "packed"
    file.write_bytes(pack(text) + pack(text))
    monkeypatch.setattr(unpacking, "PIECE", piece)
    made = list(unpacked(str(file)))
    assert b"".join(made) == text + text
    assert all(0 < len(data) <= max(piece, 6) for data in made)
