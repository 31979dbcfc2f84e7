"""The script that writes the page of figures: parts, what is kept of them, and the page."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from benchmarks import all as everything
from benchmarks import machine, scaling, threads
from benchmarks.log_plot import log_plot

PAGE = Path(__file__).parents[2] / "docs" / "performance.md"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The modules that were asked to measure, none of which really does."""
    found: list[str] = []

    def pretend(part: everything.Part, pictures: Path | None, *, quick: bool) -> dict[str, Any]:
        found.append(part.module)
        words = " ".join(["python", *part.command(quick=quick)])
        return {"command": words, "others": 0.01, "printed": f"{part.module} {len(found)}"}

    monkeypatch.setattr(everything, "measured", pretend)
    return found


def test_the_page_has_a_place_for_every_part() -> None:
    page = PAGE.read_text("utf-8")
    for name in (*everything.PARTS, "machine"):
        assert page.count(f"<!-- {name} -->") == page.count(f"<!-- end of {name} -->") == 1
    laws = ("length", "features", "mistakes", "memory")
    assert all(f"](performance/{law}.svg)" in page for law in laws)


def test_what_was_measured_is_kept_and_not_measured_again(
    tmp_path: Path, asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "figures.json"
    everything.main(["--only", "startup,classes", "--json", str(file)])
    assert asked == ["startup", "several_classes"]
    everything.main(["--only", "startup,threads", "--json", str(file)])
    assert asked == ["startup", "several_classes", "threads"]
    everything.main(["--only", "startup", "--again", "--json", str(file)])
    assert asked[3:] == ["startup"]
    found = json.loads(file.read_text("utf-8"))
    assert {name: part["printed"] for name, part in found.items()} == {
        "startup": "startup 4",
        "classes": "several_classes 2",
        "threads": "threads 3",
    }
    assert "```text\nseveral_classes 2\n```" in capsys.readouterr().out


def test_figures_are_written_between_the_marks(tmp_path: Path, asked: list[str]) -> None:
    page = tmp_path / "performance.md"
    marks = [f"<!-- {name} -->old<!-- end of {name} -->" for name in (*everything.PARTS, "machine")]
    page.write_text("\n".join(["# Title", *marks, "words"]))
    everything.main(["--quick", "--page", str(page)])
    written = page.read_text("utf-8")
    assert written.startswith("# Title\n")
    assert written.endswith("\nwords")
    assert "old" not in written
    assert "    python -m benchmarks.startup --rounds 1\n\n```text\nstartup 1\n```" in written
    assert len(asked) == len(everything.PARTS)


def test_a_busy_machine_is_told() -> None:
    found = {"command": "python -m x", "others": 0.25, "printed": "y"}
    assert "BUSY: other programs had 25% of the cores." in everything.section(found)
    assert "BUSY" not in everything.section(found | {"others": 0.02})
    assert "BUSY" not in everything.section(found | {"others": None})


def test_what_others_take_is_a_share_of_the_cores() -> None:
    share = machine.Others().share()
    assert share is None or share >= 0.0


def test_a_part_that_is_not_there_is_refused() -> None:
    with pytest.raises(SystemExit, match="there is no part 'speed'; parts are startup, text"):
        everything.main(["--only", "speed"])


def test_a_law_is_a_table_and_a_picture() -> None:
    law = scaling.by_length(values=400, repeat=1)
    assert law.places[0] == 10
    assert law.places[-1] == 10_000
    assert {*scaling.MAKERS, scaling.PREDICT} == law.found.keys()
    assert law.text().count("\n") == len(law.places)
    drawn = ElementTree.fromstring(law.picture())
    assert len(drawn.findall("{http://www.w3.org/2000/svg}polyline")) == len(law.found)


def test_growth_in_proportion_is_a_straight_line() -> None:
    curve = [(10.0**k, 3.0 * 10.0**k) for k in range(4)]
    drawn = ElementTree.fromstring(log_plot({"a": curve}, "x", "y"))
    dots = drawn.findall("{http://www.w3.org/2000/svg}circle")
    places = [(float(dot.attrib["cx"]), -float(dot.attrib["cy"])) for dot in dots]
    steps = [(x - a, y - b) for (a, b), (x, y) in pairwise(places)]
    assert all(step == pytest.approx(steps[0], abs=0.2) for step in steps)
    assert min(steps[0]) > 0


def test_threads_are_compared_on_commands_that_have_the_option() -> None:
    named = threads.commands(Path("folder"))
    assert {words[0] for words in named.values()} == {"train", "test", "predict", "race", "tune"}
