from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import read_lines as reference
from thresher.kernels.scanning.read_lines import read_lines


@given(st.binary(max_size=300).map(lambda b: b.replace(b"\r", b"\n")), st.integers(1, 100))
def test_a_file_comes_in_the_same_pieces_as_from_the_slow_twin(content: bytes, size: int) -> None:
    ours, twins = (os.memfd_create("lines"), os.memfd_create("lines"))
    try:
        for fd in (ours, twins):
            os.write(fd, content)
            os.lseek(fd, 0, os.SEEK_SET)
        begun, ended, pieces = b"", False, b""
        while not ended:
            found = read_lines(ours, begun, size, False)
            assert found == reference.read_lines(twins, begun, size, False)
            pieces += found[0]
            _, begun, ended = found
        assert pieces + begun == content
    finally:
        os.close(ours)
        os.close(twins)


def test_a_pipe_that_is_silent_is_not_waited_for_once_there_is_a_line() -> None:
    out, into = os.pipe()
    os.write(into, b"one\ntwo\nthr")
    assert read_lines(out, b"", 1 << 20, True) == (b"one\ntwo\n", b"thr", False)
    os.write(into, b"ee\n")
    assert read_lines(out, b"thr", 1 << 20, True) == (b"three\n", b"", False)
    os.close(into)
    assert read_lines(out, b"", 1 << 20, True) == (b"", b"", True)
    os.close(out)


def test_what_cannot_be_read_raises_with_the_reason(tmp_path: Path) -> None:
    fd = os.open(tmp_path, os.O_RDONLY)
    with pytest.raises(IsADirectoryError):
        read_lines(fd, b"", 10, False)
    os.close(fd)
