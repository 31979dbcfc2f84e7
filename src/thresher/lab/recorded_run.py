"""RecordedRun: one learner over one stream, remembered so that any round can be shown again."""

from __future__ import annotations

import pickle
import threading
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.certifier import certify
from thresher.errors import NotCertifiableError, RequestError
from thresher.lab.streams import CHUNK, LabStream, room_for
from thresher.learners.base.learner import Learner
from thresher.learners.multiclass.arrangement import arranged
from thresher.models.choice import LearnerChoice
from thresher.models.claims import parse_claim
from thresher.models.concept_choice import learner_over_concepts
from thresher.models.race import HINDSIGHT_ROWS, HINDSIGHT_VALUES
from thresher.pictures.names import plain
from thresher.streams.batch import Batch
from thresher.verifier import Certificate

#: Copies of the learner on the way, from which rounds are played again.
COPIES = 16
#: Memory of these copies; where they would need more, every second one goes.
KEPT_BYTES = 256 << 20
#: Points of a curve, whatever the number of rounds.
POINTS = 1024
#: Rounds beyond which a declared claim is not certified while somebody waits.
CERTIFIED_ROWS = 1_000_000


class RecordedRun:
    """A run over a stream that is in memory, and copies of the learner as it was on the way.

    >>> from thresher.lab.streams import stream_of
    >>> stream = stream_of("winnow-loop", {})
    >>> run = RecordedRun(stream, stream.whole(), "winnow:threshold=4")
    >>> run.mistakes, run.learner_before(10).n_rounds
    (51, 10)
    """

    def __init__(self, stream: LabStream, batch: Batch, learner: str) -> None:
        self.stream, self.batch, self.text = stream, batch, learner
        self.learner = _made(learner, stream)
        #: The learner after 0, 1, 2, ... times `_every` rounds, and the memory of each.
        self._copies, self._sizes = [self.learner.copy()], [_bytes(self.learner)]
        self._every = every = max(CHUNK, -(-len(batch) // COPIES))
        scores = []
        for first in range(0, len(batch), every):
            scores.append(self.learner.learn(batch[first : first + every]))
            if first + every <= len(batch):
                self._keep_copy(first + every)
        #: Of several classes, the best score in each round.
        self.scores: NDArray[np.float64] = np.concatenate([one.scores for one in scores])
        self.mistaken: NDArray[np.bool_] = np.concatenate([one.mistaken for one in scores])
        #: Of several classes, labels and predictions by number.
        self._numbers: NDArray[np.int32] = np.empty((2, 0), np.int32)
        if stream.several:
            each = [(one.label, one.predicted) for one in scores if one.predicted is not None]
            self._numbers = np.concatenate([np.stack(pair) for pair in each], axis=1)
        #: The memory that the run takes, its rows apart.
        self.n_bytes = (
            sum(self._sizes) + _bytes(self.learner) + 9 * len(batch) + self._numbers.nbytes
        )
        self._certifying = threading.Lock()

    def _keep_copy(self, t: int) -> None:
        """Copy the learner after round `t`, if it is the turn of that round and there is room."""
        if t % self._every:
            return
        size = _bytes(self.learner)
        while len(self._copies) > 1 and sum(self._sizes) + size > KEPT_BYTES:
            self._copies, self._sizes = self._copies[::2], self._sizes[::2]
            self._every *= 2
        if t == len(self._copies) * self._every and sum(self._sizes) + size <= KEPT_BYTES:
            self._copies.append(self.learner.copy())
            self._sizes.append(size)

    def __len__(self) -> int:
        return len(self.batch)

    @property
    def given(self) -> NDArray[np.int32]:
        """The number of each row's label in `classes`."""
        if self.stream.several:
            return np.asarray(self._numbers[0])
        return (self.batch.label > 0).astype(np.int32)

    @property
    def said(self) -> NDArray[np.int32]:
        """The number of what was said in each round; -1: there was no class to say."""
        if self.stream.several:
            return np.asarray(self._numbers[1])
        return (self.scores >= self.learner.threshold).astype(np.int32)

    @property
    def classes(self) -> tuple[str, ...]:
        """What the labels are called: two, the negative one first, or all of several."""
        if not self.stream.several:
            return self.stream.labels
        return tuple(plain(str(label)) for label in self.learner.classes)

    @property
    def title(self) -> str:
        """What the learner is called: its class, and the parameters that were given."""
        _, colon, parameters = self.text.partition(":")
        return self.learner.plain_name.capitalize() + (f" ({parameters})" if colon else "")

    @cached_property
    def mistaken_rounds(self) -> NDArray[np.int64]:
        """The rounds of mistakes, counted from 1."""
        return np.flatnonzero(self.mistaken) + 1

    @property
    def mistakes(self) -> int:
        """How many mistakes there were."""
        return len(self.mistaken_rounds)

    def learner_before(self, t: int) -> Learner:
        """A learner that has played `t` rounds and no more."""
        at = min(t // self._every, len(self._copies) - 1)
        learner = self._copies[at].copy()
        if t > at * self._every:
            learner.learn(self.batch[at * self._every : t])
        return learner

    def curve(self) -> list[tuple[int, int]]:
        """Rounds and mistakes so far: every mistake, or points dense at the start and even after.

        >>> from thresher.lab.streams import stream_of
        >>> stream = stream_of("singletons", {})
        >>> run = RecordedRun(stream, stream.whole(), "winnow")
        >>> run.curve()[:3], run.curve()[-1]
        ([(0, 0), (1, 1), (2, 2)], (8, 8))
        """
        wrong = self.mistaken_rounds
        if len(wrong) < POINTS - 1:
            points = [(0, 0), *zip(wrong.tolist(), range(1, len(wrong) + 1), strict=True)]
            return points if points[-1][0] == len(self) else [*points, (len(self), len(wrong))]
        half = POINTS // 2 - 1
        early = np.geomspace(1, len(self), half).astype(np.int64)
        even = np.linspace(0, len(self), half).astype(np.int64)
        at = np.unique(np.concatenate(([0], early, even, [len(self)])))
        made = np.searchsorted(wrong, at, side="right")
        return list(zip(at.tolist(), made.tolist(), strict=True))

    def certificate(self) -> Certificate | None:
        """The strongest certificate that can be found while somebody waits.

        A small stream is searched for the best comparator; of a longer one, what is known to label
        its rows is declared. None: it is too long for either.
        """
        with self._certifying:
            return self._certificate

    @cached_property
    def _certificate(self) -> Certificate | None:
        small = len(self) <= HINDSIGHT_ROWS and len(self.batch.column) <= HINDSIGHT_VALUES
        if small:
            return certify(self.learner, self.batch)
        if self.stream.claim is None or len(self) > CERTIFIED_ROWS:
            return None
        claim = parse_claim(self.stream.claim, self.stream.n_features)
        try:
            return certify(self.learner, self.batch, claim=claim)
        except NotCertifiableError:
            return None


def _bytes(learner: Learner) -> int:
    """The memory of a learner with its journal: what it takes when it is written down."""
    return len(pickle.dumps(learner, protocol=5))


def _made(text: str, stream: LabStream) -> Learner:
    """The learner, with a journal, which proofs are read from."""
    choice = LearnerChoice.parse(text)
    if stream.several:
        return _of_several(choice, stream)
    if choice.record.needs == "concepts":
        given: dict[str, Any] = dict(choice.given)
        concepts = given.pop("concepts", "disjunctions")
        plain = LearnerChoice(choice.name, given)
        return learner_over_concepts(plain, concepts, stream.n_features)
    choice = choice.require_two_classes(f"{stream.title} has")
    _refuse_made(choice)
    return choice.create(n_features=stream.n_features)


def _of_several(choice: LearnerChoice, stream: LabStream) -> Learner:
    """The learner for all classes, or one of it for each."""
    _refuse_made(choice)
    learner = arranged(choice.create(n_features=stream.n_features), several=True)
    n_classes = len(next(stream.batches()).classes)
    if not room_for(learner, n_classes):
        raise RequestError(
            f"{choice.name} for each of {n_classes:,} classes takes more memory than the lab has.",
            "Take one for all classes, such as multiclass_perceptron.",
        )
    return learner


def _refuse_made(choice: LearnerChoice) -> None:
    if choice.record.needs is not None:
        raise RequestError(
            f"{choice.name} is made of another learner, and the lab shows plain ones."
        )
