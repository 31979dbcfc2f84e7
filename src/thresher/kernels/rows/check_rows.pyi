from typing import Any

import numpy as np
from numpy.typing import NDArray

def inspect(
    row_start: NDArray[np.int64], column: NDArray[np.int32], value: NDArray[np.float64]
) -> tuple[int, int, int, bool, float, float]: ...
def inspect_share(
    row_start: NDArray[np.int64],
    column: NDArray[np.int32],
    value: NDArray[np.float64],
    found: list[Any],
) -> None: ...
def inspect_columns(
    row_start: NDArray[np.int64], column: NDArray[np.int32], order: list[Any]
) -> None: ...
def inspect_frame(
    row_start: NDArray[np.int64],
    column: NDArray[np.int32],
    label: NDArray[np.int32],
    n_labels: int,
) -> tuple[int, int]: ...
def inspect_values(value: NDArray[np.float64]) -> tuple[int, int, bool, float, float]: ...
