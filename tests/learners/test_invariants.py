"""What holds on every stream, whatever the labels: a failure here is a bug."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th

N = 5
sets = st.frozensets(st.integers(0, N - 1)).map(lambda on: dict.fromkeys(sorted(on), 1.0))
unit_rows = st.dictionaries(st.integers(0, N - 1), st.sampled_from([1.0, 0.5, 0.1]), max_size=N)
signed_rows = st.dictionaries(
    st.integers(0, N - 1), st.sampled_from([1.0, -1.0, 0.5, -0.25]), max_size=N
)
# Labels against the prediction, mostly: such streams have the most mistakes.
against = st.lists(st.booleans(), min_size=30, max_size=30).map(lambda bits: [True, *bits])


def weights(learner: Any, alpha: Fraction) -> list[Fraction]:
    return [alpha ** int(c) for c in learner.dual]


@given(
    st.sampled_from([Fraction(2), Fraction(3, 2), Fraction(18, 5), Fraction(4)]),
    st.sampled_from([Fraction(N), Fraction(1), Fraction(7, 3), Fraction(20)]),
    st.lists(sets, min_size=31, max_size=31),
    against,
)
@settings(max_examples=60)
def test_the_weights_of_winnow_keep_their_books(
    alpha: Fraction, theta: Fraction, rows: list[dict[int, float]], contrary: list[bool]
) -> None:
    learner = th.Winnow(N, alpha - 1, theta)
    total = Fraction(N)
    touched: set[int] = set()
    promoted: set[int] = set()
    promoted_score = demoted_score = Fraction(0)
    for row, opposite in zip(rows, contrary, strict=True):
        before = weights(learner, alpha)
        score = sum((before[i] for i in row), Fraction(0))
        prediction = learner.predict_one(row)
        assert prediction == (1 if score >= theta else -1)
        label = -prediction if opposite else prediction
        learner.learn_one(row, label)
        after = weights(learner, alpha)
        assert [after[i] for i in range(N) if i not in row] == [
            before[i] for i in range(N) if i not in row
        ]
        if not opposite:
            assert after == before
            continue
        touched |= set(row)
        change = sum(after) - sum(before)
        if label > 0:  # U2
            assert change == (alpha - 1) * score < (alpha - 1) * theta
            promoted_score += score
            promoted |= set(row)
            assert not row or change > 0
        else:  # U3, U4
            assert -change == (1 - 1 / alpha) * score >= (1 - 1 / alpha) * theta
            demoted_score += score
            assert sum(after) >= sum((after[i] for i in row), Fraction(0)) >= theta / alpha
        total += change
        # U1, exactly; U5: what was promoted stays below alpha theta.
        assert sum(after) == total
        assert total == N + (alpha - 1) * promoted_score - (1 - 1 / alpha) * demoted_score
        assert all(after[i] < alpha * theta for i in promoted)
        for d in (N, len(touched)):  # U6
            spare = (alpha * d / theta - 1) / (alpha - 1)
            assert learner.false_positives <= max(
                Fraction(0), spare + alpha * learner.false_negatives
            )


@given(st.lists(unit_rows, min_size=31, max_size=31), against)
@settings(max_examples=40)
def test_winnow_on_real_features_changes_at_most_as_much_as_on_whole_ones(
    rows: list[dict[int, float]], contrary: list[bool]
) -> None:
    learner = th.Winnow(N, threshold=2)
    for row, opposite in zip(rows, contrary, strict=True):
        before, score = learner.weights.sum(), learner.score_one(row)
        prediction = learner.predict_one(row)
        label = -prediction if opposite else prediction
        learner.learn_one(row, label)
        change, room = learner.weights.sum() - before, 1e-12 * (1 + before)
        if opposite and label > 0:
            assert change <= score + room
        elif opposite:
            assert -change >= score / 2 - room


@given(
    st.sampled_from([0.1, 0.5, 2.0, 20.0]),
    st.booleans(),
    st.lists(signed_rows, min_size=31, max_size=31),
    against,
)
@settings(max_examples=40)
def test_the_normaliser_of_an_exponentiated_learner_grows_by_at_most_lncosh_eta(
    eta: float, signed: bool, rows: list[dict[int, float]], contrary: list[bool]
) -> None:
    kind = th.SignedWinnow if signed else th.NormalizedWinnow
    learner = kind(N, eta=eta)
    most = abs(eta) + math.log1p(math.exp(-2 * eta)) - math.log(2)
    for row, opposite in zip(rows, contrary, strict=True):
        prediction = learner.predict_one(row)
        learner.learn_one(row, -prediction if opposite else prediction)
        z = [eta * t for t in learner.dual]
        z += [-t for t in z] if signed else []
        log_mean = max(z) + math.log(math.fsum(math.exp(t - max(z)) for t in z) / len(z))
        assert log_mean <= learner.mistakes * most * (1 + 1e-12) + 1e-12
        if not signed:
            assert math.fsum(learner.weights) == pytest.approx(1.0, rel=1e-15)
        assert math.fsum(abs(learner.weights)) <= 1.0 + 1e-15


@given(
    st.booleans(),
    st.lists(
        st.dictionaries(st.integers(0, N - 1), st.sampled_from([1.0, -2.0, 0.75, 3.0]), max_size=N),
        min_size=31,
        max_size=31,
    ),
    against,
)
@settings(max_examples=60)
def test_the_norm_of_the_perceptron_is_paid_for_by_its_mistakes(
    bias: bool, rows: list[dict[int, float]], contrary: list[bool]
) -> None:
    learner = th.Perceptron(N, bias=bias)
    paid = Fraction(0)
    for row, opposite in zip(rows, contrary, strict=True):
        norm = sum(Fraction(w) ** 2 for w in learner.dual)
        score = Fraction(learner.score_one(row))
        prediction = learner.predict_one(row)
        label = -prediction if opposite else prediction
        learner.learn_one(row, label)
        after = sum(Fraction(w) ** 2 for w in learner.dual)
        length = sum(Fraction(x) ** 2 for x in row.values()) + bias
        if opposite:
            paid += length
            assert after == norm + 2 * label * score + length
            assert label * (Fraction(learner.score_one(row)) - score) == length
        assert after <= paid


@given(st.lists(sets, min_size=31, max_size=31), against)
@settings(max_examples=40)
def test_sets_of_variables_only_shrink(rows: list[dict[int, float]], contrary: list[bool]) -> None:
    for make in (th.Elimination, th.Conjunction):
        learner = make(N)
        for row, opposite in zip(rows, contrary, strict=True):
            before = set(learner.hypothesis)
            prediction = learner.predict_one(row)
            learner.learn_one(row, -prediction if opposite else prediction)
            assert set(learner.hypothesis) <= before


@given(
    st.lists(st.lists(st.sampled_from([-1, 1]), min_size=4, max_size=4), min_size=31, max_size=31),
    against,
)
@settings(max_examples=40)
def test_a_mistake_of_weighted_majority_costs_a_quarter_of_the_weight(
    votes: list[list[int]], contrary: list[bool]
) -> None:
    learner = th.WeightedMajority(4)
    wrong = [0] * 4
    for row, opposite in zip(votes, contrary, strict=True):
        before = sum(Fraction(w) for w in learner.weights)
        up = sum(Fraction(w) for w, x in zip(learner.weights, row, strict=True) if x > 0)
        prediction = learner.predict([row])[0]
        assert prediction == (1 if 2 * up >= before else -1)
        label = -prediction if opposite else prediction
        learner.learn([row], [label])
        wrong = [k + (x != label) for k, x in zip(wrong, row, strict=True)]
        assert learner.weights.tolist() == [0.5**k for k in wrong]
        if opposite:
            assert sum(Fraction(w) for w in learner.weights) <= Fraction(3, 4) * before
