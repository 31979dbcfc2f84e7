"""What is written for readers is there, and is true."""

from __future__ import annotations

import importlib
import importlib.metadata
import inspect
import pkgutil
import re
import tomllib
from pathlib import Path

import pytest

import thresher
from thresher.theory import catalogue

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
RECIPES = [ROOT / ".ci" / "run", *sorted((ROOT / ".github").rglob("*.yml"))]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")
MODULES = ["thresher", *(m.name for m in pkgutil.walk_packages(thresher.__path__, "thresher."))]


def test_the_walk_over_the_modules_reaches_the_inner_ones() -> None:
    assert {"thresher.errors", "thresher.streams.batch", "thresher.kernels.rows.check_rows"} <= set(
        MODULES
    )


@pytest.mark.parametrize("name", MODULES)
def test_every_public_name_has_a_docstring(name: str) -> None:
    module = importlib.import_module(name)
    bare = []
    for public, member in vars(module).items():
        if public.startswith("_") or getattr(member, "__module__", None) != name:
            continue
        if not (inspect.isclass(member) or inspect.isroutine(member)):
            continue
        bare += [public] if not member.__doc__ else []
        if inspect.isclass(member):
            bare += [
                f"{public}.{method}"
                for method, function in vars(member).items()
                if not method.startswith("_")
                and (inspect.isroutine(function) or isinstance(function, property))
                and not inspect.getdoc(getattr(member, method))
            ]
    assert bare == []


@pytest.mark.parametrize("target", ["demo", "test"])
def test_the_readme_says_how_to_start(target: str) -> None:
    assert f"    make {target}\n" in README


def test_every_make_target_the_documents_name_exists() -> None:
    texts = [README, *(path.read_text("utf-8") for path in (ROOT / "CONTRIBUTING.md", *RECIPES))]
    named = {
        target
        for text in texts
        for target in re.findall(r"(?:`|    |run: |&& |^)make ([a-z-]+)", text, re.M)
    }
    assert {"demo", "test", "check", "check-reproducible", "sbom", "wheel"} <= named
    assert named <= set(re.findall(r"^([a-z-]+):", MAKEFILE, re.M))


def test_a_machine_of_the_release_builds_for_itself_alone() -> None:
    """A container for another processor would be emulated; of one wheel two could be handed in."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["cibuildwheel"]
    assert project["archs"] == ["native"]
    assert not {"linux", "macos", "windows"} & project.keys()
    release = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
    (machines,) = re.findall(r"^ +os: \[(.+)\]$", release, re.M)
    assert machines.split(", ") == [
        "ubuntu-latest",
        "ubuntu-24.04-arm",
        "macos-15-intel",
        "macos-latest",
    ]


def test_every_relative_link_and_path_in_the_readme_exists() -> None:
    paths = re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", README)
    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).exists()] == []
    # A stranger reads it where only a link can be followed.
    assert re.findall(r"`((?:src|decisions|docs|tests)/[\w./-]*|[A-Z]{2,}\.md)`", README) == []


def test_figures_of_the_first_pages_are_those_of_the_measurements() -> None:
    docs = {path.stem: path.read_text("utf-8") for path in (ROOT / "docs").glob("*.md")}
    rows = re.findall(
        r"^\| ([\w, ]+) \| (\d+) of (\d+) \| ([\d.]+) \| ([\d.]+) \|$", docs["accuracy"], re.M
    )
    (mostly,) = (row for row in rows if row[0] == "all but imbalanced")
    rare = [row for row in rows if row[0].startswith("imbalanced")]
    won, of = (sum(int(row[place]) for row in rare) for place in (1, 2))
    worst = max(float(row[4]) for row in rare)
    files = re.findall(r"without an option: at or below on (\d+ of \d+) files", docs["real-files"])
    tables, texts = (
        re.findall(rf"^{kind}: thresher / Vowpal Wabbit --oaa: ([\d.]+)", docs["performance"], re.M)
        for kind in ("table", "words")
    )
    classes = f"{float(tables[0]):.1f} times its time on tables, {float(texts[0]):.1f} times on"
    figures = {
        f"{mostly[1]} of {mostly[2]}": (README, docs["index"], docs["results"]),
        f"{float(mostly[3]):.2f} times": (README, docs["results"]),
        f"{won} of {of}": (README, docs["results"]),
        f"{worst:.1f} times": (README, docs["results"]),
        files[0]: (README, docs["results"]),
        classes: (README,),
    }
    for figure, pages in figures.items():
        assert all(figure in page for page in pages), figure


def test_the_theorems_are_as_many_as_the_first_pages_say() -> None:
    for page in (README, (ROOT / "docs" / "index.md").read_text("utf-8")):
        (told,) = re.findall(r"More than (\d+) \[?theorems", page)
        assert int(told) < len(catalogue()) <= int(told) + 10


def test_the_version_is_the_same_everywhere() -> None:
    assert importlib.metadata.version("thresher") == thresher.__version__
    assert f"version: '{thresher.__version__}'" in (ROOT / "meson.build").read_text("utf-8")
    assert f"version: {thresher.__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
    assert f"## [{thresher.__version__}]" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_decisions_are_numbered_in_a_row_and_have_the_same_parts() -> None:
    notes = sorted((ROOT / "decisions").glob("*.md"))
    assert [note.name[:4] for note in notes] == [f"{n:04}" for n in range(1, len(notes) + 1)]
    for note in notes:
        text = note.read_text("utf-8")
        parts = re.findall(r"^\*\*([\w ]+)\.\*\*", text, re.M)
        assert parts == ["Question", "Decision", "Why", "Instead of", "Consequences"], note.name
        assert text.startswith(f"# {note.name[:4]}. "), note.name
        assert re.search(r"^Decided \d{4}-\d\d-\d\d\. Status: ", text, re.M), note.name


LEARNERS = [
    learner
    for name in thresher.__all__
    if inspect.isclass(learner := getattr(thresher, name))
    and issubclass(learner, thresher.Learner)
    and learner is not thresher.Learner
]


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda learner: learner.__name__)
def test_every_learner_says_what_a_round_costs_and_what_a_right_one_changes(
    learner: type[thresher.Learner],
) -> None:
    _, found, rest = (inspect.getdoc(learner) or "").partition("**Cost.**")
    assert found
    said = " ".join(rest.split("\n\n")[0].split())
    assert "right" in said or "As :class:" in said
    if getattr(learner, "_conservative", False):
        assert "right round changes nothing" in said
