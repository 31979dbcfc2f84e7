"""The exact worst case of Winnow on a disjunction: the longest path through all its states."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

Exponents = tuple[int, ...]


def selections(exponents: Exponents) -> Iterator[tuple[Counter[int], Counter[int]]]:
    """Every way to choose some of the features, up to exchange of equal ones."""
    groups = sorted(Counter(exponents).items())

    def extend(i: int, taken: Counter[int]) -> Iterator[Counter[int]]:
        if i == len(groups):
            yield taken
            return
        exponent, size = groups[i]
        for k in range(size + 1):
            yield from extend(i + 1, taken + Counter({exponent: k}))

    everything = Counter(exponents)
    for taken in extend(0, Counter()):
        yield taken, everything - taken


def moved(taken: Counter[int], rest: Counter[int], step: int) -> Exponents:
    changed = [e + step for e in taken.elements()]
    return tuple(sorted([*changed, *rest.elements()]))


def most_mistakes(
    d: int, r: int, factor: Fraction, threshold: Fraction, zeroing: bool = False, errors: int = 0
) -> int:
    """The most mistakes a stream of a disjunction of r of d features can cause.

    ``errors`` attribute errors may be spent: 1 on a positive example without relevant feature,
    k on a negative example with k of them. Without any, the stream is noise-free.
    """

    def weight(taken: Counter[int]) -> Fraction:
        return sum((n * factor**e for e, n in taken.items()), Fraction(0))

    @cache
    def longest(relevant: Exponents, others: Exponents, left: int) -> int:
        best = 0
        for r_taken, r_rest in selections(relevant):
            for o_taken, o_rest in selections(others):
                missed = weight(r_taken) + weight(o_taken) < threshold
                price = int(not r_taken) if missed else r_taken.total()
                if price > left:
                    continue
                step = 1 if missed else -1
                gone = zeroing and not missed
                after = (
                    moved(Counter() if gone else r_taken, r_rest, step),
                    moved(Counter() if gone else o_taken, o_rest, step),
                )
                # An empty example labelled +1 moves nothing: it would be a mistake for its price.
                best = max(best, 1 + longest(*after, left - price))
        return best

    return longest((0,) * r, (0,) * (d - r), errors)
