from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.row_engine import RowEngine
from thresher.kernels.rows.named_rows import NameTable

class MulticlassEngine(RowEngine):
    has_bias: bool
    n_features: int
    n_classes: int
    mistakes: int
    updates: int
    def __init__(
        self,
        owner: str,
        names: NameTable,
        n_features: int | None,
        bias: bool,
        domain: tuple[float, float, bool],
        n_classes: int,
    ) -> None: ...
    def learn(
        self,
        row_start: NDArray[np.int64],
        column: NDArray[np.int32],
        value: NDArray[np.float64],
        label: NDArray[np.int32],
        predicted_out: NDArray[np.int32],
        best_out: NDArray[np.float64],
        changed_out: NDArray[np.uint8],
    ) -> None: ...
    def scores(
        self,
        row_start: NDArray[np.int64],
        column: NDArray[np.int32],
        value: NDArray[np.float64],
        scores_out: NDArray[np.float64],
    ) -> None: ...
    def learn_one(
        self, features: dict[Any, Any], label: int
    ) -> tuple[int, tuple[NDArray[np.int32], NDArray[np.float64]] | None]: ...
    def score_one(self, features: dict[Any, Any]) -> NDArray[np.float64]: ...
    def make_ready(self, column: NDArray[np.int32], n_features: int, n_classes: int) -> None: ...
    def resize(self, n_lines: int, n_classes: int) -> None: ...
    def relaid(
        self, array: NDArray[np.float64], lines: int, stride: int, start: float
    ) -> NDArray[np.float64]: ...
    def lines(self) -> NDArray[np.int32]: ...
    def duals(self) -> NDArray[np.float64]: ...
    def weights(self) -> NDArray[np.float64]: ...
    def table(self, array: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def set_duals(self, lines: NDArray[np.int32], duals: NDArray[np.float64]) -> None: ...
    def sound(self, duals: NDArray[np.float64]) -> NDArray[np.bool_]: ...
    def rebuild(self) -> None: ...
    def counts(self) -> tuple[int, int, int]: ...
    def set_counts(self, counts: tuple[int, int, int]) -> None: ...
