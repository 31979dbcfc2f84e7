"""Work shared by threads, with results in the order in which the work came."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence, Sized
from contextlib import suppress
from itertools import count, pairwise
from threading import Condition, Lock, Semaphore, Thread
from typing import Generic, TypeVar

from thresher.records import record
from thresher.streams.sources.machine import cores

T = TypeVar("T")
R = TypeVar("R")

#: More threads than this wait for the one learner.
MOST_THREADS = 4
#: Rows that take longer to learn than threads to begin.
WORTH_SHARING = 256
#: How long to wait for a thread that reads from a pipe, before it is left to itself.
_PATIENCE = 0.2


def default_threads() -> int:
    """How many threads read, scan and score by default."""
    return max(1, min(MOST_THREADS, cores()))


def threads_for(rows: Sized, threads: int) -> int:
    """So many threads as are worth starting for some rows: of a few rows none is."""
    return threads if len(rows) >= WORTH_SHARING else 1


def shares(n: int, threads: int) -> list[slice]:
    """So many equal parts of `n` things as there are threads; one of nothing.

    >>> shares(5, 2)
    [slice(0, 2, None), slice(2, 5, None)]
    """
    cuts = [n * k // threads for k in range(threads + 1)]
    return [slice(first, stop) for first, stop in pairwise(cuts)]


def in_order(
    items: Generator[T],
    work: Callable[[T], R],
    threads: int,
    *,
    ahead: int | None = None,
    helping: bool = False,
) -> Generator[tuple[T, R]]:
    """Each item with what the work makes of it, in order.

    Each of the threads takes its turn to get an item, so that one waits for the input at a time,
    and then works on it while another gets the next. They are `ahead` by a few items at most
    (two more than threads), so that memory does not depend on how many there are. Whatever goes
    wrong is raised here, in its place. Closing the iterator stops everything; a thread that waits
    for a silent pipe is left behind.

    Where no item is ever waited for, the caller is one of the threads, by `helping`: before it
    waits for a result it takes an item itself. So there are never more threads at work than cores,
    and none holds the interpreter lock without a core of its own, while others wait for it.

    >>> list(in_order((n for n in range(3)), lambda n: n * n, threads=2))
    [(0, 0), (1, 1), (2, 4)]
    """
    crew = _Crew(items, work, threads + 2 if ahead is None else ahead, helping)
    workers = [
        Thread(target=crew.work, name=f"thresher-crew-{n}", daemon=True)
        for n in range(threads - helping)
    ]
    for worker in workers:
        worker.start()
    try:
        for ticket in count():
            outcome = crew.result(ticket)
            if outcome is None:
                return
            if isinstance(outcome, _Failure):
                raise outcome.error
            yield outcome
            # What was made is the caller's now; let it go when the caller does.
            del outcome
            crew.room.release()
    finally:
        crew.dismiss(workers)


@record
class _Failure:
    """What went wrong in a thread, on its way to the one who waits for results."""

    error: BaseException


class _Crew(Generic[T, R]):
    """Threads that take turns at the items and hand in results under consecutive numbers."""

    def __init__(
        self, items: Generator[T], work: Callable[[T], R], ahead: int, helping: bool
    ) -> None:
        self._items, self._work, self._helping = items, work, helping
        self._turn = Lock()
        self._stopped = False
        self._tickets = 0
        self._outcomes: dict[int, tuple[T, R] | _Failure | None] = {}
        self._arrived = Condition()
        #: How many more items may be begun.
        self.room = Semaphore(ahead)

    def work(self) -> None:
        """What each thread does until there is no more."""
        while self.room.acquire() and self._one_more():
            pass

    def _one_more(self) -> bool:
        """Take an item and work on it, for there is room; whether there was one."""
        with self._turn:
            if self._stopped:
                self._items.close()
                return False
            ticket, self._tickets = self._tickets, self._tickets + 1
            found = self._next()
        outcome = self._worked_on(found[0]) if isinstance(found, tuple) else found
        with self._arrived:
            self._outcomes[ticket] = outcome
            self._arrived.notify()
        return True

    def _next(self) -> tuple[T] | _Failure | None:
        try:
            for item in self._items:
                return (item,)
            found: _Failure | None = None
        except BaseException as error:  # raised again where results are wanted
            found = _Failure(error)
        self._stopped = True
        return found

    def _worked_on(self, item: T) -> tuple[T, R] | _Failure:
        try:
            return item, self._work(item)
        except BaseException as error:  # raised again where results are wanted
            return _Failure(error)

    def result(self, ticket: int) -> tuple[T, R] | _Failure | None:
        """The result with this number, waited or worked for."""
        while self._helping and ticket not in self._outcomes and self.room.acquire(blocking=False):
            if not self._one_more():
                # Nothing was begun, and those who wait for room have to hear of the end, too.
                self.room.release()
                break
        with self._arrived:
            self._arrived.wait_for(lambda: ticket in self._outcomes)
            return self._outcomes.pop(ticket)

    def dismiss(self, workers: list[Thread]) -> None:
        """Stop all threads, and wait for those that do not wait for anybody themselves."""
        self._stopped = True
        for _ in workers:
            self.room.release()
        if self._turn.acquire(timeout=_PATIENCE):
            self._items.close()
            self._turn.release()
            for worker in workers:
                worker.join()


def at_once(tasks: Sequence[Callable[[], R]], threads: int) -> list[R]:
    """What each task returns, in order; the caller and its threads share them.

    All are done even if one fails; what is raised is the failure of the first that has one. Where
    the system gives no more threads, those there are do the work.

    >>> at_once([lambda: 3, lambda: 5], threads=2)
    [3, 5]
    """
    found: dict[int, R | _Failure] = {}
    waiting = iter(range(len(tasks)))
    turn = Lock()

    def work() -> None:
        while True:
            with turn:
                place = next(waiting, None)
            if place is None:
                return
            try:
                found[place] = tasks[place]()
            except BaseException as error:  # raised again below
                found[place] = _Failure(error)

    workers: list[Thread] = []
    try:
        with suppress(RuntimeError, MemoryError):
            for n in range(min(threads, len(tasks)) - 1):
                worker = Thread(target=work, name=f"thresher-share-{n}", daemon=True)
                worker.start()
                workers.append(worker)
        work()
    finally:
        # Nobody works on when the caller goes its way.
        for worker in workers:
            worker.join()
    done: list[R] = []
    for place in range(len(tasks)):
        result = found[place]
        if isinstance(result, _Failure):
            raise result.error
        done.append(result)
    return done
