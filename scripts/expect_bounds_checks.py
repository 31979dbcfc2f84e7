"""Exit with an error unless the kernels that Python finds were compiled with bounds checks.

Run by `make check-bounds` before the tests, which would pass just as well without the checks.
"""

from __future__ import annotations

import sys

import numpy as np

import thresher as th
from thresher.kernels.engines import engine

if __name__ == "__main__":
    rows = th.Rows.of([[1.0], [1.0]])
    # Room for one score of two: the sort of call the checks are for. What is behind the one
    # belongs to the same array, so that nothing is harmed where nobody checks.
    short = np.zeros(8)[:1]
    try:
        th.Perceptron(1)._engine.scores(rows.row_start, rows.column, rows.value, False, short)
    except IndexError:
        sys.exit(0)
    sys.exit(f"no bounds checks in {engine.__file__}")
