from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from thresher.lab.app import build_app
from thresher.lab.shelf import Shelf

TOKEN = "a-token-that-nobody-guesses"


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    folder = tmp_path / "uploads"
    folder.mkdir()
    return Shelf(str(folder))


@pytest.fixture
def lab(shelf: Shelf) -> Iterator[TestClient]:
    """The lab behind its token, without a socket."""
    with TestClient(build_app(TOKEN, shelf), base_url=f"http://127.0.0.1:8765/{TOKEN}/") as client:
        yield client
