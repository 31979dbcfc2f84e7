"""What a sample of a stream shows: its size and shape, and whether a short "or" explains it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from thresher.certifier.witnesses.feature_sets import (
    forgiving_disjunction,
    in_all_positives,
    small_disjunction,
)
from thresher.reports.advice import Figures
from thresher.streams.batch import Batch
from thresher.verifier import LabelledRows, read_rows

#: A set of features explains nothing unless it leaves fewer errors than this share of those that
#: the commoner label makes.
MOST_ERRORS = Fraction(1, 2)
#: Adding a feature to the set must save at least so many errors: what a relevant feature costs
#: Winnow with factor 2 among n features is 3 log2(n) mistakes, and an error costs 3.
PRICE_PER_DOUBLING = 1.0


@dataclass(frozen=True)
class Sample:
    """Measurements on the rows of a sample."""

    rows: int
    positives: int
    #: Largest column plus one, and how many columns occur.
    n_features: int
    used: int
    mean_active: float
    max_active: int
    lowest: float
    highest: float
    binary: bool
    #: Columns of the disjunction that explains the labels best; None if none does.
    disjunction: tuple[int, ...] | None = None
    #: Attribute errors of that disjunction in the sample.
    errors: int = 0
    #: How many features all positive rows share, if they occur together in no negative row.
    conjunction: int | None = None

    @property
    def clean(self) -> bool:
        """Whether a short "or" explains every label."""
        return self.disjunction is not None and not self.errors

    def figures(self, rows: int | None = None) -> Figures | None:
        """The figures to take advice on; None where no disjunction explains the labels."""
        if self.disjunction is None or not self.max_active:
            return None
        # A sample without errors does not promise a stream without them.
        noise = Fraction(self.errors, self.rows) if self.errors else None
        relevant = max(1, len(self.disjunction))
        return Figures(self.n_features, relevant, self.max_active, noise, rows or self.rows)

    def to_dict(self) -> dict[str, Any]:
        """The measurements in JSON's terms."""
        return asdict(self)


@dataclass(frozen=True)
class MulticlassSample:
    """Measurements on the rows of a sample with several classes; theorems say little of them."""

    rows: int
    classes: int
    commonest: str
    share_of_commonest: float
    n_features: int
    mean_active: float
    max_active: int
    clean: ClassVar[bool] = False

    @classmethod
    def of(cls, batch: Batch) -> MulticlassSample:
        """Look at a sample that has rows."""
        labels, counts = np.unique(batch.labels.astype(str), return_counts=True)
        active = np.diff(batch.row_start)
        return cls(
            rows=len(batch),
            classes=len(labels),
            commonest=str(labels[np.argmax(counts)]),
            share_of_commonest=float(counts.max() / len(batch)),
            n_features=batch.n_features,
            mean_active=float(active.mean()),
            max_active=int(active.max()),
        )

    def to_dict(self) -> dict[str, Any]:
        """The measurements in JSON's terms."""
        return asdict(self)


def measure(batch: Batch) -> Sample:
    """Look at a sample with two classes.

    >>> rows = [[1, 0, 1, 0], [0, 1, 1, 0], [0, 0, 1, 1], [0, 1, 0, 0]]
    >>> found = measure(Batch.of(rows, [1, -1, 1, -1]))
    >>> found.disjunction, found.errors, found.max_active, found.binary
    ((0, 3), 0, 2, True)
    """
    stream = read_rows(batch)
    active = np.diff(batch.row_start)
    found: dict[str, Any] = {}
    if batch.only_ones and len(batch):
        found = _disjunction(stream) | {"conjunction": _conjunction(stream)}
    return Sample(
        rows=len(batch),
        positives=int(np.count_nonzero(batch.label > 0)),
        n_features=batch.n_features,
        used=len(np.unique(batch.column)),
        mean_active=float(active.mean()) if len(active) else 0.0,
        max_active=int(active.max(initial=0)),
        lowest=float(batch.lowest),
        highest=float(batch.highest),
        binary=bool(batch.only_ones),
        **found,
    )


def _disjunction(stream: LabelledRows) -> dict[str, Any]:
    n = stream.width
    exact = small_disjunction(stream, n) if n else None
    if exact is not None:
        return {"disjunction": tuple(exact.tolist())}
    if not n:
        return {}
    chosen = forgiving_disjunction(stream, n, PRICE_PER_DOUBLING * float(np.log2(n + 1)))
    hits = np.bincount(stream.row[np.isin(stream.column, chosen)], minlength=len(stream))
    errors = int(np.sum(np.where(stream.label > 0, hits == 0, hits)))
    positives = int(np.count_nonzero(stream.label > 0))
    if errors >= MOST_ERRORS * min(positives, len(stream) - positives):
        return {}
    return {"disjunction": tuple(chosen.tolist()), "errors": errors}


def _conjunction(stream: LabelledRows) -> int | None:
    """The size of the largest conjunction that agrees with every label, if there is one."""
    if not np.any(stream.label > 0) or not stream.width:
        return None
    shared = in_all_positives(stream, stream.width)
    hits = np.bincount(stream.row[np.isin(stream.column, shared)], minlength=len(stream))
    wrong = np.any((hits == len(shared)) & (stream.label < 0))
    return None if wrong or not len(shared) else len(shared)
