"""What normalised and signed Winnow share: the step, given, best for a margin, or guessed."""

from __future__ import annotations

from fractions import Fraction
from math import isinf
from typing import Any, ClassVar, Unpack

import numpy as np

from thresher.errors import ParameterError, StateError
from thresher.kernels.engines.exponentiated import ExponentiatedEngine
from thresher.learners.base.exact_sign import PowerBase
from thresher.learners.base.learned_state import LearnedState
from thresher.learners.base.options import Options
from thresher.learners.base.power_link import Link, MultiplicativeLearner, rate_of
from thresher.learners.base.shared_numbers import MixingRule
from thresher.parameters import MAX_FEATURES, Exact, checked_count, checked_exact, checked_flag
from thresher.theory.exponentiated.divergence import eta_max, eta_star
from thresher.theory.exponentiated.restarts import phase_budget

#: Each phase allows four times the mistakes of the last: nobody sees so many.
LAST_PHASE = 60


class ExponentiatedLearner(MultiplicativeLearner):
    """A multiplicative learner with weights exp(eta * dual), divided by their sum."""

    #: Whether a feature stands for itself and its negative.
    _signed: ClassVar[bool]
    _conservative: ClassVar[bool] = True
    _mixing: ClassVar[MixingRule] = "average"
    _engine: ExponentiatedEngine

    def __init__(
        self,
        n_features: int,
        eta: Exact | None = None,
        margin: Exact | None = None,
        radius: Exact = 1,
        bias: bool = False,
        **options: Unpack[Options],
    ) -> None:
        self._n_features = n_features
        self._eta = eta
        self._margin = margin
        self._radius = radius
        bias = self._bias = checked_flag(type(self).__name__, "bias", bias)
        self._take(options)
        owner = type(self).__name__
        n = checked_count(owner, "n_features", self._n_features, 1, MAX_FEATURES)
        largest = checked_exact(owner, "radius", radius)
        if not 1e-100 <= largest <= 1e100:
            raise ParameterError(owner, "radius", "a positive number (1e-100 to 1e100)", radius)
        if bias and largest < 1:
            raise ParameterError(
                owner, "radius", "at least 1 when bias=True, whose feature is 1", radius
            )
        if self._scaling is not None and largest < 1:
            raise ParameterError(owner, "radius", "at least 1 with scaling", radius)
        self._phase = 0 if self._restarts else None
        base, rate = self._step(largest) if not self._restarts else self._step_of_phase(1)
        bound = float(largest)
        self._link = Link(base, rate, mirrored=self._signed)
        domain = (-bound, bound, False)
        self._started(ExponentiatedEngine, self._link, domain, n * self._copies, self._bias)
        # Phases end by counting mistakes, each of which must count the same.
        self._weigh_and_scale(takes_importance=not self._restarts)
        if self._restarts:
            self._next_phase()

    @property
    def _copies(self) -> int:
        """Weights per feature."""
        return 1

    @property
    def _restarts(self) -> bool:
        return self._eta is None and self._margin is None

    def _step(self, radius: Fraction) -> tuple[PowerBase, float]:
        """The base of the weights, and eta as the logarithm of it."""
        owner = type(self).__name__
        margin = None if self._margin is None else checked_exact(owner, "margin", self._margin)
        if margin is not None and not 0 < margin <= radius:
            raise ParameterError(
                owner, "margin", f"above 0 and at most the radius {self._radius}", self._margin
            )
        if self._eta is None and margin is not None:
            return _best_step(margin, radius)
        eta = checked_exact(owner, "eta", self._eta)
        if not 1e-12 <= eta * radius <= 1e3:
            raise ParameterError(owner, "eta", "positive, eta * radius from 1e-12 to 1000", eta)
        if margin is not None and eta > eta_max(margin, radius):
            raise ParameterError(
                owner,
                "eta",
                f"below {eta_max(margin, radius):.4g} for margin {self._margin}",
                self._eta,
                "Above it there is no mistake bound. Leave eta out to get the best one.",
            )
        return PowerBase(None, eta), float(eta)

    def _unmixable(self) -> str | None:
        return "it guesses its margin: give eta or margin" if self._restarts else None

    # ---- restarts over guessed margins --------------------------------------------------

    def _step_of_phase(self, phase: int) -> tuple[PowerBase, float]:
        radius = Fraction(self._radius)
        return _best_step(radius / 2**phase, radius)

    def _next_phase(self) -> None:
        """Guess half the margin and start over; called when a phase exceeds its budget."""
        self._enter_phase((self._phase or 0) + 1)

    def _enter_phase(self, phase: int) -> None:
        base, rate = self._step_of_phase(phase)
        self._phase = phase
        self._link = Link(base, rate, mirrored=self._signed)
        budget = phase_budget(self._n_features * self._copies + self._bias, phase)
        self._engine.set_phase(rate, budget, self._link.reaches, self._next_phase)

    @property
    def phase(self) -> int | None:
        """The number of the present guess of the margin; None when eta or margin was given."""
        return self._phase

    @property
    def eta(self) -> float:
        """The step in use."""
        return self._link.rate

    def learned_state(self) -> LearnedState:
        """The duals and, where the margin is guessed, the phase and the mistakes in it."""
        state = super().learned_state()
        if self._phase is not None:
            state["phase"] = np.array([self._phase, self._engine.phase_mistakes], np.int64)
        return state

    def _state(self) -> tuple[Any, ...]:
        return (*super()._state(), (self._phase, self._engine.phase_mistakes))

    def _restore(self, state: tuple[Any, ...]) -> None:
        *rest, (phase, phase_mistakes) = state
        owner = type(self).__name__
        if (phase is not None) != self._restarts:
            raise StateError(f"{owner} with these parameters is not in phase {phase}.")
        if phase is not None:
            self._enter_phase(checked_count(owner, "the phase", phase, 1, LAST_PHASE))
        super()._restore(tuple(rest))
        self._engine.set_phase_mistakes(
            checked_count(owner, "the mistakes of the phase", phase_mistakes, 0, self.mistakes)
        )


def _best_step(margin: Fraction, radius: Fraction) -> tuple[PowerBase, float]:
    """exp(eta) with eta = atanh(margin/radius)/radius, as a power of a rational number.

    At margin = radius the best step is infinite; eta * radius = 20 is as good.
    """
    eta = eta_star(margin, radius)
    if margin == radius or isinf(eta) or eta * radius >= 20:
        return PowerBase(None, Fraction(eta)), eta
    # Not eta itself: near the radius a margin rounded to a double makes another step, and the
    # kernels count on the rate being the logarithm of the base to the last digits.
    rate = rate_of(2 * margin / (radius - margin)) / (2 * float(radius))
    return PowerBase((radius + margin) / (radius - margin), 1 / (2 * radius)), rate
