"""The slow twin of `kernels/engines/committees.pyx`: one committee after another.

Each learns the whole stream by itself, the rows of its class as +1 and all others as -1; in every
round the class is predicted that has the highest score among those that came before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

import thresher as th


def one_after_another(
    make: Callable[[], th.Committee],
    rows: Sequence[dict[int, float]],
    labels: Sequence[str],
    weight: Sequence[float] | None = None,
    own: dict[str, float] | None = None,
) -> tuple[list[str | None], dict[str | None, th.Committee]]:
    """What is predicted in each round, and the committees: of the classes, and of none of them."""
    classes = list(dict.fromkeys(labels))
    given = np.ones(len(rows)) if weight is None else np.asarray(weight, float)
    learners: dict[str | None, th.Committee] = {name: make() for name in (*classes, None)}
    scores = {}
    for name, learner in learners.items():
        sign = [1 if label == name else -1 for label in labels]
        heavier = np.where(np.array(sign) > 0, (own or {}).get(str(name), 1.0), 1.0)
        importance = None if weight is None and own is None else given * heavier
        scores[name] = learner.learn(list(rows), sign, importance=importance).scores
    predicted = []
    for t in range(len(rows)):
        known = [name for name in classes if name in labels[:t]]
        best = max((scores[name][t] for name in known), default=None)
        predicted.append(next((name for name in known if scores[name][t] == best), None))
    return predicted, learners
