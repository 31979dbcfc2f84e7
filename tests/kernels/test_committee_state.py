"""Numbers that no run leaves behind are refused when they are loaded, and the error names them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.errors import StateError

Parts = dict[str, Any]

NAMES = (
    "totals", "bias", "square", "slope", "curvature", "share", "spread", "prior", "belief",
    "likelihood", "places", "mistakes",
)  # fmt: skip
FEATURES = ("n", "plain", "column", "shrink", "narrow", "mean", "squares", "lines")


def learned(n_features: int | None = 23) -> th.Committee:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(20, 23)) * (rng.random((20, 23)) < 0.4)
    learner = th.Committee(n_features)
    learner.learn(X, rng.integers(0, 2, 20))
    return learner


def doctored(change: Callable[[Parts], Any]) -> dict[str, Any]:
    """The state of a Committee after a change of the parts that it has by name."""
    saved = learned().__getstate__()
    features, other, counts, journal, names = saved["state"]
    parts: Parts = dict(zip(FEATURES, features, strict=True)) | dict(
        zip(NAMES, other, strict=False)
    )
    parts |= {"seats": list(other[len(NAMES) :]), "counts": list(counts)}
    change(parts)
    own = (*(parts[name] for name in NAMES), *parts["seats"])
    kept = tuple(parts[name] for name in FEATURES)
    return saved | {"state": (kept, own, tuple(parts["counts"]), journal, names)}


def put(name: str, at: Any, value: float) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        parts[name][at] = value

    return change


def replace(**given: Any) -> Callable[[Parts], None]:
    return lambda parts: parts.update(given)


def seat(k: int, value: float) -> Callable[[Parts], None]:
    def change(parts: Parts) -> None:
        parts["seats"][k][1] = value

    return change


WRONG: dict[str, tuple[Callable[[Parts], Any], str]] = {
    "a likelihood of 0": (put("likelihood", 3, 0.0), r"likelihood\[3\] of a committee is 0"),
    "a likelihood below 0": (put("likelihood", 3, -0.5), r"likelihood\[3\] of a committee is -0.5"),
    "a likelihood above 1": (put("likelihood", 0, 1.5), r"likelihood\[0\] of a committee is 1.5"),
    "a huge spread": (put("spread", (0, 1), 1e154), r"spread\[1\] of a committee is 1e\+154"),
    "a lopsided spread": (put("spread", (0, 1), 3.0), "spread of a committee is no matrix of cov"),
    "a negative spread": (put("spread", (4, 4), -0.5), "spread of a committee is no matrix of cov"),
    "a matrix that is none of covariances": (
        lambda parts: parts["seats"][11].__setitem__(1, 3.0), "the matrix of seat .* is no matrix"),
    "a subnormal shrink": (put("shrink", 2, 5e-324), r"shrink\[2\] of a committee is 4.94066e-324"),
    "a negative shrink": (put("shrink", 2, -1.0), r"shrink\[2\] of a committee is -1"),
    "a shrink above all": (put("shrink", 2, 1e301), r"shrink\[2\] of a committee is 1e\+301"),
    "fewer rounds than were counted": (put("totals", 0, 19.0), "weigh"),
    "rounds that contradict the counts": (put("counts", 0, 21), "rounds of a committee is 20"),
    "more mistakes than were counted": (
        lambda parts: parts["counts"].__setitem__(slice(1, 3), [0, 0]), "the mistakes of all"),
    "half a round": (put("totals", 0, 19.5), "19.5"),
    "rounds that are no number": (put("totals", 0, np.nan), "rounds of a committee is nan"),
    "weights that add up to less": (put("totals", 2, 19.0), "weigh 19"),
    "labels beyond their weight": (put("totals", 1, 30.0), "sum of the labels"),
    "more weighed rounds than rounds": (put("totals", 3, 30.0), "rounds with a weight"),
    "a member more": (put("totals", 4, 16.0), "members present"),
    "a slope below its floor": (put("slope", 1, 0.001), r"slope\[1\] of a committee is 0.001"),
    "a curvature below its start": (put("curvature", 1, 0.0), r"curvature\[1\]"),
    "a sum of squares below 0": (put("square", 0, -1.0), r"square\[0\] of a committee is -1"),
    "an infinite sum of squares": (put("square", 0, np.inf), r"square\[0\] of a committee is inf"),
    "an immense share": (put("share", 0, 1e200), r"share\[0\] of a committee is 1e\+200"),
    "a belief below 0": (put("belief", 0, -1e-3), r"belief\[0\] of a committee is -0.001"),
    "beliefs that are none": (replace(belief=np.zeros(17)), "the sum of belief"),
    "a prior of nothing": (put("prior", 0, 0.0), r"prior\[0\] of a committee is 0"),
    "priors that are two": (replace(prior=np.full(17, 2 / 17)), "the sum of prior"),
    "places below 0": (put("places", 0, -1), r"places\[0\] of a committee is -1"),
    "more mistakes than rounds": (put("mistakes", 0, 21), r"mistakes\[0\] of a committee is 21"),
    "an array that is too short": (replace(slope=np.ones(3)), "sizes"),
    "a weight that is no number": (put("lines", (4, 2), np.nan), r"features\[4\]"),
    "an immense weight": (put("lines", (4, 2), 1e30), r"features\[4\]"),
    "a variance above its start": (put("lines", (4, 8), 2.0), r"features\[4\].* is 2"),
    "a sum of squares below its start": (put("lines", (4, 12), 0.0), r"features\[4\].* is 0"),
    "a count below its start": (put("bias", 15, 0.5), "the constant feature.* is 0.5"),
    "a column twice": (put("column", 1, 0), "two slots|not there"),
    "a column that is not there": (put("column", 1, 23), "not there"),
    "a column below 0": (put("column", 1, -1), "not there"),
    "columns without lines": (replace(column=np.arange(3, dtype=np.int32)), "one line"),
    "rows that were not seen": (put("narrow", 1, 19.0), "number of rows"),
    "columns that were not seen": (put("narrow", 0, 30.0), "mean and deviation"),
    "an infinite mean": (put("mean", 0, np.inf), r"mean\[0\] of a committee is inf"),
    "squared distances below 0": (put("squares", 0, -1.0), r"squares\[0\] of a committee is -1"),
    "more features than there are": (replace(n=24), "24 features"),
    "fewer features than there are": (replace(n=22), "22 features|not there"),
    "a plain that is no truth": (replace(plain=1), "features"),
    "a seat with immense weights": (seat(0, 1e200), "the weights of seat 0"),
    "a seat with a variance below 0": (seat(1, -1.0), "the variances of seat 0"),
    "a class mean beyond all values": (seat(7, 1e101), "the class means of seat 3"),
    "a class that weighs less than nothing": (
        lambda parts: parts["seats"][7].__setitem__(0, -1.0), "the rows of seat 3"),
    "a matrix that exploded": (seat(11, 1e154), "the variances of seat 5"),
    "hats with a variance below 0": (seat(13, -1.0), "the variances of seat 6"),
    "a seat too few": (lambda parts: parts["seats"].pop(), "seats"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "said"), WRONG.values(), ids=list(WRONG))
def test_a_state_that_no_run_leaves_behind_is_refused(
    change: Callable[[Parts], Any], said: str
) -> None:
    fresh = object.__new__(th.Committee)
    with pytest.raises(StateError, match=said):
        fresh.__setstate__(doctored(change))


def test_a_state_that_nobody_touched_is_taken() -> None:
    fresh = object.__new__(th.Committee)
    fresh.__setstate__(doctored(lambda parts: None))
    assert fresh == learned()


def test_other_numbers_are_taken_over_all_or_none() -> None:
    learner = learned()
    before = learner.copy()
    totals, *rest = learner._engine.other_state()
    rest[-1] = rest[-1] * 1e200
    with pytest.raises(StateError):
        learner._engine.set_other_state((totals, *rest))
    assert learner == before
    with pytest.raises(StateError):
        learner._engine.set_other_state((totals, *rest[:3]))


def test_the_extremes_that_a_run_does_leave_behind_are_taken() -> None:
    learner = th.Committee(3)
    rows = [{0: 1e100, 1: 5e-324}, {0: -1e100, 2: 1e-300}, {}] * 40
    for weight in (None, [1e9, 0.0, 1e-9] * 40):
        learner.learn(rows, [1, -1, -1] * 40, importance=weight)
        assert learner.copy() == learner
    flat = th.Committee(2)
    flat.learn([{0: 1.0}] * 3000, [1] * 2999 + [-1])
    assert flat.copy() == flat
