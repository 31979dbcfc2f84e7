"""What the figures were measured with: versions, processor, memory, load."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import resource
import time
from pathlib import Path

PACKAGES = ("numpy", "scipy", "cython", "scikit-learn", "river", "vowpalwabbit", "thresher")


def versions() -> dict[str, str]:
    """Version of Python and of each package, or "not installed"."""
    found = {"python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


def processor() -> str:
    """The model of the processor, the number of cores and the sizes of the caches."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    caches = []
    for cache in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = (
            (cache / part).read_text().strip() for part in ("level", "type", "size")
        )
        if kind != "Instruction":
            caches.append(f"L{level} {size}")
    return ", ".join([model, f"{os.cpu_count()} cores", *caches])


def memory() -> str:
    """Memory of the machine, and the most this process has held."""
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    # Linux counts in KiB, macOS in bytes.
    unit = 1 if platform.system() == "Darwin" else 1024
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return f"{whole / 2**30:.1f} GiB, of which this process held {most / 2**30:.1f} GiB at most"


def load() -> float:
    """Processes that wanted a core, on average over the last minute."""
    return os.getloadavg()[0]


class Others:
    """What other programs take of the machine's cores, from now on until somebody asks (Linux).

    Our own part is that of processes that this one has started and waited for.
    """

    def __init__(self) -> None:
        self._began, self._before = time.perf_counter(), self._taken()

    @staticmethod
    def _taken() -> float | None:
        """Seconds that cores were busy for others, since an unknown moment."""
        stat = Path("/proc/stat")
        if not stat.exists():
            return None
        user, nice, system, _, _, irq, softirq, *_ = map(int, stat.read_text().split()[1:9])
        ours = resource.getrusage(resource.RUSAGE_CHILDREN)
        busy = (user + nice + system + irq + softirq) / os.sysconf("SC_CLK_TCK")
        return busy - ours.ru_utime - ours.ru_stime

    def share(self) -> float | None:
        """The share of all cores that others had; None where it cannot be told."""
        now, seconds = self._taken(), time.perf_counter() - self._began
        if now is None or self._before is None:
            return None
        return max(0.0, (now - self._before) / seconds / (os.cpu_count() or 1))
