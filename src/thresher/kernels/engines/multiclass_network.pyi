import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.multiclass_engine import MulticlassEngine

class NetworkClasses(MulticlassEngine):
    def set_rule(self, base: float, start: float, threshold: float) -> None: ...
    def sound(self, duals: NDArray[np.float64]) -> NDArray[np.bool_]: ...
