"""A cluster of two workers on this machine, for all tests that need one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dask
import distributed
import pytest


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one process have all tests that need the cluster, so that it is started once."""
    for item in items:
        if "cluster" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("cluster"))


def local_cluster(n_workers: int) -> Any:
    return distributed.LocalCluster(
        n_workers=n_workers,
        threads_per_worker=1,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
        silence_logs="CRITICAL",
    )


@pytest.fixture(scope="session")
def cluster() -> Iterator[Any]:
    settings = {
        # A worker that is killed twice within a quarter of a minute is to come back both times.
        "distributed.deploy.lost-worker-timeout": "1 day",
        # A worker that wants data of one that was killed asks again, for so long.
        "distributed.comm.timeouts.connect": "8s",
    }
    with dask.config.set(settings), local_cluster(2) as made:
        yield made


@pytest.fixture(scope="session")
def client(cluster: Any) -> Iterator[Any]:
    with distributed.Client(cluster, set_as_default=False) as made:
        yield made
