"""Every theorem is in the catalogue, says what it must, and is documented."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from pathlib import Path

import pytest

import thresher
import thresher.theory
from thresher.theory import REFERENCES, Theorem, catalogue
from thresher.theory.listing import families
from thresher.theory.theorem import DIMENSION, EXPECTED, LOWER, RISK, UPPER

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src/thresher/theory").rglob("*.py"))
THEOREMS = catalogue()


def below(base: type) -> set[type]:
    """All concrete classes that derive from a class."""
    direct: list[type] = base.__subclasses__()
    children = {child for c in direct for child in {c} | below(c)}
    return {child for child in children if not inspect.isabstract(child)}


def test_no_theorem_is_missing_and_none_appears_twice() -> None:
    in_package = {t for t in below(Theorem) if t.__module__.startswith("thresher.")}
    assert set(THEOREMS) == in_package
    assert len(THEOREMS) == len({theorem.name for theorem in THEOREMS}) == 69
    assert [t for theorems in families().values() for t in theorems] == THEOREMS


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_a_theorem_says_what_it_must(theorem: type[Theorem]) -> None:
    text = inspect.getdoc(theorem) or ""
    parts = [
        "**Theorem**",
        "**Hypotheses.**",
        "**Proof idea.**",
        "**How tight.**",
        "**What it does not say.**",
    ]
    places = [text.replace("**Theorem.**", "**Theorem**").index(part) for part in parts]
    assert places == sorted(places)
    assert ">>> " in text
    assert theorem.name == theorem.__name__
    assert theorem.version == 1
    assert theorem.kind in {UPPER, LOWER, EXPECTED, RISK, DIMENSION}
    assert theorem.reference in REFERENCES
    assert "statement" in vars(theorem)
    assert theorem.learners or theorem.variants or theorem.kind in {LOWER, RISK, DIMENSION}
    assert getattr(thresher.theory, theorem.name) is theorem
    assert list(theorem.quantities()) == [field.name for field in dataclasses.fields(theorem)]


def test_learners_are_classes_of_this_package_and_variants_are_not() -> None:
    public = set(thresher.__all__)
    for theorem in THEOREMS:
        assert theorem.learners <= public, theorem.name
        assert not theorem.variants & public, theorem.name


def test_every_reference_is_used() -> None:
    assert {theorem.reference for theorem in THEOREMS} == set(REFERENCES)


def test_names_quoted_in_docstrings_exist() -> None:
    known = set(vars(thresher.theory)["__all__"]) | {"eta_star(gamma)", "eta_max(gamma)"}
    for theorem in THEOREMS:
        quoted = set(
            re.findall(r"(?<!`)`([A-Za-z_]\w*(?:\(gamma\))?)`(?!`)", theorem.__doc__ or "")
        )
        assert quoted <= known, theorem.name


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_the_theory_stands_on_its_own(source: Path) -> None:
    # Pictures are drawn when somebody looks, and compute nothing.
    allowed = ("thresher.theory", "thresher.errors", "thresher.pictures", "thresher.records")
    for node in ast.walk(ast.parse(source.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("thresher"):
            assert (node.module or "").startswith(allowed)
        if isinstance(node, ast.Import):
            assert not {a.name.split(".")[0] for a in node.names} & {"thresher", "numpy", "scipy"}


def test_the_promise_stands_at_the_top() -> None:
    promise = "the meaning of a published theorem class\nnever changes"
    assert promise in (ROOT / "src/thresher/theory/theorem.py").read_text("utf-8")
