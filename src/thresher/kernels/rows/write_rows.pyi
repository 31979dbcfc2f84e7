import numpy as np
from numpy.typing import NDArray

def write_rows(
    rows: tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]],
    first: int,
    head_of_row: NDArray[np.int32],
    heads: list[bytes],
    marks: tuple[bytes, bytes, bytes, bytes],
    buffer: bytearray,
) -> tuple[int, int]: ...
