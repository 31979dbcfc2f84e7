"""What theorems about several classes measure, against sums of fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.verifier.test_several_classes import Example, learned, streams
from thresher.certifier import identity
from thresher.certifier.witnesses.search import searched_witnesses
from thresher.verifier import read_rows
from thresher.verifier.measures import multiclass
from thresher.verifier.measures.multiclass import Blocks, errors_over_classes
from thresher.verifier.measures.strongest import bounds_for
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Comparator, Witness

values = st.sampled_from([1.0, -1.0, 0.1, 1 / 3, 1e-300, -5e-324]) | st.floats(-1, 1)
numerators = st.lists(st.integers(-4, 4), min_size=40, max_size=40)


def run_of(learner: Any, stream: list[Example]) -> ReplayedRun:
    algorithm, parameters = identity(learner)
    names = tuple(map(str, learner.classes))
    rows = read_rows([row for row, _ in stream], [label for _, label in stream], names)
    return ReplayedRun.of(algorithm, parameters, rows)


def table_and_comparator(
    run: ReplayedRun, given_numbers: list[int], *, least: int = -4
) -> tuple[list[list[Fraction]], Comparator]:
    """Numbers as weights of all classes; those that nobody has are left out."""
    blocks = Blocks(run, Comparator((), ()))
    size = blocks.n_classes * blocks.width
    flat = [max(least, number) for number in (given_numbers * 3)[:size]]
    kept = [(i, number) for i, number in enumerate(flat) if number]
    comparator = Comparator(tuple(i for i, _ in kept), tuple(v for _, v in kept), denominator=3)
    lines = [
        [Fraction(v, 3) for v in flat[r * blocks.width : (r + 1) * blocks.width]]
        for r in range(blocks.n_classes)
    ]
    return lines, comparator


def leads(run: ReplayedRun, table: list[list[Fraction]], t: int) -> list[Fraction]:
    """By how much the label of a round leads each class, by the text of the definition."""
    inside = run.stream.inside(t, t + 1)
    row = [
        (int(i), Fraction(float(x)))
        for i, x in zip(run.stream.column[inside], run.stream.value[inside], strict=True)
    ]
    row += [(run.stream.width, Fraction(1))] if run.bias else []
    scores = [sum((line[i] * x for i, x in row), Fraction(0)) for line in table]
    return [scores[run.stream.label[t]] - score for score in scores]


learners = st.builds(
    th.MulticlassPerceptron, st.just(7), st.sampled_from(["max", "uniform"]), st.booleans()
) | st.builds(th.MulticlassSignedWinnow, st.just(7), st.sampled_from([0.1, 0.5]))


@settings(max_examples=120, deadline=None)
@given(learners, streams(values), numerators, st.integers(1, 4))
def test_margins_losses_and_errors_are_those_of_the_definition(
    learner: Any, stream: list[Example], numbers: list[int], level: int
) -> None:
    learned(learner, stream)
    run = run_of(learner, stream)
    table, comparator = table_and_comparator(run, numbers)
    blocks = Blocks(run, comparator)
    assert blocks.measurable == (len(learner.classes) >= 2 and blocks.width > 0)
    if not blocks.measurable:
        assert list(bounds_for(run, Witness(comparator))) == []
        return
    margins = blocks.margins()
    label = run.stream.label.tolist()
    each = [leads(run, table, t) for t in range(len(run.stream))]
    worst = [min(own[:y] + own[y + 1 :]) for own, y in zip(each, label, strict=True)]
    assert [margins.at(t) for t in range(len(worst))] == worst
    loss = sum((max(Fraction(0), level - lead) for lead in worst), Fraction(0))
    assert margins.hinge_loss(Fraction(level)) == loss
    said = [own.index(min(own)) for own in each]
    wrong = sum(guess != y for guess, y in zip(said, label, strict=True))
    assert errors_over_classes(run, Witness(comparator)) == wrong


@settings(max_examples=120, deadline=None)
@given(
    learners | st.builds(th.MulticlassNormalizedWinnow, st.just(7), st.sampled_from([0.1, 0.5])),
    streams(values),
    numerators,
    st.sampled_from([None, 1, 2, 5]),
)
def test_no_run_makes_more_mistakes_than_a_theorem_allows(
    learner: Any, stream: list[Example], numbers: list[int], level: int | None
) -> None:
    learned(learner, stream)
    run = run_of(learner, stream)
    positive = isinstance(learner, th.MulticlassNormalizedWinnow)
    _, comparator = table_and_comparator(run, numbers, least=0 if positive else -4)
    witness = Witness(comparator, level=None if level is None else Fraction(level))
    for theorem in bounds_for(run, witness):
        assert run.mistakes <= theorem.max_mistakes()


def test_negative_weights_are_no_comparator_for_normalised_winnow() -> None:
    stream: list[Example] = [({0: 1.0}, "a"), ({1: 1.0}, "b")] * 3
    witness = Witness(Comparator((0, 1, 3), (1, -1, 1)))
    for learner, count in (
        (th.MulticlassNormalizedWinnow(2, eta=0.1), 0),
        (th.MulticlassSignedWinnow(2, eta=0.1), 1),
    ):
        learned(learner, stream)
        assert len(bounds_for(run_of(learner, stream), witness)) == count


@pytest.mark.parametrize(
    ("learner", "theorem"),
    [
        (th.MulticlassPerceptron(12, classes=["c0", "c1", "c2"]), "MulticlassNovikoff"),
        (th.MulticlassPerceptron(bias=True), "MulticlassHinge"),
        (th.MulticlassSignedWinnow(12, eta=0.05), "MulticlassSignedWinnowHinge"),
        (th.MulticlassNormalizedWinnow(12, eta=0.05), "MulticlassNormalizedWinnowHinge"),
    ],
)
def test_a_witness_is_found_where_a_margin_is_wide(learner: Any, theorem: str) -> None:
    rng = np.random.default_rng(2)
    X = (rng.random((1500, 12)) < 0.4) * 1.0
    scores = X @ rng.integers(-3, 4, (3, 12)).T
    ordered = np.sort(scores, axis=1)
    clear = ordered[:, -1] - ordered[:, -2] >= 3
    stream: list[Example] = [
        ({i: 1.0 for i in np.flatnonzero(row).tolist()}, f"c{label}")
        for row, label in zip(X[clear], scores.argmax(axis=1)[clear], strict=True)
    ]
    learned(learner, stream)
    run = run_of(learner, stream)
    found = [bound for w in searched_witnesses(run) for bound in bounds_for(run, w)]
    best = min(found, key=lambda bound: bound.max_mistakes())
    assert theorem in {bound.name for bound in found}
    assert run.mistakes <= best.max_mistakes() < len(stream)


def test_idle_mistakes_are_those_of_new_classes_and_empty_rows() -> None:
    learner = th.MulticlassPerceptron(2)
    stream: list[Example] = [({0: 1.0}, "a"), ({}, "b"), ({}, "b"), ({0: 1.0}, "b"), ({}, "a")]
    learned(learner, stream)
    run = run_of(learner, stream)
    assert (run.mistakes, run.replay.facts["idle_mistakes"]) == (4, (3,))


def test_more_than_there_is_room_for_is_not_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    learner = th.MulticlassPerceptron(2)
    stream: list[Example] = [({0: 1.0}, "a"), ({1: 1.0}, "b")] * 3
    learned(learner, stream)
    run = run_of(learner, stream)
    witness = Witness(Comparator((0, 3), (1, 1)))
    assert len(bounds_for(run, witness)) == 1
    monkeypatch.setattr(multiclass, "MOST_NUMBERS", 5)
    assert bounds_for(run, witness) == []
    assert errors_over_classes(run, witness) is None
