"""Which label counts as +1: found out from the first rows, or said by the caller."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from thresher.errors import LabelError
from thresher.kernels.number import read_number

#: So many rows are looked at before a scheme is decided on.
ROWS_TO_DECIDE = 1000
#: Pairs of numbers with a meaning of their own: the negative label, then the positive one.
_NUMERIC = (("-1", "1"), ("0", "1"), ("1", "2"))
_SHOWN = 6


def canonical(label: str) -> str:
    """The name of a label: numbers in their shortest form, everything else as it is.

    >>> [canonical(label) for label in ("+1", "1.0", "01", "-1", "0.50", "spam")]
    ['1', '1', '1', '-1', '0.5', 'spam']
    """
    text = label.encode("utf-8", "surrogatepass")
    value, length = read_number(text)
    if value is None or length < len(text) or not isfinite(value):
        return label
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(value)


@dataclass(slots=True)
class LabelScheme:
    """Labels as -1 and +1.

    Undecided at first (unless `positive` is given): the labels of the first 1,000 rows decide.
    -1/+1, 0/1 and 1/2 are known; of other names, `positive` says which counts as +1, and every
    other one counts as -1. A label that does not fit what was decided belongs to a bad line.

    >>> scheme = LabelScheme()
    >>> scheme.decide({"0": 700, "1": 300})
    >>> scheme.sign("1"), scheme.sign("0"), scheme.sign("2")
    (1, -1, None)
    >>> print(scheme)
    labels 0/1: 1 counts as +1
    """

    #: The label that counts as +1; None while undecided.
    positive: str | None = None
    #: The label that counts as -1; None: every other one, or not known yet.
    negative: str | None = None
    #: Whether every label but `positive` counts as -1.
    rest: bool = False

    @classmethod
    def of(cls, positive: object) -> LabelScheme:
        """The scheme in which this label counts as +1 and every other one as -1."""
        return cls(canonical(str(positive)), None, rest=True)

    @property
    def decided(self) -> bool:
        """Whether labels have a meaning yet."""
        return self.positive is not None

    def decide(self, seen: Mapping[str, int]) -> None:
        """Settle on a scheme, given how many of the first rows have each label."""
        if self.decided or not seen:
            return
        names = set(seen)
        for negative, positive in _NUMERIC:
            if names == {negative, positive} or names == {negative} != {"1"}:
                self.negative, self.positive = negative, positive
                return
        if names == {"1"}:
            self.positive = "1"
        elif names == {"2"}:
            self.negative, self.positive = "1", "2"
        else:
            raise LabelError(_undecidable(seen))

    def sign(self, label: str) -> int | None:
        """-1 or +1; None for a label that has no place in the scheme."""
        if label == self.positive:
            return 1
        if self.rest or label == self.negative:
            return -1
        if self.negative is None and label in ("-1", "0"):
            # Only 1 had been seen so far; the first other label says which pair it is from.
            self.negative = label
            return -1
        return None

    def expected(self) -> str:
        """The labels that fit, in words."""
        if self.negative is None:
            return f"the label {self.positive}, or -1 or 0"
        return f"the label {self.negative} or {self.positive}"

    def __str__(self) -> str:
        if self.positive is None:
            return "labels not seen yet"
        if self.rest:
            return f"label {self.positive} counts as +1, every other as -1"
        pair = self.positive if self.negative is None else f"{self.negative}/{self.positive}"
        return f"labels {pair}: {self.positive} counts as +1"

    def to_dict(self) -> dict[str, Any]:
        """The scheme as JSON-ready values."""
        return {"positive": self.positive, "negative": self.negative, "rest": self.rest}

    @classmethod
    def from_dict(cls, saved: Mapping[str, Any]) -> LabelScheme:
        """The scheme that `to_dict` described."""
        return cls(saved["positive"], saved["negative"], rest=saved["rest"])


def _undecidable(seen: Mapping[str, int]) -> str:
    by_count = sorted(seen, key=lambda name: (-seen[name], name))
    shown = ", ".join(f"{name} ({seen[name]})" for name in by_count[:_SHOWN])
    more = f" and {len(seen) - _SHOWN} more" if len(seen) > _SHOWN else ""
    labels = "label is" if len(seen) == 1 else "labels are"
    return (
        f"the {labels} {shown}{more}, in the first {sum(seen.values())} rows. Only -1/+1, 0/1 and "
        f"1/2 explain themselves. Say which counts as +1: positive={by_count[-1]!r} "
        f"(--positive {by_count[-1]}); every other then counts as -1."
    )
