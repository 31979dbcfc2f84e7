from typing import Any

import numpy as np
from numpy.typing import NDArray

SEAT_KINDS: tuple[tuple[str, str], ...]

def cache_lines(n_features: int, n_committees: int) -> NDArray[np.float32]: ...
def seat_limits() -> tuple[int, ...]: ...
def in_triangle(n: int) -> NDArray[np.intp]: ...
def seat_places(kind: int, n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]: ...
def fresh_seat(kind: int, room: int) -> list[NDArray[np.float64]]: ...
def check_numbers(
    totals: list[float],
    parts: dict[str, NDArray[np.float64]],
    standing: NDArray[np.float64],
    standards: list[NDArray[Any]],
    shapes: list[tuple[int, ...]],
) -> None: ...
def check_standards(
    standing: NDArray[np.float64],
    standards: list[NDArray[Any]],
    kinds: list[int],
    members: range,
    n_features: int,
) -> None: ...
def with_seats(other: tuple[Any, ...], n: int) -> tuple[Any, ...]: ...
