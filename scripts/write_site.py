"""Lay the source of the site together: the pages of docs/, and those that code writes.

`make docs` calls it and then builds the site. Pages are written for people who read the tree as
well; here the files that they name become links, and every theorem and command gets a page.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts import (
    site_api,
    site_commands,
    site_errors,
    site_learners,
    site_pictures,
    site_theorems,
    site_views,
)
from scripts.site_map import with_contents

ROOT = Path(__file__).parents[1]
#: Pages of the tree that are also pages of the site.
ALSO = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}


def write(target: Path) -> None:
    """Everything Sphinx needs, in a folder that is made anew."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(ROOT / "docs", target, ignore=shutil.ignore_patterns("man"))
    shutil.copytree(ROOT / "decisions", target / "decisions")
    for name, page in ALSO.items():
        shutil.copy(ROOT / name, target / page)
    site_theorems.write(target / "theorems")
    site_learners.write(target / "learners")
    with (target / "learners.md").open("a", encoding="utf-8") as about_all:
        about_all.write(f"\n## All learners\n\n{site_learners.listed()}")
    site_commands.write(target / "commands")
    (target / "errors.md").write_text(site_errors.page(), encoding="utf-8")
    site_api.write(target / "api")
    site_pictures.write(target / "results")
    # Copied as they are to where the pages are.
    site_views.write(target / "extra" / "lab-views")
    (target / "decisions" / "index.md").write_text(_decisions(), encoding="utf-8")
    titles = {str(path.relative_to(target)): _title(path) for path in target.rglob("*.md")}
    for path in target.rglob("*.md"):
        place = path.relative_to(target)
        text = _linked(path.read_text("utf-8"), place, titles)
        path.write_text(with_contents(str(place.with_suffix("")), text), encoding="utf-8")


def _decisions() -> str:
    notes = sorted((ROOT / "decisions").glob("[0-9]*.md"))
    entries = "\n".join(note.stem for note in notes)
    return (
        "# Decisions\n\nWhy things are as they are: the question, what was decided, why, "
        f"instead of what, and what follows.\n\n```{{toctree}}\n:maxdepth: 1\n\n{entries}\n```\n"
    )


def _title(path: Path) -> str:
    found = re.search(r"^# (.+)$", path.read_text("utf-8"), re.M)
    return found.group(1) if found else path.stem


def _linked(text: str, page: Path, titles: dict[str, str]) -> str:
    """The page with links where it names another page of the tree."""
    up = "../" * (len(page.parts) - 1)

    def named(match: re.Match[str]) -> str:
        path = match.group(1)
        return f"[{titles[path]}]({up}{path})" if path in titles else match.group()

    lines = []
    for line, is_code in _outside_code(text):
        if not is_code:
            line = re.sub(r"`(?:docs/)?([\w./-]+\.md)`", named, line)
            line = re.sub(r"`(decisions/[\w./-]+\.md)`", named, line)
        lines.append(line)
    # The empty line with which an example ends is for doctest.
    return re.sub(r"\n\n```$", "\n```", "\n".join(lines), flags=re.M) + "\n"


def _outside_code(text: str) -> Iterator[tuple[str, bool]]:
    fence = ""
    for line in text.splitlines():
        mark = re.match(r"\s*(`{3,}|:{3,})", line)
        if mark and not fence:
            fence = mark.group(1)
            yield line, True
        elif mark and fence and line.strip().startswith(fence):
            fence = ""
            yield line, True
        else:
            yield line, bool(fence)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
