"""What the replays of the Winnow family share: the base of the weights, and exact duals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from thresher.verifier.compiled.power_rounds import PowerRounds
from thresher.verifier.readers.labelled_rows import LabelledRows, binary_places
from thresher.verifier.replays.playing import EXACT, FLOAT64, ONE_OF_SEVERAL, Parameters
from thresher.verifier.replays.weight_base import WeightBase


def give_link(
    rounds: PowerRounds, link: WeightBase, *, mirrored: bool, base: Fraction | None = None
) -> None:
    """Tell the rounds what the weights are powers of; without `base`, of e by the rate."""
    rate = link.rate
    binary = base is not None and base.denominator == 1 and base.numerator.bit_count() == 1
    rounds.set_link(0.0 if base is None else float(base), rate, mirrored, binary)


def dual_arithmetic(stream: LabelledRows, parameters: Parameters, updates: int) -> str:
    """Whether sums of so many rows are exact in double precision.

    Then two classes are told apart exactly. Several are compared by their scores, which are
    sums of rounded powers.
    """
    if parameters.get(ONE_OF_SEVERAL):
        return FLOAT64
    few = binary_places(stream.value[:4096])
    # A few values may say so already: to look at all takes longer than to play.
    k = None if few is None or few > 52 else stream.binary_places
    if k is None:
        return FLOAT64
    largest = max(int(np.ceil(np.max(np.abs(stream.value), initial=1.0))), 1)
    return EXACT if (max(updates, 1) * largest) << k < 2**53 else FLOAT64
