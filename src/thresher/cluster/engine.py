"""Engine: who runs tasks. Three functions: hand one in, get results, and close.

Nothing else passes between a run and its workers: no scattered data, no queues, no locks.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Protocol

from thresher.errors import ClusterError, SourceError, ThresherError
from thresher.errors.error import joined


class Engine(Protocol):
    """Runs tasks, here or elsewhere, in any order; what they compute does not depend on it."""

    #: Whether workers may see another folder as theirs, so that paths must be absolute.
    elsewhere: bool

    @property
    def width(self) -> int:
        """How many workers there are just now; it decides who does what, and nothing else."""

    def submit(self, name: str, function: Callable[..., Any], *args: Any) -> Any:
        """Hand in a task; what is returned may be an argument of others.

        Parameters
        ----------
        name
            What errors call it.
        function, args
            Must be a function of its arguments alone: it may run twice, or anywhere.
        """

    def gather(self, tasks: Sequence[Any], seconds: float) -> Iterator[tuple[int, Any]]:
        """The results as they come, each with its place in `tasks`; within so many seconds.

        When all were given out, everything that was handed in so far is forgotten.
        """

    def close(self) -> None:
        """Forget what is not done, and let go of what was started."""


def unpacked_for(engine: Engine, name: str, packed: bytes, n_tasks: int) -> list[Any]:
    """What was pickled, as an argument for each of so many tasks.

    There is a copy for each worker: of one alone, the worker that had it would be given all tasks,
    because they need it. The scheduler keeps each with the task that unpacks it, so that no
    worker's loss can lose it.
    """
    n = max(1, min(n_tasks, engine.width))
    copies = [engine.submit(name, pickle.loads, packed) for _ in range(n)]
    return [copies[number % n] for number in range(n_tasks)]


class InProcess:
    """Runs tasks in this process, one after another, in a random order if a seed is given.

    >>> engine = InProcess(seed=3)
    >>> tasks = [engine.submit(f"square {n}", pow, n, 2) for n in range(4)]
    >>> sorted(engine.gather(tasks, seconds=1.0))
    [(0, 0), (1, 1), (2, 4), (3, 9)]
    """

    elsewhere = False
    width = 1

    def __init__(self, seed: int | None = None) -> None:
        self._random = None if seed is None else Random(seed)

    def submit(self, name: str, function: Callable[..., Any], *args: Any) -> Any:
        """Keep a task until its result is asked for."""
        return _Task(name, function, args)

    def gather(self, tasks: Sequence[Any], seconds: float) -> Iterator[tuple[int, Any]]:
        """Run the tasks, one after another."""
        del seconds
        order = list(range(len(tasks)))
        if self._random is not None:
            self._random.shuffle(order)
        for place in order:
            yield place, tasks[place].result()

    def close(self) -> None:
        """Nothing was started."""


class _Task:
    """A task that runs when somebody asks, and then once."""

    def __init__(self, name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self._name, self._function, self._args = name, function, args
        self._found: list[Any] = []

    def result(self) -> Any:
        if not self._found:
            args = [arg.result() if isinstance(arg, _Task) else arg for arg in self._args]
            try:
                self._found = [self._function(*args)]
            except (ThresherError, OSError, MemoryError) as error:
                raise failed(self._name, error) from error
        return self._found[0]


def failed(name: str, error: BaseException) -> ThresherError:
    """The error of a task, with its name before what went wrong."""
    if isinstance(error, SourceError):
        what, fields = f"{name}: {error.what}", {"file": error.fields.get("file")}
        return ClusterError(what, error.remedy, code="cluster.source", **fields)
    if isinstance(error, ThresherError):
        told = vars(error) | {"what": f"{name}: {error.what}"}
        return type(error)._bare((joined(told["what"], error.remedy),), told)
    said = str(error) or "no word"
    return ClusterError(f"{name}: {type(error).__name__}: {said}.", code="cluster.task")
