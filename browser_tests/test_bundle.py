"""The page that is kept is the page that its source makes."""

from __future__ import annotations

from pathlib import Path

from scripts import build_lab


def test_the_kept_page_is_what_its_source_makes(tmp_path: Path) -> None:
    build_lab.install()
    build_lab.build(tmp_path)
    assert build_lab.differing(tmp_path, build_lab.STATIC) == []
    assert (tmp_path / "lab.js").stat().st_size < build_lab.MOST_BYTES


def test_a_changed_page_is_noticed(tmp_path: Path) -> None:
    for name in ("lab.js", "lab.css", "inter.woff2"):
        (tmp_path / name).write_bytes((build_lab.STATIC / name).read_bytes())
    (tmp_path / "lab.js").write_bytes((tmp_path / "lab.js").read_bytes() + b" ")
    assert build_lab.differing(tmp_path, build_lab.STATIC) == ["lab.js"]
