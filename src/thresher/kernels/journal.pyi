import numpy as np
from numpy.typing import NDArray

class JournalBuffer:
    limit: int
    omitted: int
    warned: bool
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
    ) -> None: ...
    def warn_once(self) -> bool: ...
    def arrays(
        self,
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.float64],
        NDArray[np.int8],
        NDArray[np.int64],
    ]: ...
