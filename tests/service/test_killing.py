"""kill -9 under eight writers: nothing acknowledged is lost, nothing is learned twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.postgres_server import Server
from tests.service.killing import NAMES, TEXTS, Subject, killed

#: Services and databases are started, killed and recovered, several times.
pytestmark = pytest.mark.long


@pytest.mark.parametrize("subject", [NAMES, TEXTS], ids=["names", "texts"])
def test_a_killed_service_has_lost_nothing_and_learned_nothing_twice(
    tmp_path: Path, subject: Subject
) -> None:
    found = killed(tmp_path, kills=3, subject=subject)
    assert found.acknowledged > 20
    assert found._replace(acknowledged=0, recovery=0) == (3, 0, 0, 0, 0, 0, 0, 0)


def test_neither_a_killed_service_nor_a_killed_database_loses_anything(
    tmp_path: Path, postgres: Server
) -> None:
    found = killed(tmp_path, kills=2, server=postgres)
    assert found.acknowledged > 20
    assert found._replace(acknowledged=0, recovery=0) == (2, 0, 0, 0, 0, 0, 0, 0)
