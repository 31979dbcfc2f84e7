from typing import Any

import numpy as np
from numpy.typing import NDArray

class ClassRounds:
    def __init__(
        self,
        stream: Any,
        label: NDArray[np.int32],
        width: int,
        n_classes: int,
        n_stated: int,
        bias: bool,
    ) -> None: ...
    def play(self) -> None: ...
    def predicted(self) -> NDArray[np.int32]: ...
    def changed(self) -> NDArray[np.bool_]: ...
    def table(self) -> NDArray[np.float64]: ...
    def touched(self) -> NDArray[np.uint8]: ...
