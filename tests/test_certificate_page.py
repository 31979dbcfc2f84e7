"""The table of evidence in docs/certificates.md, line by line: what it says is what happens."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.concepts import Disjunctions
from thresher.learners.registry import RECORDS

PAGE = Path(__file__).parents[1] / "docs/certificates.md"
RNG = np.random.default_rng(5)
N = 6
X = (RNG.random((240, N)) < 0.4).astype(float)
OR = np.where(X[:, 1] + X[:, 4] > 0, 1, -1)
AND = np.where(X[:, 1] * X[:, 4] > 0, 1, -1)
NOISY = np.where(RNG.random(240) < 0.05, -OR, OR)
VOTES = np.where(RNG.random((240, N)) < 0.5, 1.0, -1.0)
BEST = np.where(RNG.random(240) < 0.1, -VOTES[:, 2], VOTES[:, 2]).astype(int)
#: Separable also without a constant feature, and by weights of one sign.
SIGNED = np.where(RNG.random((240, N)) < 0.5, 1.0, -1.0)
ONE = SIGNED[:, 0].astype(int)


def lines() -> dict[str, str]:
    """What the table says of theorems, by learner."""
    text = PAGE.read_text("utf-8")
    table = text[text.index("| learner | count | theorem |") :].split("\n\n")[0]
    found: dict[str, str] = {}
    for line in table.splitlines()[2:]:
        who, count, theorems = (cell.strip() for cell in line.strip("|").split("|"))
        assert count.startswith("replay")
        found |= dict.fromkeys(re.findall(r"`(\w+)`", who), theorems)
    return found


def named(labels: Any) -> list[str]:
    return [{1: "yes", -1: "no"}[int(label)] for label in labels]


def cases(title: str) -> Iterator[tuple[Callable[[], Any], Any, Any]]:  # noqa: C901
    """Learners, rows and labels that show the theorems of a line."""
    made: Any = getattr(th, title)
    if title in ("Halving", "StandardOptimal"):
        yield lambda: made(Disjunctions(N, k=2)), X, OR
        yield lambda: made(Disjunctions(N, k=2)), X, NOISY
    elif "Majority" in title:
        yield lambda: made(N), VOTES, BEST
    elif title == "OneVersusRest":
        for inner in (th.AROW(N), th.Perceptron(N), th.Winnow(N), th.Committee(N)):
            yield partial(made, inner), X, named(NOISY)
    elif title == "Calibrated":
        yield lambda: made(th.AROW(N, bias=True)), X, NOISY
    elif "Normalized" in title or "Signed" in title:
        for given in ({"eta": 0.2}, {"margin": 0.2}):
            for rows, labels in ((SIGNED, ONE), (X, NOISY)):
                told = named(labels) if title.startswith("Multi") else labels
                yield partial(made, N, **given), rows, told
        if title == "SignedWinnow":
            yield lambda: made(N), SIGNED, ONE
    elif title.startswith("Multi") or title == "SparseNetwork":
        yield lambda: made(N), X, named(OR)
        yield lambda: made(N), X, named(NOISY)
    else:
        labels = AND if title == "Conjunction" else OR
        biased = {"bias": True} if "bias" in made.__signature__.parameters else {}
        yield lambda: made(N, **biased), X, labels
        yield lambda: made(N, **biased), X, NOISY
        if title == "Winnow":
            yield lambda: made(N, zeroing=True), X, OR
            yield lambda: made(N, beta=0.5), X, OR
        if title == "Perceptron":
            yield lambda: made(N, bias=True, margin=0.5), X, OR
        if title == "PassiveAggressive":
            for variant in ("PA", "PA-II"):
                yield partial(made, N, bias=True, variant=variant), X, OR


def test_the_table_has_every_learner() -> None:
    assert set(lines()) == {record.title for record in RECORDS}


@pytest.mark.parametrize("title", sorted(lines()))
def test_a_line_of_the_table_is_true(title: str) -> None:
    stated = set(re.findall(r"`(\w+)`", lines()[title]))
    quoted: set[str] = set()
    for make, rows, labels in cases(title):
        learner = make()
        learner.learn(rows, labels)
        certificate = th.certify(learner, rows, labels)
        again = th.Certificate.from_json(certificate.to_json())
        verdict = th.verify(again, rows, labels, model=learner)
        assert verdict.holds, str(verdict)
        assert verdict.replayed == learner.mistakes
        found = {s.theorem for s in (*certificate.bounds, *certificate.expectations)}
        assert (certificate.kind == "count") == (not found)
        quoted |= found
    own = {name for name in stated if name.startswith(title)} or stated
    assert quoted <= stated
    # Two learners may share a line, each with theorems of its own.
    assert bool(quoted & own) == bool(stated)
