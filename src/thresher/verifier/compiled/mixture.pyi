import numpy as np
from numpy.typing import NDArray

def prior_weights(lanes: int, seats: int) -> list[float]: ...

class MixtureRun:
    present: int
    rounds: float

    def __init__(self, lanes: int, seats: int) -> None: ...
    def numbers(self) -> dict[str, NDArray[np.float64]]: ...
    def record(
        self,
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]: ...
