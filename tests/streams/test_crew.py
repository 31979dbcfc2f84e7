"""Work shared by threads: results in order, failures in their place, bounded work ahead."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from threading import Event, Lock, Semaphore

import pytest

from thresher.streams.crew import at_once, in_order


def numbers(n: int) -> Generator[int]:
    yield from range(n)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_results_come_in_the_order_of_the_items(threads: int) -> None:
    # Even numbers are slow: they wait for an odd one to be done, if there is a thread for it.
    odd = Semaphore(0)

    def work(n: int) -> int:
        if n % 2:
            odd.release()
        else:
            odd.acquire(timeout=0.01)
        return n * n

    assert list(in_order(numbers(20), work, threads)) == [(n, n * n) for n in range(20)]


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_failure_comes_behind_the_results_before_it(threads: int) -> None:
    def broken() -> Generator[int]:
        yield from (1, 2)
        raise KeyError("three")

    def refuses(n: int) -> int:
        if n == 2:
            raise ValueError("two")
        return n

    found = in_order(broken(), lambda n: n, threads)
    assert [next(found), next(found)] == [(1, 1), (2, 2)]
    with pytest.raises(KeyError, match="three"):
        next(found)
    found = in_order(broken(), refuses, threads)
    assert next(found) == (1, 1)
    with pytest.raises(ValueError, match="two"):
        next(found)


def test_no_more_items_are_taken_than_there_is_room_for() -> None:
    taken: list[int] = []

    def items() -> Generator[int]:
        for n in range(100):
            taken.append(n)
            yield n

    with closing(in_order(items(), lambda n: n, 2, ahead=4)) as found:
        for n, _ in found:
            assert len(taken) <= n + 5
            if n == 10:
                break
    assert len(taken) < 20


def test_the_items_are_closed_when_nobody_wants_more() -> None:
    closed = Event()

    def items() -> Generator[int]:
        try:
            yield from range(100)
        finally:
            closed.set()

    with closing(in_order(items(), lambda n: n, 2)) as found:
        next(found)
    assert closed.is_set()


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_tasks_are_all_done_and_the_first_failure_is_raised(threads: int) -> None:
    done: list[int] = []
    turn = Lock()

    def task(n: int) -> int:
        with turn:
            done.append(n)
        if n in (3, 5):
            raise ValueError(f"task {n}")
        return -n

    assert at_once([lambda n=n: task(n) for n in range(3)], threads) == [0, -1, -2]  # type: ignore[misc]
    done.clear()
    with pytest.raises(ValueError, match="task 3"):
        at_once([lambda n=n: task(n) for n in range(7)], threads)  # type: ignore[misc]
    assert sorted(done) == list(range(7))
    assert at_once([], threads) == []
