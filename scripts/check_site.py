"""Look over the built site: links, what it would fetch, ways to each page, search, spelling.

`make check-docs` calls it after `make docs`. A browser sees more (`browser_tests/test_site.py`);
this needs none.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from urllib.parse import unquote

#: Clicks from the first page within which every other one is reached.
CLICKS = 3
#: What is no page of the documentation: saved views of the lab, and what the theme brings.
APART = {"lab-views", "_static", "_downloads", "reports"}
_LINK = re.compile(r'(?:href|src)="([^"]+)"')
#: An address that a browser asks for by itself; that of `<a href>` waits for a click.
_FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\ssrc="(?:https?:)?//[^"]+"
    |<link\b(?=[^>]*rel="(?:stylesheet|preload|icon|preconnect|dns-prefetch|manifest)")
      [^>]*href="(?:https?:)?//[^"]+"
    |@import\s+(?:url\()?["']?(?:https?:)?//
    |url\(["']?(?:https?:)?//""",
    re.VERBOSE | re.IGNORECASE,
)


def pages(site: Path) -> dict[Path, str]:
    """The pages of the documentation, by their files."""
    found = (path for path in sorted(site.rglob("*.html")) if not APART & set(path.parts))
    return {path.resolve(): path.read_text("utf-8") for path in found}


def lost_links(site: Path) -> Iterator[str]:
    """Links to files or places that are not there."""
    known = pages(site)
    for path, text in known.items():
        for found in _LINK.findall(text):
            target, _, anchor = unescape(found).partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            place = (path.parent / unquote(target.partition("?")[0])).resolve() if target else path
            there = known.get(place)
            if not place.exists() or (anchor and there and f'id="{anchor}"' not in there):
                yield f"{path.relative_to(site.resolve())} -> {found}"


def fetched_from_outside(site: Path) -> Iterator[str]:
    """What a browser would ask others for, in pages, styles and saved views."""
    for path in sorted([*site.rglob("*.html"), *site.rglob("*.css")]):
        for found in _FETCHED.finditer(path.read_text("utf-8")):
            yield f"{path.relative_to(site)}: {found[0][:80]}"


def far_pages(site: Path) -> Iterator[str]:
    """Pages that are more clicks away from the first one than anybody goes."""
    known = pages(site)
    first = (site / "index.html").resolve()
    near, edge = {first}, {first}
    for _ in range(CLICKS):
        reached = set()
        for path in edge:
            for found in _LINK.findall(known[path]):
                target = unescape(found).partition("#")[0].partition("?")[0]
                if target and not re.match(r"[a-z]+:", target):
                    reached.add((path.parent / unquote(target)).resolve())
        edge = (reached & known.keys()) - near
        near |= edge
    for path in sorted(known.keys() - near):
        yield f"{path.relative_to(site.resolve())} is more than {CLICKS} clicks away"


def not_found_by_search(site: Path) -> Iterator[str]:
    """Pages that the index of the search does not have."""
    index = (site / "searchindex.js").read_text("utf-8")
    named = re.search(r'"?docnames"?:\s*\[([^\]]*)\]', index)
    listed = set(re.findall(r'"([^"]+)"', named[1])) if named else set()
    made_by_sphinx = {"search", "genindex", "py-modindex"}
    for path in pages(site):
        name = str(path.relative_to(site.resolve()).with_suffix(""))
        if name not in listed | made_by_sphinx:
            yield f"{name} is not in the index of the search"


def text_of(page: str) -> str:
    """What people read of a page: the article without marks, code and formulas."""
    article = re.search(r"<article\b.*?</article>", page, re.DOTALL)
    text = article[0] if article else page
    for left_out in ("pre", "code", "script", "style"):
        text = re.sub(rf"<{left_out}\b.*?</{left_out}>", " ", text, flags=re.DOTALL)
    text = re.sub(r'<(span|div) class="math.*?</\1>', " ", text, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", " ", text))


def misspelt(site: Path) -> Iterator[str]:
    """Words that codespell knows to be wrong, in what people read."""
    with tempfile.TemporaryDirectory() as folder:
        for path, page in pages(site).items():
            name = "-".join(path.relative_to(site.resolve()).with_suffix(".txt").parts)
            Path(folder, name).write_text(text_of(page), encoding="utf-8")
        command = [sys.executable, "-m", "codespell_lib", "--ignore-words-list", "coo,caf", folder]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 65):
        yield done.stderr.strip() or f"codespell left with {done.returncode}"
    for line in done.stdout.splitlines():
        yield line.removeprefix(folder).lstrip("/")


CHECKS = (lost_links, fetched_from_outside, far_pages, not_found_by_search, misspelt)


def faults(site: Path) -> list[str]:
    """Everything that is wrong."""
    return [f"{check.__name__}: {fault}" for check in CHECKS for fault in check(site)]


if __name__ == "__main__":
    place = Path(sys.argv[1])
    wrong = faults(place)
    print("\n".join(wrong) or f"{len(pages(place))} pages: links, search and spelling are sound.")
    sys.exit(bool(wrong))
