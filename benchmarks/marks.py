"""Pages whose tables are written by a benchmark, between marks, among words that are not."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def rewrite(path: Path, sections: Mapping[str, str]) -> None:
    """Put each section between the marks that carry its name; all other words stay."""
    page = path.read_text("utf-8")
    for name, text in sections.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        if begin not in page or end not in page:
            raise SystemExit(f"{path} has no place for {name}: {begin} and {end}")
        before, _, rest = page.partition(begin)
        page = f"{before}{begin}\n\n{text}\n\n{end}{rest.partition(end)[2]}"
    path.write_text(page, "utf-8")
