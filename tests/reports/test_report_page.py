"""The report in the documents is the one that is written now."""

from __future__ import annotations

import re

from scripts.write_report_page import PAGE, page

#: Python and NumPy are those of the machine that wrote it.
VERSIONS = re.compile(r"<bdi>thresher [^<]*</bdi>")


def test_the_report_of_the_mushrooms_is_the_one_in_the_documents() -> None:
    written = PAGE.read_text("utf-8")
    assert VERSIONS.sub("", page()) == VERSIONS.sub("", written), (
        "run: python -m scripts.write_report_page"
    )
    assert "<script" not in written
