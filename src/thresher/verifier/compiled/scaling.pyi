import numpy as np
from numpy.typing import NDArray

def scaled_values(
    row_start: NDArray[np.int64], value: NDArray[np.float64], kind: str
) -> NDArray[np.float64]: ...
