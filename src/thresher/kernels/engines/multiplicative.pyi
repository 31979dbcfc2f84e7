from collections.abc import Callable

from thresher.kernels.engines.duals import DualEngine

class MultiplicativeEngine(DualEngine):
    def set_comparison(
        self, reaches_threshold: Callable[[list[tuple[float, float]]], bool], exact_threshold: bool
    ) -> None: ...
