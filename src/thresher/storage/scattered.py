"""Arrays most of whose blocks are alike: of these only the others are kept.

A table of weights has a block of numbers for each feature, and most features of a wide table were
never seen: their blocks are what a learner starts with. Which that is nobody needs to say: it is
the block that is there most often.
"""

from __future__ import annotations

from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

#: Arrays of fewer bytes are kept whole.
SMALL = 2**12
#: So many bytes may come out of all scattered arrays of a file; what is more is kept whole, so
#: that a short file cannot ask for more memory than this.
MOST_BYTES = 2**32
#: Out of so many blocks, spread evenly, the commonest is chosen; it must be there so often.
SAMPLE, OFTEN = 31, 12


class Scattered(NamedTuple):
    """The common block, and the places and contents of the others."""

    common: NDArray[Any]
    at: NDArray[np.int64]
    rows: NDArray[Any]


def scattered(array: NDArray[Any], width: int) -> Scattered | None:
    """The array in blocks of `width` numbers, those left out that are as most are.

    None where a glance shows that no block is there often.

    >>> found = scattered(np.array([0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 7.0, 1.0]), 2)
    >>> found is not None and (found.common.tolist(), found.at.tolist(), found.rows.tolist())
    ([0.0, 1.0], [3], [7.0, 1.0])
    """
    blocks = array.reshape(-1, width)
    # Compared as bits: -0.0 and 0.0 are two numbers.
    bits = blocks.view(f"u{blocks.itemsize}")
    sample = bits[np.linspace(0, len(bits) - 1, SAMPLE).astype(np.int64)]
    alike = (sample[:, np.newaxis] == sample).all(axis=2).sum(axis=1)
    if alike.max() < OFTEN:
        return None
    common = sample[int(np.argmax(alike))]
    at = np.flatnonzero((bits != common).any(axis=1))
    return Scattered(common.view(array.dtype), at, blocks[at].ravel())


def gathered(found: Scattered, shape: tuple[int, ...]) -> NDArray[Any]:
    """The array that was scattered, in its shape; ValueError where there is none."""
    common, at, rows = found
    width, size = common.size, prod(shape)
    if common.ndim != 1 or not width or size % width or rows.shape != (at.size * width,):
        raise ValueError("the blocks of an array do not fit together")
    if at.dtype.kind != "i" or at.ndim != 1 or np.any(np.diff(at, prepend=-1) <= 0):
        raise ValueError("the places of blocks must increase")
    if at.size and at[-1] >= size // width:
        raise ValueError("a block lies outside of its array")
    array = np.empty(size, rows.dtype)
    blocks = array.reshape(-1, width)
    blocks[:] = common
    blocks[at] = rows.reshape(-1, width)
    return array.reshape(shape)
