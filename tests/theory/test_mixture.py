from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import pytest
from hypothesis import given
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


def mixture(stream: Sequence[Round], prior: Sequence[F]) -> Said:
    """The mixture of the theorem, in fractions."""
    weights, own, experts, mistakes = list(prior), F(1), [F(1)] * len(prior), 0
    for t, (up, label) in enumerate(stream, 1):
        given_label = [p if label > 0 else 1 - p for p in up]
        mixed = sum((v * p for v, p in zip(weights, given_label, strict=True)), F(0))
        predicted = 1 if (mixed if label > 0 else 1 - mixed) >= F(1, 2) else -1
        mistakes += predicted != label
        own *= mixed
        experts = [a * b for a, b in zip(experts, given_label, strict=True)]
        weights = [
            F(t, t + 1) * v * p / mixed + start / (t + 1)
            for v, p, start in zip(weights, given_label, prior, strict=True)
        ]
    return Said(mistakes, own, tuple(experts))


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
    assert sum(expert.weight for expert in learner.members) == pytest.approx(1.0)
