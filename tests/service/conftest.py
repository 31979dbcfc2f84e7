from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.in_memory import memory_for_files
from tests.postgres_server import Server, running_server
from thresher.service.app import build_app
from thresher.service.leader import Leader
from thresher.service.live_models import Limits, LiveModels
from thresher.service.store import Kept, Store
from thresher.service.tokens import Tokens

BASE = "http://127.0.0.1:8080"
PERCEPTRON = {"learner": "perceptron", "n_features": 256}

Running = Callable[..., Any]
#: A folder, or the address of a database.
Where = Path | str
NewStore = Callable[[], Where]


class Service(TestClient):
    """A service without a socket, with its models at hand."""

    models: LiveModels
    remarks: list[str]


@contextmanager
def service_on(
    folder: Where,
    *,
    limits: Limits | None = None,
    keep: Kept | None = None,
    tokens: Tokens | None = None,
    read_only: bool = False,
    address: str = BASE,
    leader: str | None = None,
) -> Iterator[Service]:
    """A service on a store, recovered."""
    remarks: list[str] = []
    found: dict[str, LiveModels] = {}

    @asynccontextmanager
    async def lifespan(app: object) -> Any:
        store = Store(folder, address=address)
        models = LiveModels(
            store,
            limits=limits,
            keep=keep,
            remark=remarks.append,
            read_only=read_only,
            leader=None if leader is None else Leader(leader),
        )
        await models.recover()
        found["models"] = models
        yield
        await models.close()
        store.close()

    app = build_app(
        lambda: found["models"], lambda: tokens, remark=remarks.append, lifespan=lifespan
    )
    with Service(app, base_url=BASE) as client:
        client.models, client.remarks = found["models"], remarks
        yield client


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder whose syncs take no time: stores wait for thousands of them here.

    Killed processes lose nothing that was written, synced or not. What a cut of the power may lose
    is tested on a disk of its own, in `power.py`.
    """
    with TemporaryDirectory(prefix="thresher-", dir=memory_for_files()) as folder:
        yield Path(folder)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    with running_server() as server:
        yield server


@pytest.fixture(params=["folder", "postgresql"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> NewStore:
    """Makes places for stores: in a folder, and in PostgreSQL."""
    if request.param == "folder":
        numbers = count()
        return lambda: tmp_path / f"store-{next(numbers)}"
    server: Server = request.getfixturevalue("postgres")
    return server.store


@pytest.fixture
def where(new_store: NewStore) -> Where:
    """A place for a store."""
    return new_store()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with service_on(tmp_path / "store") as running:
        yield running


def soon(said: Callable[[], bool], seconds: float = 40.0) -> None:
    """Wait until something is so."""
    until = time.monotonic() + seconds
    while not said():
        assert time.monotonic() < until, "it did not come to be so"
        time.sleep(0.05)


def learn(service: Service, ident: str, features: dict[str, Any], label: object) -> dict[str, Any]:
    body = {"id": ident, "features": features, "label": label}
    answer = service.post("/v1/models/m/learn", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found
