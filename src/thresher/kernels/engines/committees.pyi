from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.kernels.engines.committee import CommitteeEngine

class Share:
    def __init__(self, whole: Committees, begin: int, end: int, rows: int) -> None: ...
    def learn(
        self,
        row_start: NDArray[np.int64],
        slot: NDArray[np.int32],
        value: NDArray[np.float64],
        label: NDArray[np.int32],
        own: NDArray[np.float64],
        known: NDArray[np.int64],
        importance: NDArray[np.float64] | None = None,
    ) -> None: ...
    def outcome(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]: ...

class Committees:
    def __init__(self, engines: list[CommitteeEngine]) -> None: ...
    def add(self, engines: list[CommitteeEngine]) -> None: ...
    def widen(self, n: int, room: int) -> None: ...
    def forget(self, n: int) -> None: ...
    def set_features(self, features: tuple[Any, ...]) -> None: ...
    def note_addresses(self) -> None: ...
    def make_ready(self, n_features: int, ones: bool, weighted: list[bool]) -> None: ...
    def begin(
        self,
        row_start: NDArray[np.int64],
        column: NDArray[np.int32],
        n_shares: int,
        importance: NDArray[np.float64] | None = None,
    ) -> tuple[NDArray[np.int32], list[Share]]: ...
    def finish(self, shares: list[Share]) -> None: ...
    def scores(
        self,
        row_start: NDArray[np.int64],
        column: NDArray[np.int32],
        value: NDArray[np.float64],
        ones: bool,
        scores_out: NDArray[np.float64],
    ) -> None: ...
