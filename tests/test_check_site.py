"""What looks over the built site notices each fault that is planted in a small one."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.check_site import (
    far_pages,
    fetched_from_outside,
    lost_links,
    not_found_by_search,
    text_of,
)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    pages = {
        "index": '<a href="one.html">one</a> <a href="https://elsewhere.example/">out</a>',
        "one": '<h1 id="here">One</h1><a href="two.html?q=1">two</a>',
        "two": '<a href="one.html#here">back</a><a href="three.html">three</a>',
        "three": '<img src="_static/a.png"/>',
    }
    for name, text in pages.items():
        (tmp_path / f"{name}.html").write_text(text)
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "a.png").write_text("")
    names = ",".join(f'"{name}"' for name in pages)
    (tmp_path / "searchindex.js").write_text(f'Search.setIndex({{"docnames":[{names}]}})')
    return tmp_path


def plant(site: Path, name: str, text: str) -> None:
    path = site / f"{name}.html"
    path.write_text((path.read_text() if path.exists() else "") + text)


def test_a_sound_site_has_no_fault(site: Path) -> None:
    for check in (lost_links, fetched_from_outside, far_pages, not_found_by_search):
        assert list(check(site)) == []


@pytest.mark.parametrize("target", ["four.html", "one.html#nowhere", "_static/b.png", "#nowhere"])
def test_a_link_that_leads_nowhere_is_told(site: Path, target: str) -> None:
    plant(site, "two", f'<a href="{target}">x</a>')
    assert list(lost_links(site)) == [f"two.html -> {target}"]


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://elsewhere.example/a.js">',
        '<img alt="a" src="//elsewhere.example/a.png">',
        '<link rel="stylesheet" href="http://elsewhere.example/a.css">',
        '<link href="http://elsewhere.example/a.css" rel="preload">',
        "<style>@import 'https://elsewhere.example/a.css'</style>",
        "<style>a { background: url(https://elsewhere.example/a.png) }</style>",
    ],
)
def test_what_would_be_fetched_from_others_is_told(site: Path, text: str) -> None:
    plant(site, "three", text)
    assert len(list(fetched_from_outside(site))) == 1


def test_a_page_that_nobody_links_or_only_from_afar_is_told(site: Path) -> None:
    plant(site, "three", '<a href="four.html">four</a>')
    plant(site, "four", "")
    plant(site, "island", "")
    assert [line.split()[0] for line in far_pages(site)] == ["four.html", "island.html"]
    assert list(not_found_by_search(site)) == [
        "four is not in the index of the search",
        "island is not in the index of the search",
    ]


def test_what_is_spelled_is_prose_and_no_code() -> None:
    page = (
        "<nav>menu</nav><article><p>Some &amp; prose <code>signs</code></p><pre>signs</pre>"
        '<span class="math notranslate">signs</span></article>'
    )
    assert text_of(page).split() == ["Some", "&", "prose"]
