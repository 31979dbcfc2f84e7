"""Names that were renamed: the old one works for one more minor release, and warns.

`docs/upgrading.md` promises it. A module whose names have changed ends its `__getattr__` with
`renamed`; a test fails once the release has come in which a name must go.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, NamedTuple, ParamSpec, TypeVar

from thresher.errors import ParameterError

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Renamed(NamedTuple):
    """What a name is called now, in which module, and the release in which the old one goes."""

    module: str
    name: str
    goes: str


#: By the module and the name that earlier releases had.
RENAMED = {
    ("thresher", "MulticlassRounds"): Renamed("thresher", "Rounds", "0.4"),
    ("thresher.concepts", "Concept"): Renamed("thresher.concepts", "BooleanFunction", "0.4"),
    ("thresher.games", "ClassPlayer"): Renamed("thresher.games", "MulticlassPlayer", "0.4"),
    ("thresher.games", "ClassStream"): Renamed("thresher.games", "MulticlassStream", "0.4"),
    ("thresher.games", "Stream"): Renamed("thresher.games", "PlantedStream", "0.4"),
    ("thresher.theory", "g"): Renamed("thresher.theory", "coin_relative_entropy", "0.4"),
}


def renamed(module: str, name: str) -> Any:
    """What an old name stands for, with a warning; an AttributeError if it never was one.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     renamed("thresher.games", "Stream").__name__
    'PlantedStream'
    >>> print(told[0].message)
    thresher.games.Stream is called thresher.games.PlantedStream now; the old name goes in 0.4
    """
    new = RENAMED.get((module, name))
    if new is None:
        raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
    warnings.warn(
        f"{module}.{name} is called {new.module}.{new.name} now; the old name goes in {new.goes}",
        DeprecationWarning,
        stacklevel=3,
    )
    return getattr(import_module(new.module), new.name)


def renamed_parameters(goes: str, **names: str) -> Callable[[Callable[_P, _R]], Callable[_P, _R]]:
    """Let a function take parameters by the names that they had, with a warning.

    >>> import warnings
    >>> @renamed_parameters("0.4", rate="eta")
    ... def step(eta=1):
    ...     return eta
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always")
    ...     step(rate=3)
    3
    >>> print(told[0].message)
    step: rate is called eta now; the old name goes in 0.4
    """

    def decorated(function: Callable[_P, _R]) -> Callable[_P, _R]:
        @wraps(function)
        def call(*args: _P.args, **given: _P.kwargs) -> _R:
            for old in names.keys() & given.keys():
                new = names[old]
                if new in given:
                    raise ParameterError(
                        function.__name__, old, f"left out: it is {new}, which is given", given[old]
                    )
                warnings.warn(
                    f"{function.__name__}: {old} is called {new} now; the old name goes in {goes}",
                    DeprecationWarning,
                    stacklevel=2,
                )
                given[new] = given.pop(old)
            return function(*args, **given)

        return call

    return decorated
