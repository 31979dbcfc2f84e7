from __future__ import annotations

from scripts.write_command_page import PAGE, page


def test_the_page_of_commands_says_what_the_commands_say() -> None:
    assert PAGE.read_text("utf-8") == page(), "run: python -m scripts.write_command_page"
