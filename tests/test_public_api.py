"""What is public stays what it is, unless somebody says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import thresher as th
from scripts.write_public_api import LIST, public_api

LISTED = json.loads(LIST.read_text("utf-8"))
CHANGELOG = (Path(__file__).parents[1] / "CHANGELOG.md").read_text("utf-8")


def test_public_names_and_options_are_those_of_the_list() -> None:
    """After a change that is meant: `python -m scripts.write_public_api`, and the changelog."""
    now = public_api()
    assert now["names"] == LISTED["names"]
    assert now["commands"] == LISTED["commands"]


@pytest.mark.parametrize("release", sorted(LISTED["released"]))
def test_a_name_that_a_release_had_is_there_or_its_end_is_told(release: str) -> None:
    gone = [name for name in LISTED["released"][release] if name not in th.__all__]
    assert [name for name in gone if f"`{name}`" not in CHANGELOG] == []


def test_a_parameter_that_goes_would_be_noticed() -> None:
    changed = public_api()["names"]
    changed["thresher"]["Winnow"] = changed["thresher"]["Winnow"][:-1]
    assert changed != LISTED["names"]
