"""Pupil: a model that is taught lines, and says of each what it predicted before it knew the label.

Everything here is a function of the model and the lines: no clock, no disk, no network. What is
learned depends on the lines and their order alone, not on how they were cut into requests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from thresher.errors import ThresherError
from thresher.models.claims import parse_claim
from thresher.models.model import Model
from thresher.names.kept import KeptNames
from thresher.service.examples import ExampleReader, Examples, label_value
from thresher.streams.labels import Label

#: Rounds over which the recent error is taken.
WINDOW = 1_000


class Learned(NamedTuple):
    """What an event was answered: the prediction before its label was used, and whether it erred.

    An event that the learner could not take, which changes nothing, has `refused` instead.
    """

    prediction: Label | None
    score: float | None
    mistake: bool | None
    refused: str | None = None


class Predicted(NamedTuple):
    """What is predicted for some rows."""

    labels: list[Label | None]
    scores: list[float | None]
    #: By class, where the learner gives probabilities and they were asked for.
    probabilities: list[dict[str, float]] | None


class Lesson(NamedTuple):
    """Lines that were read and checked by a reader, ready to be learned."""

    #: None: they are to be read again when they are learned.
    reader: ExampleReader | None
    examples: Examples
    #: Names of classes, as their labels are understood.
    names: list[str]


class Pupil:
    """A model at work.

    Parameters
    ----------
    model
        Who learns.
    claim
        What is believed of all events, as it is written, and was not refuted so far.
    """

    def __init__(self, model: Model, claim: str | None = None) -> None:
        if model.kept is None:
            model = replace(model, kept=KeptNames(model.name_table, recipe=model.recipe))
        self.model = model
        self._only_on_mistakes = model.learner.changes_only_on_mistakes
        self._labels: tuple[Label | None, ...] = ()
        self.reader = ExampleReader(model)
        self._claim: Any = None
        if claim is not None:
            self._claim = parse_claim(claim, model.learner.n_features)
        #: How many of the lines taught were refused, and mistakes of the last rounds as 1 and 0.
        self.refused = self.rounds = 0
        self._window = np.zeros(WINDOW, np.int8)

    @property
    def labels(self) -> tuple[Label | None, ...]:
        """What the classes are called, by number."""
        learner = self.model.learner
        # Two stay as they are, and of several more may come.
        if not self._labels or (learner.several and len(self._labels) != len(learner.classes)):
            names = learner.classes if learner.several else self.model.label_names
            self._labels = tuple(label_value(name) for name in names)
        return self._labels

    @property
    def recent_error(self) -> float | None:
        """The share of mistakes in the last rounds of this process; None before the first."""
        n = min(self.rounds, WINDOW)
        return int(np.count_nonzero(self._window[:n])) / n if n else None

    def predict(self, examples: Examples, *, probabilities: bool = False) -> Predicted:
        """The labels of some rows; nothing changes."""
        learner = self.model.learner
        if probabilities:
            learner.require_probabilities()
        if not learner.classes:
            n = examples.size
            return Predicted([None] * n, [None] * n, None)
        scores, labels = learner.scores(examples.rows), self.labels
        if scores.shape == (1,) and not probabilities:
            # One row of two classes is most of them.
            score = float(scores[0])
            return Predicted([labels[score >= learner.threshold]], [score], None)
        numbers = learner.predicted_numbers(scores)
        best = scores if scores.ndim == 1 else scores[np.arange(len(scores)), numbers]
        found = None
        if probabilities:
            names = [str(label) for label in labels]
            table = learner.probabilities_of(scores).tolist()
            found = [dict(zip(names, row, strict=True)) for row in table]
        return Predicted([labels[k] for k in numbers.tolist()], best.tolist(), found)

    def lesson(self, kind: str, text: bytes, n_rows: int | None = None) -> Lesson:
        """Lines as rows with labels, all of which the learner takes; or an error, and no trace."""
        lesson = self._lesson(self.reader.checked(kind, text, n_rows))
        # The columns of a vocabulary are given out when their turn has come.
        return lesson._replace(reader=None) if self.reader.grows else lesson

    def _lesson(self, examples: Examples) -> Lesson:
        names, _ = self.reader.learnable(examples)
        if self._claim is not None:
            # Imported here: theorems are for those who claim something.
            from thresher.learners.base.evidence import check_premises  # noqa: PLC0415

            check_premises(self.model.learner, self._claim, self.reader.batch(examples))
        return Lesson(self.reader, examples, names)

    def taught(
        self, kind: str, lines: list[bytes], prepared: Lesson | None = None
    ) -> tuple[list[Learned], int | None]:
        """Learn lines, one after another.

        A line that cannot be learned is refused, leaves no trace, and does not stop the others.

        Parameters
        ----------
        kind, lines
            How they are written, and the lines, with their ends.
        prepared
            The lines, if they have been read; of use only if by the reader of this pupil.

        Returns
        -------
        The answer to each line, and the place of the one that refuted the claim, if one did.
        """
        names = self.model.name_table
        known = len(names.vocabulary)
        try:
            if prepared is None or prepared.reader is not self.reader:
                prepared = self._lesson(self.reader.taken(kind, b"".join(lines), len(lines)))
            return self._learned(prepared)
        except ThresherError as error:
            names.forget(known)
            if len(lines) == 1:
                self.refused += 1
                return [Learned(None, None, None, str(error))], None
        # One line spoils a batch, and nothing of it was learned: then the halves, one after the
        # other, which finds a line among many soon.
        half = len(lines) // 2
        answers, refuted = self.taught(kind, lines[:half])
        others, fell = self.taught(kind, lines[half:])
        return answers + others, refuted if fell is None else half + fell

    def _learned(self, lesson: Lesson) -> tuple[list[Learned], int | None]:
        learner = self.model.learner
        before, arguments = learner.n_rounds, {}
        if self._claim is not None:
            arguments["claim"] = self._claim
        rounds = learner.learn(self.reader.batch(lesson.examples), **arguments)
        refuted = None
        if rounds.refuted_at is not None:
            # A claim is refuted once.
            refuted, self._claim = max(0, rounds.refuted_at - before), None
        mistaken = rounds.mistaken
        self._note(mistaken)
        changed = np.ones(len(rounds), bool) if rounds.changed is None else rounds.changed
        if self._only_on_mistakes:
            changed = mistaken
        if changed.any():
            assert self.model.kept is not None
            format_ = self.reader.format_of(lesson.examples.kind)
            self.model.kept.add_rows(format_, lesson.examples.chunk(), changed)
        labels = self.labels
        if rounds.predicted is None:
            found = [labels[int(up)] for up in (rounds.scores >= rounds.threshold).tolist()]
        else:
            found = [None if k < 0 else labels[k] for k in rounds.predicted.tolist()]
        scores: list[float | None] = rounds.scores.tolist()
        if None in found:
            # Before the first class there is nothing to score.
            scores = [None if k is None else s for k, s in zip(found, scores, strict=True)]
        return list(map(Learned, found, scores, mistaken.tolist())), refuted

    def _note(self, mistaken: Any) -> None:
        """Remember the mistakes of the last rounds."""
        places = (self.rounds + np.arange(len(mistaken)))[-WINDOW:] % WINDOW
        self._window[places] = mistaken[-WINDOW:]
        self.rounds += len(mistaken)

    def frozen(self) -> Callable[[], Model]:
        """What makes an independent model in the present state, now or later, in any thread.

        What must happen between two events happens here; the table of names, which takes most of
        the time when there are many, is made by whoever calls what is returned.
        """
        model = self.model
        assert model.kept is not None
        learner, names = model.learner.copy(), model.kept.to_arrays()

        def made() -> Model:
            twin = replace(model, learner=learner)
            twin.kept = KeptNames.from_arrays(twin.name_table, names, model.recipe)
            return twin

        return made
