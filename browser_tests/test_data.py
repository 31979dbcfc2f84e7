"""Your data: wrong files get a clear message, right ones the figures of the library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from browser_tests.accessibility import violations
from browser_tests.conftest import PATIENCE, Watched
from browser_tests.test_race import check_standings
from tests.cli.class_streams import class_rows, svmlight
from thresher.lab.files import OF_SEVERAL, read_file
from thresher.lab.quality import quality
from thresher.lab.race import RaceFrame, race
from thresher.lab.shelf import Shelf

WORDS = [
    ("spam", "free cash now"),
    ("ham", "lunch at noon"),
    ("ham", "see you"),
    ("spam", "see now"),
]
MAIL = "".join(f"{label}\t{words} {k % 7}\n" for k in range(60) for label, words in WORDS)


COLOURS = svmlight(class_rows(300))


def check_figures(lab: Watched, path: Path, said: dict[str, str], learner: str) -> None:
    """The figures on the page against those of the library."""
    page = lab.page
    shelf = Shelf()
    found = read_file(str(path), path.name, said, "k")
    shelf.keep("k", found)
    run = shelf.run("file:k", learner)
    told = quality(run)
    assert lab.field("rows") == f"{len(run):,}"
    assert lab.field("features") == f"{found.look.features:,}"
    cells = page.locator(".confusion td:not(.apart, .apart + td)").all_inner_texts()
    assert [int(cell.lstrip("✕ ").replace(",", "")) for cell in cells] == [
        count for row in told.confusion for count in row
    ]
    shown = told.weights[0]
    assert page.locator(".top-part .name").all_inner_texts() == [
        one.name for one in (*shown.for_, *shown.against)
    ]
    if told.area is not None:
        assert lab.field("area") == f"{told.area:.4f}"
    certificate = run.certificate()
    assert certificate is not None
    assert lab.field("made") == f"{certificate.mistakes:,}"


def raced(path: Path, learners: list[str]) -> RaceFrame:
    *_, last = race("file:k", learners, {"k": read_file(str(path), path.name, {}, "k").stream})
    return last


@pytest.fixture
def colours(tmp_path: Path) -> Path:
    path = tmp_path / "colours.svm"
    path.write_text(COLOURS)
    return path


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
    expect(page.get_by_text("3 classes")).to_be_visible()
    page.get_by_role("button", name="Correct it").click()
    page.get_by_label("label that counts as +1").select_option("b")
    page.get_by_role("button", name="Read it so").click()
    expect(page.get_by_text("b counts as +1")).to_be_visible()
    lab.settle()
    assert lab.field("rows") == "30"
    check_figures(lab, path, {"label_field": "kind", "positive": "b"}, "committee")


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
    check_figures(lab, mail, {}, "committee")


@pytest.mark.parametrize("learner", ["committee", "multiclass perceptron", "perceptron"])
def test_several_classes_are_all_told_apart(lab: Watched, colours: Path, learner: str) -> None:
    page = lab.show("#data")
    give(page, colours)
    page.get_by_role("button", name=learner, exact=True).click()
    lab.settle()
    check_figures(lab, colours, {}, learner.replace(" ", "_"))
    # Another class has other weights.
    first = page.locator(".two-lists h3").first.inner_text()
    page.locator("label.row-number select").select_option(index=1)
    expect(page.locator(".two-lists h3").first).not_to_have_text(first)


def test_the_weight_of_a_class_leads_to_the_rows_that_made_it(lab: Watched, colours: Path) -> None:
    page = lab.show("#data")
    give(page, colours)
    page.get_by_role("button", name="perceptron", exact=True).click()
    page.locator(".top-part:enabled").first.click()
    expect(page.locator(".blame-line")).to_contain_text("played again, they end at")
    row = page.locator(".blame-line button").last
    number = row.inner_text().replace(",", "")
    row.click()
    expect(page.locator(".row-number input")).to_have_value(number)
    lab.settle()


def test_a_file_of_several_classes_can_be_raced(lab: Watched, colours: Path) -> None:
    page = lab.show("#data")
    give(page, colours)
    page.get_by_role("button", name="Open in Race").click()
    check_standings(lab, raced(colours, [*OF_SEVERAL]))
    expect(page.locator("tbody button")).to_have_count(0)


@pytest.mark.parametrize("name", ["mail", "colours"])
def test_the_figures_can_be_seen_by_all(
    opened: Callable[..., Watched], request: pytest.FixtureRequest, axe: str, name: str
) -> None:
    for width, theme in ((1440, "dark"), (1440, "light"), (390, "light")):
        lab = opened(width=width, theme=theme)
        page = lab.show("#data")
        give(page, request.getfixturevalue(name))
        expect(page.get_by_text("What weighs most")).to_be_visible(timeout=PATIENCE)
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
