"""The screen Game: every answer follows from the moves so far, which are in the address."""

from __future__ import annotations

from thresher.lab.game.adversary import adversary
from thresher.lab.game.experts import experts
from thresher.lab.game.halving import halving
from thresher.lab.game.learner import learner

__all__ = ["adversary", "experts", "halving", "learner"]
