"""In how many rounds a witness is wrong itself, where it is a classifier."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.measures.margins import Margins
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import Comparator, Witness


def errors_as_a_separator(run: ReplayedRun, witness: Witness) -> int | None:
    """The errors of a weight vector with threshold 0, an expert among them."""
    return Margins(run.stream, witness.comparator).errors()


def errors_as_a_disjunction(run: ReplayedRun, witness: Witness) -> int | None:
    """The errors of a set that says +1 when one feature is active; a fractional cover has none."""
    return _errors_of_a_set(run.kept, witness.comparator, 1)


def errors_as_a_conjunction(run: ReplayedRun, witness: Witness) -> int | None:
    """The errors of a set that says +1 when all its features are active."""
    return _errors_of_a_set(run.kept, witness.comparator, len(witness.comparator.columns))


def _errors_of_a_set(stream: LabelledRows, u: Comparator, needed: int) -> int | None:
    if not u.is_a_set:
        return None
    return int(np.count_nonzero((active(stream, u) >= needed) != (stream.label > 0)))


def active(stream: LabelledRows, u: Comparator) -> NDArray[np.int64]:
    """How many features of the set are active in each row."""
    chosen = np.isin(stream.column, np.array(u.columns, np.int64))
    return np.bincount(stream.row[chosen], minlength=len(stream))


def attribute_errors(stream: LabelledRows, u: Comparator) -> int:
    """1 for a positive row without a feature of the set, k for a negative one with k of them."""
    count = active(stream, u)
    missing = np.count_nonzero((count == 0) & (stream.label > 0))
    return int(missing) + int(np.sum(count[stream.label < 0]))
