"""The sessions in the documents are what the commands print."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.write_console_pages import PAGES, written


def test_there_is_a_page_with_a_session() -> None:
    assert "first-model.md" in {page.name for page in PAGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_command_of_a_page_prints_what_stands_below_it(page: Path) -> None:
    assert written(page) == page.read_text("utf-8")
