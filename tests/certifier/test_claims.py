"""Declared claims: known bounds, refutations, and never a false one."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from thresher.errors import NotCertifiableError, ParameterError
from thresher.theory import Committee, Conjunction, Disjunction, Experts, KOfR, Separator

N = 3
CORNERS = [list(x) for x in product([0, 1], repeat=N)]


def fits(rows: list[list[int]], labels: list[int], k: int, conjunction: bool = False) -> bool:
    """Whether some disjunction (conjunction) of exactly k of the features gives these labels."""
    combine = all if conjunction else any
    return any(
        all((1 if combine(x[i] for i in S) else -1) == y for x, y in zip(rows, labels, strict=True))
        for S in combinations(range(N), k)
    )


LEARNERS: list[Any] = [
    lambda: th.Winnow(N),
    lambda: th.Winnow(N, Fraction(1, 2), 2),
    lambda: th.Winnow(N, zeroing=True),
    lambda: th.Elimination(N),
    lambda: th.Elimination(N, literals=True),
    lambda: th.Perceptron(N, bias=True),
    lambda: th.SignedWinnow(N, eta=0.1, bias=True),
    lambda: th.SignedWinnow(N, margin=Fraction(1, 8), bias=True),
]


@pytest.mark.parametrize("make", LEARNERS)
@settings(max_examples=40, deadline=None)
@given(data=st.data(), k=st.integers(0, N))
def test_a_refuted_disjunction_fits_no_more_and_a_fitting_one_is_never_refuted(
    make: Any, data: st.DataObject, k: int
) -> None:
    rows = data.draw(st.lists(st.sampled_from(CORNERS), min_size=1, max_size=6)) * 12
    rule = data.draw(st.sampled_from(["disjunction", "anything"]))
    if rule == "disjunction":
        S = data.draw(st.sampled_from(list(combinations(range(N), k))))
        labels = [1 if any(x[i] for i in S) else -1 for x in rows]
    else:
        labels = data.draw(st.lists(st.sampled_from([-1, 1]), min_size=6, max_size=6)) * 12
        labels = labels[: len(rows)]
    rounds = make().learn(np.array(rows), labels, claim=Disjunction(k=k, n=N))
    if rule == "disjunction":
        assert rounds.refuted_at is None
    if rounds.refuted_at is not None:
        upto = rounds.refuted_at + 1
        assert not fits(rows[:upto], labels[:upto], k)
        assert rounds.mistaken[rounds.refuted_at]


def test_every_kind_of_refutation_is_reached() -> None:
    always = np.ones((40, N)), [1, -1] * 20
    for make in LEARNERS[:6]:
        assert make().learn(*always, claim=Disjunction(k=1, n=N)).refuted_at is not None


def test_elimination_is_refuted_by_its_first_false_negative() -> None:
    rounds = th.Elimination(2).learn([[1, 0], [1, 0]], [-1, 1], claim=Disjunction(k=1, n=2))
    assert rounds.refuted_at == 1


def test_conjunctions_are_refuted_by_a_false_positive() -> None:
    rounds = th.Conjunction(2).learn([[1, 0], [1, 0]], [1, -1], claim=Conjunction(k=1, n=2))
    assert rounds.refuted_at == 1


def test_false_negatives_alone_refute_earlier_than_all_mistakes_together() -> None:
    """Disjoint positives: at most 1 * 2 false negatives for one of four features, 4 mistakes."""
    X = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]
    learner = th.Winnow(4)
    claim = Disjunction(k=1, n=4)
    assert th.certify(th.Winnow(4), [], [], claim=claim).allowed == 4
    assert learner.learn(X, [1, 1, 1], claim=claim).refuted_at == 2


def test_the_count_goes_on_over_batches_and_the_round_is_that_of_the_whole_life() -> None:
    claim = Separator(margin=1)
    learner = th.Perceptron(1)
    X, y = [[1]], [-1]
    assert learner.learn(X, y, claim=claim).refuted_at is None
    assert learner.learn([[1], [1]], [-1, 1], claim=claim).refuted_at == 2
    assert learner.learn(X, [1], claim=claim).refuted_at == 2
    unkept = th.Perceptron(1, journal_bytes=0)
    unkept.learn([[1], [1]], [-1, 1])
    assert unkept.learn(X, [1], claim=claim).refuted_at == 1


def test_a_claim_that_no_theorem_covers_is_refused_and_nothing_is_learned() -> None:
    learner = th.Perceptron(2)
    with pytest.raises(NotCertifiableError, match="no theorem says what Perceptron"):
        learner.learn([[1, 0]], [-1], claim=Disjunction(k=1, n=2))
    assert learner.n_rounds == 0


def test_a_learner_that_was_given_its_weights_takes_no_claim_nor_does_its_copy() -> None:
    warm = th.Perceptron(2).with_dual([1.0, 0.0])
    for learner in (warm, warm.copy()):
        with pytest.raises(NotCertifiableError, match="did not start from the beginning"):
            learner.learn([[1, 0]], [-1], claim=Separator(margin=1))


def test_a_randomised_learner_takes_no_claim() -> None:
    with pytest.raises(NotCertifiableError):
        th.RandomizedWeightedMajority(2).learn([[1, -1]], [1], claim=Experts(n=2))


@pytest.mark.parametrize(
    ("learner", "claim", "allowed"),
    [
        (th.Winnow(100), Disjunction(k=2, n=100), 37),
        (th.Elimination(100), Disjunction(k=2, n=100), 98),
        (th.Elimination(100, literals=True), Disjunction(k=2, n=100), 198),
        (th.Perceptron(), Separator(margin=Fraction(1, 10)), 100),
        # The constant feature counts among the squared norms: (1 + 1) / 0.01.
        (th.Perceptron(bias=True), Separator(margin=Fraction(1, 10)), 200),
        (th.Perceptron(4), Committee(k=3, n=4), 12),
        (th.WeightedMajority(16), Experts(n=16, best=3), 16),
        (th.SignedWinnow(50, margin=0.1), Separator(margin=0.1, norm=1), 919),
        (th.NormalizedWinnow(100, margin=0.1), Separator(margin=0.1, norm=1, signed=0), 919),
        (th.SignedWinnow(100), Separator(margin=0.25, norm=1), 208),
        # A radius twice as large halves the guess of the margin: one more phase.
        (th.SignedWinnow(100, radius=2), Separator(margin=0.5, norm=1, radius=2), 208),
        (th.SignedWinnow(100, radius=2), Separator(margin=0.25, norm=1), 208 + 1 + 676),
    ],
)
def test_bounds_known_before_the_run(learner: Any, claim: Any, allowed: int) -> None:
    certificate = th.certify(learner, [], [], claim=claim)
    assert (certificate.kind, certificate.allowed) == ("a priori", allowed)
    assert th.verify(certificate, [], []).holds


@pytest.mark.parametrize(
    ("learner", "claim"),
    [
        (th.NormalizedWinnow(10, margin=0.1), Separator(margin=0.1, norm=1)),
        (th.NormalizedWinnow(10), Disjunction(k=1, n=10)),
        (th.NormalizedWinnow(10, margin=0.1), KOfR(k=1, r=2, n=10)),
        # More experts than the claim mentions, and a constant feature among the votes.
        (th.WeightedMajority(17), Experts(n=16)),
        (th.Perceptron(4, bias=True), Committee(k=3, n=4)),
        (th.SignedWinnow(10, eta=5), Separator(margin=0.1, norm=1)),
        (th.SignedWinnow(10, radius=1), Separator(margin=0.1, norm=1, radius=2)),
        (th.BalancedWinnow(4), Disjunction(k=1, n=4)),
        # Of a disjunction that names features out of sight, fewer are left to be found.
        (th.Elimination(4), Disjunction(k=1, n=5)),
    ],
)
def test_where_a_theorem_does_not_apply_none_is_quoted(learner: Any, claim: Any) -> None:
    with pytest.raises(NotCertifiableError):
        th.certify(learner, [], [], claim=claim)


def test_a_refutation_is_a_certificate_that_can_be_verified() -> None:
    X, y = np.ones((9, N)), [1, -1, 1] * 3
    learner = th.Winnow(N)
    learner.learn(X, y)
    certificate = th.certify(learner, X, y, claim=Disjunction(k=1, n=N))
    assert certificate.kind == "refutation"
    verdict = th.verify(certificate, X, y)
    assert verdict.holds
    assert "no target of the declared class fits" in str(verdict)


def test_the_journal_alone_is_enough_for_a_declared_claim() -> None:
    X, y = np.array(CORNERS * 5), [1 if x[0] else -1 for x in CORNERS * 5]
    learner = th.Winnow(N)
    learner.learn(X, y)
    certificate = th.certify(learner, claim=Disjunction(k=1, n=N))
    assert certificate.scope == "mistake rounds"
    assert th.verify(certificate, journal=learner.journal).holds
    with pytest.raises(NotCertifiableError, match="declared claim or witness only"):
        th.certify(learner)


def test_rows_that_weigh_something_else_refute_nothing_whoever_learned_them_when() -> None:
    # The target is "not feature 1"; a row of no weight is mistaken again and again.
    X, y, nothing = np.array([[1, 0, 0]] * 40), [-1] * 40, np.zeros(40)
    claim = Separator(margin=Fraction(1), norm=1)
    makers: list[Any] = [
        lambda: th.NormalizedWinnow(3, eta=0.5, literals=True),
        lambda: th.SignedWinnow(3, eta=0.5),
    ]
    for make in makers:
        with pytest.raises(NotCertifiableError, match="count the same"):
            make().learn(X, y, claim=claim, importance=nothing)
        for weight in (nothing, nothing + 0.5):
            learner = make()
            learner.learn(X, y, importance=weight)
            with pytest.raises(NotCertifiableError, match=r"count (the same|more than others)"):
                learner.learn(X[:1], y[:1], claim=claim)
        learner = make()
        learner.learn(X, y)
        assert learner.learn(X, y, claim=claim).refuted_at is None


@pytest.mark.parametrize("literals", [False, True])
def test_rows_of_another_kind_are_noticed_in_rounds_before_the_claim(literals: bool) -> None:
    claim = Disjunction(k=1, n=2)
    beyond = np.array([[1, 0, 1]])
    with pytest.raises(NotCertifiableError, match="no feature beyond the 2 declared"):
        th.Winnow(3, literals=literals).learn(beyond, [1], claim=claim)
    learner = th.Winnow(3, literals=literals)
    assert learner.learn(beyond, [1]).mistakes == 1
    with pytest.raises(NotCertifiableError, match="no feature beyond the 2 declared"):
        learner.learn([[1, 0, 0]], [1], claim=claim)


def test_small_values_before_a_claim_do_not_refute_it() -> None:
    learner = th.Winnow(3)
    assert learner.learn([[0.01, 0, 0]] * 300, [1] * 300).mistakes > 100
    with pytest.raises(NotCertifiableError, match="every value is 0 or 1"):
        learner.learn([[1, 0, 0]], [1], claim=Disjunction(k=1, n=3))


def test_rounds_that_were_held_against_a_claim_are_not_looked_at_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    learner, claim = th.Perceptron(1), Separator(margin=Fraction(1))
    learner.learn([[1]], [-1], claim=claim)
    monkeypatch.setattr(th.Perceptron, "journal", property(lambda _: 1 / 0))
    learner.learn([[1]], [-1], claim=claim)
    with pytest.raises(ZeroDivisionError):
        learner.learn([[1]], [-1], claim=Separator(margin=Fraction(1, 2)))


def test_a_claim_is_a_concept() -> None:
    with pytest.raises(
        ParameterError, match=r"claim must be a concept of .*found 'disjunction:k=2'"
    ):
        th.Winnow(N).learn([[1, 0, 1]], [1], claim="disjunction:k=2")  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [lambda: th.Perceptron(1), lambda: th.PNormPerceptron(1, p=2)])
def test_values_whose_products_vanish_refute_nothing(make: Any) -> None:
    # On paper the first mistake is the only one; here the score stays 0.
    tiny = 1e-200
    X, y, norm = np.full((9, 1), tiny), [-1] * 9, 2 if make().name == "perceptron" else 1
    claim = Separator(margin=tiny, norm=norm, radius=tiny)
    learner = make()
    assert learner.learn(X, y).mistakes == 9
    for played in (learner, make()):
        with pytest.raises(NotCertifiableError, match="vanish in products"):
            played.learn(X, y, claim=claim)
