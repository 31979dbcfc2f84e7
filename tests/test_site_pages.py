"""Pages of the site that are written from code: theorems with their runs in the lab, commands."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from scripts import (
    site_commands,
    site_errors,
    site_learners,
    site_pictures,
    site_theorems,
    write_architecture,
)
from scripts.site_lab import FILES, GAMES, INSTEAD, NOTHING, RUNS, lab_section
from scripts.site_map import BELOW, CHAPTERS
from thresher import errors
from thresher.cli.main import COMMANDS
from thresher.lab.evidence import evidence
from thresher.lab.serving import SCREENS
from thresher.lab.shelf import Shelf
from thresher.learners.registry import RECORDS
from thresher.theory import catalogue
from thresher.theory.theorem import RISK

DOCS = Path(__file__).parents[1] / "docs"
THEOREMS = {theorem.name: theorem for theorem in catalogue()}
TABLES = (RUNS, GAMES, FILES, INSTEAD, NOTHING)


def test_every_theorem_stands_in_one_table() -> None:
    placed = [name for table in TABLES for name in table]
    assert len(placed) == len(set(placed))
    left = THEOREMS.keys() - set(placed)
    assert {THEOREMS[name].kind for name in left} == {RISK}
    assert set(placed) <= THEOREMS.keys()
    assert set(INSTEAD.values()) <= RUNS.keys()
    for theorem in THEOREMS.values():
        assert len(lab_section(theorem)) > 40, theorem.name


@pytest.mark.parametrize("name", RUNS)
def test_the_evidence_of_a_run_quotes_the_theorem(name: str) -> None:
    quoted = evidence(Shelf().run(*RUNS[name]))
    assert quoted.theorem == name
    assert quoted.allowed is None or quoted.made <= quoted.allowed


def test_games_begin_with_a_screen_of_the_lab() -> None:
    assert {view.partition("?")[0] for view in GAMES.values()} == {"game"} <= set(SCREENS)


def test_a_page_for_each_theorem_with_all_its_parts(tmp_path: Path) -> None:
    site_theorems.write(tmp_path / "theorems")
    found = {path.stem: path.read_text("utf-8") for path in tmp_path.glob("theorems/*.md")}
    index = found.pop("index")
    assert found.keys() == THEOREMS.keys()
    for name, text in found.items():
        heads = [line[3:] for line in text.splitlines() if line.startswith("## ")]
        wanted = ["Statement", *site_theorems.PARTS, "What is measured", "Example"]
        assert heads == [*wanted, "Open in the lab", "Reference"], name
        assert THEOREMS[name].tex() in text, name
        assert f"[{name}]({name}.md)" in index
        # A student meets the sentence before the formula, and finds what its letters mean.
        assert text.index(site_theorems.KINDS[THEOREMS[name].kind]) < text.index("## Statement")
        assert "(../notation.md)" in text
        for quantity in THEOREMS[name].quantities():
            assert f"| `{quantity}` |" in text, name
    sources = (tmp_path / "references.md").read_text("utf-8")
    assert all(f"theorems/{name}.md" in sources for name in THEOREMS)
    two = "[NormalizedWinnow](../learners/NormalizedWinnow.md), "
    assert two + "[SignedWinnow](../learners/SignedWinnow.md) (neither eta" in "".join(
        found.values()
    )


def test_a_page_for_each_command_with_all_its_options(tmp_path: Path) -> None:
    site_commands.write(tmp_path / "commands")
    found = {path.stem: path.read_text("utf-8") for path in tmp_path.glob("commands/*.md")}
    index = found.pop("index")
    assert found.keys() == COMMANDS.keys()
    for name, context in site_commands.contexts().items():
        assert f"[{name}]({name}.md)" in index
        for parameter in context.command.get_params(context):
            for option in parameter.opts:
                if option.startswith("--") and not getattr(parameter, "hidden", False):
                    assert option in found[name], (name, option)
        assert "Examples" in found[name], name


def test_a_sentence_of_the_help_becomes_one_of_the_page() -> None:
    marked = site_commands._marked(
        "Next to it (m.examples.svm), as docs/cluster.md says of p_norm."
    )
    assert marked == "Next to it (`m.examples.svm`), as `docs/cluster.md` says of `p_norm`."
    marked = site_commands._marked("Write m.thr, as with --quiet: 2*3 in [a], $5 of FILE.")
    assert marked == r"Write `m.thr`, as with `--quiet`: 2\*3 in \[a\], \$5 of `FILE`."
    marked = site_commands._marked("CSV and JSON in UTF-8, or what PG_PASSWORD and SQL say.")
    assert marked == "CSV and JSON in UTF-8, or what `PG_PASSWORD` and SQL say."


def test_a_learner_and_its_theorems_name_each_other(tmp_path: Path) -> None:
    site_learners.write(tmp_path / "learners")
    for record in RECORDS:
        text = (tmp_path / "learners" / f"{record.title}.md").read_text("utf-8")
        named = set(re.findall(r"\(\.\./theorems/(\w+)\.md\)", text))
        assert named == {
            name for name, theorem in THEOREMS.items() if record.title in theorem.learners
        }
        assert f"--learner {record.name}" in text or record.needs == "learner"
        assert f"autoclass:: thresher.{record.title}" in text
        for name in named:
            back = site_theorems.about(THEOREMS[name])
            assert f"[{record.title}](../learners/{record.title}.md)" in back
    assert all(f"(learners/{record.title}.md)" in site_learners.listed() for record in RECORDS)
    assert {page for pages in site_learners.MORE.values() for page in pages} <= {
        path.stem for path in DOCS.glob("*.md")
    }


def test_every_kind_of_error_is_on_the_page_once() -> None:
    text = site_errors.page()
    kinds = [getattr(errors, name) for name in errors.__all__]
    for kind in kinds:
        if issubclass(kind, errors.ThresherError) and kind is not errors.ThresherError:
            assert text.count(f"| `{kind.code}` | `{kind.__name__}` |") == 1
    for code in site_errors.plain():
        assert f"| `{code}` |" in text
    example = doctest.DocTestParser().get_doctest(text, {}, "errors.md", None, 0)
    assert doctest.DocTestRunner().run(example).failed == 0


def test_every_page_of_the_tree_stands_in_the_map() -> None:
    placed = {page.removeprefix("../") for pages in BELOW.values() for page in pages}
    placed |= {*CHAPTERS}
    assert {path.stem for path in DOCS.glob("*.md")} - placed - {"index"} == set()


def test_a_command_that_another_one_names_is_a_link() -> None:
    marked = site_commands._marked("`thresher race` compares, `thresher walk` does not exist.")
    assert marked == "[`thresher race`](race.md) compares, `thresher walk` does not exist."


def test_examples_of_pages_stand_in_fences() -> None:
    loose = []
    for path in [*DOCS.glob("*.md"), DOCS.parent / "README.md"]:
        outside = re.sub(r"^( *)```.*?^\1```", "", path.read_text("utf-8"), flags=re.M | re.S)
        if re.search(r"^>>> ", outside, re.M):
            loose.append(path.name)
    assert loose == []


def test_bars_of_a_formula_do_not_end_the_cell_of_a_table() -> None:
    found = site_theorems.in_a_table(r"RE(u\|w) + |u|")
    assert found == r"RE(u\Vert w) + \vert u\vert"
    for theorem in THEOREMS.values():
        assert not re.search(r"\||\\\\[vV]ert", site_theorems.in_a_table(theorem.tex()))


def test_the_picture_of_accuracy_has_a_bar_for_each_real_file() -> None:
    page = (DOCS / "accuracy.md").read_text("utf-8")
    sets, below = re.findall(r"^\| real files \| (\d+) of (\d+) \|", page, re.M)[0]
    drawn = str(site_pictures.ratios())
    found = re.findall(r">([\w-]+): ([^<]+)</text>", drawn)
    assert len(found) == len(dict(found)) == int(below)
    # A set with a ratio above 1 is one on which somebody else was better.
    ratios = [float(one) for one in re.findall(r">(\d\.\d+)</text>", drawn)]
    assert len(ratios) == int(below)
    assert sum(ratio <= 1 for ratio in ratios) == int(sets)


def test_the_drawing_of_the_rooms_is_that_of_the_layers() -> None:
    assert write_architecture.PICTURE.read_text("utf-8") == write_architecture.picture()
    rooms = [room for layer in write_architecture.layers() for room in layer]
    source = DOCS.parent / "src" / "thresher"
    there = {path.name for path in source.iterdir() if (path / "__init__.py").exists()}
    assert there <= {*rooms}
