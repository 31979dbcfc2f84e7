"""kill -9 under eight writers: nothing acknowledged is lost, nothing is learned twice."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.killing import NAMES, TEXTS, Subject, killed


@pytest.mark.parametrize("subject", [NAMES, TEXTS], ids=["names", "texts"])
def test_a_killed_service_has_lost_nothing_and_learned_nothing_twice(
    tmp_path: Path, subject: Subject
) -> None:
    found = killed(tmp_path, kills=3, subject=subject)
    assert found.acknowledged > 20
    assert found._replace(acknowledged=0, recovery=0) == (3, 0, 0, 0, 0, 0, 0, 0)
