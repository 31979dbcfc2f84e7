import numpy as np
from numpy.typing import NDArray

def use_widest(on: bool) -> bool: ...
def scan(
    block: bytes,
    n_columns: int,
    one_based: bool,
    place_out: NDArray[np.int64],
    label_out: NDArray[np.int32],
    column_out: NDArray[np.int32],
    value_out: NDArray[np.float64],
) -> tuple[tuple[int, int, int, int], list[str], bool, tuple[int, bool, float, float]] | None: ...
