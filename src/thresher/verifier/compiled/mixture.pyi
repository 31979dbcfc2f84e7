import numpy as np
from numpy.typing import NDArray

class MixtureRun:
    present: int
    rounds: float

    def __init__(self, n: int) -> None: ...
    def numbers(self) -> dict[str, NDArray[np.float64]]: ...
    def record(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]: ...
