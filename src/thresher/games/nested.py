"""Nested AND/OR: a threshold function that costs the Perceptron exponentially many mistakes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from thresher.games.assemble import of_sets
from thresher.games.numbers import whole
from thresher.games.planted_stream import PlantedStream
from thresher.games.targets import Separator


def nested_separator(n: int) -> Separator:
    """x_{n-1} and (x_{n-2} or (... x_0)), as a threshold function with integer weights.

    If ``w.x >= T`` is the function so far and S the sum of its weights, then "or x" adds x
    with the weight T, and "and x" adds x with the weight S - T + 1 and raises T by as much.
    The weights grow like Fibonacci numbers, and no smaller ones will do.

    >>> print(nested_separator(4))
    x0 + x1 + 2*x2 + 3*x3 >= 5
    """
    weights, threshold = [1], 1
    for i in range(1, n):
        if i % 2:
            weights.append(sum(weights) - threshold + 1)
            threshold += weights[-1]
        else:
            weights.append(threshold)
    exact: dict[int, Fraction | int] = dict(enumerate(weights))
    return Separator(exact, threshold=threshold)


def nested(n: int) -> PlantedStream:
    """All of {0,1}^n in order, labelled by the nested function, to be cycled.

    The constant feature (the last one) gives the Perceptron its threshold. Realisable, and
    yet the number of mistakes grows exponentially with the variables, because the margin of
    the best separator shrinks exponentially.

    >>> nested(8).forced
    1685
    """
    whole("nested", "n", n, 2, 14)
    target = nested_separator(n)
    points = (np.arange(2**n)[:, None] >> np.arange(n - 1, -1, -1)) & 1
    rows = [[*np.flatnonzero(point).tolist(), n] for point in points]
    labels = target.labels(of_sets((active, 1) for active in rows))
    return PlantedStream(
        name="nested",
        summary="every binary row in order, labelled by a nested AND/OR",
        batch=of_sets(zip(rows, labels.tolist(), strict=True)),
        victim="Perceptron; the last feature is always 1",
        n_features=n + 1,
        target=target,
        forced=_perceptron_mistakes(np.column_stack((points, np.ones(2**n, np.int64))), labels),
        bound=None,
        cycled=True,
    )


def _perceptron_mistakes(X: NDArray[np.int64], y: NDArray[np.int8]) -> int:
    """Mistakes of the Perceptron until a pass over the rows is clean, in integers."""
    Z = X * y[:, None]
    # A positive row is wrong below 0, a negative one already at 0.
    least = np.where(y > 0, 0, 1)
    w = np.zeros(X.shape[1], np.int64)
    mistakes, t, clean = 0, 0, 0
    reach = 64
    while clean < len(Z):
        stop = min(len(Z), t + reach)
        wrong = np.flatnonzero(Z[t:stop] @ w < least[t:stop])
        if len(wrong):
            t += int(wrong[0])
            w += Z[t]
            mistakes += 1
            clean, reach = 0, 64
            stop = t + 1
        else:
            clean += stop - t
            reach *= 2
        t = stop % len(Z)
    return mistakes
