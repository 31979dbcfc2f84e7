"""Writer: the one thread that changes a store; what waits together is committed together.

Assumes: works change the database through the connection that they are given, and nothing else.

Promises: works are done in the order in which they were handed over. Each is in the database before
anybody is told; either all of a work is in it, or nothing. When a commit fails, every work of that
group is told, and later ones are tried again: nothing was changed; or, where the connection was
lost in the middle of a commit and nobody can be asked, they are told that this is not known.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from time import perf_counter
from typing import Any, NamedTuple

import apsw

from thresher.errors import ServiceError, ThresherError
from thresher.service.connection import Connection

#: What to do inside a transaction.
Work = Callable[[Connection], Any]
#: Who is told: the result, or the error.
Told = Callable[[Any, Exception | None], None]


class Waiting(NamedTuple):
    """A work that was handed over."""

    work: Work
    told: Told


class Group(NamedTuple):
    """Works that were committed, or failed, together."""

    waiting: list[Waiting]
    results: list[tuple[Any, Exception | None]]
    #: Seconds that the transaction took.
    seconds: float


class Writer:
    """Does works one after another, many in a transaction.

    Parameters
    ----------
    db
        The connection; nobody else writes through it.
    deliver
        Called with each group in the writer's own thread. It has to see to it that everybody is
        told (`tell`) in the order of the groups.
    most
        So many works are committed together at most.
    """

    def __init__(self, db: Connection, deliver: Callable[[Group], None], most: int = 4096) -> None:
        self._db, self._deliver, self._most = db, deliver, most
        self._queue: deque[Waiting] = deque()
        self._news = threading.Condition()
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="thresher-writer", daemon=True)
        self._thread.start()

    def __len__(self) -> int:
        """How many works wait."""
        return len(self._queue)

    def submit(self, work: Work, told: Told) -> None:
        """Hand a work over."""
        with self._news:
            if self._stopping:
                raise ServiceError("the service is stopping.", code="service.stopping")
            self._queue.append(Waiting(work, told))
            self._news.notify()

    def stop(self) -> None:
        """Do what waits, then end."""
        with self._news:
            self._stopping = True
            self._news.notify()
        self._thread.join()

    def _run(self) -> None:
        while True:
            with self._news:
                while not self._queue and not self._stopping:
                    self._news.wait()
                if not self._queue:
                    return
                count = min(len(self._queue), self._most)
                group = [self._queue.popleft() for _ in range(count)]
            self._deliver(committed(self._db, group))


def committed(db: Connection, waiting: list[Waiting]) -> Group:
    """Do works in one transaction; a work that refuses leaves no trace, and the others stay."""
    began = perf_counter()
    results: list[tuple[Any, Exception | None]] = []
    try:
        db.begin()
        for one in waiting:
            results.append(_done(db, one.work))
        db.commit()
    except Exception as error:
        db.roll_back()
        told = in_words(error)
        results = [(None, told) for _ in waiting]
    return Group(waiting, results, perf_counter() - began)


def _done(db: Connection, work: Work) -> tuple[Any, Exception | None]:
    db.savepoint()
    result: tuple[Any, Exception | None]
    try:
        result = work(db), None
    except ThresherError as error:
        # It was refused for reasons of its own.
        db.back()
        result = None, error
    db.release()
    return result


def tell(group: Group) -> None:
    """Tell everybody of a group what became of it, in order."""
    for one, (result, error) in zip(group.waiting, group.results, strict=True):
        one.told(result, error)


def in_words(error: Exception) -> Exception:
    """What a database says when it cannot write, as an answer to whoever wanted it to."""
    if isinstance(error, apsw.FullError) or _no_space(error):
        return ServiceError(
            "the disk of the store is full: nothing was learned, and nothing is lost.",
            "Make room; learning goes on by itself. Predictions are made as ever.",
            code="service.full",
        )
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return ServiceError(
            "another program holds the database of the store: nothing was learned, and nothing is "
            "lost.",
            "End it, or send this again later.",
            code="service.busy",
        )
    if isinstance(error, apsw.ReadOnlyError | apsw.IOError | apsw.CantOpenError):
        return ServiceError(
            f"the store cannot be written ({error}): nothing was learned, and nothing is lost.",
            "Predictions are made as ever.",
            code="service.read_only",
        )
    return error


def _no_space(error: Exception) -> bool:
    return isinstance(error, OSError) and error.errno in (28, 122)
