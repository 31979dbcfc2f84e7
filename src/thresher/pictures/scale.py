"""Scales: from numbers to places on a picture, with round numbers at the ticks."""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, isfinite, log10


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers from `low` to `high` on pixels from `start` to `stop`.

    >>> scale = Scale(0, 90, 0, 300)
    >>> scale(45), scale.ticks(4)
    (150.0, [0, 25, 50, 75])
    >>> Scale(1, 5644, 0, 100, log=True).ticks()
    [1, 10, 100, 1000]
    """

    low: float
    high: float
    start: float
    stop: float
    #: Equal ratios take equal room; `low` is then above 0, and what is below is drawn there.
    log: bool = False

    def __call__(self, number: float) -> float:
        """Where a number is."""
        low, high = self.low, self.high
        if not isfinite(number):
            number = high if number > 0 else low
        if self.log:
            low, high, number = log10(low), log10(high), log10(max(number, low))
        # By halves: the largest numbers are farther apart than any number is large.
        share = (number / 2 - low / 2) / (high / 2 - low / 2) if high > low else 0.0
        return self.start + share * (self.stop - self.start)

    def ticks(self, most: int = 5) -> list[float]:
        """Round numbers inside the scale, about so many."""
        if self.log:
            powers = [10**k for k in range(floor(log10(self.low)), floor(log10(self.high)) + 1)]
            return [power for power in powers if power >= self.low]
        span = self.high - self.low
        if span <= 0 or not isfinite(span):
            return [self.low]
        rough = span / most
        power = 10.0 ** floor(log10(rough))
        step = next(k * power for k in (1, 2, 2.5, 5, 10) if k * power >= rough * 0.999)
        first = -floor(-self.low / step * (1 + 1e-12))
        last = floor(self.high / step * (1 + 1e-12))
        whole = step >= 1 and step == int(step)
        return [int(k * step) if whole else k * step for k in range(first, last + 1)]


def number(value: float) -> str:
    r"""A number at a tick or at the end of a line, with a minus as wide as a plus.

    >>> number(5644), number(0.25), number(1e12), number(0.1 + 0.2), number(2.0)
    ('5,644', '0.25', '1e+12', '0.3', '2')
    >>> number(-0.5) == "\N{MINUS SIGN}0.5"
    True
    """
    size = abs(value)
    if not isfinite(value):
        text = f"{value}"
    elif size >= 1e9 or (size and size < 1e-4):
        text = f"{value:.3g}"
    elif size == int(size):
        text = f"{int(value):,}"
    else:
        text = f"{value:,.4g}" if size < 1000 else f"{value:,.0f}"
    return text.replace("-", "\N{MINUS SIGN}", 1) if text.startswith("-") else text
