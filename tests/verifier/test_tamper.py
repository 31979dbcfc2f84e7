"""Every field of a certificate, every row, label and journal entry: changed, and noticed."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.concepts import (
    Conjunctions,
    CountingThresholds,
    Disjunctions,
    ListedConcepts,
    TruthTable,
)
from thresher.errors import CertificateError, UnsoundBatchError
from thresher.theory import Disjunction

RNG = np.random.default_rng(3)
X = (RNG.random((24, 6)) < 0.4).astype(float)
OR = np.where((X[:, 1] > 0) | (X[:, 4] > 0), 1, -1)
NOT_BOTH = np.where((X[:, 1] > 0) | (X[:, 4] == 0), 1, -1)
NOISY = np.where(RNG.random(24) < 0.15, -OR, OR)
LONG = np.tile(X, (6, 1))
ONE_WRONG = np.tile(OR, 6)
ONE_WRONG[30] = -ONE_WRONG[30]
VOTES = np.where(RNG.random((24, 6)) < 0.5, 1.0, -1.0)
MIXED = np.where(RNG.random(24) < 0.2, -VOTES[:, 2], VOTES[:, 2]).astype(int)
LISTED = ListedConcepts([lambda x: x[1] or x[4], lambda x: x[1], lambda x: x[0] or x[2]], 6)
POINTS = TruthTable.of(LISTED, points=np.unique(X, axis=0))


@dataclass
class Case:
    make: Callable[[], Any]
    X: Any
    y: Any
    claim: Any = None
    holdout: int | None = None

    def learned(self) -> tuple[Any, Any]:
        """The rows that are not held out."""
        if self.holdout is None:
            return self.X, self.y
        kept = (np.arange(len(self.y)) + 1) % self.holdout != 0
        return self.X[kept], self.y[kept]


CASES = {
    "separable perceptron": Case(lambda: th.Perceptron(6, bias=True), X, OR),
    "noisy perceptron": Case(lambda: th.Perceptron(6, bias=True), X, NOISY),
    "real perceptron": Case(lambda: th.Perceptron(6, bias=True), X * 0.3, OR),
    "winnow": Case(lambda: th.Winnow(6), X, OR),
    "noisy winnow": Case(lambda: th.Winnow(6, Fraction(1, 2)), LONG, ONE_WRONG),
    "literals": Case(lambda: th.Winnow(6, literals=True), X, NOT_BOTH),
    "opposites": Case(
        lambda: th.NormalizedWinnow(6, margin=Fraction(1, 9), bias=True, literals=True), X, NOT_BOTH
    ),
    "passive-aggressive": Case(lambda: th.PassiveAggressive(6, variant="PA-II"), LONG, ONE_WRONG),
    "adagrad": Case(lambda: th.AdaGrad(6), X, OR),
    "held out": Case(lambda: th.Winnow(6), LONG, ONE_WRONG, holdout=5),
    "held out, no theorem": Case(lambda: th.AROW(6), X, NOISY, holdout=3),
    "declared": Case(lambda: th.Winnow(6), X, OR, Disjunction(k=2, n=6)),
    "refuted": Case(lambda: th.Winnow(6), X, -OR, Disjunction(k=1, n=6)),
    "signed": Case(lambda: th.SignedWinnow(6, margin=Fraction(1, 9), bias=True), X, OR),
    "noisy signed": Case(
        lambda: th.SignedWinnow(6, eta=Fraction(1, 9), bias=True), LONG, ONE_WRONG
    ),
    "restarts": Case(lambda: th.SignedWinnow(6, bias=True), X, OR),
    "elimination": Case(lambda: th.Elimination(6), X, OR),
    "majority": Case(lambda: th.WeightedMajority(6), VOTES, MIXED),
    "by lot": Case(lambda: th.RandomizedWeightedMajority(6, seed=5), VOTES, MIXED),
    "halving": Case(lambda: th.Halving(Disjunctions(6, k=2)), X, OR),
    "halving, counts": Case(lambda: th.Halving(CountingThresholds(6, 2)), X, OR),
    "halving, emptied": Case(lambda: th.Halving(Disjunctions(6)), X, NOISY),
    "halving, table": Case(lambda: th.Halving(LISTED), X, OR),
    "optimal": Case(lambda: th.StandardOptimal(LISTED), X, OR),
    "optimal, points": Case(lambda: th.StandardOptimal(POINTS), X, OR),
    "no theorem": Case(lambda: th.BalancedWinnow(6), X, OR),
}


@pytest.fixture(scope="module", params=CASES)
def certified(request: pytest.FixtureRequest) -> tuple[Case, Any, dict[str, Any]]:
    case = CASES[request.param]
    learner = case.make()
    learner.learn(*case.learned())
    certificate = th.certify(learner, case.X, case.y, claim=case.claim, holdout=case.holdout)
    assert th.verify(certificate, case.X, case.y, learner.journal).holds
    return case, learner.journal, json.loads(certificate.to_json())


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict | list) and value:
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in pairs:
            yield from leaves(inner, (*path, key))
    else:
        yield path


def lies(value: Any) -> list[Any]:
    """Other values of the same type, and one of another type."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, -value - 7, str(value)]
    if value is None:
        return ["1/2", 3]
    if isinstance(value, list):
        return [[1], None]
    if isinstance(value, dict):
        return [{"mistakes": [1]}, None]
    if value.startswith("0x"):
        return [(float.fromhex(value) * 0.5).hex(), (float.fromhex(value) + 1e-9).hex(), 0.5]
    if re.fullmatch(r"[0-9a-f]{16}|[0-9a-f]{6}", value):
        flipped = f"{int(value, 16) ^ 1 << 4 * len(value) - 2:0{len(value)}x}"
        return [flipped, value[:-2], value + "00", value.upper() + "G", 3]
    if len(value) == 64:
        return [value[:-1] + ("0" if value[-1] != "0" else "1"), value.upper() + "g"]
    if re.fullmatch(r"-?[0-9]+(/[0-9]+)?", value):
        return [str(Fraction(value) + 1), str(Fraction(value) / 2), str(-Fraction(value) - 3), 1.5]
    return [value + "x", "Novikoff", "perceptron", "all rounds", "count", "refutation", "exact", 5]


def changed(document: dict[str, Any], path: tuple[Any, ...], lie: Any) -> dict[str, Any]:
    document = copy.deepcopy(document)
    inner: Any = document
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = lie
    return document


def accepted(document: dict[str, Any], case: Case, reseal: bool) -> bool:
    """Whether a document passes: as a certificate, and then as a true one."""
    try:
        certificate = th.Certificate.from_json(json.dumps(document))
        if reseal:
            certificate = certificate.resealed()
        return th.verify(certificate, case.X, case.y).holds
    except CertificateError:
        return False


def under_its_seal(document: dict[str, Any]) -> bool:
    """Whether a document is a certificate that carries the seal that belongs to it."""
    try:
        certificate = th.Certificate.from_json(json.dumps(document))
    except CertificateError:
        return False
    return certificate.seal == certificate.proper_seal()


def test_no_field_can_be_changed(certified: tuple[Case, Any, dict[str, Any]]) -> None:
    case, _, document = certified
    for path in leaves(document):
        for lie in lies(_at(document, path)):
            if lie != _at(document, path):
                assert not under_its_seal(changed(document, path, lie)), (path, lie)
    path = ("run", "false_positives")
    assert not accepted(changed(document, path, _at(document, path) + 1), case, reseal=False)


def _at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


#: Where a witness came from proves nothing; a seal is renewed; a class within the class
#: declared has the same bound where the bound asks for the learner's features only.
HARMLESS = {("witness", "origin"), ("seal",), ("claim", "quantities", "n")}
CLASSES: dict[str, Any] = {
    "perceptron": th.Perceptron,
    "winnow": th.Winnow,
    "balanced_winnow": th.BalancedWinnow,
    "signed_winnow": th.SignedWinnow,
    "normalized_winnow": th.NormalizedWinnow,
    "passive_aggressive": th.PassiveAggressive,
    "adagrad": th.AdaGrad,
    "arow": th.AROW,
    "weighted_majority": th.WeightedMajority,
    "randomized_weighted_majority": th.RandomizedWeightedMajority,
    "halving": th.Halving,
    "standard_optimal": th.StandardOptimal,
}


def class_of(data: dict[str, Any]) -> Any:
    """The concept class that a certificate states, by the code the verifier does not trust."""
    kinds = {kind.__name__: kind for kind in (Disjunctions, Conjunctions, CountingThresholds)}
    if data["class"] in kinds:
        return kinds[data["class"]](**{name: v for name, v in data.items() if name != "class"})
    n, points = data["n_variables"], data["points"]
    count = 2**n if points is None else len(points)
    packed = np.array([list(bytes.fromhex(row)) for row in data["rows"]], np.uint8)
    where = points and [[int(i in point) for i in range(n)] for point in points]
    return TruthTable(np.unpackbits(packed, axis=1, count=count), points=where)


def still_true(document: dict[str, Any], case: Case) -> bool:
    """Whether a learner with the parameters stated would have done the same."""
    given = {
        name: Fraction(value)
        if isinstance(value, str) and value[0] in "-0123456789"
        else class_of(value)
        if isinstance(value, dict)
        else value
        for name, value in document["learner"]["parameters"].items()
    }
    learner = CLASSES[document["learner"]["name"]](**given)
    learner.learn(*case.learned())
    run = document["run"]
    counts = learner.false_negatives, learner.false_positives
    return counts == (run["false_negatives"], run["false_positives"])


def test_no_field_can_be_changed_by_a_liar_who_renews_the_seal(
    certified: tuple[Case, Any, dict[str, Any]],
) -> None:
    case, _, document = certified
    survived = [
        (path, lie)
        for path in leaves(document)
        for lie in lies(_at(document, path))
        if lie != _at(document, path) and accepted(changed(document, path, lie), case, True)
    ]
    for path, lie in survived:
        if path not in HARMLESS:
            assert path[:2] == ("learner", "parameters"), (path, lie)
            assert still_true(changed(document, path, lie), case), (path, lie)


def test_no_field_can_be_left_out_or_added(certified: tuple[Case, Any, dict[str, Any]]) -> None:
    case, _, document = certified
    places = [*leaves(document), *((name,) for name in document)]
    for path in places:
        less = copy.deepcopy(document)
        inner = _at(less, path[:-1])
        if isinstance(inner, dict):
            del inner[path[-1]]
            assert not accepted(less, case, True), path
            more = copy.deepcopy(document)
            _at(more, path[:-1])["extra"] = 1
            assert not accepted(more, case, True), path


def test_no_row_and_no_label_can_be_changed(certified: tuple[Case, Any, dict[str, Any]]) -> None:
    case, _, document = certified
    certificate = th.Certificate.from_json(json.dumps(document))
    # Every row of the short streams, one in six of the others.
    for t in range(0, len(case.y), len(case.y) // 24):
        rows = case.X.copy()
        rows[t, t % 6] = 1.0 - rows[t, t % 6]
        assert not th.verify(certificate, rows, case.y).holds
        labels = case.y.copy()
        labels[t] = -labels[t]
        assert not th.verify(certificate, case.X, labels).holds
    order = np.arange(len(case.y))[::-1]
    assert not th.verify(certificate, case.X[order], case.y[order]).holds
    assert not th.verify(certificate, case.X[:-1], case.y[:-1]).holds


def test_no_entry_of_the_journal_can_be_changed(
    certified: tuple[Case, Any, dict[str, Any]],
) -> None:
    case, journal, document = certified
    certificate = th.Certificate.from_json(json.dumps(document))
    assert th.verify(certificate, journal=journal).consistent
    assert not th.verify(certificate, journal=journal).holds
    for name in ("row_start", "column", "value", "label", "round_number"):
        for k in range(len(getattr(journal, name))):
            if name == "row_start" and k in (0, len(journal)):
                continue
            other = Forged(journal)
            array = getattr(other, name).copy()
            array[k] = -array[k] if name == "label" else array[k] + 1
            setattr(other, name, array)
            try:
                assert not th.verify(certificate, journal=other).consistent, (name, k)
                assert not th.verify(certificate, case.X, case.y, other).holds, (name, k)
            except UnsoundBatchError:
                assert name in ("row_start", "column")


class Forged:
    """A journal whose arrays anybody may replace."""

    def __init__(self, journal: Any) -> None:
        for name in ("row_start", "column", "value", "label", "round_number"):
            setattr(self, name, getattr(journal, name))
