"""Small files that ask for much work: the check ends soon, in little memory, and says why."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.attacks.limited import (
    Document,
    certified,
    refused,
    small,
    thresher,
    with_parameters,
    written,
)
from tests.learners.makers import MAKERS, stream
from thresher.concepts import Disjunctions
from thresher.errors import (
    BeyondReachError,
    CertificateError,
    HypothesisError,
    ParameterError,
    SourceError,
)
from thresher.theory import HoldoutRisk, NormalizedWinnowRate, SignedWinnowRestarts
from thresher.theory.risk import binomial_tail
from thresher.theory.risk.binomial_tail import at_most
from thresher.theory.winnow import WinnowAnyThreshold, WinnowComparator, WinnowThickThresholds
from thresher.verifier import read_svmlight
from thresher.verifier.measures.margins import Margins
from thresher.verifier.readers.labelled_rows import read_rows
from thresher.verifier.readers.svmlight import Limits
from thresher.verifier.replays.weight_base import WeightBase
from thresher.verifier.witness import Comparator

X, Y = small()
CLASSES = ["a", "b", "a"] * 4
MANY = [f"c{i}" for i in range(60_000)]


def _halving(**concepts: Any) -> Document:
    stated = {"class": "Disjunctions", "k": None, "negations": False, **concepts}
    return with_parameters(certified(th.Halving(Disjunctions(3)), X, Y), concepts=stated)


def _several(learner: Any, stated: list[str]) -> Document:
    document = with_parameters(certified(learner, X, CLASSES), classes=stated)
    return document | {"data": {**document["data"], "classes": ["0", "1"]}}


#: Certificates of a few kilobytes, and data to go with them, that are refused in one line.
REFUSED: dict[str, tuple[Callable[[], Document], str]] = {
    "a class of 2^22 concepts in every round": (
        lambda: _halving(n_variables=22),
        "0\n" * 50_000,
    ),
    "a class over ten million variables": (
        lambda: _halving(n_variables=10**7, k=0),
        "0\n" * 50_000,
    ),
    "literals of 2^26 variables": (
        lambda: with_parameters(
            certified(th.Conjunction(3), X, Y), literals=True, n_features=2**26
        ),
        "1 0:1\n",
    ),
    "sixty thousand learners": (
        lambda: _several(th.OneVersusRest(th.Perceptron(3)), MANY),
        "0 0:1\n1 1:1\n",
    ),
    "names that are all as long as one": (
        lambda: _several(th.MulticlassPerceptron(3), [*MANY, "x" * 1000]),
        "0 0:1\n1 1:1\n",
    ),
    "a step of 2,000 digits": (
        lambda: with_parameters(
            certified(th.Winnow(4), np.eye(4), [1, -1, 1, -1]), beta=f"1/1{'0' * 1999}"
        ),
        "1 0:1 1:1\n0 2:1 3:1\n" * 1000,
    ),
    "a radius of 10^300": (
        lambda: with_parameters(
            certified(th.SignedWinnow(4), np.eye(4), [1, -1, 1, -1]), radius="1" + "0" * 300
        ),
        "1 0:1 1:-1\n" * 1000,
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_work_out_of_proportion_is_refused_in_one_line(what: str, tmp_path: Path) -> None:
    make, rows = REFUSED[what]
    (tmp_path / "rows.svm").write_text(rows)
    done = thresher("verify", written(tmp_path, make()), tmp_path / "rows.svm")
    assert refused(done), done


def test_the_largest_column_takes_no_table_of_all_columns() -> None:
    stream = read_rows([{2**31 - 2: 1.0}, {5: 1.0}], [1, -1])
    tracemalloc.start()
    margins = Margins(stream, Comparator((5, 2**31 - 2, 10**30), (-1, 3, 7)))
    found = margins.smallest(), margins.hinge_loss(Fraction(2)), margins.errors()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == (Fraction(1), Fraction(1), 0)
    assert most < 10**7


def test_experts_who_do_not_vote_take_no_time(tmp_path: Path) -> None:
    rows = [{(7919 * t) % 80_000: 1.0} for t in range(20_000)]
    labels = [1 if t % 3 else -1 for t in range(20_000)]
    learner = th.RandomizedWeightedMajority(80_000, seed=1)
    learner.learn(rows, labels)
    document = json.loads(th.certify(learner, rows, labels).to_json())
    lines = [f"{y} {next(iter(row))}:1" for row, y in zip(rows, labels, strict=True)]
    (tmp_path / "rows.svm").write_text("\n".join(lines))
    done = thresher("verify", written(tmp_path, document), tmp_path / "rows.svm")
    assert (done.returncode, done.stderr) == (0, ""), done


def test_a_sum_of_large_powers_is_decided_without_their_digits() -> None:
    # (1 + 2^-40)^30000 against the double next to it: the exact powers have millions of digits.
    base = WeightBase(1 + Fraction(1, 2**40))
    near = Fraction(float((1 + Fraction(1, 2**40)) ** 300)) ** 100
    for shift in range(200):
        terms = [(Fraction(1), Fraction(30_000)), (-near - Fraction(shift, 2**60), Fraction(0))]
        assert base.sign(terms) in (-1, 1)


def test_a_packed_file_of_empty_rows_is_refused_before_they_take_room(tmp_path: Path) -> None:
    (tmp_path / "rows.svm.gz").write_bytes(gzip.compress(b"1\n" * 300_000))
    with pytest.raises(SourceError, match="more than 200,000 rows"):
        read_svmlight([str(tmp_path / "rows.svm.gz")], limits=Limits(rows=200_000))


LONG = Fraction(10**1990 + 1, 10**1993)


@pytest.mark.parametrize(
    "ask",
    [
        lambda: WinnowAnyThreshold(100, 2, LONG, 10**8).max_mistakes(),
        lambda: WinnowThickThresholds(100, 2, Fraction(1, 2**40), 10**8, 10**8).max_mistakes(),
        lambda: SignedWinnowRestarts(10**39, Fraction(1, 10**999), 10**999).max_mistakes(),
        lambda: at_most(10**39, 10**40, Fraction(1, 10)).enclose(40),
        lambda: WinnowComparator.k_of_r(10**9, 1, 10**9),
        lambda: HoldoutRisk(2**64 - 1, 2**64, Fraction(999, 1000)).max_risk(),
        lambda: HoldoutRisk(2**64 - 2**17, 2**64, Fraction(999, 1000)).max_risk(),
        lambda: HoldoutRisk(10**12 - 10**6, 10**12, Fraction(1, 2)).max_risk(),
    ],
)
def test_a_theorem_that_takes_for_ever_says_so(ask: Callable[[], object]) -> None:
    with pytest.raises((BeyondReachError, HypothesisError, ParameterError)):
        ask()


def test_a_comparator_may_have_thousands_of_weights() -> None:
    weights = [Fraction(1 + t % 7, 4000) for t in range(1000)]
    norm = sum(weights)
    theorem = NormalizedWinnowRate(
        n_features=10**6, margin=norm / 2, radius=1, comparator_norm=norm,
        comparator=weights, eta=Fraction(1, 2),
    )  # fmt: skip
    assert theorem.max_mistakes() > 0


@pytest.mark.parametrize(("mistakes", "rounds"), [(3, 10), (70_000, 140_000), (10**6, 2 * 10**7)])
@pytest.mark.parametrize("delta", [Fraction(1, 2), Fraction(3, 5), Fraction(99, 100)])
def test_a_held_out_risk_with_little_confidence_is_near_the_rate(
    mistakes: int, rounds: int, delta: Fraction
) -> None:
    risk = HoldoutRisk(mistakes, rounds, delta).max_risk()
    assert abs(risk - mistakes / rounds) < 3 / rounds**0.5


@pytest.mark.parametrize("tails", [1, 2, 1000, 2**16 - 1, 2**16])
def test_a_model_that_is_nearly_always_wrong_takes_no_longer_than_one_that_is_right(
    tails: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    heads, p = 10**9 - tails, 1 - Fraction(tails, 10**9)
    low, high = at_most(heads, 10**9, p).enclose(40)
    # As likely as not, since so many are expected.
    assert Fraction(1, 2) < Fraction(low) <= Fraction(high) < Fraction(3, 4)
    monkeypatch.setattr(binomial_tail, "MOST_TERMS", 1)
    with pytest.raises(BeyondReachError):
        at_most(heads, 10**9, p).enclose(40)


def test_risks_are_few() -> None:
    document = certified(th.Perceptron(), X, Y)
    document["risks"] *= 5
    with pytest.raises(CertificateError, match="at most 8 statements"):
        th.Certificate.from_json(json.dumps(document))


def test_rows_of_tiny_values_are_certified_for_passive_aggressive_learners() -> None:
    maker = next(maker for maker in MAKERS if maker.title == "pa")
    table, labels = stream(maker, 40)
    learner = maker.make()
    learner.learn(table, labels)
    assert th.verify(th.certify(learner, table, labels), table, labels).holds
