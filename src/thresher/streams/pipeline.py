"""Reading ahead and scanning in threads, with results in the order of the input."""

from __future__ import annotations

from collections.abc import Generator
from itertools import count
from threading import Condition, Lock, Semaphore, Thread

from thresher.records import record
from thresher.streams.formats.format import Job, Scanned
from thresher.streams.sources.machine import cores
from thresher.streams.sources.source import ByteSource

#: A job and the source it belongs to.
Placed = tuple[ByteSource, Job]
#: More threads than this wait for the one learner.
MOST_THREADS = 4
#: How long to wait for a thread that reads from a pipe, before it is left to itself.
_PATIENCE = 0.2


def default_threads() -> int:
    """How many threads read and scan by default."""
    return max(1, min(MOST_THREADS, cores()))


def scanned_in_order(
    jobs: Generator[Placed], threads: int, *, one_by_one: bool
) -> Generator[tuple[Placed, Scanned]]:
    """Run the jobs, and give back each with its result, in order.

    Each of the threads takes its turn to make a job (which reads the input, so only one does at a
    time), then runs it while another reads on: what was read is scanned by the core that has it
    in its cache. They are ahead by a few jobs at most, so memory does not depend on the length of
    the input. With `one_by_one` the threads only read, and a job runs when its result is asked
    for: nothing is known then of the input behind it. Whatever goes wrong is raised here, in its
    place. Closing the iterator stops everything; a thread that waits for a silent pipe is left
    behind.
    """
    crew = _Crew(jobs, ahead=threads + 2, run=not one_by_one)
    workers = [
        Thread(target=crew.work, name=f"thresher-read-{n}", daemon=True)
        for n in range(1 if one_by_one else threads)
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
            placed, scanned = outcome
            yield placed, placed[1].run() if scanned is None else scanned
            # The rows are the caller's now; let them go when the caller does.
            del outcome, placed, scanned
            crew.room.release()
    finally:
        crew.dismiss(workers)


@record
class _Failure:
    """What went wrong in a thread, on its way to the one who waits for rows."""

    error: BaseException


_Outcome = tuple[Placed, Scanned | None] | _Failure | None


class _Crew:
    """Threads that take turns at the input and hand in results under consecutive numbers."""

    def __init__(self, jobs: Generator[Placed], *, ahead: int, run: bool) -> None:
        self._jobs, self._run = jobs, run
        self._turn = Lock()
        self._stopped = False
        self._tickets = 0
        self._outcomes: dict[int, _Outcome] = {}
        self._arrived = Condition()
        #: How many more jobs may be begun.
        self.room = Semaphore(ahead)

    def work(self) -> None:
        """What each thread does until there is no more."""
        while True:
            self.room.acquire()
            with self._turn:
                if self._stopped:
                    self._jobs.close()
                    return
                ticket, self._tickets = self._tickets, self._tickets + 1
                outcome = self._next()
            if isinstance(outcome, tuple) and self._run:
                outcome = self._scanned(outcome[0])
            with self._arrived:
                self._outcomes[ticket] = outcome
                self._arrived.notify()

    def _next(self) -> _Outcome:
        try:
            for placed in self._jobs:
                return placed, None
            outcome: _Outcome = None
        except BaseException as error:  # raised again where the rows are wanted
            outcome = _Failure(error)
        self._stopped = True
        return outcome

    def _scanned(self, placed: Placed) -> _Outcome:
        try:
            return placed, placed[1].run()
        except BaseException as error:  # raised again where the rows are wanted
            return _Failure(error)

    def result(self, ticket: int) -> _Outcome:
        """Wait for the result with this number."""
        with self._arrived:
            self._arrived.wait_for(lambda: ticket in self._outcomes)
            return self._outcomes.pop(ticket)

    def dismiss(self, workers: list[Thread]) -> None:
        """Stop all threads, and wait for those that do not wait for anybody themselves."""
        self._stopped = True
        self.room.release(len(workers))
        if self._turn.acquire(timeout=_PATIENCE):
            self._turn.release()
            for worker in workers:
                worker.join()
