"""Explanation: a score taken apart, with the names of features and labels."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Contribution:
    """One feature of a row: what it is called, its value, its weight, and what the two make."""

    column: int
    names: tuple[str, ...]
    #: Other names that are known to have the same column, so that they share its weight.
    shares: tuple[str, ...]
    value: float
    #: What a value of 1 would add at this place of this row; None where no double is so large.
    weight: float | None
    adds: float
    #: The value after scaling, and the weight of that.
    seen: float
    weight_of_seen: float | None
    #: Of several classes, what it adds to the score of the rival.
    rival_adds: float | None


@dataclass(frozen=True, slots=True)
class OtherPart:
    """A part of a total that belongs to no feature and is not the same for all rows."""

    name: str
    adds: float
    rival_adds: float | None


@dataclass(frozen=True, slots=True)
class Opinion:
    """What one of those says whose predictions are mixed.

    Its log-odds are of the label that is explained: above 0 it votes for it. ``weight`` is what
    it counts in the mixture. Whoever has `left` says what all others say together.
    """

    name: str
    log_odds: float
    weight: float
    left: bool


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score taken apart: the constant, contributions and others add up to the total.

    They do so exactly, but for rounding in the last digits.
    """

    #: The label that is predicted.
    predicted: str
    #: The label whose score this is; of two, the positive one.
    label: str
    score: float
    #: The probability of the label, from learners that say it.
    probability: float | None
    #: What is taken apart: "score", or "log-odds" for learners whose score stands for those.
    unit: str
    total: float
    #: Of two labels, the score from which on the positive one is predicted. None where each of
    #: several has a score, and the highest wins.
    threshold: float | None
    #: The best of the other labels and its score, if it has one; None if there is no other.
    rival: str | None
    rival_score: float | None
    rival_total: float | None
    #: What every row has to begin with: a bias, for instance.
    constant: float
    rival_constant: float | None
    #: Largest first, whatever the sign.
    contributions: tuple[Contribution, ...]
    others: tuple[OtherPart, ...]
    #: Of a committee, what its members and their combinations say, the weightiest first.
    opinions: tuple[Opinion, ...]
