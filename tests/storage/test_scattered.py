"""Arrays of which only the blocks are kept that differ from most."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import thresher as th
from thresher.storage import scattered as module
from thresher.storage.packing import PLAIN, Packer, Unpacker
from thresher.storage.scattered import Scattered, gathered, scattered

numbers = st.sampled_from([0.0, -0.0, 1.0, 1e300, -2.5])


@given(st.lists(numbers, min_size=1, max_size=60), st.sampled_from([1, 2, 4]))
def test_what_is_scattered_is_gathered_to_the_bit(listed: list[float], width: int) -> None:
    array = np.array(listed * width)
    found = scattered(array, width)
    assert found is None or gathered(found, array.shape).tobytes() == array.tobytes()


def test_negative_zero_is_not_left_out_among_zeros() -> None:
    array = np.zeros(1000)
    array[17] = -0.0
    found = scattered(array, 1)
    assert found is not None
    assert found.at.tolist() == [17]
    assert scattered(np.arange(1000), 1) is None


@pytest.mark.parametrize("shape", [(4096,), (256, 16), (64, 3, 32)])
def test_a_packed_array_comes_back_in_its_shape_and_type(shape: tuple[int, ...]) -> None:
    for dtype in (np.float32, np.float64, np.int64):
        array = np.full(shape, 3, dtype)
        array.ravel()[[5, 77, 901]] = 1, 2, 9
        packer = Packer(lambda: PLAIN)
        packed = packer((array, array.copy()), "a")
        assert sum(tensor.nbytes for tensor in packer.tensors.values()) < 3000
        for found in Unpacker(packer.tensors, lambda: PLAIN)(packed):
            assert (found.dtype, found.shape) == (dtype, shape)
            assert found.tobytes() == array.tobytes()


def test_an_array_that_is_there_twice_is_kept_once() -> None:
    array = np.random.default_rng(1).normal(size=2000)
    other = array.copy()
    other[1000] = 0.0
    packer = Packer(lambda: PLAIN)
    packed = packer((array, array.copy(), other), "a")
    assert len(packer.tensors) == 2
    found = Unpacker(packer.tensors, lambda: PLAIN)(packed)
    assert [one.tobytes() for one in found] == [one.tobytes() for one in (array, array, other)]


UNSOUND: list[tuple[Scattered, tuple[int, ...]]] = [
    (Scattered(np.zeros(0), np.zeros(0, np.int64), np.zeros(0)), (4,)),
    (Scattered(np.zeros(3), np.zeros(0, np.int64), np.zeros(0)), (4,)),
    (Scattered(np.zeros(1), np.array([1]), np.zeros(2)), (4,)),
    (Scattered(np.zeros(1), np.array([4]), np.zeros(1)), (4,)),
    (Scattered(np.zeros(1), np.array([-1]), np.zeros(1)), (4,)),
    (Scattered(np.zeros(1), np.array([2, 2]), np.zeros(2)), (4,)),
    (Scattered(np.zeros(1), np.array([3, 2]), np.zeros(2)), (4,)),
    (Scattered(np.zeros(1), np.array([1.0]), np.zeros(1)), (4,)),
]


@pytest.mark.parametrize(("found", "shape"), UNSOUND)
def test_blocks_that_do_not_fit_are_refused(found: Scattered, shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="block"):
        gathered(found, shape)


@pytest.mark.parametrize("shape", [[2**40], [2**20, 2**20], [-1], [2**20] * 5, [1.5]])
def test_a_shape_beyond_reason_is_refused_before_memory_is_asked_for(shape: list[Any]) -> None:
    tensors = {"c": np.zeros(1), "at": np.zeros(0, np.int64), "rows": np.zeros(0)}
    unpacker = Unpacker(tensors, lambda: PLAIN)
    with pytest.raises(ValueError, match=r"shape|bytes in all"):
        unpacker({"array": ["c", "at", "rows", "f8", shape]})


def test_many_arrays_within_reason_are_refused_when_they_add_up() -> None:
    tensors = {"c": np.zeros(1), "at": np.zeros(0, np.int64), "rows": np.zeros(0)}
    unpacker = Unpacker(tensors, lambda: PLAIN)
    unpacker._spread = module.MOST_BYTES - 4096
    assert unpacker({"array": ["c", "at", "rows", "f8", [512]]}).shape == (512,)
    with pytest.raises(ValueError, match="bytes in all"):
        unpacker({"array": ["c", "at", "rows", "f8", [1]]})


def test_what_does_not_fit_the_limit_is_written_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thresher.storage.packing.MOST_BYTES", 10_000)
    packer = Packer(lambda: PLAIN)
    packed = packer((np.zeros(1000), np.ones(1000)), "a")
    assert [len(item["array"]) for item in packed] == [5, 2]


LEARNERS: list[Any] = [
    th.Committee(2**14),
    th.Perceptron(2**16, bias=True, average=True),
    th.AROW(2**16, scaling="online"),
    th.Winnow(2**16),
    th.OneVersusRest(th.Committee(2**12)),
    th.OneVersusRest(th.AdaGrad(2**14)),
    th.MulticlassPerceptron(2**16),
]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: type(one).__name__)
def test_a_model_of_few_features_in_a_wide_table_is_small_and_goes_on(
    learner: Any, tmp_path: Path
) -> None:
    rng = np.random.default_rng(2)
    X, y = (rng.random((50, 30)) < 0.3) * 1.0, rng.integers(0, 3 if learner.several else 2, 50)
    learner.learn(X, [f"c{label}" for label in y] if learner.several else y)
    learner.save(tmp_path / "m.thr")
    assert (tmp_path / "m.thr").stat().st_size < 140_000
    again = th.load(tmp_path / "m.thr")
    assert again == learner
    labels = ["c1"] * 50 if learner.several else np.ones(50)
    assert again.learn(X, labels).scores.tobytes() == learner.learn(X, labels).scores.tobytes()
    assert again == learner
