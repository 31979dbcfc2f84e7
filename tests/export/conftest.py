"""Databases for the tests of exports."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.export.databases import DuckDb, Postgres, Sqlite, postgres


@pytest.fixture(scope="session")
def server() -> Iterator[Postgres]:
    # Not a folder of pytest's: those are closed to others, and the path to a socket is short.
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        Path(folder).chmod(0o755)
        with postgres(Path(folder)) as base:
            yield base


@pytest.fixture
def databases(server: Postgres) -> list[Sqlite | Postgres]:
    return [Sqlite(), DuckDb(), server]
