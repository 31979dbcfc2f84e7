"""What all theorems share: exact inputs, named hypotheses, refusal and rounding.

A promise, because certificates outlive releases: **the meaning of a published theorem class
never changes.** A corrected or sharper bound is a new class with a new name; the old one
stays, and says in its docstring what was wrong with it.

A theorem class supplies its fields (`quantities`), its `hypotheses` and its
`right_hand_side`. Refusing a false hypothesis and rounding to an integer are done here, once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from thresher.errors import HypothesisError
from thresher.records import record
from thresher.theory.enclosure import Number, Real, ceil, float_above, floor
from thresher.theory.quantities import Quantity

if TYPE_CHECKING:
    from thresher.pictures import Svg

UPPER = "upper bound"
LOWER = "lower bound"
EXPECTED = "expectation bound"
RISK = "risk bound"
DIMENSION = "dimension bound"


def shown(value: object) -> str:
    """A measured value for people: short fractions as they are, long ones as decimals."""
    if isinstance(value, Fraction) and value.denominator > 10**6:
        return repr(float(value))
    return str(value)


@record
class Hypothesis:
    """One condition of a theorem, the value it was checked against, and the outcome."""

    statement: str
    measured: object
    holds: bool


@record
class Limit:
    """The right-hand side of a bound: a number, and whether it may be reached."""

    value: Number
    reachable: bool

    def largest_integer(self) -> int:
        """The largest count the inequality admits; counts are never below 0.

        >>> at_most(Fraction(7, 2)).largest_integer(), below(Fraction(4)).largest_integer()
        (3, 3)
        """
        return floor(self.value, 0) if self.reachable else ceil(self.value, 1) - 1


def at_most(value: Number) -> Limit:
    """The right-hand side of ``M <= value``."""
    return Limit(value, reachable=True)


def below(value: Number) -> Limit:
    """The right-hand side of ``M < value``."""
    return Limit(value, reachable=False)


@dataclass(frozen=True)
class Theorem(ABC):
    """A statement with measured quantities put into it."""

    name: ClassVar[str]
    version: ClassVar[int] = 1
    kind: ClassVar[str]
    statement: ClassVar[str]
    reference: ClassVar[str]
    # Public classes of this package, the parameters they need, and learners it does not have.
    learners: ClassVar[frozenset[str]]
    setting: ClassVar[str] = ""
    variants: ClassVar[frozenset[str]] = frozenset()

    def __init_subclass__(cls) -> None:
        """A theorem is quoted by its class name."""
        cls.name = cls.__name__

    @abstractmethod
    def hypotheses(self) -> Iterator[Hypothesis]:
        """Every condition the theorem needs, checked against the measured values."""

    @abstractmethod
    def right_hand_side(self) -> Limit:
        """The bound as the theorem writes it. Meaningless if a hypothesis fails."""

    @classmethod
    def quantities(cls) -> dict[str, str]:
        """What is measured, and what each quantity means."""
        lookup = {name: item for base in cls.__mro__[::-1] for name, item in vars(base).items()}
        found = {field.name: lookup.get(field.name) for field in fields(cls)}
        return {name: item.meaning for name, item in found.items() if isinstance(item, Quantity)}

    @classmethod
    def tex(cls) -> str:
        r"""The statement in TeX, made from the ASCII one, so that the two cannot differ.

        >>> from thresher.theory import Novikoff
        >>> print(Novikoff.tex())
        M \le \frac{R^{2} \lVert u\rVert^{2}}{\gamma^{2}}
        """
        from thresher.theory.tex import in_tex  # noqa: PLC0415

        return in_tex(cls.statement)

    def measured(self) -> dict[str, object]:
        """The measured quantities, exactly, as a certificate quotes them."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def applies(self) -> bool:
        """Whether every hypothesis holds."""
        return all(hypothesis.holds for hypothesis in self.hypotheses())

    def limit(self) -> Limit:
        """The right-hand side, refused by name if a hypothesis fails."""
        for hypothesis in self.hypotheses():
            if not hypothesis.holds:
                raise HypothesisError(self.name, hypothesis.statement, shown(hypothesis.measured))
        return self.right_hand_side()

    def bound(self) -> Fraction | float:
        """The exact fraction where the bound is rational.

        Otherwise a float that is not below the real number and at most two units in the
        last place above it.
        """
        value = self.limit().value
        return float_above(value) if isinstance(value, Real) else Fraction(value)

    def plot(self) -> Svg:
        """How the bound moves with each quantity, the others held still, as a picture.

        >>> from thresher.theory import WinnowDisjunction
        >>> WinnowDisjunction(n_features=100, relevant=2).plot()
        Svg(640 x 300: WinnowDisjunction: how its bound moves with each quantity)
        """
        from thresher.theory.picture import theorem_chart  # noqa: PLC0415

        return theorem_chart(self)

    def _repr_html_(self) -> str:
        """The theorem in a notebook: its statement, its hypotheses as measured, its bound."""
        from thresher.pictures import display  # noqa: PLC0415
        from thresher.theory.picture import theorem_spark  # noqa: PLC0415

        rows = [("says", self.statement), ("source", self.reference)]
        meanings = self.quantities()
        for name, value in self.measured().items():
            rows.append((name, f"{shown(value)}: {meanings.get(name, '')}".rstrip(": ")))
        for found in self.hypotheses():
            sign = "✓" if found.holds else "✕"
            rows.append((f"{sign} if", f"{found.statement}; found {shown(found.measured)}"))
        bound = shown(self.bound()) if self.applies() else "refused: a hypothesis does not hold"
        picture = theorem_spark(self)
        return display(f"{self.name} ({self.kind})", [*rows, ("bound", bound)], picture)


class MistakeBound(Theorem):
    """A theorem of the form "the learner errs at most B times"."""

    kind: ClassVar[str] = UPPER

    def max_mistakes(self) -> int:
        """The largest number of mistakes the theorem allows."""
        return self.limit().largest_integer()


class LowerBound(Theorem):
    """A theorem of the form "every deterministic learner can be made to err B times"."""

    kind: ClassVar[str] = LOWER
    learners: ClassVar[frozenset[str]] = frozenset()

    def min_mistakes(self) -> int:
        """The number of mistakes an adversary forces."""
        return self.limit().largest_integer()


class ExpectedMistakes(Theorem):
    """A theorem about the average number of mistakes over the learner's own coins."""

    kind: ClassVar[str] = EXPECTED


class DimensionBound(Theorem):
    """A theorem of the form "no more than n points can be labelled in every way"."""

    kind: ClassVar[str] = DIMENSION
    learners: ClassVar[frozenset[str]] = frozenset()

    def max_points(self) -> int:
        """The largest number of points the theorem allows."""
        return self.limit().largest_integer()


class RiskBound(Theorem):
    """A theorem about errors on new data, true with probability 1 - delta over the stream.

    The bound is on the mean risk of the hypotheses used on the way (or, where the class says
    so, on one of them). A predictor that draws one of them uniformly has exactly that risk;
    their majority vote has at most twice that risk. It needs independent examples from one
    distribution, each predicted before its label was seen: later passes over the same data,
    repeats and drift void it.
    """

    kind: ClassVar[str] = RISK
    learners: ClassVar[frozenset[str]] = frozenset()

    def max_risk(self) -> float:
        """The bound as a probability, not above 1."""
        return min(1.0, float(self.bound()))
