import numpy as np
from numpy.typing import NDArray

from thresher.verifier.compiled.class_rounds import ClassRounds

class NetworkClasses(ClassRounds):
    def set_rule(self, base: float, start: float, threshold: float) -> None: ...
    def duals(self) -> NDArray[np.float64]: ...
