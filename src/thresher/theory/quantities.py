"""The measured quantities a theorem is about, kept exactly.

A theorem's fields are declared with one of five kinds of quantity. Each accepts what callers
have (ints, fractions, floats, numpy scalars) and keeps what proofs need: the exact number
that was given. A float is the fraction it denotes; nothing is rounded on the way in. A text or a
truth value is no number, even where it looks like one.
"""

from __future__ import annotations

import numbers
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import chain, groupby, repeat
from typing import Any, Generic, Self, TypeAlias, TypeVar, overload

from thresher.errors import ParameterError

Given: TypeAlias = Fraction | int | float
G = TypeVar("G")
H = TypeVar("H")


def exactly(value: Given) -> Fraction:
    """The fraction a number denotes.

    >>> exactly(0.5), exactly(3)
    (Fraction(1, 2), Fraction(3, 1))
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        raise TypeError(f"{value!r} is no number")
    if isinstance(value, numbers.Rational):
        return Fraction(int(value.numerator), int(value.denominator))
    return Fraction(float(value))


class Quantity(Generic[G, H]):
    """A dataclass field that says what it means and keeps its value exactly."""

    must: str

    def __init__(self, meaning: str, default: G | None = None) -> None:
        self.meaning = meaning
        self.default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, holder: None, owner: type) -> Self: ...
    @overload
    def __get__(self, holder: object, owner: type) -> H: ...
    def __get__(self, holder: object | None, owner: type) -> Any:
        """The exact value; on the class, the default that `dataclass` asks for."""
        if holder is not None:
            return holder.__dict__[self.name]
        if self.default is None:
            raise AttributeError(self.name)
        return self.default

    def __set__(self, holder: object, value: G) -> None:
        """Keep the exact value, or refuse it by name."""
        try:
            held = self.exact(value)
        except (TypeError, ValueError, OverflowError):
            raise ParameterError(type(holder).__name__, self.name, self.must, value) from None
        holder.__dict__[self.name] = held

    def exact(self, value: G) -> H:
        """The value in exact form; `ValueError` or `TypeError` if it cannot be one."""
        raise TypeError


class Exact(Quantity[Given, Fraction]):
    """Any finite number, kept as a fraction."""

    must = "a finite number"

    def exact(self, value: Given) -> Fraction:
        """The fraction the number denotes."""
        return exactly(value)


class Size(Quantity[Given, Fraction]):
    """A number that cannot be negative: a norm, a squared norm, a loss."""

    must = "a finite number, at least 0"

    def exact(self, value: Given) -> Fraction:
        """The fraction the number denotes, if it is not negative."""
        held = exactly(value)
        if held < 0:
            raise ValueError
        return held


class Count(Quantity[int, int]):
    """How many of something there are."""

    must = "a whole number, at least 0"

    def exact(self, value: int) -> int:
        """The count as a plain int."""
        held = exactly(value)
        if held < 0 or held.denominator != 1:
            raise ValueError
        return held.numerator


class Flag(Quantity[bool, bool]):
    """Whether something is so."""

    must = "True or False"

    def exact(self, value: bool) -> bool:
        """The truth value."""
        if not isinstance(value, bool):
            raise TypeError
        return value


class Weights(Quantity[Iterable[Given], tuple[Fraction, ...]]):
    """The non-zero weights of a comparator, in any order, without signs."""

    must = "finite numbers, each at least 0"

    def exact(self, value: Iterable[Given]) -> tuple[Fraction, ...]:
        """The positive weights, largest first; zeros say nothing and are dropped."""
        times: Counter[Fraction] = Counter()
        # Of a million weights most are equal and side by side: a fraction is made once for them.
        for (_, weight), run in groupby((type(weight), weight) for weight in value):
            times[exactly(weight)] += sum(1 for _ in run)
        held = sorted(times, reverse=True)
        if held and held[-1] < 0:
            raise ValueError
        return tuple(
            chain.from_iterable(repeat(weight, times[weight]) for weight in held if weight)
        )
