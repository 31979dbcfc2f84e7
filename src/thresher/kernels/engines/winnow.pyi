import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.multiplicative import MultiplicativeEngine

class WinnowEngine(MultiplicativeEngine):
    def set_rule(self, margin: float, floor: float) -> None: ...
    def needs_no_values(self, row_start: NDArray[np.int64]) -> bool: ...

class Winnow1Engine(WinnowEngine): ...
