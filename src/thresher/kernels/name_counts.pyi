import numpy as np
from numpy.typing import NDArray

LONGEST_NAME: int

class NameCounts:
    limit: int
    max_bytes: int
    dropped: int
    def __init__(self, limit: int, max_bytes: int) -> None: ...
    def __len__(self) -> int: ...
    def count_row(self, names: list[bytes]) -> None: ...
    def names(self) -> list[bytes]: ...
    def arrays(self) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]: ...
    def restore(
        self,
        text: NDArray[np.uint8],
        stop: NDArray[np.int64],
        rows: NDArray[np.int64],
        dropped: int,
    ) -> None: ...
