"""Unit vectors one after the other: the stream that no deterministic learner can escape."""

from __future__ import annotations

from fractions import Fraction
from math import floor

from thresher.errors import ParameterError
from thresher.games.assemble import of_dicts
from thresher.games.numbers import Number, exact, positive, whole
from thresher.games.planted_stream import PlantedStream
from thresher.games.players import Player
from thresher.games.targets import Separator


class LowerBoundAdversary:
    """An opponent that forces floor(1/margin^2) mistakes on every deterministic learner.

    In round i it shows the unit vector e_i and answers the opposite of the prediction. The
    rows are orthogonal, so nothing learned from one says anything about the next, and any
    labels y are those of ``u = margin * y``: its margin is exactly `margin`, and its norm is
    ``margin * sqrt(n) <= 1`` because n was chosen as the largest integer for which that holds.
    The Perceptron never errs more often on rows of norm 1 with that margin, so it is optimal.

    Parameters
    ----------
    margin
        Between 0 and 1, exactly as given; a float means its binary value.

    >>> LowerBoundAdversary("0.1").rounds, LowerBoundAdversary(0.1).rounds
    (100, 99)
    >>> class Stubborn:
    ...     def predict_one(self, features):
    ...         return -1
    ...     def learn_one(self, features, label):
    ...         pass
    >>> stream = LowerBoundAdversary("1/2").play(Stubborn())
    >>> print(stream.forced, stream.target, stream.target.norm_squared, stream.consistent)
    4 1/2*x0 + 1/2*x1 + 1/2*x2 + 1/2*x3 >= 0 1 True
    """

    def __init__(self, margin: Number) -> None:
        self.margin = positive("LowerBoundAdversary", "margin", margin)
        if self.margin > 1:
            raise ParameterError(
                "LowerBoundAdversary", "margin", "at most 1", margin, "Rows have norm 1 here."
            )
        #: floor(1/margin^2), computed with fractions.
        self.rounds = floor(1 / self.margin**2)

    def play(self, player: Player) -> PlantedStream:
        """Play against `player`, who learns in every round, and return what was played."""
        rows = []
        for i in range(self.rounds):
            features = {i: 1.0}
            label = -1 if player.predict_one(features) > 0 else 1
            player.learn_one(features, label)
            rows.append((features, label))
        return self._stream(rows, "any deterministic learner")

    def stream(self) -> PlantedStream:
        """The fixed stream with all labels -1, for learners that start by saying +1."""
        return self._stream(
            [({i: 1.0}, -1) for i in range(self.rounds)], "Perceptron, EG+-, p-norm"
        )

    def _stream(self, rows: list[tuple[dict[int, float], int]], victim: str) -> PlantedStream:
        weights: dict[int, Fraction | int] = {i: self.margin * y for i, (_, y) in enumerate(rows)}
        return PlantedStream(
            name="lower-bound",
            summary="unit vectors in turn, each labelled against the prediction",
            batch=of_dicts(rows),
            victim=victim,
            n_features=self.rounds,
            target=Separator(weights, margin=self.margin),
            forced=self.rounds,
            bound=1 / self.margin**2,
        )


def lower_bound(player: Player, margin: Number) -> PlantedStream:
    """Unit vectors against the prediction: floor(1/margin^2) mistakes on any player.

    The function form of :class:`LowerBoundAdversary`.
    """
    return LowerBoundAdversary(margin).play(player)


def orthonormal(n: int) -> PlantedStream:
    """e_1 to e_n, all labelled -1: n mistakes for every learner that starts by saying +1.

    >>> orthonormal(50)
    PlantedStream('orthonormal', 50 rounds, 50 mistakes forced)
    """
    whole("orthonormal", "n", n, 1)
    return PlantedStream(
        name="orthonormal",
        summary="unit vectors in turn, all labelled -1",
        batch=of_dicts([({i: 1.0}, -1) for i in range(n)]),
        victim="Perceptron, EG+-, p-norm",
        n_features=n,
        target=Separator({i: -1 for i in range(n)}, margin=1),
        forced=n,
        bound=n,
    )


def identical_shards(n: int, copies: int) -> PlantedStream:
    """The orthonormal stream once per worker: copies * n mistakes, all the theorem allows.

    Workers that start an epoch from the same state and see the same rows make the same
    mistakes, and the average of equal states is what one of them would have reached alone.

    >>> identical_shards(40, 4).forced
    160
    """
    whole("identical_shards", "copies", copies, 1)
    one = orthonormal(n)
    return PlantedStream(
        name="identical-shards",
        summary="the same orthonormal rows for every worker",
        batch=of_dicts([({i: 1.0}, -1) for _ in range(copies) for i in range(n)]),
        victim="Perceptron, averaged over shards",
        n_features=n,
        target=one.target,
        forced=copies * n,
        bound=copies * n,
        shards=copies,
    )


def thick(n: int, tau: Number) -> PlantedStream:
    """Unit vectors repeated, for a Perceptron that updates while ``y w.x <= tau``.

    Each unit vector has a weight of its own, which grows by 1 with each update: after j
    updates the margin is j, so there are exactly floor(tau) + 1 updates for each of them.

    >>> thick(5, "2.5").forced, thick(5, "2.5").bound
    (15, Fraction(30, 1))
    """
    whole("thick", "n", n, 1)
    slack = exact("thick", "tau", tau)
    if slack < 0:
        raise ParameterError("thick", "tau", "at least 0", tau)
    return PlantedStream(
        name="thick",
        summary="unit vectors repeated, until every margin exceeds tau",
        batch=of_dicts([({i: 1.0}, -1) for i in range(n)]),
        victim=f"Perceptron with updates up to margin {slack}",
        n_features=n,
        target=Separator({i: -1 for i in range(n)}, margin=1),
        forced=n * (floor(slack) + 1),
        bound=n * (1 + 2 * slack),
        cycled=True,
    )
