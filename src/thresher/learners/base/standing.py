"""Standing: how one of those that a learner mixes has done."""

from __future__ import annotations

from typing import NamedTuple


class Standing(NamedTuple):
    """How one of the experts in a mixture has done: a member, or a combination of members.

    ``log_loss`` is the sum of -ln(probability given to the label), ``prior`` the weight in the
    mixture at the start, and ``weight`` the present one.
    """

    name: str
    mistakes: int
    log_loss: float
    weight: float
    prior: float
    #: Whether it has left: it is counted as saying what the mixture says, and weighs nothing.
    left: bool = False
