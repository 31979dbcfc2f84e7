"""What differs from one operating system to another.

Nothing here is asked for at import, and everything has an answer on a machine that lacks the
call: the program is then slower or less careful with memory, and does the same.
"""

from __future__ import annotations

import mmap
import os
import select
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress

#: Milliseconds. A writer that is busy is worth waiting for: small blocks cost more than they gain.
_MOMENT = 20
#: Where Linux tells how much memory a container may have and how much it has, in two versions.
CONTAINERS = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
    ),
)


def cores() -> int:
    """How many cores this process may use; where nobody knows, how many there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def free_memory() -> int:
    """Bytes of memory that nobody uses, as far as this process may have them; 0: nobody knows."""
    found = []
    with suppress(OSError, ValueError, IndexError), open("/proc/meminfo", encoding="ascii") as told:
        found = [1024 * int(line.split()[1]) for line in told if line.startswith("MemAvailable:")]
    # What a container may have, and has; a limit that is none is no number.
    for limit, used in CONTAINERS:
        with suppress(OSError, ValueError):
            found.append(max(0, _number_in(limit) - _number_in(used)))
    # Where addresses are counted (`ulimit -v`), room that is never filled counts as well, and who
    # knows how much of it others will ask for.
    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415  (Windows has none)

        if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
            return 0
    return min(found, default=0)


def _number_in(path: str) -> int:
    with open(path, encoding="ascii") as file:
        return int(file.read())


def widen_pipe(fd: int, size: int) -> None:
    """Let a pipe hold so many bytes, if this is one and can: fewer turns between two processes."""
    with suppress(ImportError, AttributeError, OSError):
        import fcntl  # noqa: PLC0415  (Windows has none)

        fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, size)


def has_more(fd: int, wait: int = _MOMENT) -> bool:
    """Whether a pipe has something to read, now or within so many milliseconds.

    Where that cannot be asked (Windows asks sockets alone) the answer is no: a reader then goes on
    with what it has, and nobody waits for an answer in vain.
    """
    try:
        if hasattr(select, "poll"):
            waiting = select.poll()
            waiting.register(fd, select.POLLIN)
            return bool(waiting.poll(wait))
        return bool(select.select([fd], [], [], wait / 1000)[0])
    except OSError:
        return False


def map_file(fd: int) -> mmap.mmap:
    """The whole of a file as memory, to be read from its beginning to its end."""
    mapped = mmap.mmap(fd, 0, access=mmap.ACCESS_READ)
    _advise(mapped, "MADV_SEQUENTIAL", 0, len(mapped))
    return mapped


def release_pages(mapped: mmap.mmap, start: int, stop: int) -> int:
    """Give back the memory of a stretch of a mapped file; return where the next one begins.

    Whoever still reads there gets the pages again.
    """
    stop = stop // mmap.PAGESIZE * mmap.PAGESIZE
    if stop <= start:
        return start
    _advise(mapped, "MADV_DONTNEED", start, stop - start)
    return stop


def _advise(mapped: mmap.mmap, advice: str, start: int, size: int) -> None:
    # Advice that is not taken costs speed or memory, and changes nothing else.
    with suppress(AttributeError, OSError, ValueError):
        mapped.madvise(getattr(mmap, advice), start, size)


@contextmanager
def interrupts_wait() -> Iterator[None]:
    """Let Ctrl-C wait while the block lasts; processes that are started there never hear of it.

    Where signals cannot be held back they are not.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    # A helper of multiprocessing, which would let interrupts in again when it is started.
    from multiprocessing import resource_tracker  # noqa: PLC0415  (slow, and rarely needed)

    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def sync_data(fd: int) -> None:
    """Bring what is in a file to the disk, where that can be asked for apart from its other facts.

    What the disk says of it is raised: a system tells it once, and a sync later would know nothing.
    """
    if hasattr(os, "fdatasync"):
        os.fdatasync(fd)


def sync_directory(folder: str) -> None:
    """Let a rename in a folder survive power loss, where folders can be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:
        # Windows opens no folders. Elsewhere this is a folder that may be written and not read.
        return
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def try_lock(fd: int) -> bool | None:
    """Whether the lock of an open file is now ours; None where files have no locks.

    The system lets go of it when the file is closed, and so when the process ends in any way.
    """
    try:
        import fcntl  # noqa: PLC0415  (Windows has none)

        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except (ImportError, AttributeError, OSError):
        return None
    return True
