"""What every learner promises on the same target, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from thresher.theory.concepts import Disjunction, Parameter
from thresher.theory.exponentiated import (
    NormalizedWinnowTuned,
    SignedWinnowRestarts,
    SignedWinnowTuned,
)
from thresher.theory.lower import DisjunctionLower
from thresher.theory.perceptron import Novikoff
from thresher.theory.quantities import Given, exactly
from thresher.theory.quasi_additive import PNormDimension, winnow_like_p
from thresher.theory.theorem import LowerBound, MistakeBound
from thresher.theory.winnow.tuning import (
    BEST_FACTOR_FOR_MANY_FEATURES,
    optimal_beta,
    optimal_threshold,
)


@dataclass(frozen=True)
class Row:
    """One learner, the parameters it was given, and what a theorem allows it."""

    learner: str
    parameters: str
    theorem: str
    bound: Fraction | float
    max_mistakes: int

    def cells(self) -> tuple[str, str, str, str, str]:
        """The row as text."""
        bound = f"{float(self.bound):.2f}"
        return self.learner, self.parameters, self.theorem, bound, str(self.max_mistakes)


@dataclass(frozen=True)
class Comparison:
    """Rows from the fewest mistakes allowed to the most, and what can be forced on all."""

    rows: tuple[Row, ...]
    forced: LowerBound | None

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        """The rows, best promise first."""
        return iter(self.rows)

    def __str__(self) -> str:
        """An aligned table."""
        head = ("learner", "parameters", "theorem", "bound", "max mistakes")
        body = [row.cells() for row in self.rows]
        widths = [max(len(line[i]) for line in [head, *body]) for i in range(len(head))]
        lines = [
            "  ".join(
                [cell.ljust(width) for cell, width in zip(line[:3], widths[:3], strict=True)]
                + [cell.rjust(width) for cell, width in zip(line[3:], widths[3:], strict=True)]
            )
            for line in [head, *body]
        ]
        if self.forced is not None:
            count = self.forced.min_mistakes()
            lines.append(f"{self.forced.name}: mistakes forced on any learner: {count}")
        return "\n".join(lines)


def compare(
    n_features: int,
    relevant: int,
    active: int | None = None,
    margin: Given | None = None,
    radius: Given = 1,
) -> Comparison:
    """What all applicable learners promise on one target.

    Without ``margin`` the target is a monotone disjunction of ``relevant`` binary features
    with at most ``active`` features on per example. With it, the target is a linear separator
    with ``relevant`` equal weights that sum to 1 and functional margin ``margin``, on examples
    with at most ``active`` non-zero features of size at most ``radius``.

    >>> print(compare(n_features=1000, relevant=2, active=5))
    learner          parameters                 theorem                  bound  max mistakes
    Halving                                     HalvingClass             18.00            18
    Winnow           zeroing=1                  WinnowZeroing            41.00            41
    Winnow           beta=2.728, threshold=193  WinnowAnyThreshold       41.80            41
    Winnow           beta=2.163                 WinnowAnyThreshold       48.03            48
    Perceptron       bias=1                     PerceptronDisjunction    54.00            54
    Winnow           beta=1                     WinnowDisjunction        56.90            56
    SignedWinnow     bias=1                     SignedWinnowTuned       377.54           377
    PNormPerceptron  bias=1, p=13.8175          PNormDimension          871.04           871
    Elimination                                 EliminationDisjunction  998.00           998
    DisjunctionLower: mistakes forced on any learner: 16
    """
    active = n_features if active is None else active
    if margin is None:
        rows = _disjunction_rows(n_features, relevant, active)
        forced = DisjunctionLower(n_features, relevant) if relevant else None
    else:
        weights = _separator_rows(n_features, relevant, active, exactly(margin), exactly(radius))
        rows, forced = weights, None
    return Comparison(tuple(sorted(rows, key=lambda row: (row.max_mistakes, row.bound))), forced)


def _row(learner: str, parameters: dict[str, Parameter], theorem: MistakeBound) -> Row:
    shown = ", ".join(
        f"{name}={float(value):.6g}"
        for name, value in parameters.items()
        if value is not None and not isinstance(value, str)
    )
    return Row(learner, shown, theorem.name, theorem.bound(), theorem.max_mistakes())


def _disjunction_rows(n_features: int, relevant: int, active: int) -> Iterator[Row]:
    claim = Disjunction(relevant, n_features)
    settings: list[tuple[str, dict[str, Parameter]]] = [
        ("Perceptron", {"bias": 1}),
        ("Winnow", {"beta": 1}),
        ("Winnow", {"zeroing": 1}),
        ("SignedWinnow", {"bias": 1}),
        ("PNormPerceptron", {"bias": 1, "p": winnow_like_p(n_features + 1)}),
        ("Elimination", {}),
        ("Halving", {}),
    ]
    if n_features > 1 and 1 <= relevant < n_features:
        settings.append(("Winnow", {"beta": optimal_beta(n_features, relevant)}))
        theta = round(optimal_threshold(n_features, relevant, BEST_FACTOR_FOR_MANY_FEATURES - 1))
        if theta > 1:
            beta = optimal_beta(n_features, relevant, theta)
            settings.append(("Winnow", {"beta": beta, "threshold": theta}))
    for learner, parameters in settings:
        theorem = claim.allowance(learner, **parameters, active=active)
        if theorem is not None:
            yield _row(learner, parameters, theorem)


def _separator_rows(
    d: int, relevant: int, active: int, margin: Fraction, radius: Fraction
) -> Iterator[Row]:
    weights = [Fraction(1, relevant)] * relevant
    p = winnow_like_p(d)
    theorems: list[tuple[str, dict[str, Parameter], MistakeBound]] = [
        ("Perceptron", {}, Novikoff(active * radius**2, Fraction(1, relevant), margin)),
        ("NormalizedWinnow", {}, NormalizedWinnowTuned(d, margin, radius, 1, weights)),
        ("SignedWinnow", {}, SignedWinnowTuned(d, margin, radius, 1, weights)),
        ("RestartingSignedWinnow", {}, SignedWinnowRestarts(d, margin, radius)),
        ("PNormPerceptron", {"p": p}, PNormDimension(p, d, radius, 1, margin)),
    ]
    for learner, parameters, theorem in theorems:
        yield _row(learner, parameters, theorem)
