"""Streams of expert advice: a feature per expert, -1 or +1."""

from __future__ import annotations

from collections.abc import Sequence
from math import log

import numpy as np

from thresher.errors import ParameterError
from thresher.games.assemble import of_matrix
from thresher.games.numbers import Number, exact, whole
from thresher.games.planted_stream import PlantedStream
from thresher.games.players import Player
from thresher.games.targets import expert
from thresher.streams import Batch


def sign_patterns(player: Player, m: int) -> PlantedStream:
    """All sign patterns as experts: m mistakes on any player, and yet a perfect expert.

    The experts are all sequences of m signs. Whatever the labels are, one expert has said
    exactly that, so the adversary may always answer the opposite of the prediction.

    >>> class Optimist:
    ...     def predict_one(self, features):
    ...         return 1
    ...     def learn_one(self, features, label):
    ...         pass
    >>> stream = sign_patterns(Optimist(), 3)
    >>> stream.forced, stream.n_features, str(stream.target)
    (3, 8, 'x0 >= 0')
    """
    whole("sign_patterns", "m", m, 1, 24)
    experts = np.arange(2**m)
    advice, labels = [], []
    for t in range(m):
        row = np.where(experts >> t & 1, 1.0, -1.0)
        features = dict(enumerate(row.tolist()))
        label = -1 if player.predict_one(features) > 0 else 1
        player.learn_one(features, label)
        advice.append(row)
        labels.append(label)
    perfect = sum(1 << t for t, label in enumerate(labels) if label > 0)
    return PlantedStream(
        name="sign-patterns",
        summary="experts with all sign patterns, each label against the prediction",
        batch=of_matrix(advice, labels),
        victim="any deterministic learner",
        n_features=2**m,
        target=expert(perfect),
        forced=m,
        bound=m,
    )


def splitter(n_experts: int, rounds: int, beta: Number = "1/2") -> PlantedStream:
    """Weighted Majority wrong in every round, while its best expert is wrong as rarely as may be.

    Experts are dealt to the two sides by weight, the heaviest first, each to the side that is
    behind; the heavier side is what Weighted Majority predicts (a tie predicts +1), and the
    other side is right. A mistake then shrinks the total weight by little more than the
    factor (1+beta)/2 that the proof allows.

    The stream has no target: no expert is perfect. `bound` is the theorem's value for the
    mistakes of the best expert, ``best_expert(stream.batch)``.

    >>> stream = splitter(16, 40)
    >>> stream.forced, best_expert(stream.batch)
    (40, (5, 15))
    """
    whole("splitter", "n_experts", n_experts, 1)
    whole("splitter", "rounds", rounds, 1)
    b = exact("splitter", "beta", beta)
    if not 0 < b < 1:
        raise ParameterError("splitter", "beta", "between 0 and 1", beta)
    wrong = [0] * n_experts
    # beta^m as an integer: numerator^m * denominator^(rounds - m).
    weight = [b.numerator**m * b.denominator ** (rounds - m) for m in range(rounds + 1)]
    advice, labels = [], []
    for _ in range(rounds):
        row, lead = _dealt(wrong, weight)
        label = -1 if lead >= 0 else 1
        wrong = [m + (vote != label) for m, vote in zip(wrong, row, strict=True)]
        advice.append(row)
        labels.append(label)
    return PlantedStream(
        name="splitter",
        summary="experts split evenly by weight, the lighter side right",
        batch=of_matrix(advice, labels),
        victim=f"WeightedMajority(beta={b})",
        n_features=n_experts,
        target=None,
        forced=rounds,
        bound=(log(n_experts) - min(wrong) * log(b)) / log(2 / (1 + b)),
    )


def _dealt(wrong: Sequence[int], weight: Sequence[int]) -> tuple[list[int], int]:
    """Each expert's side, and by how much weight the positive side is ahead."""
    row, lead = [0] * len(wrong), 0
    for i in sorted(range(len(wrong)), key=lambda i: wrong[i]):
        row[i] = 1 if lead <= 0 else -1
        lead += row[i] * weight[wrong[i]]
    return row, lead


def best_expert(batch: Batch) -> tuple[int, int]:
    """The first expert with the fewest mistakes, and their number; silence is a vote for +1."""
    wrong = np.full(batch.n_features, np.count_nonzero(batch.label < 0))
    said_no = batch.value < 0
    label = np.repeat(batch.label, np.diff(batch.row_start))
    # Start from "always +1", then correct the rounds in which an expert said -1.
    np.add.at(wrong, batch.column[said_no & (label > 0)], 1)
    np.subtract.at(wrong, batch.column[said_no & (label < 0)], 1)
    best = int(wrong.argmin())
    return best, int(wrong[best])
