"""Settings of all tests: one thread a process, and how property tests search."""

from __future__ import annotations

import gc
import os

from hypothesis import Phase, settings

# Hooks of pytest, which finds them here.
from tests.areas import pytest_configure as pytest_configure
from tests.areas import pytest_terminal_summary as pytest_terminal_summary
from tests.long_ones import pytest_collection_modifyitems as pytest_collection_modifyitems
from tests.sharing import pytest_xdist_make_scheduler as pytest_xdist_make_scheduler

# Before anybody imports NumPy: as many processes run as there are cores, and threads of BLAS that
# find none free wait for each other busily. The command sets the same.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The same examples on every run, so that a red build is never luck. For a search that goes on
# looking: HYPOTHESIS_PROFILE=explore make test
settings.register_profile("fixed", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, max_examples=1000)
# For whoever only wants to know whether a test fails, and not the smallest case in which it does.
settings.register_profile(
    "first", derandomize=True, deadline=None, database=None, phases=[Phase.explicit, Phase.generate]
)
# No settings of whoever runs the tests.
os.environ["THRESHER_CONFIG"] = ""
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fixed"))


def pytest_xdist_auto_num_workers() -> int:
    """One process more than there are cores: some tests wait for others, for disks and clocks."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_finish() -> None:
    """Let the collector of garbage pass by what stays to the end: modules, and 23,000 tests."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish() -> None:
    """Give everything back to the collector: libraries report what is left when Python ends."""
    gc.unfreeze()
