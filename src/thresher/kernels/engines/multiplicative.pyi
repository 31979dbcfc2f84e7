from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.duals import DualEngine

class MultiplicativeEngine(DualEngine):
    budget: int
    phase_mistakes: int
    def set_rule(
        self,
        rule: dict[str, float],
        reaches_threshold: Callable[[list[tuple[float, float]]], bool],
    ) -> None: ...
    def set_phase(
        self,
        rate: float,
        budget: int,
        reaches_threshold: Callable[[list[tuple[float, float]]], bool],
        next_phase: Callable[[], None],
    ) -> None: ...
    def set_phase_mistakes(self, phase_mistakes: int) -> None: ...
    def needs_no_values(self, row_start: NDArray[np.int64]) -> bool: ...
