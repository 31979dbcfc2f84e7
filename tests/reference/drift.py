"""The test for drift as its definition has it: every mistake is kept, every window counted anew."""

from __future__ import annotations

from math import inf, log

from scipy.optimize import brentq

BLOCK, WINDOWS, DELTA = 32, 8, 0.01


def kl(a: float, b: float) -> float:
    if b in (0.0, 1.0):
        return 0.0 if a == b else inf
    first = 0.0 if a == 0 else a * log(a / b)
    return first + (0.0 if a == 1 else (1 - a) * log((1 - a) / (1 - b)))


def highest(p: float, n: int, most: float) -> float:
    """The largest chance that explains a share p of n mistakes or fewer."""
    if p == 1:
        return 1.0
    near = 1 - 1e-15
    return 1.0 if n * kl(p, near) <= most else brentq(lambda m: n * kl(p, m) - most, p, near)


def lowest(q: float, w: int, most: float) -> float:
    """The smallest chance that explains a share q of w mistakes or more."""
    if q == 0:
        return 0.0
    return 0.0 if w * kl(q, 1e-15) <= most else brentq(lambda m: w * kl(q, m) - most, 1e-15, q)


def alarms(mistakes: list[int]) -> list[tuple[int, int]]:
    """After which round there is an alarm, and the window that raised it."""
    found, begin, test = [], 0, 0
    for end in range(BLOCK, len(mistakes) + 1, BLOCK):
        test += 1
        most = log(2 * WINDOWS * test * (test + 1) / DELTA)
        for doubling in range(WINDOWS):
            w = BLOCK << doubling
            before, recent = mistakes[begin : end - w], mistakes[max(begin, end - w) : end]
            if not before or len(recent) < w:
                break
            p, q = sum(before) / len(before), sum(recent) / w
            if q > p and lowest(q, w, most) > highest(p, len(before), most):
                found.append((end, w))
                begin, test = end, 0
                break
    return found
