from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.compiled.mixture import MixtureRun

RULES: tuple[str, ...]
ROWS: tuple[str, ...]
STARTS: tuple[float, ...]
UNSEEN: float

class CommitteeRun:
    own: NDArray[np.float32]
    shrink: NDArray[np.float64]
    mixture: MixtureRun
    mass: float
    labels: float

    def __init__(
        self,
        members: Sequence[tuple[str, float, str]],
        n_features: int,
        longest_row: int,
        class_weight: tuple[float, float],
    ) -> None: ...
    def begin_with(
        self,
        state: Mapping[str, NDArray[Any]],
        places: NDArray[np.int64],
        slots: NDArray[np.int64] | None,
    ) -> None: ...
    def play(
        self,
        row_start: NDArray[np.int64],
        column: NDArray[np.int32],
        value: NDArray[np.float64],
        label: NDArray[np.int8],
        said: NDArray[np.float64],
    ) -> None: ...
    def leaning(
        self,
        row_start: NDArray[np.int64],
        column: NDArray[np.int32],
        value: NDArray[np.float64],
    ) -> NDArray[np.float64]: ...
    def numbers(self) -> dict[str, NDArray[np.float64]]: ...
