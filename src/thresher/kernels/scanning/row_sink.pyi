import numpy as np
from numpy.typing import NDArray

class RowSink:
    n_rows: int
    n_faults: int
    n_lines: int
    def __init__(self, block: bytes) -> None: ...
    @property
    def only_ones(self) -> bool: ...
    def arrays(
        self, with_values: bool = True
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.float64],
        NDArray[np.int32],
        NDArray[np.float64] | None,
        NDArray[np.int64],
        NDArray[np.int64],
        NDArray[np.int64],
    ]: ...
    def label_names(self) -> list[str]: ...
    def faults(self) -> NDArray[np.int64]: ...
