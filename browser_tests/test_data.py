"""Your data: wrong files get a clear message, right ones the figures of the library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser_tests.accessibility import violations
from browser_tests.conftest import PATIENCE, Watched
from thresher.lab.files import read_file
from thresher.lab.quality import quality
from thresher.lab.shelf import Shelf

WORDS = [
    ("spam", "free cash now"),
    ("ham", "lunch at noon"),
    ("ham", "see you"),
    ("spam", "see now"),
]
MAIL = "".join(f"{label}\t{words} {k % 7}\n" for k in range(60) for label, words in WORDS)


def give(page: Page, path: Path) -> None:
    page.locator("input[type=file]").set_input_files(path)


@pytest.fixture
def mail(tmp_path: Path) -> Path:
    path = tmp_path / "mail.tsv"
    path.write_text(MAIL)
    return path


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("binary.csv", bytes(range(128, 256)) * 50, "The lab reads text"),
        ("empty.csv", b"", "not a single row"),
        ("long.csv", b"a,label\n" + b"x" * 100_000_000, "a line of 100000000 bytes"),
        ("nolabel.csv", b"age,kind\n3,a\n5,b\n", "Say below which column"),
    ],
)
def test_a_wrong_file_is_told_what_is_wrong_and_nothing_breaks(
    lab: Watched, tmp_path: Path, mail: Path, name: str, content: bytes, words: str
) -> None:
    page = lab.show("#data")
    (tmp_path / name).write_bytes(content)
    give(page, tmp_path / name)
    expect(page.get_by_role("alert")).to_contain_text(words, timeout=PATIENCE)
    expect(page.get_by_role("alert")).to_contain_text(name)
    give(page, mail)
    expect(page.get_by_role("heading", level=1)).to_have_text("mail.tsv")
    lab.settle()


def test_the_label_can_be_named_and_a_class_chosen(lab: Watched, tmp_path: Path) -> None:
    page = lab.show("#data")
    path = tmp_path / "kinds.csv"
    path.write_text("age,kind\n" + "3,a\n5,b\n4,c\n" * 10)
    give(page, path)
    page.get_by_label("the column with the label").fill("kind")
    page.get_by_role("button", name="Read it again").click()
    expect(page.get_by_role("alert")).to_contain_text("3 classes")
    page.get_by_label("label that counts as +1").select_option("b")
    page.get_by_role("button", name="Read it so").click()
    expect(page.get_by_text("How well can it be learned?")).to_be_visible()
    lab.settle()
    assert lab.field("rows") == "30"


@pytest.mark.parametrize("by_path", [False, True])
def test_the_figures_are_those_of_the_library(lab: Watched, mail: Path, by_path: bool) -> None:
    page = lab.show("#data")
    if by_path:
        page.get_by_label("or its path").fill(str(mail))
        page.get_by_role("button", name="Open it").click()
    else:
        give(page, mail)
    expect(page.locator("[data-field=area]")).to_be_visible(timeout=PATIENCE)
    lab.settle()
    shelf = Shelf()
    found = read_file(str(mail), "mail.tsv", {}, "k")
    shelf.keep("k", found)
    run = shelf.run("file:k", "committee")
    told = quality(run)
    assert lab.field("rows") == f"{len(run):,}"
    assert lab.field("features") == f"{found.look.features:,}"
    assert lab.field("area") == f"{told.area:.4f}"
    cells = page.locator(".confusion td").all_inner_texts()
    assert [int(cell.lstrip("✕ ").replace(",", "")) for cell in cells] == [
        count for row in told.confusion for count in row
    ]
    assert page.locator(".top-part .name").all_inner_texts() == [
        one.name for one in (*told.for_, *told.against)
    ]
    certificate = run.certificate()
    assert certificate is not None
    assert lab.field("made") == str(certificate.mistakes)


def test_the_figures_can_be_seen_by_all(
    opened: Callable[..., Watched], mail: Path, axe: str
) -> None:
    for width, theme in ((1440, "dark"), (390, "light")):
        lab = opened(width=width, theme=theme)
        page = lab.show("#data")
        give(page, mail)
        expect(page.locator("[data-field=area]")).to_be_visible(timeout=PATIENCE)
        lab.settle()
        assert violations(page, axe) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_weights_lead_to_the_rows_that_made_them(lab: Watched, mail: Path) -> None:
    page = lab.show("#data")
    give(page, mail)
    expect(page.locator("[data-field=area]")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="perceptron", exact=True).click()
    page.locator(".top-part:enabled").first.click()
    page.locator(".blame-line button").first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("mail.tsv")
    expect(page.locator("[data-field=round]")).to_be_visible()
    lab.settle()


def test_model_certificate_and_report_can_be_taken_home(lab: Watched, mail: Path) -> None:
    page = lab.show("#data")
    give(page, mail)
    expect(page.locator("[data-field=area]")).to_be_visible(timeout=PATIENCE)
    for name, file in (
        ("Model", "model.thr"),
        ("Certificate", "run.cert.json"),
        ("Report", "report.html"),
    ):
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        assert download.value.suggested_filename == file
        assert Path(download.value.path()).stat().st_size > 500
