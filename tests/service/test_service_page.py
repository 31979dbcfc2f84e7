"""The road in docs/service.md is what the commands and the service do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from scripts.service_page import PAGE, Session, session


def without_numbers(line: str) -> tuple[str, list[float]]:
    """A line and its scores, which have other last digits on other machines."""
    scores = [float(one) for one in re.findall(r"-?\d+\.\d{6,}", line)]
    return re.sub(r"-?\d+\.\d{6,}", "#", line), scores


def test_every_command_prints_what_the_page_shows(tmp_path: Path) -> None:
    with Session(tmp_path) as running:
        for command, shown in session(PAGE.read_text("utf-8")):
            for found, wanted in zip(running.printed(command), shown, strict=True):
                text, scores = without_numbers(found)
                assert text == without_numbers(wanted)[0], command
                assert scores == pytest.approx(without_numbers(wanted)[1], rel=1e-6)
