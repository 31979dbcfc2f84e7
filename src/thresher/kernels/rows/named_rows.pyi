from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

LARGEST_GROWN_INDEX: int

class NameTable:
    hashed: bool
    growing: bool
    n_features: int
    seed: int
    strongest: bool
    as_written: bool
    vocabulary: dict[str, int]
    def __init__(
        self,
        n_features: int | None,
        hashed: bool,
        seed: int = 0,
        strongest: bool = False,
        as_written: bool = False,
    ) -> None: ...
    def column_of(self, key: str | int) -> int | None: ...
    def forget(self, size: int) -> None: ...

class PackedRow: ...

def pack(
    rows: Iterable[Any], names: NameTable, add: bool
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]: ...
