"""Which learner, which parameters, which bound, and why: from a few figures about a stream."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from thresher.errors import ParameterError
from thresher.kernels.engines.committee_state import OF_A_SEAT, OF_MEMBERS
from thresher.learners.registry import TITLES
from thresher.learners.two_class.committee_members import NARROW_MEMBERS, WIDE_MEMBERS
from thresher.models.usual_learners import COMMITTEE
from thresher.theory import (
    Disjunction,
    DisjunctionLower,
    MixtureOfExperts,
    compare,
    optimal_threshold,
)
from thresher.theory.concepts import Parameter

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner

#: The least weight that one of the committee's learners has at the start.
SHARE_OF_A_MEMBER = Fraction(str(OF_MEMBERS)) / int(
    len(WIDE_MEMBERS) + OF_A_SEAT * len(NARROW_MEMBERS)
)
#: Parameters that are there or not.
SWITCHES = {"bias", "zeroing"}
#: Mistakes of Perceptron (with bias) and Winnow (factor 2, threshold n) on random streams with
#: 1,000 features, by relevant and active ones; `benchmarks/dense_or_sparse.py` prints them.
MEASURED = {
    (2, 2): (13, 20), (2, 5): (27, 20), (2, 20): (111, 20), (2, 100): (531, 21),
    (2, 400): (1755, 45), (20, 2): (117, 200), (20, 5): (300, 200), (20, 20): (1003, 232),
    (20, 100): (3875, 413), (20, 400): (11620, 424),
}  # fmt: skip
#: Steps tried where there is noise: the price of an error is 2 + beta mistakes.
STEPS = tuple(Fraction(1, 2**k) for k in range(6, 0, -1)) + tuple(map(Fraction, (1, 2, 3)))


@dataclass(frozen=True)
class Figures:
    """What is known, or believed, of a stream: an "or" of few of many yes/no features."""

    n_features: int
    #: How many features the target names.
    relevant: int
    #: The most features active in one row.
    active: int
    #: Rows that contradict the target, as a share of all: a positive row without a relevant
    #: feature counts once, a negative one as often as it has relevant features. None: unknown.
    noise: Fraction | None = None
    #: Rows to expect; with noise, mistakes grow with them.
    rows: int = 100_000

    def __post_init__(self) -> None:
        for name, low, high in (
            ("n_features", 1, 2**31 - 1),
            ("relevant", 1, self.n_features),
            ("active", 1, self.n_features),
            ("rows", 1, None),
        ):
            found = getattr(self, name)
            if found < low or (high is not None and found > high):
                most = "" if high is None else f", at most {high:,}"
                raise ParameterError("advise", name, f"at least {low}{most}", found)
        if self.noise is not None and not 0 <= self.noise <= 1:
            raise ParameterError("advise", "noise", "from 0 to 1", str(self.noise))

    @property
    def errors(self) -> int:
        """Attribute errors to expect in all rows."""
        return math.ceil((self.noise or 0) * self.rows)


@dataclass(frozen=True)
class Promise:
    """What a theorem allows a learner with these parameters."""

    learner: str
    parameters: dict[str, Fraction]
    theorem: str
    max_mistakes: int
    #: Whether a single wrong label may spoil it for good.
    brittle: bool = False

    @property
    def command_name(self) -> str | None:
        """The learner's name on the command line; None if it cannot be had there."""
        record = TITLES[self.learner]
        return None if record.needs else record.name

    @property
    def spelled(self) -> str:
        """Learner and parameters as the command line takes them: `winnow:beta=1/2`."""
        name = TITLES[self.learner].name
        given = ",".join(
            f"{key}={'yes' if key in SWITCHES else value}" for key, value in self.parameters.items()
        )
        return f"{name}:{given}" if given else name

    def to_dict(self) -> dict[str, Any]:
        """The promise in JSON's terms; numbers are exact, as strings."""
        return {
            "learner": TITLES[self.learner].name,
            "parameters": {name: str(value) for name, value in self.parameters.items()},
            "theorem": self.theorem,
            "max_mistakes": self.max_mistakes,
            "brittle": self.brittle,
            "command_line": self.spelled if self.command_name else None,
        }


@dataclass(frozen=True)
class Advice:
    """The promises from the best to the worst, the one to take, and why."""

    figures: Figures
    promises: tuple[Promise, ...]
    choice: Promise
    reasons: tuple[str, ...] = field(default=())

    @property
    def vacuous(self) -> bool:
        """Whether even the best promise allows a mistake in every row."""
        return self.choice.max_mistakes >= self.figures.rows

    @property
    def recommended(self) -> str:
        """What to train, as the command line takes it; a promise of nothing is not taken."""
        return COMMITTEE if self.vacuous else self.choice.spelled

    def to_dict(self) -> dict[str, Any]:
        """The advice in JSON's terms."""
        figures = self.figures
        return {
            "features": figures.n_features,
            "relevant": figures.relevant,
            "active": figures.active,
            "noise": None if figures.noise is None else str(figures.noise),
            "rows": figures.rows,
            "errors": figures.errors,
            "promises": [promise.to_dict() for promise in self.promises],
            "choice": self.choice.to_dict(),
            "vacuous": self.vacuous,
            "reasons": list(self.reasons),
        }


def advise(figures: Figures, *, no_noise: str = "noise=0") -> Advice:
    """What the theorems say to whoever has such a stream.

    `no_noise` is how the reader of the reasons says that no label is wrong: as a program does
    unless told otherwise.

    >>> advice = advise(Figures(n_features=10_000, relevant=20, active=50))
    >>> advice.choice.spelled, advice.choice.max_mistakes
    ('winnow:beta=341/125,threshold=193', 421)
    >>> advise(Figures(n_features=10_000, relevant=20, active=2)).choice.spelled
    'perceptron:bias=yes'
    """
    found = _noisy(figures) if figures.errors else _clean(figures)
    promises = tuple(sorted(found, key=lambda promise: promise.max_mistakes))
    certain = figures.noise is not None
    choice = next(p for p in promises if p.command_name and (certain or not p.brittle))
    reasons = _reasons(figures, promises, choice, no_noise)
    return Advice(figures, promises, choice, tuple(reasons))


def _clean(figures: Figures) -> Iterator[Promise]:
    """Every learner's promise on a target without noise."""
    for row in compare(figures.n_features, figures.relevant, figures.active):
        pairs = (part.split("=") for part in row.parameters.split(", ") if part)
        parameters = {name: Fraction(value) for name, value in pairs}
        if row.learner == "SignedWinnow":
            # Weight 1 on each relevant feature and -1/2 on the constant keep a distance of 1/2.
            parameters["margin"] = Fraction(1, 2 * figures.relevant + 1)
        brittle = never_recovers(TITLES[row.learner].load(), parameters)
        yield Promise(row.learner, parameters, row.theorem, row.max_mistakes, brittle)


def never_recovers(kind: type[Learner], parameters: Mapping[str, Any]) -> bool:
    """Whether a single wrong label spoils a learner for good."""
    return kind.brittle or bool(parameters.get("zeroing"))


def _noisy(figures: Figures) -> Iterator[Promise]:
    """The promises that survive errors, each with the best parameters tried."""
    n, r = figures.n_features, figures.relevant
    claim = Disjunction(r, n, figures.errors)
    settings: list[tuple[str, dict[str, Fraction]]] = [("Perceptron", {"bias": Fraction(1)})]
    settings += [("Winnow", {"beta": beta}) for beta in STEPS]
    for beta in STEPS:
        suited = round(optimal_threshold(n, r, beta))
        if 1 < suited < n:
            settings.append(("Winnow", {"beta": beta, "threshold": Fraction(suited)}))
    best: dict[tuple[str, bool], Promise] = {}
    for learner, parameters in settings:
        given: dict[str, Parameter] = {**parameters, "active": figures.active}
        theorem = claim.allowance(learner, **given)
        if theorem is None:
            continue
        promise = Promise(learner, parameters, theorem.name, theorem.max_mistakes())
        kind = (learner, "threshold" in parameters)
        if kind not in best or promise.max_mistakes < best[kind].max_mistakes:
            best[kind] = promise
    yield from best.values()


def _reasons(
    figures: Figures, promises: tuple[Promise, ...], choice: Promise, no_noise: str
) -> Iterator[str]:
    n, r, s = figures.n_features, figures.relevant, figures.active
    additive = (4 * r + 1) * (s + 1)
    doublings = math.ceil(math.log2(n))
    multiplicative = r * (3 * doublings - 2)
    meet = max(0, multiplicative // (4 * r + 1) - 1)
    yield (
        f"The Perceptron pays for active features, (4 x {r} + 1)({s} + 1) = {additive:,}, Winnow "
        f"for the logarithm of all features, {r}(3 x {doublings} - 2) = {multiplicative:,}: up to "
        f"{meet:,} active features the Perceptron's promise is the smaller one, beyond that "
        f"Winnow's. Your rows have {s:,}."
    )
    (rel, act), (by_addition, by_factors) = min(
        MEASURED.items(), key=lambda item: _distance(item[0], (r, s))
    )
    yield (
        f"Bounds are worst cases. On random streams with 1,000 features, {rel} relevant and {act} "
        f"active, the Perceptron made {by_addition:,} mistakes and Winnow {by_factors:,}."
    )
    if figures.errors:
        yield (
            f"A noise of {float(figures.noise or 0):.4g} makes {figures.errors:,} errors in "
            f"{figures.rows:,} rows, and each may cost Winnow 2 + beta mistakes: small steps pay. "
            "Elimination, Halving and Winnow with zeroing never recover from an error and are "
            "left out."
        )
    brittle = [p for p in promises if p.brittle and p.max_mistakes < choice.max_mistakes]
    if figures.noise is None and any(p.command_name for p in brittle):
        names = " and ".join(dict.fromkeys(p.spelled for p in brittle if p.command_name))
        yield (
            f"Fewer mistakes are allowed to {names}, but a single wrong label spoils that for "
            f"good. Say {no_noise} if there is none."
        )
    if choice.max_mistakes >= figures.rows:
        yield (
            "With so much noise no promise says anything: it allows a mistake in every row. Take "
            "the committee, or let learners race on the data itself."
        )
    if figures.errors:
        yield about_the_committee(figures.rows)
    yield (
        f"Whoever learns such targets can be made to err {DisjunctionLower(n, r).min_mistakes():,} "
        "times."
    )


def about_the_committee(rows: int) -> str:
    """What is known of a committee whatever the stream, after so many rows.

    >>> about_the_committee(1000).split("more: ")[1]
    'the logarithm of 107 x 1,000.'
    """
    extra = MixtureOfExperts(expert_loss=0, prior=SHARE_OF_A_MEMBER, rounds=rows).max_mistakes()
    return (
        "Noise is rarely as simple as this. The committee needs no tuning and no target: it mixes "
        "learners of several kinds, and on every stream its mistakes are at most the best one's "
        f"logarithmic loss in bits (MixtureOfExperts) and {extra:,} more: the logarithm of "
        f"{math.ceil(1 / SHARE_OF_A_MEMBER)} x {rows:,}."
    )


def _distance(cell: tuple[int, int], wanted: tuple[int, int]) -> float:
    """How far a measured cell is from what is asked for, in doublings."""
    return sum(abs(math.log2(a / b)) for a, b in zip(cell, wanted, strict=True))
