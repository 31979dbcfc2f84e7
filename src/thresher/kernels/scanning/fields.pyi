from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts

class Fields:
    def __init__(self, lexicon: Lexicon) -> None: ...
    def count_names(self, objects: list[Any], counts: NameCounts) -> None: ...
    def pack(
        self, objects: list[Any]
    ) -> tuple[
        NDArray[np.int64],
        NDArray[np.int32],
        NDArray[np.float64],
        list[tuple[Any, ...]],
    ]: ...

def pack_entries(
    start: NDArray[np.int64],
    place: NDArray[np.int32],
    value: NDArray[np.float64],
    lexicon: Lexicon,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]] | None: ...
