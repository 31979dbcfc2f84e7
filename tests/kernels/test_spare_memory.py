"""Memory that is used again: never while somebody looks at it, and not without limit."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.reference import spare_memory as reference
from thresher.kernels.scanning.read_lines import LineReader
from thresher.kernels.scanning.spare_memory import SpareArrays

LINE = b"x" * 99 + b"\n"


def place(array: NDArray[Any]) -> int:
    found: int = array.__array_interface__["data"][0]
    return found


def test_an_array_that_nobody_holds_is_used_again() -> None:
    spare = SpareArrays(np.int32)
    first = spare.take(1000)
    where = place(first)
    assert first.dtype == np.dtype(np.int32)
    assert len(first) == 1000
    del first
    again = spare.take(900)
    assert (place(again), len(again)) == (where, 900)


@pytest.mark.parametrize(
    "held",
    [
        lambda array: array,
        lambda array: array[3:5],
        lambda array: array[::2][1:].reshape(-1, 1).T,
        lambda array: memoryview(array),
        lambda array: np.asarray(memoryview(array[7:9])),
    ],
)
def test_an_array_of_which_somebody_holds_a_part_stays_as_it_is(held: Any) -> None:
    spare = SpareArrays(np.int64)
    first = spare.take(1001)[:1000]
    first[:] = np.arange(1000)
    part, copy = held(first), np.array(held(first))
    del first
    for _ in range(3):
        spare.take(1000)[:] = -1
    assert np.array_equal(part, copy)


def test_arrays_that_are_held_are_all_different_and_larger_ones_take_the_place_of_smaller() -> None:
    spare = SpareArrays(np.float64)
    held = [spare.take(100) for _ in range(40)]
    assert len({place(array) for array in held}) == 40
    del held
    assert len(spare.take(10_000)) == 10_000
    assert len({place(spare.take(10_000)) for _ in range(5)}) == 1


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(0, 4), st.integers(0, 9)), max_size=60))
def test_whoever_takes_and_keeps_and_drops_sees_what_fresh_memory_would_show(
    steps: list[tuple[int, int, int]],
) -> None:
    ours, twins = SpareArrays(np.int32), reference.SpareArrays(np.int32)
    held: list[tuple[NDArray[Any], NDArray[Any]]] = []
    for number, (n, first, dropped) in enumerate(steps):
        pair = ours.take(n), twins.take(n)
        for array in pair:
            array[:] = np.arange(n) * 1000 + number
        held.append((pair[0][first:], pair[1][first:]))
        del pair, array
        if dropped < len(held):
            del held[dropped]
        assert all(np.array_equal(mine, other) for mine, other in held)


def test_an_array_of_no_numbers_is_one() -> None:
    assert len(SpareArrays(np.int32).take(0)) == 0


def reader(n_lines: int) -> LineReader:
    return LineReader(io.BytesIO(b"".join(b"%099d\n" % n for n in range(n_lines))).readinto)


def test_a_block_of_text_that_is_kept_stays_as_it_is_and_others_share_their_memory() -> None:
    lines = reader(1000)
    kept, rest, _ = lines.read(b"", 10_000)
    copy, places, ended = bytes(bytearray(kept)), set(), False
    while not ended:
        block, rest, ended = lines.read(rest, 10_000)
        places.add(place(np.frombuffer(block, np.uint8)) if block else 0)
        del block
    assert kept == copy
    assert len(places) <= 3


def test_a_block_of_text_in_used_memory_has_a_hash_of_its_own() -> None:
    lines = reader(1000)
    for _ in range(5):
        block, rest, _ = lines.read(b"", 10_000)
        assert rest == b""
        assert hash(block) == hash(bytes(bytearray(block)))
        assert block.endswith(b"\n")
        del block


def test_blocks_grow_and_shrink_with_what_is_asked_for() -> None:
    lines, found, rest, ended = reader(3000), b"", b"", False
    sizes = [10_000, 50_000, 150, 10_000, 1, 99_999]
    while not ended:
        size = sizes[len(found) % len(sizes)]
        block, rest, ended = lines.read(rest, size)
        found += block
        sizes.append(sizes.pop(0))
    assert found + rest == b"".join(b"%099d\n" % n for n in range(3000))
