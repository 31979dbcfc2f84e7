"""Streams of disjunctions and conjunctions against players other than Winnow."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.games.assemble import of_sets
from thresher.games.numbers import whole
from thresher.games.planted_stream import PlantedStream
from thresher.games.players import Player
from thresher.games.targets import conjunction, disjunction


def binary_search(player: Player, n_features: int, r: int) -> PlantedStream:
    """Binary search for the relevant features: r floor(log2(n/r)) mistakes on any player.

    The features form r blocks of 2^b. In each block the adversary shows half of the features
    that may still be relevant and answers the opposite of the prediction: a positive answer
    keeps that half, a negative one the other. After b rounds one feature of the block is
    left, and the disjunction of these r features agrees with every answer: a later block
    never touches an earlier one.

    >>> class Optimist:
    ...     def predict_one(self, features):
    ...         return 1
    ...     def learn_one(self, features, label):
    ...         pass
    >>> stream = binary_search(Optimist(), 64, 4)
    >>> print(stream.forced, "mistakes;", stream.target)
    16 mistakes; x15 or x31 or x47 or x63
    """
    whole("binary_search", "r", r, 1, n_features)
    bits = (n_features // r).bit_length() - 1
    rows, relevant = [], []
    for block in range(r):
        possible = list(range(block << bits, (block + 1) << bits))
        while len(possible) > 1:
            half, other = possible[: len(possible) // 2], possible[len(possible) // 2 :]
            features = dict.fromkeys(half, 1.0)
            label = -1 if player.predict_one(features) > 0 else 1
            player.learn_one(features, label)
            rows.append((half, label))
            possible = half if label > 0 else other
        relevant += possible
    return PlantedStream(
        name="binary-search",
        summary="halving the possible features of each block against the prediction",
        batch=of_sets(rows),
        victim="any deterministic learner",
        n_features=n_features,
        target=disjunction(relevant),
        forced=r * bits,
        bound=None,
    )


def elimination(n_features: int, r: int) -> PlantedStream:
    """Each irrelevant feature alone, labelled -1: n - r false positives of Elimination.

    >>> elimination(1024, 2).forced
    1022
    """
    whole("elimination", "r", r, 0, n_features)
    return PlantedStream(
        name="elimination",
        summary="irrelevant features one at a time, all labelled -1",
        batch=of_sets([([i], -1) for i in range(r, n_features)]),
        victim="Elimination",
        n_features=n_features,
        target=disjunction(range(r)),
        forced=n_features - r,
        bound=n_features - r,
    )


def all_but_one(n_features: int, k: int) -> PlantedStream:
    """All features but one irrelevant one, labelled +1: n - k false negatives of Conjunction.

    >>> all_but_one(32, 3).forced
    29
    """
    whole("all_but_one", "k", k, 0, n_features)
    features = range(n_features)
    rows = [([i for i in features if i != left_out], 1) for left_out in range(k, n_features)]
    return PlantedStream(
        name="all-but-one",
        summary="everything but one irrelevant feature, labelled +1",
        batch=of_sets(rows),
        victim="Conjunction",
        n_features=n_features,
        target=conjunction(range(k)),
        forced=n_features - k,
        bound=n_features - k,
    )


def dense_disjunction(n_features: int, r: int) -> PlantedStream:
    """The Perceptron's trouble with dense rows: about 2 r n mistakes on a disjunction.

    In each round the adversary shows the row with as many irrelevant features as possible
    that the Perceptron (with a constant feature, the last one) still gets wrong: no relevant
    feature and label -1, or one of the two lightest relevant features and label +1. Dense
    rows have a large norm, and each update spreads over all their features.

    >>> [dense_disjunction(d, 1).forced for d in (16, 32)]
    [33, 65]
    """
    whole("dense_disjunction", "r", r, 1, n_features)
    w = np.zeros(n_features + 1, np.int64)
    rows = []
    while (found := _densest_mistake(w, r)) is not None:
        active, label = found
        w[active] += label
        rows.append((active, label))
    return PlantedStream(
        name="dense-disjunction",
        summary="the densest row that the Perceptron still gets wrong",
        batch=of_sets(rows),
        victim="Perceptron; the last feature is always 1",
        n_features=n_features + 1,
        target=disjunction(range(r)),
        forced=len(rows),
        bound=(4 * r + 1) * (n_features - r + 2),
    )


def _densest_mistake(w: NDArray[np.int64], r: int) -> tuple[list[int], int] | None:
    """Active features and label of the row to show next; None when no row is wrong."""
    constant = len(w) - 1
    irrelevant = w[r:constant]
    lightest = np.argsort(w[:r], kind="stable")[:2].tolist()
    best: tuple[int, list[int], int] | None = None
    for label, base in ((-1, []), *((1, [i]) for i in lightest)):
        pull = label * irrelevant
        order = np.argsort(pull, kind="stable")
        margins = label * int(w[[constant, *base]].sum()) + np.concatenate(
            ([0], np.cumsum(pull[order]))
        )
        wrong = np.flatnonzero(margins < 0 if label > 0 else margins <= 0)
        if len(wrong):
            count = int(wrong[-1])
            worth = count + int(margins[count])
            if best is None or worth > best[0]:
                best = (worth, [*base, *(r + order[:count]).tolist(), constant], label)
    return None if best is None else (best[1], best[2])
