"""Write docs/reports/mushrooms.html: the report of a Winnow that learned the bundled mushrooms.

With `--pictures` chromium takes the pictures of it that docs/reports.md shows.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from thresher.demo import write_report

FOLDER = Path(__file__).parents[1] / "docs" / "reports"
PAGE = FOLDER / "mushrooms.html"
#: What chromium calls a preference for dark and for light.
SCHEMES = {"dark": 0, "light": 1}
SIZE = (1280, 1060)


@contextlib.contextmanager
def elsewhere() -> Iterator[None]:
    """In a folder of its own, so that files have plain names."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def page() -> str:
    """The report."""
    with elsewhere():
        write_report(Path("mushrooms.html"), 1)
        return Path("mushrooms.html").read_text("utf-8")


def take_pictures() -> None:
    """The head of the page, light and dark."""
    for scheme, number in SCHEMES.items():
        picture = FOLDER / f"mushrooms-{scheme}.png"
        command = [
            *("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
            f"--blink-settings=preferredColorScheme={number}",
            f"--window-size={SIZE[0]},{SIZE[1]}",
            f"--screenshot={picture}",
            PAGE.as_uri(),
        ]
        subprocess.run(command, check=True, capture_output=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pictures", action="store_true", help="take the pictures, too")
    PAGE.write_text(page(), "utf-8")
    if parser.parse_args().pictures:
        take_pictures()
