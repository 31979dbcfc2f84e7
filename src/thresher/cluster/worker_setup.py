"""What workers that were started for one command do first."""

from __future__ import annotations

import signal


def dask_setup(worker: object) -> None:
    """Leave Ctrl-C, which a terminal sends to all its processes, to the one that started them."""
    del worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
