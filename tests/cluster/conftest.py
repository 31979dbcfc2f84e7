"""A cluster of two workers on this machine, for all tests that need one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dask
import distributed
import pytest


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
    # A worker that is killed twice within a quarter of a minute is to come back both times.
    patient = {"distributed.deploy.lost-worker-timeout": "1 day"}
    with dask.config.set(patient), local_cluster(2) as made:
        yield made


@pytest.fixture(scope="session")
def client(cluster: Any) -> Iterator[Any]:
    with distributed.Client(cluster, set_as_default=False) as made:
        yield made
