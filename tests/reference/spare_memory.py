"""Memory that is never used again: fresh for whoever asks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray


class SpareArrays:
    """Arrays of numbers of one type."""

    def __init__(self, kind: DTypeLike) -> None:
        self.kind = kind

    def take(self, n: int) -> NDArray[Any]:
        """An array of n numbers."""
        return np.empty(n, self.kind)
