from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from thresher.errors import HypothesisError, ParameterError
from thresher.theory import MixtureOfExperts

F = Fraction

#: What every expert says the probability of +1 is, and the label.
Round = tuple[Sequence[F], int]

chances = st.fractions(F(1, 20), F(19, 20), max_denominator=20)


@dataclass(frozen=True)
class Said:
    """The mixture's mistakes, and the product of the probabilities everybody gave the labels."""

    mistakes: int
    own: F
    experts: tuple[F, ...]
    #: What the mixture gave the label in each round.
    each_round: tuple[F, ...]


def mixture(stream: Sequence[Round], prior: Sequence[F]) -> Said:
    """The mixture of the theorem, in fractions."""
    weights, experts, mistakes = list(prior), [F(1)] * len(prior), 0
    each_round: list[F] = []
    for t, (up, label) in enumerate(stream, 1):
        given_label = [p if label > 0 else 1 - p for p in up]
        mixed = sum((v * p for v, p in zip(weights, given_label, strict=True)), F(0))
        predicted = 1 if (mixed if label > 0 else 1 - mixed) >= F(1, 2) else -1
        mistakes += predicted != label
        each_round.append(mixed)
        experts = [a * b for a, b in zip(experts, given_label, strict=True)]
        weights = [
            F(t, t + 1) * v * p / mixed + start / (t + 1)
            for v, p, start in zip(weights, given_label, prior, strict=True)
        ]
    return Said(mistakes, math.prod(each_round, start=F(1)), tuple(experts), tuple(each_round))


@st.composite
def streams(draw: st.DrawFn) -> tuple[list[Round], list[F]]:
    n = draw(st.integers(1, 4))
    parts = draw(st.lists(st.integers(1, 9), min_size=n, max_size=n))
    rounds = st.tuples(st.lists(chances, min_size=n, max_size=n), st.sampled_from([-1, 1]))
    return draw(st.lists(rounds, min_size=1, max_size=8)), [F(part, sum(parts)) for part in parts]


@given(streams())
def test_no_mixture_exceeds_its_bound_against_any_expert(
    case: tuple[list[Round], list[F]],
) -> None:
    stream, prior = case
    said = mixture(stream, prior)
    for weight, product in zip(prior, said.experts, strict=True):
        # In exact numbers: the product of probabilities loses no more than the prior and T.
        assert said.own >= weight * product / len(stream)
        loss = math.nextafter(-math.log(product), math.inf)
        theorem = MixtureOfExperts(expert_loss=max(loss, 0.0), prior=weight, rounds=len(stream))
        assert said.mistakes <= theorem.max_mistakes()


def test_two_sure_experts_reach_the_bound() -> None:
    said = mixture([([F(1), F(0)], -1)], [F(1, 2), F(1, 2)])
    assert said.mistakes == 1
    assert MixtureOfExperts(expert_loss=0, prior=F(1, 2), rounds=1).bound() == 1


@given(streams())
def test_in_no_stretch_of_rounds_does_the_mixture_lose_more_to_any_expert(
    case: tuple[list[Round], list[F]],
) -> None:
    """From round s to round r: no more than ln(1/prior) + ln r, whatever happened before s."""
    stream, prior = case
    said = mixture(stream, prior)
    for first in range(len(stream)):
        own, experts = F(1), list(prior)
        for last, (up, label) in enumerate(stream[first:], first + 1):
            own *= said.each_round[last - 1]
            experts = [e * (p if label > 0 else 1 - p) for e, p in zip(experts, up, strict=True)]
            assert all(own >= expert / last for expert in experts)


@pytest.mark.parametrize("rounds", [2, 5, 30])
def test_an_expert_who_was_always_wrong_comes_back_as_the_bound_says(rounds: int) -> None:
    """Two sure experts change places: in the next round the second has its prior over r."""
    prior = [F(2, 3), F(1, 3)]
    sure = [F(1), F(0)]
    stream: list[Round] = [*[(sure, 1)] * (rounds - 1), (sure, -1)]
    said = mixture(stream, prior)
    assert said.each_round[-1] == prior[1] / rounds
    # With half of ln r the bound would be broken.
    assert said.each_round[-1] ** 2 < prior[1] ** 2 / rounds


def test_values_by_hand() -> None:
    assert MixtureOfExperts(expert_loss=0, prior=F(1, 16), rounds=4).bound() == 6
    assert MixtureOfExperts(expert_loss=0, prior=F(3, 16), rounds=6).bound() == 5
    bound = MixtureOfExperts(expert_loss=3.5, prior=0.25, rounds=100).bound()
    assert bound == pytest.approx((3.5 + math.log(400)) / math.log(2), rel=1e-15)


@given(st.floats(0, 100), st.integers(1, 1000), st.integers(1, 64), st.integers(2, 9))
def test_twice_the_rounds_cost_as_much_as_half_the_prior(
    loss: float, rounds: int, experts: int, factor: int
) -> None:
    longer = MixtureOfExperts(expert_loss=loss, prior=F(1, experts), rounds=factor * rounds)
    fewer = MixtureOfExperts(expert_loss=loss, prior=F(1, factor * experts), rounds=rounds)
    assert longer.bound() == fewer.bound()


@pytest.mark.parametrize(("prior", "rounds"), [(0, 5), (F(9, 8), 5), (-1, 5), (F(1, 2), 0)])
def test_a_false_hypothesis_is_refused(prior: F, rounds: int) -> None:
    with pytest.raises(HypothesisError):
        MixtureOfExperts(expert_loss=1, prior=prior, rounds=rounds).max_mistakes()
    with pytest.raises(ParameterError):
        MixtureOfExperts(expert_loss=-1, prior=F(1, 2), rounds=1)


rows = st.lists(st.sampled_from([0.0, 1.0, -2.0, 0.5]), min_size=3, max_size=3)
labelled = st.lists(st.tuples(rows, st.sampled_from([-1, 1])), min_size=1, max_size=40)


@given(labelled)
def test_a_committee_keeps_the_bound_against_every_expert(
    stream: list[tuple[list[float], int]],
) -> None:
    learner = th.Committee(3)
    learner.learn([x for x, _ in stream], [y for _, y in stream])
    for expert in learner.members:
        allowed = expert.log_loss + math.log(len(stream) / expert.prior)
        assert learner.log_loss <= allowed * (1 + 1e-12)
        theorem = MixtureOfExperts(
            expert_loss=expert.log_loss, prior=expert.prior, rounds=len(stream)
        )
        assert learner.mistakes <= theorem.max_mistakes()
    assert learner.bound().max_mistakes() >= learner.mistakes


def losses_by_round(learner: th.Committee, stream: Sequence[tuple[Any, int]]) -> list[list[float]]:
    """The losses of the mixture and of every expert, before the first round and after each."""
    losses = [[0.0] * (1 + len(learner.members))]
    for x, y in stream:
        learner.learn([x], [y])
        losses.append([learner.log_loss, *(expert.log_loss for expert in learner.members)])
    return losses


def require_the_bound_in_every_stretch(losses: list[list[float]], priors: list[float]) -> None:
    for first in range(len(losses) - 1):
        for last in range(first + 1, len(losses)):
            own, *experts = (b - a for a, b in zip(losses[first], losses[last], strict=True))
            for loss, prior in zip(experts, priors, strict=True):
                assert own <= loss + math.log(last / prior) + 1e-9


@settings(max_examples=25)
@given(labelled)
def test_a_committee_keeps_the_bound_in_every_stretch_of_rounds(
    stream: list[tuple[list[float], int]],
) -> None:
    learner = th.Committee(3)
    losses = losses_by_round(learner, stream)
    priors = [expert.prior for expert in learner.members]
    # A member for tables has as much as eight for rows of any width.
    assert priors == pytest.approx([0.6 / 64] * 8 + [0.6 / 8] * 7 + [0.3, 0.1])
    require_the_bound_in_every_stretch(losses, priors)


@settings(max_examples=25)
@given(labelled, labelled, st.sampled_from([(129, 3), (1025, 7)]))
def test_members_that_leave_say_what_the_mixture_says_and_the_bound_stays(
    before: list[tuple[list[float], int]],
    after: list[tuple[list[float], int]],
    wide: tuple[int, int],
) -> None:
    columns, leave = wide
    narrow = [
        [({i: v for i, v in enumerate(x) if v}, y) for x, y in part] for part in (before, after)
    ]
    learner = th.Committee(2000)
    crowd = (dict.fromkeys(range(columns), 1.0), 1)
    losses = losses_by_round(learner, [*narrow[0], crowd, *narrow[1]])
    require_the_bound_in_every_stretch(losses, [expert.prior for expert in learner.members])
    gone = [number for number, expert in enumerate(learner.members) if expert.weight == 0.0]
    assert gone == list(range(15 - leave, 15))
    # They still speak in the round in which they are found to be too narrow, and leave after it.
    own_then, *experts_then = losses[len(before) + 1]
    for own, *experts in losses[len(before) + 2 :]:
        for number in gone:
            since = experts[number] - experts_then[number]
            assert since == pytest.approx(own - own_then, abs=1e-9)
    assert sum(expert.weight for expert in learner.members) == pytest.approx(1.0)


@given(labelled)
def test_the_weights_of_the_experts_sum_to_1(stream: list[tuple[list[float], int]]) -> None:
    learner = th.Committee(3)
    learner.learn([x for x, _ in stream], [y for _, y in stream])
    assert sum(expert.weight for expert in learner.members) == pytest.approx(1.0)
