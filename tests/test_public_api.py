"""What is public stays what it is, unless somebody says so."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import thresher
from scripts.write_public_api import LIST, listed, public_api
from thresher.cli.renamed_options import RENAMED_OPTIONS
from thresher.deprecation import RENAMED

ROOT = Path(__file__).parents[1]
LISTED = json.loads(LIST.read_text("utf-8"))
RELEASES = sorted(LISTED["released"])
TOLD = {
    name: (ROOT / name).read_text("utf-8").partition("\n## [")[0]
    for name in ("CHANGELOG.md", "docs/upgrading.md")
}


def test_public_names_and_options_are_those_of_the_list() -> None:
    """After a change that is meant: `python -m scripts.write_public_api`, and the changelog."""
    now = public_api()
    assert now["names"] == LISTED["names"]
    assert now["commands"] == LISTED["commands"]


def test_every_release_is_kept_as_it_was() -> None:
    """Before a release: `python -m scripts.write_public_api` with its number."""
    assert thresher.__version__ in RELEASES
    before: dict[str, Any] = {"0.1.0": {"names": {}, "commands": {}}}
    after = listed(before, "0.2.0")
    assert after["released"]["0.1.0"] == before["0.1.0"]
    assert after["released"]["0.2.0"] == public_api()
    assert listed(before)["released"] == before
    with pytest.raises(SystemExit, match=r"0\.1\.0 is listed already"):
        listed(before, "0.1.0")


def gone(before: dict[str, Any], now: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What was public and is not any more: how it is written, and where it was."""
    for module, names in before["names"].items():
        for name, parameters in names.items():
            known = now["names"][module].get(name)
            if known is None:
                yield name, f"{module}.{name}"
                continue
            kept = {one.lstrip("*") for one in known}
            for one in parameters:
                if one.lstrip("*") not in kept and not one.startswith("*"):
                    yield f"{name}({one})", f"{module}.{name}({one})"
    for command, options in before["commands"].items():
        for option in options:
            if option not in now["commands"].get(command, ()):
                yield option, f"{command} {option}"


@pytest.mark.parametrize("release", RELEASES)
def test_what_a_release_had_is_there_or_its_end_is_told(release: str) -> None:
    """Whoever comes from that release finds it in docs/upgrading.md, and in the changelog."""
    lost = list(gone(LISTED["released"][release], public_api()))
    untold = [
        f"{page}: `{written}`"
        for written, place in lost
        for page, text in TOLD.items()
        if not {f"`{written}`", f"`{place}`", f"`{place.removeprefix('thresher.')}`"}
        & {f"`{word}`" for word in re.findall(r"`([^`\n]+)`", text)}
    ]
    assert untold == []


@pytest.mark.parametrize("release", RELEASES)
def test_what_was_renamed_still_works_by_its_old_name(release: str) -> None:
    had = LISTED["released"][release]
    assert all(name in had["names"][module] for module, name in RENAMED)
    assert all(option in had["commands"][command] for command, option in RENAMED_OPTIONS)
    lost = {place for written, place in gone(had, public_api()) if "(" not in written}
    kept = {f"{module}.{name}" for module, name in RENAMED}
    assert lost <= kept | {f"{command} {option}" for command, option in RENAMED_OPTIONS}


def test_a_name_a_parameter_or_an_option_that_goes_is_seen_to_be_gone() -> None:
    before = {"names": {"m": {"f": ["x", "*rest", "y"], "g": []}}, "commands": {"c": ["--on"]}}
    now = {"names": {"m": {"f": ["x"]}}, "commands": {"c": []}}
    assert list(gone(before, now)) == [
        ("f(y)", "m.f(y)"),
        ("g", "m.g"),
        ("--on", "c --on"),
    ]
    assert list(gone(now, before)) == []


def test_a_parameter_that_goes_would_be_noticed() -> None:
    changed = public_api()["names"]
    changed["thresher"]["Winnow"] = changed["thresher"]["Winnow"][:-1]
    assert changed != LISTED["names"]
