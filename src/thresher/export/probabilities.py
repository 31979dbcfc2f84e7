"""How an export turns scores into probabilities, where the model does."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from thresher.learners.base.probability_map import ProbabilityMap, Steps
from thresher.models.model import Model

#: What a map is called in documents.
KINDS = {"Steps": "steps", "Curve": "curve", "Halves": "halves"}


def maps_of(model: Model) -> tuple[ProbabilityMap, ...]:
    """A map for each score; none where the model knows scores alone.

    >>> import thresher as th
    >>> maps_of(Model(learner=th.Committee(2))), maps_of(Model(learner=th.Perceptron(2)))
    ((Halves(),), ())
    """
    learner = model.learner
    asked = learner.classes if learner.several else (None,)
    found = [learner.probability_map(label) for label in asked]
    return tuple(one for one in found if one is not None)


def as_document(known: ProbabilityMap) -> dict[str, Any]:
    """The map as JSON has it.

    >>> from thresher.learners.base.probability_map import Curve
    >>> as_document(Curve(2.0, -1.0))
    {'kind': 'curve', 'slope': 2.0, 'intercept': -1.0}
    """
    numbers = {
        name: value.tolist() if isinstance(value, np.ndarray) else value
        for name, value in asdict(known).items()
    }
    return {"kind": KINDS[type(known).__name__], **numbers}


def steps_in_a_row(maps: tuple[ProbabilityMap, ...]) -> tuple[list[int], Steps]:
    """The edges and the shares of all maps, and where those of each begin and end.

    A map has a share more than edges; so that both begin at one place, the edges of each have
    an infinite one behind them.
    """
    steps = [one for one in maps if isinstance(one, Steps)]
    start = np.cumsum([0, *(len(one.shares) for one in steps)]).tolist()
    edges = [np.append(one.edges, np.inf) for one in steps]
    return start, Steps(np.concatenate(edges), np.concatenate([one.shares for one in steps]))
