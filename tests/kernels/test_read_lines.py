from __future__ import annotations

import io
import os
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import read_lines as reference
from thresher.kernels.scanning.read_lines import LineReader
from thresher.streams.sources.machine import has_more


@given(st.binary(max_size=300).map(lambda b: b.replace(b"\r", b"\n")), st.integers(1, 100))
def test_a_file_comes_in_the_same_pieces_as_from_the_slow_twin(content: bytes, size: int) -> None:
    ours, twins = LineReader(io.BytesIO(content).readinto), io.BytesIO(content)
    begun, ended, pieces = b"", False, b""
    while not ended:
        found = ours.read(begun, size)
        assert found == reference.read_lines(twins, begun, size)
        pieces += found[0]
        _, begun, ended = found
    assert pieces + begun == content


def test_a_pipe_that_is_silent_is_not_waited_for_once_there_is_a_line() -> None:
    out, into = os.pipe()
    with io.FileIO(out) as file:
        ask = partial(has_more, out)
        os.write(into, b"one\ntwo\nthr")
        assert LineReader(file.readinto, ask).read(b"", 1 << 20) == (b"one\ntwo\n", b"thr", False)
        os.write(into, b"ee\n")
        assert LineReader(file.readinto, ask).read(b"thr", 1 << 20) == (b"three\n", b"", False)
        os.close(into)
        assert LineReader(file.readinto, ask).read(b"", 1 << 20) == (b"", b"", True)


def test_a_file_that_fails_to_be_read_says_why() -> None:
    def fail(memory: memoryview) -> int:
        raise IsADirectoryError(21, "Is a directory")

    with pytest.raises(IsADirectoryError):
        LineReader(fail).read(b"", 10)


def test_a_file_that_gives_nothing_without_being_waited_for_is_an_error() -> None:
    out, into = os.pipe()
    os.set_blocking(out, False)
    with io.FileIO(out) as file, pytest.raises(BlockingIOError):
        LineReader(file.readinto).read(b"", 10)
    os.close(into)


def test_nobody_keeps_a_view_of_the_memory() -> None:
    kept: list[memoryview] = []

    def keep(memory: memoryview) -> int:
        kept.append(memory)
        return 0

    assert LineReader(keep).read(b"begun", 10) == (b"", b"begun", True)
    with pytest.raises(ValueError, match="released"):
        kept[0][0] = 1
