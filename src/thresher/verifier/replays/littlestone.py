"""Littlestone dimensions of finite classes, searched for by the verifier itself."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.errors import NotCertifiableError
from thresher.verifier.replays.concept_classes import ClassData, table_bits

#: The largest class whose Littlestone dimension is searched for, and the splits one run may try.
MOST_CONCEPTS, MOST_SPLITS = 2**12, 5_000_000


class Dimensions:
    """Littlestone dimensions of sub-classes of a table; a sub-class is a whole number's bits.

    A class reaches depth d if some point splits it into two that reach d - 1, and depth 0 if
    it is not empty. A class of dimension d has at least 2^d members.

    >>> rows = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], bool)
    >>> [Dimensions(rows).of(each) for each in (0b1111, 0b0111, 0b0001, 0)]
    [2, 1, 0, -1]
    """

    def __init__(self, bits: NDArray[np.bool_]) -> None:
        packed = np.packbits(bits, axis=0, bitorder="little").T
        self.splits = sorted({int.from_bytes(column.tobytes(), "little") for column in packed})
        self.reached: dict[tuple[int, int], bool] = {}
        self.tried = 0

    def of(self, subclass: int) -> int:
        """The dimension; -1 if the sub-class is empty."""
        depth = -1
        while self._reaches(subclass, depth + 1):
            depth += 1
        return depth

    def _reaches(self, subclass: int, depth: int) -> bool:
        if depth <= 1 or subclass.bit_count() < 1 << depth:
            # Concepts that agree everywhere are one: two members are not yet a split.
            return subclass.bit_count() >= 1 << depth and (depth < 1 or self._split(subclass))
        known = self.reached.get((subclass, depth))
        if known is None:
            known = any(
                self._reaches(subclass & split, depth - 1)
                and self._reaches(subclass & ~split, depth - 1)
                for split in self._counted(subclass)
            )
            self.reached[subclass, depth] = known
        return known

    def _split(self, subclass: int) -> bool:
        return any(0 != subclass & split != subclass for split in self._counted(subclass))

    def _counted(self, subclass: int) -> list[int]:
        self.tried += len(self.splits)
        if self.tried > MOST_SPLITS:
            raise NotCertifiableError(
                f"the Littlestone dimension of {subclass.bit_count()} concepts on "
                f"{len(self.splits)} points takes more than {MOST_SPLITS} splits to find, which "
                "is the limit of a check. Use a smaller class."
            )
        return self.splits


def dimension_of(data: ClassData) -> int:
    """The Littlestone dimension of a class given as a table."""
    bits = table_bits(data)
    return Dimensions(bits).of((1 << len(bits)) - 1)


def mask_of(members: NDArray[np.int64]) -> int:
    """Concepts by number as the bits of a whole number."""
    flags = np.zeros(int(members.max(initial=0)) + 1, np.uint8)
    flags[members] = 1
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")
