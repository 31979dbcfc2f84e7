"""Engine: who runs tasks. Three functions: hand one in, get results, and close.

Nothing else passes between a run and its workers: no scattered data, no queues, no locks.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from numbers import Real
from random import Random
from time import monotonic
from typing import Any, Protocol

from thresher.errors import ClusterError, ParameterError, SourceError, ThresherError
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
            Must be a function of its arguments alone: it may run twice, or anywhere. An argument
            may be a Dask `Delayed`, which is computed where the task runs.
        """

    def gather(self, tasks: Sequence[Any], seconds: float) -> Iterator[tuple[int, Any]]:
        """The results as they come, each with its place in `tasks`; within so many seconds.

        When all were given out, everything that was handed in so far is forgotten.
        """

    def close(self) -> None:
        """Forget what is not done, and let go of what was started."""


def checked_deadline(seconds: Any) -> float:
    """Seconds, or an error if that is no number above 0, such as nan, which is never over."""
    number = isinstance(seconds, Real) and not isinstance(seconds, bool)
    if not number or not seconds > 0:
        raise ParameterError("cluster", "deadline", "a number of seconds above 0", seconds)
    return float(seconds)


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
        """Run the tasks, one after another; none is begun when the time is over."""
        until = monotonic() + seconds
        order = list(range(len(tasks)))
        if self._random is not None:
            self._random.shuffle(order)
        for done, place in enumerate(order):
            if monotonic() >= until:
                raise late([tasks[left].name for left in sorted(order[done:])], seconds)
            yield place, tasks[place].result()

    def close(self) -> None:
        """Nothing was started."""


class _Task:
    """A task that runs when somebody asks, and then once."""

    def __init__(self, name: str, function: Callable[..., Any], args: tuple[Any, ...]) -> None:
        self.name, self._function, self._args = name, function, args
        self._found: list[Any] = []

    def result(self) -> Any:
        if not self._found:
            args = [self._given(arg) for arg in self._args]
            try:
                self._found = [self._function(*args)]
            except (ThresherError, OSError, MemoryError) as error:
                raise failed(self.name, error) from error
        return self._found[0]

    def _given(self, arg: Any) -> Any:
        if isinstance(arg, _Task):
            return arg.result()
        if not hasattr(arg, "__dask_graph__"):
            return arg
        try:
            return arg.compute()
        except Exception as error:
            # Whatever is in somebody's graph: it is told with the name, as from a worker.
            raise failed(self.name, error) from error


def late(names: Sequence[str], seconds: float) -> ClusterError:
    """The error for tasks that are not done in time."""
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ClusterError(
        f"not done within {seconds:g} seconds: {', '.join(names[:3])}{more}.",
        "A longer deadline= may help, or a look at the workers.",
        code="cluster.deadline",
    )


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
