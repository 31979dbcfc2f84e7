"""Weighted Majority over experts, deterministic and randomised."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.kernels.engines.weighted_majority import WeightedMajorityEngine
from thresher.learners.base.exact_sign import PowerBase
from thresher.learners.base.journal import DEFAULT_BYTES, check_history
from thresher.learners.base.learned_state import LearnedState
from thresher.learners.base.learner import Features
from thresher.learners.base.power_link import (
    LARGEST_DOUBLE,
    TERNARY,
    Link,
    MultiplicativeLearner,
    rate_of,
)
from thresher.learners.base.rounds import Rounds
from thresher.parameters import MAX_FEATURES, Exact, checked_count, checked_exact

if TYPE_CHECKING:
    from thresher.learners.base.score_parts import ScoreParts
    from thresher.streams.labels import Label
    from thresher.streams.rows import Rows
    from thresher.theory import Concept


class WeightedMajority(MultiplicativeLearner):
    r"""The Weighted Majority algorithm of Littlestone and Warmuth (1994).

    Feature :math:`i` is the prediction of expert :math:`i`, -1 or +1 (0: no opinion). Every
    weight starts at 1. The prediction is +1 exactly when the experts voting +1 weigh at
    least as much as those voting -1, and in **every** round the weight of each expert that
    was wrong is multiplied by :math:`\beta`. The score is the difference of the two
    weights, divided by the weight of all experts.

    With :math:`m` the mistakes of the best of :math:`N` experts there are at most :math:`(\ln N +
    m\ln(1/\beta))/\ln(2/(1+\beta))` mistakes. :math:`\beta = 0` drops an expert at its first
    mistake: Halving over experts. The bound needs every expert to vote in every round; one without
    an opinion is never wrong and never helps.

    **Cost.** A round reads the experts with an opinion once, and once more to reduce the weights
    of those that were wrong, whether or not the vote was wrong: right rounds change weights, too.

    Parameters
    ----------
    n_experts
        Number of experts.
    beta
        The factor, at least 0 and below 1.
    journal_bytes
        Memory the journal may take; it holds every round in which some expert was wrong.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.WeightedMajority(n_experts=3)
    >>> learner.learn([[1, 1, -1], [1, -1, -1]], [+1, +1]).mistakes
    1
    >>> learner.weights.tolist()
    [1.0, 0.5, 0.25]
    """

    name: ClassVar[str] = "weighted_majority"

    def __init__(
        self, n_experts: int, beta: Exact = 0.5, journal_bytes: int = DEFAULT_BYTES
    ) -> None:
        owner = type(self).__name__
        self._n_experts = n_experts
        self._beta = beta
        self._journal_bytes = journal_bytes
        n = checked_count(owner, "n_experts", n_experts, 1, MAX_FEATURES)
        factor = checked_exact(owner, "beta", beta)
        if not 0 <= factor <= 1 - 2.0**-40 or 0 < factor < 2.0**-40:
            raise ParameterError(owner, "beta", "0, or from 2**-40 to below 1", beta)
        base = 1 / factor if factor else Fraction(2)
        link = Link(PowerBase(base), rate_of(base - 1))
        engine = self._started(WeightedMajorityEngine, link, TERNARY, n)
        if factor == 0:
            engine.drop_at_first_mistake()

    @property
    def beta(self) -> Fraction:
        """The factor, exactly."""
        return checked_exact("WeightedMajority", "beta", self._beta)

    @property
    def power_base(self) -> Fraction | None:
        """The number whose powers are the weights; None where a mistake drops an expert."""
        return 1 / self.beta if self.beta else None

    def _weights(self) -> NDArray[np.float64]:
        with np.errstate(over="ignore", divide="ignore"):
            powers = np.power(float(self.beta), -self._engine.dual())
        return np.clip(powers, 0.0, LARGEST_DOUBLE)


class RandomizedWeightedMajority(WeightedMajority):
    r"""Weighted Majority with randomised votes (Littlestone and Warmuth 1994).

    The weights move as in :class:`WeightedMajority`. The prediction of round :math:`t` is +1 with
    the probability that an expert drawn by weight says +1; experts without an opinion count half
    on each side. The draw :math:`u_t \in (0, 1]` of a round depends only on the seed and the
    number of the round, so a run can be repeated and split into batches at will. The score is that
    probability less :math:`u_t`.

    With :math:`m` the mistakes of the best of :math:`N` experts, at most
    :math:`(\ln N + m\ln(1/\beta))/(1-\beta)` mistakes are expected over the draws.

    **Cost.** As :class:`~thresher.WeightedMajority`, plus a random number per round.

    Parameters
    ----------
    n_experts, beta, journal_bytes
        As for :class:`WeightedMajority`.
    seed
        Seed of the draws, from 0 to 2**64 - 1.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.RandomizedWeightedMajority(n_experts=2, seed=7)
    >>> rounds = learner.learn([[1, -1]] * 100, [+1] * 100)
    >>> rounds.mistakes < 10, learner.weights[0]
    (True, np.float64(1.0))
    """

    name: ClassVar[str] = "randomized_weighted_majority"
    # The lot has its say.
    _by_weights_alone: ClassVar[bool] = False

    def __init__(
        self,
        n_experts: int,
        beta: Exact = 0.5,
        seed: int = 0,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        super().__init__(n_experts, beta, journal_bytes)
        self._seed = checked_count(type(self).__name__, "seed", seed, 0, 2**64 - 1)
        self._drawn_mistakes = (0, 0)

    def learn(
        self, X: Any, y: Any = None, *, claim: Concept | None = None, importance: Any = None
    ) -> Rounds:
        """Predict at random, compare and update, one row after another, in order.

        A claim is refused: what is known about this learner is an average over its draws, and
        no single run contradicts that.
        """
        first = self.n_rounds
        votes = super().learn(X, y, claim=claim, importance=importance)
        rounds = Rounds(self._drawn(votes.scores, first), votes.label, 0.0)
        fn, fp = self._drawn_mistakes
        self._drawn_mistakes = (fn + rounds.false_negatives, fp + rounds.false_positives)
        return rounds

    def _score_of_round(self, row: dict[Any, float], label: int, importance: float) -> float:
        return float(self.learn([row], [label], importance=[importance]).scores[0])

    def scores(self, X: Any) -> NDArray[np.float64]:
        """The score of each row, as if the rows were the next rounds; nothing changes."""
        return self._drawn(super().scores(X), self.n_rounds)

    def score_parts(self, rows: Rows, label: Label | None = None) -> ScoreParts:
        """What the scores of rows are made of: half of each vote, a half, and the lot."""
        votes = super().score_parts(rows, label)
        return replace(
            votes,
            weight=votes.weight / 2.0,
            adds=votes.adds / 2.0,
            constant=0.5 + votes.constant / 2.0,
            others={"the lot": -draws(self._seed, self.n_rounds, len(rows))},
        )

    def score_one(self, features: Features) -> float:
        """The score of a dict, as if it were the next round."""
        return float(self.scores([features])[0])

    def predict_one(self, features: Features) -> int:
        """-1 or +1 for a dict, as if it were the next round."""
        return 1 if self.score_one(features) >= 0.0 else -1

    def _drawn(self, votes: NDArray[np.float64], first: int) -> NDArray[np.float64]:
        return (1.0 + votes) / 2.0 - draws(self._seed, first, len(votes))

    @property
    def false_negatives(self) -> int:
        """Mistakes on positive rows."""
        return self._drawn_mistakes[0]

    @property
    def false_positives(self) -> int:
        """Mistakes on negative rows."""
        return self._drawn_mistakes[1]

    def learned_state(self) -> LearnedState:
        """The duals, and the rounds played: a draw goes by the number of its round."""
        return {**super().learned_state(), "rounds": np.array([self.n_rounds], np.int64)}

    def _state(self) -> tuple[Any, ...]:
        return (*super()._state(), self._drawn_mistakes)

    def _restore(self, state: tuple[Any, ...]) -> None:
        *rest, drawn = state
        super()._restore(tuple(rest))
        check_history((self.n_rounds, *drawn, 0), self._engine.journal, self.n_features)
        self._drawn_mistakes = drawn


def draws(seed: int, first: int, n: int) -> NDArray[np.float64]:
    """Numbers in (0, 1] for rounds first, first + 1, ...: SplitMix64 (Steele et al. 2014).

    >>> bool(np.all(draws(5, 0, 4)[2:] == draws(5, 2, 2)))
    True
    """
    golden = 0x9E3779B97F4A7C15
    t = np.arange(n, dtype=np.uint64) + np.uint64(first + 1)
    z = np.uint64(seed) + t * np.uint64(golden)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    z ^= z >> np.uint64(31)
    return ((z >> np.uint64(11)) + np.uint64(1)).astype(np.float64) * 2.0**-53
