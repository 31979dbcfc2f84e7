from collections.abc import Callable

from thresher.kernels.engines.normalized import NormalizedEngine

class ExponentiatedEngine(NormalizedEngine):
    phase_mistakes: int
    def set_phase(
        self,
        rate: float,
        budget: int,
        reaches_threshold: Callable[[list[tuple[float, float]]], bool],
        next_phase: Callable[[], None],
    ) -> None: ...
    def set_phase_mistakes(self, phase_mistakes: int) -> None: ...
