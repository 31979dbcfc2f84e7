import numpy as np
from numpy.typing import NDArray

from thresher.verifier.compiled.hinge_steps import AdaGradRounds

class AdaGradLedger(AdaGradRounds):
    def ledger(
        self,
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64], dict[str, float]]: ...
