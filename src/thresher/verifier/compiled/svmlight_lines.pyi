import numpy as np
from numpy.typing import NDArray

def scan_lines(
    text: bytes, start: int, n_columns: int, one_based: bool
) -> tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.int32],
    list[bytes],
    list[int],
    int,
    tuple[int, int, int, int] | None,
]: ...
