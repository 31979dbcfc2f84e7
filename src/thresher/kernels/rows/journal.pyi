import numpy as np
from numpy.typing import NDArray

Arrays = tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.float64],
    NDArray[np.int8],
    NDArray[np.int64],
]

Parts = tuple[
    NDArray[np.int64],
    NDArray[np.int32],
    NDArray[np.float64] | None,
    NDArray[np.int8],
    NDArray[np.int64],
]

class JournalBuffer:
    limit: int
    omitted: int
    warned: bool
    weighted: bool
    def __init__(self, limit: int) -> None: ...
    def __len__(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def append_row(
        self,
        column: NDArray[np.int32],
        value: NDArray[np.float64],
        label: int,
        round_number: int,
        importance: float = 1.0,
    ) -> None: ...
    def weights(self) -> NDArray[np.float64] | None: ...
    def __copy__(self) -> JournalBuffer: ...
    def extent(self) -> tuple[int | bool, ...]: ...
    def cut_back(self, extent: tuple[int | bool, ...]) -> None: ...
    def warn_once(self) -> bool: ...
    def parts(self) -> Parts: ...
    def arrays(self) -> Arrays: ...

def restored(
    limit: int,
    parts: Parts,
    omitted: int,
    warned: bool,
    weights: tuple[bool, NDArray[np.float64] | None] = (False, None),
) -> JournalBuffer: ...
