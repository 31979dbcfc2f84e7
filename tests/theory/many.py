"""Thousands of streams learned at once: the learners of the twins, a row for each stream."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Link = Callable[[Floats], Floats]
STREAMS = 2000


def softmax(eta: float) -> Link:
    def link(dual: Floats) -> Floats:
        raised = np.exp(eta * (dual - dual.max(axis=1, keepdims=True)))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))

    return link


def hyperbolic(eta: float) -> Link:
    return lambda dual: np.asarray(np.sinh(eta * dual))


def power(p: float) -> Link:
    return lambda dual: np.asarray(np.sign(dual) * np.abs(dual) ** (p - 1))


def identity(dual: Floats) -> Floats:
    return dual


def run(x: Floats, y: Ints, link: Link, opposed: int = 0, thickness: float | None = None) -> Ints:
    """Mistakes (or updates) of all streams, a row for each; the first ``opposed`` get -prediction.

    ``x`` is streams by rounds by features; the labels of opposed streams are changed in place.
    """
    dual = np.zeros((len(x), x.shape[2]))
    updated = np.zeros(y.shape, dtype=np.int64)
    for t in range(x.shape[1]):
        score = np.einsum("sd,sd->s", link(dual), x[:, t])
        guess = np.where(score >= 0, 1, -1)
        y[:opposed, t] = -guess[:opposed]
        wrong = guess != y[:, t]
        if thickness is not None:
            wrong |= y[:, t] * score <= thickness
        dual += np.where(wrong, y[:, t], 0)[:, None] * x[:, t]
        updated[:, t] = wrong
    return updated


def separated(
    rng: np.random.Generator, u: list[int], gamma: int, rounds: int, largest: int = 1
) -> tuple[Floats, Ints]:
    """Streams of integer vectors with |u.x| >= gamma, labelled by u, and repeated once."""
    pool = rng.integers(-largest, largest + 1, size=(20_000, len(u)))
    pool = pool[np.abs(pool @ np.array(u)) >= gamma]
    chosen = pool[rng.integers(0, len(pool), size=(STREAMS, rounds))]
    chosen = np.concatenate([chosen, chosen], axis=1)
    return chosen.astype(np.float64), np.where(chosen @ np.array(u) > 0, 1, -1)


def sets(rng: np.random.Generator, d: int, rounds: int) -> NDArray[np.bool_]:
    density = rng.uniform(0.05, 0.9, size=(STREAMS, 1, 1))
    return rng.random((STREAMS, rounds, d)) < density


def winnow(
    active: NDArray[np.bool_],
    y: Ints,
    low: float,
    high: float,
    factor: float = 2.0,
    zeroing: bool = False,
) -> tuple[Ints, Ints]:
    """Promotions and demotions, round by round; powers of two are exact."""
    weight = np.ones((len(active), active.shape[2]))
    up, down = np.zeros(y.shape, dtype=np.int64), np.zeros(y.shape, dtype=np.int64)
    for t in range(active.shape[1]):
        on = active[:, t]
        score = (weight * on).sum(axis=1)
        up[:, t], down[:, t] = (y[:, t] == 1) & (score < high), (y[:, t] == -1) & (score >= low)
        weight = np.where(on & (up[:, t, None] == 1), weight * factor, weight)
        lower = 0.0 if zeroing else 1 / factor
        weight = np.where(on & (down[:, t, None] == 1), weight * lower, weight)
    return up, down
