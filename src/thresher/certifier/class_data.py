"""A concept class as data that somebody without the learner can evaluate."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.concepts import (
    ConceptClass,
    Conjunctions,
    CountingThresholds,
    Disjunctions,
    TruthTable,
)
from thresher.errors import NotCertifiableError
from thresher.verifier.replays.class_shape import LARGEST_CLASS, LARGEST_TABLE
from thresher.verifier.replays.concept_classes import class_cells


def class_data(concepts: ConceptClass) -> dict[str, Any]:
    """The class by name and parameters where the verifier knows it, otherwise as a table.

    >>> class_data(Disjunctions(5, k=2))
    {'class': 'Disjunctions', 'n_variables': 5, 'k': 2, 'negations': False}
    >>> class_data(TruthTable([[0, 1, 1, 0], [0, 0, 0, 1]]))
    {'class': 'TruthTable', 'n_variables': 2, 'points': None, 'rows': ['60', '10']}
    """
    # A subclass may mean something else by the same parameters.
    name = type(concepts).__name__
    if type(concepts) in (Disjunctions, Conjunctions, CountingThresholds):
        data = {"class": name, **vars(concepts)}
        if "negations" in data:
            data["negations"] = bool(data["negations"])
        if class_cells(data) > LARGEST_CLASS:
            raise NotCertifiableError(
                f"{concepts!r} has {concepts.size} concepts, {class_cells(data)} numbers in all; "
                f"a check holds at most {LARGEST_CLASS}. Use a smaller class."
            )
        return data
    n, size = concepts.n_variables, concepts.size
    n_points = concepts.n_points if isinstance(concepts, TruthTable) else 2**n
    if size * n_points > LARGEST_TABLE:
        raise NotCertifiableError(
            f"{concepts!r} must be written out in the certificate as a table of {size} concepts "
            f"on {n_points} points, {size * n_points} bits; the limit is {LARGEST_TABLE}. Use a "
            "smaller class, or Disjunctions, Conjunctions or CountingThresholds, which are named."
        )
    points, bits = _points_and_bits(concepts, n_points)
    rows = [packed.tobytes().hex() for packed in np.packbits(bits, axis=1)]
    return {"class": "TruthTable", "n_variables": n, "points": points, "rows": rows}


def _points_and_bits(
    concepts: ConceptClass, n_points: int
) -> tuple[list[list[int]] | None, NDArray[np.bool_]]:
    n = concepts.n_variables
    if isinstance(concepts, TruthTable):
        points = [concepts.point(p) for p in range(n_points)]
        in_order = n_points == 2**n and all(
            sum(1 << i for i in point) == p for p, point in enumerate(points)
        )
        return None if in_order else points, concepts.table()
    codes = concepts.codes(concepts.size)
    columns = [
        concepts.votes(codes, np.flatnonzero(p >> np.arange(n) & 1).astype(np.int32))
        for p in range(n_points)
    ]
    return None, np.array(columns, bool).T
