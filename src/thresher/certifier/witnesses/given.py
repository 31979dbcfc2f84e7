"""A comparator the caller brings along, in the forms the theorems can use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import NotCertifiableError
from thresher.verifier.measures.margins import Margins
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.witness import LARGEST_NUMERATOR, Comparator, Witness

Vector = NDArray[np.float64]
SCALES = (2**7, 2**11, 2**16)
ORIGIN = "given"


def given_witnesses(run: ReplayedRun, witness: Any) -> Iterator[Witness]:
    """The witness, at its margin and at levels of loss, with whole numerators.

    It is a `Witness`, a dict from column to weight, or a list of weights, in which a learner
    with a constant feature may find one weight more than it has features.
    """
    if isinstance(witness, Witness):
        yield witness
        return
    columns, weights, bias = _read(run, witness)
    for comparator in _whole(columns, weights, bias):
        yield Witness(comparator, origin=ORIGIN)
        if run.algorithm.uses_rho:
            for rho in (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
                yield Witness(comparator, rho=rho, origin=ORIGIN)
        if run.algorithm.uses_level:
            margins = Margins(run.counted, comparator).approximate / comparator.denominator
            for share in (5, 10, 25, 50, 75, 90):
                level = float(np.percentile(margins, share)) if len(margins) else 0.0
                if level > 0:
                    short = Fraction(level).limit_denominator(10**6)
                    yield Witness(comparator, level=short or Fraction(level), origin=ORIGIN)


def _read(run: ReplayedRun, witness: Any) -> tuple[list[int], list[float], float]:
    if isinstance(witness, Mapping):
        pairs = sorted((int(column), float(weight)) for column, weight in witness.items())
        return [c for c, w in pairs if w], [w for _, w in pairs if w], 0.0
    weights = np.asarray(witness, np.float64)
    if weights.ndim != 1 or not np.all(np.isfinite(weights)):
        raise NotCertifiableError("a witness is a list of finite weights, one per column.")
    bias = 0.0
    width = run.features or run.stream.width
    if run.bias and len(weights) == width + 1:
        weights, bias = weights[:-1], float(weights[-1])
    kept = np.flatnonzero(weights)
    return kept.tolist(), weights[kept].tolist(), bias


def _whole(columns: list[int], weights: list[float], bias: float) -> Iterator[Comparator]:
    exact = [Fraction(weight) for weight in (*weights, bias)]
    denominator = int(np.lcm.reduce([w.denominator for w in exact if w.denominator < 2**20] or [1]))
    numerators = [w * denominator for w in exact]
    if all(n.denominator == 1 and abs(n) <= LARGEST_NUMERATOR for n in numerators):
        whole = [int(n) for n in numerators]
        yield Comparator(tuple(columns), tuple(whole[:-1]), whole[-1], denominator)
        return
    largest = max(map(abs, exact))
    for scale in SCALES:
        whole = [round(w * scale / largest) for w in exact]
        kept = [i for i, n in enumerate(whole[:-1]) if n]
        yield Comparator(tuple(columns[i] for i in kept), tuple(whole[i] for i in kept), whole[-1])
