"""Whole files that take long: `make test` leaves them to `make test-long`, which CI runs as well.

A single test that takes long is marked where it stands.
"""

from __future__ import annotations

import pytest

#: By the beginning of the path, and why.
LONG = {
    "tests/attacks/": "what attackers tried, by the thousand",
    "tests/cli/test_demo.py": "the tour and the demo, whole",
    "tests/export/": "compilers, engines of JavaScript and databases, for each kind of model",
    "tests/service/test_command.py": "ten thousand mutations, and processes that are waited for",
    "tests/service/test_following.py": "processes that are killed and waited for",
    "tests/service/test_instances.py": "the same, and a database",
    "tests/service/test_kinds_of_models.py": "each kind of model, served and brought back",
    "tests/service/test_postgres.py": "a database",
    "tests/streams/test_remote.py": "servers of files, and each format over each of them",
    "tests/streams/test_scanned_json.py": "lines cut everywhere",
    "tests/verifier/test_further_rows.py": "each kind of run, with rows that are added",
    "tests/verifier/test_mixed_streams.py": "each kind of combined run, on many streams",
    "tests/verifier/test_mixed_tamper.py": "each field of a certificate is changed",
    "tests/verifier/test_tamper.py": "each field of a certificate is changed",
    "tests/verifier/test_two_readers.py": "many thousand odd lines",
}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them before others are chosen."""
    beginnings = tuple(LONG)
    for item in items:
        if item.nodeid.startswith(beginnings):
            item.add_marker(pytest.mark.long)
