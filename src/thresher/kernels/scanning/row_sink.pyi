import numpy as np
from numpy.typing import NDArray

from thresher.kernels.scanning.lexicon import Lexicon

class RowSink:
    n_rows: int
    n_faults: int
    n_lines: int
    def __init__(self, block: bytes) -> None: ...
    @property
    def pair_without_room(self) -> bytes: ...
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

def words_for(code: int, found: int) -> tuple[str, str]: ...
def is_of_pairs(code: int) -> bool: ...
def cross_rows(
    row_start: NDArray[np.int64],
    column: NDArray[np.int32],
    value: NDArray[np.float64],
    lexicon: Lexicon,
) -> RowSink: ...
