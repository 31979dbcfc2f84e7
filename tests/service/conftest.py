from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from thresher.service.app import build_app
from thresher.service.live_models import Limits, LiveModels
from thresher.service.store import Kept, Store
from thresher.service.tokens import Tokens

BASE = "http://127.0.0.1:8080"
PERCEPTRON = {"learner": "perceptron", "n_features": 256}

Running = Callable[..., Any]


class Service(TestClient):
    """A service without a socket, with its models at hand."""

    models: LiveModels
    remarks: list[str]


@contextmanager
def service_on(
    folder: Path,
    *,
    limits: Limits | None = None,
    keep: Kept | None = None,
    tokens: Tokens | None = None,
    read_only: bool = False,
) -> Iterator[Service]:
    """A service on a store, recovered."""
    remarks: list[str] = []
    found: dict[str, LiveModels] = {}

    @asynccontextmanager
    async def lifespan(app: object) -> Any:
        store = Store(folder)
        models = LiveModels(
            store, limits=limits, keep=keep, remark=remarks.append, read_only=read_only
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
def service(tmp_path: Path) -> Iterator[Service]:
    with service_on(tmp_path / "store") as running:
        yield running


def learn(service: Service, ident: str, features: dict[str, Any], label: object) -> dict[str, Any]:
    body = {"id": ident, "features": features, "label": label}
    answer = service.post("/v1/models/m/learn", json=body)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found
