"""VersionSpaceLearner: everything but the vote, which learners over a finite class share."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import field, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from thresher.concepts import (
    BooleanFunction,
    ConceptClass,
    Conjunctions,
    CountingThresholds,
    Disjunctions,
    TruthTable,
)
from thresher.errors import ImportanceError, JournalTruncatedWarning, StateError
from thresher.learners.base.journal import DEFAULT_BYTES, Journal, check_history, journal_buffer
from thresher.learners.base.learned_state import LearnedState
from thresher.learners.base.learner import Learner
from thresher.learners.base.linear_form import LinearForm
from thresher.learners.base.rounds import Rounds
from thresher.learners.base.score_parts import ScoreParts
from thresher.records import record
from thresher.streams import Batch, Rows
from thresher.streams.labels import Label
from thresher.streams.value_limits import ValueLimits


@record(eq=False, repr=False)
class VersionSpaceRounds(Rounds):
    """The rounds of a learner over a finite class, with the version space at each.

    ``version_space[t]`` is the number of concepts before round `t`, ``votes_for[t]`` how many
    of them said +1. After round `t` as many are left as voted for the label: `survivors`.
    """

    version_space: NDArray[np.int64] = field(kw_only=True)
    votes_for: NDArray[np.int64] = field(kw_only=True)

    @property
    def survivors(self) -> NDArray[np.int64]:
        """The size of the version space after each round."""
        return np.where(self.label > 0, self.votes_for, self.version_space - self.votes_for)


class VersionSpaceLearner(Learner):
    """A learner that keeps the concepts consistent with all labels so far: the version space.

    Every round, right or wrong, removes the concepts that disagree with the label. When none is
    left, no concept in the class gives these labels: `realisable` becomes False, and from then on
    every score is 0 and every prediction +1.

    A subclass says how the version space votes.
    """

    brittle: ClassVar[bool] = True

    def __init__(self, concepts: ConceptClass, codes: NDArray[Any], journal_bytes: int) -> None:
        self.concepts = concepts
        self.journal_bytes = journal_bytes
        self._n_rounds = 0
        self._false = (0, 0)
        #: The round, counted from 1, whose label no concept was left to agree with; or None.
        self.emptied_in_round: int | None = None
        self._codes = codes
        self._codes.setflags(write=False)
        self._journal = journal_buffer(type(self).__name__, journal_bytes)

    #: What is counted on either side, and subtracted.
    _counted: ClassVar[str] = "concepts that say"

    @abstractmethod
    def _sides(self, codes: NDArray[Any], says: NDArray[np.bool_]) -> tuple[int, int]:
        """What speaks for +1 and for -1, given which concepts of the version space say +1."""

    def potential(self) -> tuple[int, Fraction]:
        """The quantity that the proof follows, and the most that it allows on labels of the class.

        It is the number of remaining concepts, which each mistake has halved.
        """
        return self.version_space_size, Fraction(self.concepts.size, 2**self.mistakes)

    def learn(self, X: Any, y: Any = None, *, importance: Any = None) -> VersionSpaceRounds:
        """Predict, compare and keep the concepts that agree, one row after another.

        `X` is a Batch, a sparse or dense matrix or a list of dicts, of 0s and 1s; `y` holds its
        labels. Either the whole batch is learned or, on an error, none of it. All rows count the
        same: any importance but 1 is refused.
        """
        batch = Batch.of(X, y, importance=importance)
        if batch.importance is not None:
            row = int(np.argmax(batch.importance != 1.0))
            raise ImportanceError.useless(type(self).__name__, row, float(batch.importance[row]))
        self.concepts.check(type(self).__name__, batch)
        scores = np.zeros(len(batch))
        sizes = np.zeros(len(batch), np.int64)
        votes = np.zeros(len(batch), np.int64)
        codes, changed = self._codes, []
        for t, (on, label) in enumerate(zip(_on(batch), batch.label.tolist(), strict=True)):
            says = self.concepts.votes(codes, on)
            sizes[t], votes[t] = len(says), np.count_nonzero(says)
            scores[t] = np.subtract(*self._sides(codes, says))
            keep = says if label > 0 else ~says
            if not keep.all():
                codes = np.compress(keep, codes, axis=1)
                changed.append(t)
        rounds = VersionSpaceRounds(
            scores, batch.label, self.threshold, version_space=sizes, votes_for=votes
        )
        self._commit(codes, rounds, batch, changed)
        return rounds

    def _commit(
        self, codes: NDArray[Any], rounds: VersionSpaceRounds, batch: Batch, changed: list[int]
    ) -> None:
        """Take over what a whole batch has done; nothing here can fail."""
        codes.setflags(write=False)
        self._codes = codes
        if not codes.shape[1] and changed:
            self.emptied_in_round = self.n_rounds + changed[-1] + 1
        self._n_rounds += len(rounds)
        negatives, positives = self._false
        self._false = (negatives + rounds.false_negatives, positives + rounds.false_positives)
        for t in changed:
            on = slice(*batch.row_start[t : t + 2])
            self._journal.append_row(
                batch.column[on],
                batch.value[on],
                batch.label[t],
                self.n_rounds - len(rounds) + t,
            )
        if self._journal.warn_once():
            warnings.warn(
                f"{type(self).__name__}: the journal is full at journal_bytes="
                f"{self.journal_bytes} after {len(self._journal)} rows; later rows are counted "
                "but not kept. Create the learner with a larger journal_bytes.",
                JournalTruncatedWarning,
                stacklevel=3,
            )

    def learn_one(self, x: Mapping[int, float], label: int, importance: float = 1.0) -> int:
        """Play one round on a dict from index to value; return the prediction, made first."""
        return int(self.learn([dict(x)], [label], importance=[importance]).predictions[0])

    def scores(self, X: Any) -> NDArray[np.float64]:
        """The score of each row, without learning."""
        positive, negative = self._counts_of_sides(Rows.of(X))
        return np.asarray(positive - negative)

    def _counts_of_sides(self, rows: Rows) -> NDArray[np.float64]:
        """What speaks for +1 and what for -1: a line each, and in it a number for each row."""
        self.concepts.check(type(self).__name__, rows)
        codes = self._codes
        each = [self._sides(codes, self.concepts.votes(codes, on)) for on in _on(rows)]
        return np.array(each, np.float64).reshape(-1, 2).T

    def score_parts(self, rows: Rows, label: Label | None = None) -> ScoreParts:
        """What the scores of rows are made of: votes of concepts, and no feature by itself."""
        positive, negative = self._counts_of_sides(rows)
        nothing = Rows(np.zeros(len(rows) + 1, np.int64), np.empty(0, np.int32), np.empty(0))
        votes = {f"{self._counted} +1": positive, f"{self._counted} -1": -negative}
        no_weights = LinearForm(np.empty(0), self.threshold)
        parts = ScoreParts.weighed(nothing, no_weights, positive - negative)
        return replace(parts, others=votes)

    def predict(self, X: Any) -> NDArray[np.int8]:
        """-1 or +1 for each row, without learning."""
        return np.where(self.scores(X) >= self.threshold, 1, -1).astype(np.int8)

    def predict_one(self, x: Mapping[int, float]) -> int:
        """-1 or +1 for a dict from index to value."""
        return int(self.predict([dict(x)])[0])

    @property
    def n_rounds(self) -> int:
        """Rounds played."""
        return self._n_rounds

    @property
    def false_negatives(self) -> int:
        """Mistakes on positive rows."""
        return self._false[0]

    @property
    def false_positives(self) -> int:
        """Mistakes on negative rows."""
        return self._false[1]

    @property
    def n_features(self) -> int:
        """Number of variables of the concepts."""
        return self.concepts.n_variables

    @property
    def domain(self) -> ValueLimits:
        """The values that features may have: 0 and 1."""
        return ValueLimits(0.0, 1.0, True, f"values in {{0, 1}}, which {type(self).__name__} needs")

    @property
    def mistakes(self) -> int:
        """Number of wrong predictions so far."""
        return self.false_negatives + self.false_positives

    @property
    def version_space_size(self) -> int:
        """How many concepts agree with every label so far."""
        return int(self._codes.shape[1])

    @property
    def realisable(self) -> bool:
        """Whether some concept agrees with every label so far."""
        return self.version_space_size > 0

    def consistent(self) -> Iterator[BooleanFunction]:
        """The concepts that agree with every label so far, one after another."""
        return (BooleanFunction(self.concepts, tuple(code.tolist())) for code in self._codes.T)

    def learned_state(self) -> LearnedState:
        """The concepts left: by their codes, in order, or by number where a table lists them."""
        if type(self.concepts) in (Disjunctions, Conjunctions, CountingThresholds):
            codes = self._codes.astype(np.int64)
            # By the first part of a code, then by the second, and so on.
            left = codes[:, np.lexsort(codes[::-1])].T if len(codes) else codes.T
        elif isinstance(self.concepts, TruthTable):
            left = self._codes.astype(np.int64).T
        else:
            every = self.concepts.codes(self.concepts.size).T.tolist()
            number = {tuple(code): at for at, code in enumerate(every)}
            numbers = [number[tuple(code)] for code in self._codes.T.tolist()]
            left = np.array(numbers, np.int64).reshape(-1, 1)
        return {"concepts": np.ascontiguousarray(left)}

    @property
    def journal(self) -> Journal:
        """The rows that changed the version space, in order: enough to rebuild the learner."""
        return Journal.snapshot(self._journal)

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters the learner was created with, by name."""
        return {"concepts": self.concepts, "journal_bytes": self.journal_bytes}

    def __getstate__(self) -> dict[str, Any]:
        state = (self._codes, self._counters(), copy(self._journal))
        return {"parameters": self.parameters, "state": state}

    def __setstate__(self, saved: dict[str, Any]) -> None:
        codes, counters, journal = saved["state"]
        parameters = saved["parameters"]
        # Not __init__ of the learner itself: it would enumerate the whole class again.
        self._begin(parameters, _checked_codes(parameters["concepts"], codes))
        self._n_rounds, *wrong, self.emptied_in_round = counters
        self._false = (wrong[0], wrong[1])
        check_history((*counters[:3], 0), journal, self.concepts.n_variables)
        if (self.emptied_in_round is None) == (not codes.shape[1]):
            raise StateError("the round in which the version space emptied is wrong or missing.")
        self._journal = journal

    def _begin(self, parameters: dict[str, Any], codes: NDArray[Any]) -> None:
        """Start with these concepts left."""
        VersionSpaceLearner.__init__(
            self, parameters["concepts"], codes, parameters["journal_bytes"]
        )

    def started_anew(self) -> Self:
        """A learner over the same class that has seen nothing."""
        parameters = self.parameters
        fresh = type(self).__new__(type(self))
        fresh._begin(parameters, parameters["concepts"].codes(parameters["concepts"].size))
        return fresh

    def copy(self) -> Self:
        """An independent learner in the same state."""
        twin = type(self).__new__(type(self))
        twin.__dict__.update(self.__dict__)
        # The arrays are replaced, never written to, so the two may share them; not the journal.
        twin._journal = copy(self._journal)
        return twin

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return (
            self._counters() == other._counters()
            and self._settings() == other._settings()
            and self.concepts == other.concepts
            and np.array_equal(self._codes, other._codes)
            and self._journal == other._journal
        )

    __hash__ = None  # type: ignore[assignment]

    def _counters(self) -> tuple[object, ...]:
        return (
            self.n_rounds,
            self.false_negatives,
            self.false_positives,
            self.emptied_in_round,
        )

    def _settings(self) -> dict[str, object]:
        """The parameters that differ from their defaults, for the repr."""
        return {} if self.journal_bytes == DEFAULT_BYTES else {"journal_bytes": self.journal_bytes}

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value}" for name, value in self._settings().items())
        return f"{type(self).__name__}({self.concepts!r}{settings})"


def _checked_codes(concepts: Any, codes: NDArray[Any]) -> NDArray[Any]:
    """Codes that somebody saved, if they are codes of this class."""
    fits = (
        isinstance(concepts, ConceptClass)
        and codes.shape[:1] == (concepts._width,)
        and codes.ndim == 2
        and codes.dtype == concepts._dtype
        and codes.shape[1] <= concepts.size
        and int(np.max(codes, initial=0)) <= concepts._largest
    )
    if not fits:
        raise StateError("the concepts left are not concepts of the class.")
    if not isinstance(concepts, TruthTable):
        # A code may have parts that are not all alike: whoever reads it knows best.
        try:
            concepts.votes(codes, np.arange(concepts.n_variables, dtype=np.int32))
        except IndexError:
            raise StateError("the concepts left are not concepts of the class.") from None
    return np.ascontiguousarray(codes)


def _on(rows: Rows) -> Iterator[NDArray[np.int32]]:
    """The features that are 1, row by row."""
    starts = rows.row_start.tolist()
    return (rows.column[a:b] for a, b in pairwise(starts))
