"""Grids: learners with several values of their parameters, and every combination of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod
from typing import Any

from thresher.errors import RequestError
from thresher.errors.error import shortly
from thresher.models.choice import LearnerChoice

#: The values of each parameter.
Grid = Mapping[str, Iterable[Any]]

#: What is tried where nobody says: learners for real data, with what matters most for each.
USUAL_GRIDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "perceptron": {"average": ("yes", "no"), "scaling": ("none", "l2")},
    "passive_aggressive": {"C": ("0.01", "0.1", "1"), "scaling": ("none", "l2")},
    "arow": {"r": ("0.01", "0.1", "1", "10"), "scaling": ("none", "online")},
    "adagrad": {"rate": ("0.01", "0.1", "1"), "scaling": ("none", "online")},
}
#: What these have in common.
_ALWAYS = {"bias": "yes"}
#: More settings would wait for each other longer than they are worth.
MOST_SETTINGS = 256


def settings(learner: str | None = None, grid: Grid | None = None) -> list[LearnerChoice]:
    """Every combination of values, in the order in which they are written.

    Parameters
    ----------
    learner
        A name, with parameters that all settings share (``"arow:bias=yes"``). None: all learners
        that have a usual grid.
    grid
        The values of each parameter, as texts or as values. None: the usual grid of the learner.

    Examples
    --------
    >>> [described(choice) for choice in settings("arow:bias=yes", {"r": ["0.1", "1"]})]
    ['arow:bias=yes,r=0.1', 'arow:bias=yes,r=1']
    >>> len(settings()), len(settings("perceptron"))
    (24, 4)
    """
    if learner is None:
        if grid is not None:
            raise RequestError(
                "a grid is one of a learner: say which.", code="request.grid_of_nobody"
            )
        return [choice for name in USUAL_GRIDS for choice in settings(name)]
    shared = LearnerChoice.parse(learner)
    if grid is None:
        usual = USUAL_GRIDS.get(shared.name)
        if usual is None:
            raise RequestError(
                f"{shared.name} has no usual grid; those have one: {', '.join(USUAL_GRIDS)}. Say "
                "which values to try.",
                code="request.no_usual_grid",
                learner=shared.name,
            )
        grid = {name: values for name, values in usual.items() if name not in shared.given}
        shared = LearnerChoice(shared.name, {**_ALWAYS, **shared.given})
    if twice := sorted(grid.keys() & shared.given.keys()):
        raise RequestError(
            f"{shared.name}: {twice[0]} has a value, and values to try. Leave one out."
        )
    listed = {name: _values(shared.name, name, values) for name, values in grid.items()}
    count = prod(map(len, listed.values()))
    if not 1 <= count <= MOST_SETTINGS:
        raise RequestError(
            f"the grid has {count:,} settings, and 1 to {MOST_SETTINGS} can be tried."
        )
    return [
        LearnerChoice(shared.name, {**shared.given, **dict(zip(listed, values, strict=True))})
        for values in product(*listed.values())
    ]


def _values(learner: str, name: str, values: Any) -> list[Any]:
    """The values to try of a parameter; a text would be one for each of its letters."""
    if isinstance(values, str | Mapping) or not isinstance(values, Iterable):
        raise RequestError(
            f"{learner}: the values of {name} come in a list, found {shortly(values)}."
        )
    return list(values)


def described(choice: LearnerChoice) -> str:
    """A learner and its parameters in one text, as `LearnerChoice.parse` reads it."""
    parameters = ",".join(f"{name}={value}" for name, value in choice.given.items())
    return f"{choice.name}:{parameters}" if parameters else choice.name
