"""What is proven about normalised and signed Winnow (exponentiated gradient)."""

from thresher.theory.exponentiated.committee import NormalizedWinnowCommittee
from thresher.theory.exponentiated.divergence import coin_relative_entropy, eta_max, eta_star
from thresher.theory.exponentiated.hinge import NormalizedWinnowHinge, SignedWinnowHinge
from thresher.theory.exponentiated.rate import NormalizedWinnowRate, SignedWinnowRate
from thresher.theory.exponentiated.restarts import SignedWinnowRestarts, phase_budget
from thresher.theory.exponentiated.thick import NormalizedWinnowThick
from thresher.theory.exponentiated.tuned import (
    NormalizedWinnowSimple,
    NormalizedWinnowTuned,
    SignedWinnowTuned,
)
from thresher.theory.exponentiated.warm_start import NormalizedWinnowWarmStart

__all__ = [
    "NormalizedWinnowCommittee",
    "NormalizedWinnowHinge",
    "NormalizedWinnowRate",
    "NormalizedWinnowSimple",
    "NormalizedWinnowThick",
    "NormalizedWinnowTuned",
    "NormalizedWinnowWarmStart",
    "SignedWinnowHinge",
    "SignedWinnowRate",
    "SignedWinnowRestarts",
    "SignedWinnowTuned",
    "coin_relative_entropy",
    "eta_max",
    "eta_star",
    "phase_budget",
]
