"""Unit vectors with a class that was not predicted: the lower bound for k classes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Protocol

from thresher.games.assemble import of_dicts
from thresher.games.numbers import whole
from thresher.games.planted_stream import MulticlassStream


class MulticlassPlayer(Protocol):
    """A player whose answers are classes 0 to k-1."""

    def predict_one(self, features: Mapping[Any, float], /) -> int:
        """The class it would answer."""

    def learn_one(self, features: Mapping[Any, float], label: int, /) -> object:
        """Take notice of the right class."""


def multiclass_orthonormal(player: MulticlassPlayer, n: int, n_classes: int) -> MulticlassStream:
    """Unit vectors with a wrong guess each: n mistakes on any player of k classes.

    Round i shows e_i and answers the class after the predicted one. The weights +1/2 for the
    right class and -1/2 for the predicted one classify every row, with squared norm n/2 and
    margin 1 between the two classes of the round; the Perceptron's bound
    ``2 R^2 ||u||^2 / margin^2`` is then exactly n.

    >>> class First:
    ...     def predict_one(self, features):
    ...         return 0
    ...     def learn_one(self, features, label):
    ...         pass
    >>> stream = multiclass_orthonormal(First(), n=4, n_classes=3)
    >>> stream.label, stream.forced, stream.bound, stream.consistent
    ((1, 1, 1, 1), 4, Fraction(4, 1), True)
    """
    whole("multiclass_orthonormal", "n", n, 1)
    whole("multiclass_orthonormal", "n_classes", n_classes, 2)
    labels, weights = [], {}
    for i in range(n):
        features = {i: 1.0}
        guess = int(player.predict_one(features))
        whole("multiclass_orthonormal", "a prediction", guess, 0, n_classes - 1)
        label = (guess + 1) % n_classes
        player.learn_one(features, label)
        labels.append(label)
        weights[label, i] = Fraction(1, 2)
        weights[guess, i] = Fraction(-1, 2)
    norm_squared = sum((w * w for w in weights.values()), Fraction(0))
    return MulticlassStream(
        name="multiclass",
        summary="unit vectors in turn, each with a class that was not predicted",
        rows=of_dicts([({i: 1.0}, 1) for i in range(n)]),
        label=tuple(labels),
        n_classes=n_classes,
        n_features=n,
        weights=weights,
        forced=n,
        bound=2 * norm_squared,
    )
