from typing import Any

import numpy as np
from numpy.typing import NDArray

class LinearRounds:
    def __init__(
        self,
        stream: Any,
        width: int,
        bias: bool,
        class_weight: tuple[float, float],
        averaging: bool,
        online: bool,
    ) -> None: ...
    def play(self, first: int, stop: int) -> None: ...
    def mistaken_rounds(self) -> NDArray[np.int64]: ...
    def updating_rounds(self) -> NDArray[np.int64]: ...
    def margins(self) -> NDArray[np.float64]: ...
    def by_feature(self) -> dict[str, NDArray[np.float64]]: ...
