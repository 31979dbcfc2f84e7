"""Rows that are held out: which of a stream are learned, and which are only predicted."""

from __future__ import annotations

import numpy as np

from thresher.verifier.readers.labelled_rows import LabelledRows


def learned_rounds(rows: int, every: int | None) -> int:
    """How many rows are learned where every so many-th is held out.

    >>> learned_rounds(10, 3), learned_rounds(10, None)
    (7, 10)
    """
    return rows if every is None else rows - rows // every


def divided(stream: LabelledRows, every: int | None) -> tuple[LabelledRows, LabelledRows | None]:
    """The rows that are learned, and those whose number, counted from 1, `every` divides.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> learned, held_out = divided(read_rows([[1], [2], [3], [4]], [1, 1, 1, 1]), 2)
    >>> learned.value.tolist(), held_out.value.tolist()
    ([1.0, 3.0], [2.0, 4.0])
    """
    if every is None:
        return stream, None
    held = (np.arange(len(stream)) + 1) % every == 0
    return stream.take(np.flatnonzero(~held)), stream.take(np.flatnonzero(held))
