import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.committee import CommitteeEngine

def scores_taken_apart(
    engine: CommitteeEngine,
    row_start: NDArray[np.int64],
    column: NDArray[np.int32],
    value: NDArray[np.float64],
) -> tuple[
    NDArray[np.float32],
    NDArray[np.float32],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
]: ...
