"""The table of a lecture: example, score, prediction, label, mistake, weights that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import RequestError
from thresher.learners.base.learner import Learner
from thresher.learners.base.linear_learner import LinearLearner
from thresher.learners.base.negations import VariableLearner
from thresher.learners.base.power_link import MultiplicativeLearner
from thresher.learners.finite.version_space import VersionSpaceLearner
from thresher.streams.batch import Batch

Number = Fraction | float
#: Exponents beyond this make fractions that nobody reads; the weight is then shown as a power.
LARGEST_EXPONENT = 2000
#: Numbers with more characters than this are shown as powers, or rounded.
LONGEST_NUMBER = 12
#: Concepts that are named after a round.
MOST_CONCEPTS = 20
BIAS = "bias"


@dataclass(frozen=True, slots=True)
class Weight:
    """A weight: exactly, or as the double that stands for it, and the power it is, if it is one."""

    value: Number
    power: tuple[Fraction, Fraction] | None = None

    def __str__(self) -> str:
        if isinstance(self.value, float) and self.power is None:
            return repr(self.value)
        short = str(self.value)
        if self.power is None or (
            isinstance(self.value, Fraction) and len(short) <= LONGEST_NUMBER
        ):
            return short
        base, exponent = self.power
        root = str(base) if base.denominator == 1 else f"({base})"
        return f"{root}^{exponent}" if exponent.denominator == 1 else f"{root}^({exponent})"


@dataclass(frozen=True, slots=True)
class Change:
    """A weight before and after a round."""

    feature: str
    before: Weight
    after: Weight

    def __str__(self) -> str:
        return f"{self.feature}: {self.before} -> {self.after}"


@dataclass(frozen=True, slots=True)
class TracedRound:
    """One round, as a lecture writes it on the board."""

    round_number: int
    features: tuple[tuple[str, float], ...]
    score: Number
    prediction: int
    label: int
    changes: tuple[Change, ...]
    #: All weights after the round, the constant feature last, or names of the concepts that are
    #: left; None if they were not wanted.
    weights: tuple[Weight, ...] | tuple[str, ...] | None = None
    #: What the proof follows, after the round, and what it allows that at most; None: not known.
    potential: Number | None = None
    bound: Number | None = None

    @property
    def mistaken(self) -> bool:
        """Whether the prediction was wrong."""
        return self.prediction != self.label

    def to_dict(self) -> dict[str, Any]:
        """The round in JSON's terms; exact numbers are strings."""
        plain = {
            "round": self.round_number,
            "features": dict(self.features),
            "score": number_text(self.score),
            "prediction": self.prediction,
            "label": self.label,
            "mistake": self.mistaken,
            "changes": {c.feature: [str(c.before), str(c.after)] for c in self.changes},
            "potential": None if self.potential is None else number_text(self.potential),
            "bound": None if self.bound is None else number_text(self.bound),
        }
        return plain if self.weights is None else plain | {"weights": [*map(str, self.weights)]}


def number_text(number: Number) -> str:
    """A fraction as such, a float by its shortest digits; whole ones without a point.

    >>> number_text(Fraction(9, 2)), number_text(2.0), number_text(0.1)
    ('9/2', '2', '0.1')
    """
    if isinstance(number, float) and number.is_integer() and abs(number) < 2**53:
        return str(int(number))
    return str(number)


def short_number(number: Number) -> str:
    """The same, with four digits where it is long: to be compared at a glance.

    >>> short_number(Fraction(9, 2)), short_number(0.07450817351)
    ('9/2', '0.07451')
    """
    text = number_text(number)
    return text if len(text) <= LONGEST_NUMBER else f"{float(number):.4g}"


def trace(
    learner: Learner,
    batch: Batch,
    name_of: Callable[[int], str] = str,
    *,
    all_weights: bool = False,
) -> Iterator[TracedRound]:
    """Play the rounds one at a time, and say what each changed.

    >>> import thresher as th
    >>> rounds = Batch.of([[1, 0, 1], [0, 1, 1]], [1, -1])
    >>> for one in trace(th.Winnow(3), rounds):
    ...     print(one.score, one.mistaken, *one.changes, sep="; ")
    2; True; 0: 1 -> 2; 2: 1 -> 2
    3; True; 1: 1 -> 1/2; 2: 2 -> 1
    """
    if isinstance(learner, VersionSpaceLearner):
        yield from _traced_concepts(learner, batch, name_of, all_weights=all_weights)
        return
    board = Board(learner, name_of)
    before = board.state()
    for t, (row, label) in enumerate(batch.examples()):
        score = board.exact_score(before, row)
        rounds = learner.learn(batch[t : t + 1])
        after = board.state()
        yield TracedRound(
            round_number=learner.n_rounds,
            features=tuple((name_of(column), value) for column, value in row.items()),
            score=float(rounds.scores[0]) if score is None else score,
            prediction=int(rounds.predictions[0]),
            label=label,
            changes=tuple(board.changes(before, after)),
            weights=tuple(after.weight(c) for c in range(len(after.weights)))
            if all_weights
            else None,
        )
        before = after


def _traced_concepts(
    learner: VersionSpaceLearner,
    batch: Batch,
    name_of: Callable[[int], str],
    *,
    all_weights: bool,
) -> Iterator[TracedRound]:
    """The same for a learner over a finite class: how many concepts are left."""
    for t, (row, label) in enumerate(batch.examples()):
        before = learner.version_space_size
        rounds = learner.learn(batch[t : t + 1])
        after = learner.version_space_size
        change = Change("concepts", Weight(Fraction(before)), Weight(Fraction(after)))
        potential, bound = learner.potential()
        yield TracedRound(
            round_number=learner.n_rounds,
            features=tuple((name_of(column), value) for column, value in row.items()),
            score=float(rounds.scores[0]),
            prediction=int(rounds.predictions[0]),
            label=label,
            changes=(change,) if after < before else (),
            weights=tuple(one.name for one in islice(learner.consistent(), MOST_CONCEPTS))
            if all_weights
            else None,
            potential=Fraction(potential),
            bound=bound,
        )


@dataclass(frozen=True, slots=True)
class State:
    """The weights at one moment, the constant feature last, and the duals they are powers of."""

    weights: NDArray[np.float64]
    dual: NDArray[np.float64] | None
    base: Fraction | None
    mirrored: bool

    def weight(self, column: int) -> Weight:
        """The weight of a column, as exactly as it is known; a column not seen yet weighs 0."""
        if column >= len(self.weights):
            return Weight(Fraction(0))
        stored = float(self.weights[column])
        dual = 0.5 if self.dual is None else float(self.dual[column])
        if self.base is None or not dual.is_integer():
            return Weight(Fraction(stored) if stored.is_integer() else stored)
        power = (self.base, Fraction(dual))
        if abs(dual) > LARGEST_EXPONENT:
            return Weight(stored, None if self.mirrored else power)
        value = self.base ** int(dual)
        return Weight(value - 1 / value) if self.mirrored else Weight(value, power)

    def moved(self, later: State) -> list[int]:
        """The columns that an update has changed between this moment and a later one."""
        # A normalised learner changes all weights in every update; its duals say what was learned.
        old, new = (state.weights if state.dual is None else state.dual for state in (self, later))
        known = np.zeros(len(new))
        known[: len(old)] = old
        return np.flatnonzero(known != new).tolist()


class Board:
    """Reads a learner's weights, and says which features they belong to."""

    def __init__(self, learner: Learner, name_of: Callable[[int], str]) -> None:
        if not isinstance(learner, LinearLearner):
            raise RequestError(f"{learner.plain_name} has no weights that a table could show.")
        self.learner = learner
        self.name_of = name_of

    def state(self) -> State:
        """The weights as they are now."""
        learner = self.learner
        weights = np.array(learner.weights)
        if learner.parameters.get("bias"):
            weights = np.append(weights, learner.bias_weight)
        dual = learner.dual if isinstance(learner, MultiplicativeLearner) else None
        return State(weights, dual, learner.power_base, learner.mirrored)

    def changes(self, before: State, after: State) -> Iterator[Change]:
        """What a round changed, in the order of the columns."""
        for column in before.moved(after):
            yield Change(self.feature(column), before.weight(column), after.weight(column))

    def feature(self, column: int) -> str:
        """The name of a weight's feature."""
        learner = self.learner
        if isinstance(learner, VariableLearner) and column >= learner.n_variables:
            return f"not {self.name_of(column - learner.n_variables)}"
        return BIAS if column == learner.n_features else self.name_of(column)

    def exact_score(self, state: State, row: dict[int, float]) -> Fraction | None:
        """<w, x> in fractions, if that is what is compared and the weights are known exactly."""
        if not self.learner.compares_plain_sums:
            return None
        terms = [(state.weight(column).value, value) for column, value in row.items()]
        if self.learner.parameters.get("bias"):
            terms.append((state.weight(self.learner.n_features).value, 1.0))
        if not all(isinstance(weight, Fraction) for weight, _ in terms):
            return None
        return sum((Fraction(weight) * Fraction(value) for weight, value in terms), Fraction(0))
