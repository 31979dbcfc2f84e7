import numpy as np
from numpy.typing import NDArray

from thresher.verifier.compiled.class_rounds import ClassRounds

class ExponentiatedClasses(ClassRounds):
    subtracted: float
    def set_rule(self, eta: float, signed: bool, uniform: bool) -> None: ...
    def take_duals(
        self, places: NDArray[np.int64], table: NDArray[np.float64], subtracted: float
    ) -> None: ...
    def duals(self) -> NDArray[np.float64]: ...
