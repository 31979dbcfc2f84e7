"""What is proven about the Passive-Aggressive learners."""

from thresher.theory.passive_aggressive.capped import PassiveAggressiveCapped
from thresher.theory.passive_aggressive.separable import PassiveAggressiveSeparable
from thresher.theory.passive_aggressive.softened import PassiveAggressiveSoftened
from thresher.theory.passive_aggressive.squared_hinge import PassiveAggressiveSquaredHinge

__all__ = [
    "PassiveAggressiveCapped",
    "PassiveAggressiveSeparable",
    "PassiveAggressiveSoftened",
    "PassiveAggressiveSquaredHinge",
]
