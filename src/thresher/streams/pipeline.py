"""Reading ahead and scanning in threads, with results in the order of the input."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing

from thresher.streams.crew import in_order
from thresher.streams.formats.format import Job, Scanned
from thresher.streams.sources.source import ByteSource

#: A job and the source it belongs to.
Placed = tuple[ByteSource, Job]


def scanned_in_order(
    jobs: Generator[Placed], threads: int, *, one_by_one: bool, silent: bool
) -> Generator[tuple[Placed, Scanned]]:
    """Run the jobs, and give back each with its result, in order.

    To make a job is to read the input; what a thread has read it scans itself, while it is in the
    cache of its core. With `one_by_one` a thread only reads, and a job runs when its result is
    asked for: nothing is known then of the input behind it. Where the input may be `silent` for a
    while, as pipes are, nobody who asks for a result is sent to read instead.
    """
    if not one_by_one:
        return in_order(jobs, _scanned, threads, helping=not silent)
    return _when_asked_for(jobs, ahead=threads + 2)


def _scanned(placed: Placed) -> Scanned:
    return placed[1].run()


def _when_asked_for(jobs: Generator[Placed], *, ahead: int) -> Generator[tuple[Placed, Scanned]]:
    with closing(in_order(jobs, lambda _: None, 1, ahead=ahead)) as read:
        for placed, _ in read:
            yield placed, placed[1].run()
