"""Long work in threads of its own, which end with the program and stop when nobody waits."""

from __future__ import annotations

import asyncio
import queue
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

#: Frames that a page is sent in a second at most.
FRAMES_PER_SECOND = 10


async def in_thread(work: Callable[..., T], *arguments: Any) -> T:
    """What `work` returns, from a thread that does not keep the program alive.

    Ctrl-C then ends the lab at once, whatever a search is doing.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(result: T | None, error: BaseException | None) -> None:
        if done.cancelled():
            return
        if error is not None:
            done.set_exception(error)
        else:
            done.set_result(result)  # type: ignore[arg-type]

    def run() -> None:
        result, error = None, None
        try:
            result = work(*arguments)
        except BaseException as caught:
            error = caught
        try:
            loop.call_soon_threadsafe(settle, result, error)
        except RuntimeError:
            # The lab was stopped meanwhile: nobody is there to be told.
            return

    threading.Thread(target=run, daemon=True).start()
    return await done


async def frames_of(work: Iterator[T]) -> AsyncIterator[T]:
    """What a generator yields, at most `FRAMES_PER_SECOND` times a second; the last one always.

    The generator runs in a thread and is closed between two of its steps when nobody reads on.
    """
    ready: queue.SimpleQueue[Any] = queue.SimpleQueue()
    loop, news = asyncio.get_running_loop(), asyncio.Event()
    stop = threading.Event()

    def put(item: Any) -> None:
        ready.put(item)
        try:
            loop.call_soon_threadsafe(news.set)
        except RuntimeError:
            # The lab was stopped meanwhile.
            stop.set()

    threading.Thread(target=_pump, args=(work, put, stop), daemon=True).start()
    try:
        while True:
            await news.wait()
            news.clear()
            while not ready.empty():
                item = ready.get()
                if item is None:
                    return
                if isinstance(item, Exception):
                    raise item
                yield item[0]
    finally:
        stop.set()


def _pump(work: Iterator[Any], put: Callable[[Any], None], stop: threading.Event) -> None:
    """Run a generator, and put its frames, then None; or the error that ended it."""
    sent, waiting = 0.0, None
    try:
        for frame in work:
            if stop.is_set():
                return
            waiting = (frame,)
            if time.monotonic() - sent >= 1 / FRAMES_PER_SECOND:
                put(waiting)
                sent, waiting = time.monotonic(), None
        if waiting is not None:
            put(waiting)
        put(None)
    except Exception as error:
        put(error)
    finally:
        work.close()  # type: ignore[attr-defined]
