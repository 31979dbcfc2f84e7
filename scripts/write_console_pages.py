"""Run the commands that stand in console blocks of a page, and write below them what they print.

The pages are those with files of their own to run on: docs/NAME.md with the folder docs/NAME. Run
it after a change of what commands print or learn; a test compares, speeds left aside.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"
PAGES = tuple(sorted(page for page in DOCS.glob("*.md") if page.with_suffix("").is_dir()
                     and "```console" in page.read_text("utf-8")))  # fmt: skip
COLUMNS = 100
BLOCK = re.compile(r"```console\n(.*?)```\n", re.DOTALL)


def written(page: Path) -> str:
    """The page with what its commands print now; they run one after another in a new folder."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(page.with_suffix(""), folder, dirs_exist_ok=True)
        return BLOCK.sub(lambda block: _block(block[1], folder), page.read_text("utf-8"))


def _block(text: str, folder: str) -> str:
    lines = []
    for line in text.splitlines():
        if line.startswith("$ "):
            lines += [line, *_printed(line[2:], folder)]
    return "```console\n" + "\n".join(lines) + "\n```\n"


def _printed(command: str, folder: str) -> list[str]:
    """What a command prints on both of its channels."""
    here = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    plain = {"COLUMNS": str(COLUMNS), "NO_COLOR": "1", "PATH": here}
    found = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=os.environ | plain,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=True,
    )
    return [without_speed(line).rstrip() for line in found.stdout.splitlines()]


def without_speed(line: str) -> str:
    """A line of the progress table without its last column: the speed is one machine's.

    >>> without_speed("   512    75   14.65%   14.45%    bad    bad       6      40,228")
    '   512    75   14.65%   14.45%    bad    bad       6'
    """
    line = re.sub(r"^( +rounds .*) +rounds/s$", r"\1", line)
    return re.sub(r"^( +[\d,]+ +[\d,]+ .*\d) +[\d,]+$", r"\1", line)


if __name__ == "__main__":
    for page in PAGES:
        page.write_text(written(page), encoding="utf-8")
