import numpy as np
from numpy.typing import NDArray

def play_sums(
    row_start: NDArray[np.int64],
    column: NDArray[np.int32],
    value: NDArray[np.float64],
    label: NDArray[np.int8],
    weight: NDArray[np.float64],
    bias_weight: float,
    bias: bool,
    first: int,
    stop: int,
    mistaken: NDArray[np.uint8],
) -> float: ...
