"""Work shared by threads: results in order, failures in their place, bounded work ahead."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import closing
from threading import Event, Lock, Semaphore, Thread, current_thread, get_ident, main_thread

import pytest

from thresher.streams.crew import at_once, in_order


def numbers(n: int) -> Generator[int]:
    yield from range(n)


both = pytest.mark.parametrize("helping", [False, True])


@both
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_results_come_in_the_order_of_the_items(threads: int, helping: bool) -> None:
    # Even numbers are slow: they wait for an odd one to be done, if there is a thread for it.
    odd = Semaphore(0)

    def work(n: int) -> int:
        if n % 2:
            odd.release()
        else:
            odd.acquire(timeout=0.01)
        return n * n

    found = in_order(numbers(20), work, threads, helping=helping)
    assert list(found) == [(n, n * n) for n in range(20)]
    assert list(in_order(numbers(0), work, threads, helping=helping)) == []


@both
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_failure_comes_behind_the_results_before_it(threads: int, helping: bool) -> None:
    def broken() -> Generator[int]:
        yield from (1, 2)
        raise KeyError("three")

    def refuses(n: int) -> int:
        if n == 2:
            raise ValueError("two")
        return n

    found = in_order(broken(), lambda n: n, threads, helping=helping)
    assert [next(found), next(found)] == [(1, 1), (2, 2)]
    with pytest.raises(KeyError, match="three"):
        next(found)
    found = in_order(broken(), refuses, threads, helping=helping)
    assert next(found) == (1, 1)
    with pytest.raises(ValueError, match="two"):
        next(found)


@both
def test_no_more_items_are_taken_than_there_is_room_for(helping: bool) -> None:
    taken: list[int] = []

    def items() -> Generator[int]:
        for n in range(100):
            taken.append(n)
            yield n

    with closing(in_order(items(), lambda n: n, 2, ahead=4, helping=helping)) as found:
        for n, _ in found:
            assert len(taken) <= n + 5
            if n == 10:
                break
    assert len(taken) < 20


@both
@pytest.mark.parametrize("threads", [1, 2])
def test_the_items_are_closed_when_nobody_wants_more(threads: int, helping: bool) -> None:
    closed = Event()

    def items() -> Generator[int]:
        try:
            yield from range(100)
        finally:
            closed.set()

    with closing(in_order(items(), lambda n: n, threads, helping=helping)) as found:
        next(found)
    assert closed.is_set()


def test_who_helps_is_one_of_the_threads() -> None:
    def work(n: int) -> int:
        return get_ident()

    alone = in_order(numbers(9), work, 1, helping=True)
    assert {thread for _, thread in alone} == {get_ident()}
    # The other thread waits until this one has helped.
    helped = Event()

    def slow(n: int) -> int:
        if current_thread() is main_thread():
            helped.set()
        else:
            assert helped.wait(10)
        return n

    assert [n for n, _ in in_order(numbers(9), slow, 2, helping=True)] == [*range(9)]
    assert helped.is_set()


def test_who_does_not_help_waits_for_no_item() -> None:
    used: set[int] = set()
    with closing(in_order(numbers(9), lambda n: used.add(get_ident()), 1)) as found:
        assert len([*found]) == 9
    assert get_ident() not in used


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


def test_work_is_done_by_those_there_are_where_no_thread_can_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plain, left = Thread.start, [1]

    def start(self: Thread) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise RuntimeError("can't start new thread")
        plain(self)

    monkeypatch.setattr(Thread, "start", start)
    assert at_once([lambda n=n: n for n in range(9)], 4) == list(range(9))  # type: ignore[misc]
