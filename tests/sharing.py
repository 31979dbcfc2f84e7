"""How the processes that test share the tests: a file goes to one of them, whole.

What a module's tests have in common is then made once. And the process that gives out the tests
has some hundred files to count after each test, not twenty thousand tests: for a scheduler of
groups in which most tests are a group by themselves that took it as long as many of the tests.
"""

from __future__ import annotations

from typing import Any

import pytest
from xdist.scheduler import LoadGroupScheduling


class FilesAndGroups(LoadGroupScheduling):  # type: ignore[misc]
    """Tests of a file, or of a group that is marked, stay together."""

    def _split_scope(self, nodeid: str) -> str:
        return str(super()._split_scope(nodeid)).partition("::")[0]


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FilesAndGroups:
    """What pytest-xdist asks for."""
    return FilesAndGroups(config, log)
