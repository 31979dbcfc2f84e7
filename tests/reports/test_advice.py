from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from thresher.errors import ParameterError
from thresher.reports.advice import Figures, advise
from thresher.reports.sample import measure
from thresher.streams import Batch, load_mushrooms
from thresher.theory import WinnowAnyThreshold, WinnowAttributeErrors, compare


def test_dense_rows_with_few_relevant_features_are_for_winnow() -> None:
    advice = advise(Figures(1000, 2, 100))
    assert advice.choice.learner == "Winnow"
    beta, theta = advice.choice.parameters["beta"], advice.choice.parameters["threshold"]
    bound = WinnowAnyThreshold(1000, 2, beta, theta).max_mistakes()
    assert advice.choice.max_mistakes == bound
    assert "(4 x 2 + 1)(100 + 1) = 909" in advice.reasons[0]
    assert "2(3 x 10 - 2) = 56" in advice.reasons[0]
    assert "up to 5 active features" in advice.reasons[0]
    assert "the Perceptron made 531 mistakes and Winnow 21" in advice.reasons[1]


def test_sparse_rows_are_for_the_perceptron() -> None:
    advice = advise(Figures(10_000, 20, 2))
    assert (advice.choice.spelled, advice.choice.max_mistakes) == ("perceptron:bias=yes", 243)


def test_without_noise_the_promises_are_those_of_the_theory() -> None:
    advice = advise(Figures(1000, 2, 5))
    told = [(p.learner, p.theorem, p.max_mistakes) for p in advice.promises]
    assert told == [(r.learner, r.theorem, r.max_mistakes) for r in compare(1000, 2, 5)]


def test_what_one_wrong_label_spoils_is_taken_only_if_there_is_certainly_none() -> None:
    careful, certain = advise(Figures(10, 5, 10)), advise(Figures(10, 5, 10, Fraction(0)))
    assert (careful.choice.learner, careful.choice.brittle) == ("Winnow", False)
    assert (certain.choice.spelled, certain.choice.max_mistakes) == ("elimination", 5)
    assert any("Say noise=0 if there is none." in reason for reason in careful.reasons)
    assert not any("noise=0" in reason for reason in certain.reasons)
    typed = advise(Figures(10, 5, 10), no_noise="--noise 0")
    assert any("Say --noise 0 if there is none." in reason for reason in typed.reasons)


def test_noise_is_paid_for_and_brittle_learners_are_left_out() -> None:
    advice = advise(Figures(10_000, 20, 50, Fraction(1, 100), 10_000))
    assert advice.figures.errors == 100
    assert not any(promise.brittle for promise in advice.promises)
    chosen = advice.choice
    theorem = WinnowAttributeErrors(
        10_000, 20, 100, chosen.parameters["beta"], chosen.parameters["threshold"]
    )
    assert (chosen.theorem, chosen.max_mistakes) == (theorem.name, theorem.max_mistakes())
    assert not advice.vacuous


def test_more_noise_asks_for_smaller_steps() -> None:
    steps = [
        advise(Figures(10_000, 20, 50, Fraction(share, 1000), 100_000)).choice.parameters["beta"]
        for share in (1, 10, 100)
    ]
    assert steps == sorted(steps, reverse=True)
    assert steps[0] > steps[-1]


def test_a_promise_that_allows_every_mistake_is_called_one_that_says_nothing() -> None:
    advice = advise(Figures(10_000, 20, 50, Fraction(1, 2), 1000))
    assert advice.vacuous
    assert any("says anything" in reason for reason in advice.reasons)


def test_the_advice_is_json_with_exact_numbers() -> None:
    told = advise(Figures(1024, 4, 30)).to_dict()
    assert told["choice"]["command_line"].startswith("winnow:beta=")
    assert Fraction(told["choice"]["parameters"]["beta"]) > 1
    assert told["noise"] is None
    assert {p["learner"] for p in told["promises"] if p["command_line"] is None} == {"halving"}


@pytest.mark.parametrize(
    ("figures", "wrong"),
    [
        ((0, 1, 1), "n_features must be at least 1"),
        ((10, 11, 1), "relevant must be at least 1, at most 10, found 11"),
        ((10, 2, 11), "active must be at least 1, at most 10"),
        ((10, 2, 3, Fraction(3, 2)), "noise must be from 0 to 1"),
    ],
)
def test_impossible_figures_are_refused(figures: tuple[Any, ...], wrong: str) -> None:
    with pytest.raises(ParameterError, match=wrong):
        Figures(*figures)


def test_a_sample_of_mushrooms_shows_the_or_of_five() -> None:
    mushrooms, names = load_mushrooms(order=1)
    sample = measure(mushrooms)
    assert (sample.rows, sample.positives, sample.used) == (5644, 2156, 98)
    assert (sample.mean_active, sample.max_active, sample.binary) == (22.0, 22, True)
    assert sample.disjunction is not None
    assert {names[c] for c in sample.disjunction} >= {"odor=foul", "odor=pungent"}
    assert (len(sample.disjunction), sample.errors, sample.conjunction) == (5, 0, None)
    figures = sample.figures()
    assert figures == Figures(98, 5, 22, None, 5644)


def test_a_few_wrong_labels_are_counted_as_errors() -> None:
    mushrooms, _ = load_mushrooms(order=1)
    label = mushrooms.label.copy()
    label[np.flatnonzero(label > 0)[:7]] = -1
    sample = measure(Batch(mushrooms.row_start, mushrooms.column, mushrooms.value, label))
    figures = sample.figures(rows=100_000)
    assert sample.disjunction is not None
    assert 0 < sample.errors < 30
    assert figures is not None
    assert figures.noise == Fraction(sample.errors, 5644)
    assert figures.rows == 100_000


def test_labels_that_no_short_or_explains_give_no_figures() -> None:
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, (400, 12))
    sample = measure(Batch.of(X, rng.integers(0, 2, 400)))
    assert sample.disjunction is None
    assert sample.figures() is None


def test_an_or_that_is_little_better_than_the_commoner_label_explains_nothing() -> None:
    X = [[1, 0]] * 6 + [[0, 1]] * 4 + [[1, 1]] * 4 + [[0, 1]] * 86
    y = [1] * 10 + [-1] * 90
    assert measure(Batch.of(X, y)).disjunction is None
    y[10:13] = [1] * 3
    assert measure(Batch.of(X, y)).disjunction == (0,)


def test_a_conjunction_is_seen() -> None:
    sample = measure(Batch.of([[1, 1, 0], [1, 1, 1], [1, 0, 1], [0, 1, 1]], [1, 1, -1, -1]))
    assert sample.conjunction == 2


def test_real_values_are_measured_and_not_explained() -> None:
    sample = measure(Batch.of([[0.5, -2.0], [1.0, 0.0]], [1, -1]))
    assert (sample.lowest, sample.highest, sample.binary) == (-2.0, 1.0, False)
    assert sample.disjunction is None
    assert measure(Batch.of([{}], [1])).figures() is None
