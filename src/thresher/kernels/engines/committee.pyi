from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.engine import Engine

RULES: tuple[str, ...]
VIEWS: tuple[str, ...]
MOST_LANES: int
MOST_SEATS: int
STARTS: tuple[float, ...]

class CommitteeEngine(Engine):
    plain: bool
    present: int
    weighed: float
    mass: float
    rows_standardised: float
    def standards(self) -> list[NDArray[Any]]: ...
    def set_members(self, members: Sequence[tuple[str, str, float]]) -> None: ...
    def fresh_block(self, n_features: int) -> NDArray[np.float32]: ...
    def move(self, place: NDArray[np.float32], first: CommitteeEngine) -> None: ...
    def saw_the_same(self, other: CommitteeEngine) -> bool: ...
    def use_widest(self, allowed: bool) -> None: ...
    def learn(
        self,
        row_start: NDArray[np.int64],
        column: NDArray[np.int32],
        value: NDArray[np.float64],
        label: NDArray[np.int8],
        ones: bool,
        scores_out: NDArray[np.float64],
        importance: NDArray[np.float64] | None = None,
    ) -> None: ...
    def make_ready(
        self,
        n_rows: int,
        n_values: int,
        n_features: int,
        values: tuple[float, float],
        integral: bool,
        importance: NDArray[np.float64] | None = None,
    ) -> None: ...
    def needs_no_values(self, row_start: NDArray[np.int64]) -> bool: ...
    def dual(self) -> NDArray[np.float32]: ...
    def set_dual(self, dual: Any) -> None: ...
    def fields(self) -> dict[str, NDArray[Any]]: ...
    def other_state(self) -> tuple[Any, ...]: ...
    def set_other_state(self, other: tuple[Any, ...]) -> None: ...
