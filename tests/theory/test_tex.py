"""Formulas in TeX say what the ASCII says."""

from __future__ import annotations

import inspect
import re

import pytest

from thresher.theory.listing import families
from thresher.theory.prose import with_tex
from thresher.theory.tex import in_tex
from thresher.theory.theorem import Theorem

THEOREMS = [theorem for theorems in families().values() for theorem in theorems]


@pytest.mark.parametrize(
    ("ascii_text", "tex"),
    [
        ("a / b", r"\frac{a}{b}"),
        ("r s / d", r"\frac{r s}{d}"),
        ("r s/d", r"r \frac{s}{d}"),
        ("(r + s)/d", r"\frac{r + s}{d}"),
        ("((r) + (s))/d", r"\frac{(r) + (s)}{d}"),
        ("(r)(s) / d", r"\frac{(r) (s)}{d}"),
        ("ln d / ln(alpha)", r"\frac{\ln d}{\ln (\alpha)}"),
        ("alpha^(K+1)", r"\alpha^{K + 1}"),
        ("d^(2/p)", "d^{2/p}"),
        ("2^-j", "2^{- j}"),
        ("b^m*", "b^{m^{*}}"),
        ("||u||_1^2", r"\lVert u\rVert_{1}^{2}"),
        ("|u|", r"\lvert u\rvert"),
        ("RE(u||w0)", r"\operatorname{RE}\left(u \,\|\, w_{0}\right)"),
        ("w0_i", "w_{0,i}"),
        ("u.x_t", r"u \cdot x_{t}"),
        ("m- <= A", r"m^- \le A"),
        ("B_{j*}", "B_{j^{*}}"),
        ("min_l (1 - l) / l", r"\min_{l} \frac{1 - l}{l}"),
        ("floor(log2 N)", r"\left\lfloor \log_2 N\right\rfloor"),
        ("M <= d for every learner", r"M \le d\text{ for every learner}"),
        ("U (a gamma - b)", r"U (a \gamma - b)"),
        ("C(n, j) s^j", r"\binom{n}{j} s^{j}"),
    ],
)
def test_a_formula_is_what_it_says(ascii_text: str, tex: str) -> None:
    assert in_tex(ascii_text) == tex


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_every_theorem_has_its_statement_in_tex(theorem: type[Theorem]) -> None:
    tex = theorem.tex()
    assert tex == in_tex(theorem.statement)
    assert balanced(tex)
    for number in re.findall(r"(?<![\w.])\d+(?![\w.])", theorem.statement):
        assert number in tex


def balanced(tex: str) -> bool:
    """Braces close, and every growing bracket has its other half."""
    depth = 0
    for sign in re.findall(r"(?<!\\)[{}]", tex):
        depth += 1 if sign == "{" else -1
        if depth < 0:
            return False
    return depth == 0 and tex.count(r"\left") == tex.count(r"\right")


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_no_formula_of_a_docstring_is_torn(theorem: type[Theorem]) -> None:
    prose = inspect.cleandoc(theorem.__doc__ or "").split("\n>>> ")[0]
    for paragraph in prose.split("\n\n"):
        if paragraph.startswith("    "):
            assert all(balanced(in_tex(line)) for line in paragraph.splitlines())
            continue
        text = with_tex(paragraph)
        assert text.count("$") % 2 == 0
        for formula in re.findall(r"\$([^$]*)\$", text):
            assert balanced(formula)
            assert not re.search(r"([_^])\{[^{}]*\}\1|\\frac\{\}", formula)


def test_a_sentence_without_formulas_stays_as_it_is() -> None:
    text = "A stream is a list of rows; I saw a `gamma <= 1` in it, in 1962."
    assert with_tex(text) == text
