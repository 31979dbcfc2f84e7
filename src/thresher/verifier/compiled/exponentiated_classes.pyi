import numpy as np
from numpy.typing import NDArray

from thresher.verifier.compiled.class_rounds import ClassRounds

class ExponentiatedClasses(ClassRounds):
    subtracted: float
    def set_rule(self, eta: float, signed: bool, uniform: bool) -> None: ...
    def duals(self) -> NDArray[np.float64]: ...
