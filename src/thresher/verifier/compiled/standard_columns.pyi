from collections.abc import Mapping, Sequence
from typing import Any

from numpy.typing import NDArray

SEATS: tuple[tuple[str, str], ...]

class StandardColumns:
    n_seats: int
    slots: int
    rows: float

    def __init__(self, seats: Sequence[tuple[str, float, str]], n_features: int) -> None: ...
    def begin_with(
        self,
        state: Mapping[str, NDArray[Any]],
        column: NDArray[Any] | None,
        staying: int,
        rows: float,
    ) -> None: ...
    def numbers(self) -> dict[str, NDArray[Any]]: ...
