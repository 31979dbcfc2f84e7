"""What a run of the tests says of itself."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("processes", ["0", "2"])
def test_a_run_says_what_it_tests_and_how_long_that_took(processes: str) -> None:
    tests = ["tests/test_records.py", "tests/names/test_collisions.py"]
    found = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", processes, "-p", "no:cacheprovider", *tests],
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")},
        capture_output=True,
        text=True,
        check=False,
    )
    told = found.stdout.splitlines()
    assert found.returncode == 0, found.stdout
    (first,) = [number for number, line in enumerate(told) if re.match(r"\d+ tests: ", line)]
    (last,) = [number for number, line in enumerate(told) if " seconds, summed over " in line]
    assert first < last
    assert "the whole " in told[first]
    assert "names " in told[first]
