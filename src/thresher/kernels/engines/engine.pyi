from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.row_engine import RowEngine
from thresher.kernels.rows.journal import JournalBuffer
from thresher.kernels.rows.named_rows import NameTable

class Engine(RowEngine):
    threshold: float
    false_negatives: int
    false_positives: int
    close_calls: int
    journal: JournalBuffer
    averaging: bool
    takes_importance: bool
    scaling: int
    def __init__(
        self,
        owner: str,
        names: NameTable,
        journal: JournalBuffer,
        n_weights: int,
        bias: bool,
        threshold: float,
        domain: tuple[float, float, bool],
    ) -> None: ...
    def weigh(self, takes_importance: bool, negative: float, positive: float) -> None: ...
    def scale(self, scaling: int) -> None: ...
    def learn(
        self,
        row_start: NDArray[np.int64],
        column: NDArray[np.int32],
        value: NDArray[np.float64],
        label: NDArray[np.int8],
        ones: bool,
        scores_out: NDArray[np.float64],
        importance: NDArray[np.float64] | None = None,
        rounds: NDArray[np.int64] | None = None,
    ) -> None: ...
    def scores(
        self,
        row_start: NDArray[np.int64],
        column: NDArray[np.int32],
        value: NDArray[np.float64],
        ones: bool,
        scores_out: NDArray[np.float64],
    ) -> None: ...
    def room_to_scale(self, row_start: NDArray[np.int64]) -> NDArray[np.float64] | None: ...
    def needs_no_values(self, row_start: NDArray[np.int64]) -> bool: ...
    def learn_one(
        self, features: dict[Any, Any], label: object, importance: float = 1.0
    ) -> float: ...
    def score_one(self, features: dict[Any, Any]) -> float: ...
    def check_importance(self, row: int, importance: float) -> None: ...
    def make_ready(
        self,
        n_rows: int,
        n_values: int,
        n_features: int,
        values: tuple[float, float],
        integral: bool,
        importance: NDArray[np.float64] | None = None,
    ) -> None: ...
    def make_space(
        self, n_rows: int, n_values: int, n_features: int, ones: bool, weighted: bool
    ) -> None: ...
    def way_back(self, n_values: int) -> tuple[Any, ...] | None: ...
    def go_back(self, way: tuple[Any, ...]) -> None: ...
    @property
    def n_features(self) -> int: ...
    @property
    def has_bias(self) -> bool: ...
    def stored(self) -> NDArray[np.float64]: ...
    def scales(self) -> NDArray[np.float64]: ...
    def set_scales(self, scales: NDArray[np.float64]) -> None: ...
    def counts(self) -> tuple[int, int, int, int]: ...
    def set_history(self, counts: tuple[int, int, int, int], journal: JournalBuffer) -> None: ...
