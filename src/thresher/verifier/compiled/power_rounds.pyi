from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.compiled.linear_rounds import LinearRounds

class PowerRounds(LinearRounds):
    def set_link(
        self,
        base: float,
        rate: float,
        mirrored: bool,
        binary: bool,
    ) -> None: ...
    def set_threshold(
        self,
        threshold: float,
        exact_threshold: bool,
        reaches: Callable[[list[tuple[float, float]]], bool],
    ) -> None: ...
    def margins(self) -> NDArray[np.float64] | None: ...

class WinnowRounds(PowerRounds):
    def set_rule(self, margin: float, lowest: float, zeroing: bool) -> None: ...

class ExponentiatedRounds(PowerRounds):
    def set_phases(self, rates: NDArray[np.float64], budgets: NDArray[np.int64]) -> None: ...
    def set_coordinates(self, coordinates: int, given: NDArray[np.int64] | None = None) -> None: ...
    @property
    def present_phase(self) -> tuple[int, int]: ...

class VotingRounds(PowerRounds):
    def set_rule(self, dropping: bool) -> None: ...
