"""Run: a learner by name and parameters, its stream, and what a replay found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from thresher.verifier.measure import squared_norms
from thresher.verifier.replay import Replay
from thresher.verifier.rows import Stream


@dataclass(frozen=True)
class Run:
    """What the theorems are about."""

    learner: str
    # The schema of a certificate has checked names and types of the parameters.
    parameters: Mapping[str, Any]
    stream: Stream
    replay: Replay

    @property
    def bias(self) -> bool:
        """Whether there is a constant feature."""
        return bool(self.parameters.get("bias", False))

    @property
    def features(self) -> int:
        """The number of features or experts the learner was created for."""
        return int(self.parameters.get("n_features") or self.parameters.get("n_experts") or 0)

    def exact(self, name: str) -> Fraction:
        """A parameter that is a number."""
        return Fraction(self.parameters[name])

    @property
    def mistakes(self) -> int:
        """The number of mistakes in the replay."""
        return len(self.replay.mistaken)

    @cached_property
    def counted(self) -> Stream:
        """The rounds over which margins and losses are taken.

        All of them, less the empty rows labelled +1 where there is no constant feature: they
        score 0 for every weight vector, which predicts +1, so they are never mistaken.
        """
        stream = self.stream
        if self.bias or np.all(self.can_be_mistaken):
            return stream
        return stream.take(np.flatnonzero(self.can_be_mistaken))

    @cached_property
    def can_be_mistaken(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """False for the rows that `counted` leaves out."""
        empty = np.diff(self.stream.row_start) == 0
        return np.asarray(~empty | (self.stream.label < 0) | self.bias)

    @cached_property
    def mistake_norms(self) -> list[Fraction]:
        """||x||^2 of the mistake rounds."""
        return squared_norms(self.stream.take(self.replay.mistaken), self.bias)

    @cached_property
    def mistake_radius(self) -> Fraction:
        """The largest |x_i| of the mistake rounds, the constant feature included."""
        value = self.stream.take(self.replay.mistaken).value
        constant = 1.0 if self.bias and self.mistakes else 0.0
        return Fraction(float(np.max(np.abs(value), initial=constant)))
