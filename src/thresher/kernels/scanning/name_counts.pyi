import numpy as np
from numpy.typing import NDArray

from thresher.kernels.scanning.crossing import Crossing

LONGEST_NAME: int

class NameCounts:
    limit: int
    max_bytes: int
    def __init__(
        self, limit: int, max_bytes: int, crossing: Crossing | None = None
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def dropped(self) -> int: ...
    def count_row(self, names: list[bytes]) -> None: ...
    def count_pairs(
        self, row_start: NDArray[np.int64], column: NDArray[np.int32]
    ) -> None: ...
    def names(self) -> list[bytes]: ...
    def arrays(self) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]: ...
    def restore(
        self,
        text: NDArray[np.uint8],
        stop: NDArray[np.int64],
        rows: NDArray[np.int64],
        dropped: int,
    ) -> None: ...
