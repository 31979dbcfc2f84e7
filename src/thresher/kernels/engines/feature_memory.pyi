from typing import Any

import numpy as np
from numpy.typing import NDArray

UNSEEN: float

class FeatureMemory:
    n: int
    def __init__(
        self, n_features: int, growing: bool, narrow: bool, fresh: NDArray[np.float32]
    ) -> None: ...
    def arrange(self, n_slots: int, n_committees: int) -> None: ...
    def slots_of(
        self,
        row_start: NDArray[np.int64],
        column: NDArray[np.int32],
        learned: bool | NDArray[np.bool_],
    ) -> NDArray[np.int32]: ...
    def same_as(self, other: FeatureMemory) -> bool: ...
    def remembered(self) -> list[NDArray[Any]]: ...
    def lines_of(self, place: int, n: int = 1) -> NDArray[np.float32]: ...
    def take_over(
        self, plain: bool, remembered: list[NDArray[Any]], lines: NDArray[np.float32]
    ) -> None: ...

def cache_lines(n_slots: int, n_committees: int) -> NDArray[np.float32]: ...
