"""Rerun: a model beside data: the run that made it, played again, or a test on other rows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from hashlib import file_digest
from typing import TYPE_CHECKING

import numpy as np

from thresher.errors import NotCertifiableError, ThresherError
from thresher.models.account import Account
from thresher.models.chunk_learner import ChunkLearner
from thresher.models.evaluation import Evaluation
from thresher.models.events import Progressed, Warned
from thresher.models.holdout import Holdout
from thresher.models.opening import open_for_model
from thresher.models.progress import Progress
from thresher.models.run_record import RunRecord
from thresher.streams.sources.source import expanded, stored_size

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.models.history import Source
    from thresher.models.input_data import InputData
    from thresher.models.model import Model
    from thresher.streams.reading import SourceRecord, Stream


class Rerun:
    """What a model does on data: whoever goes through it gets events, and then has the account.

    If the data are what the model learned from, bit for bit, a new learner with its parameters
    plays the run again, and each row is predicted before its label is told. If that ends with
    the model's own counts, it is the run. Otherwise the model is tested on the rows.

    Parameters
    ----------
    model, data
        The model, and rows with labels.
    examples
        Whether to keep the lines of the costliest rounds.
    ignore_importance
        Whether every row counts once, whatever it says.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import thresher as th
    >>> from thresher.models.input_data import InputData
    >>> file = pathlib.Path(tempfile.mkdtemp(), "tiny.svm")
    >>> _ = file.write_text("1 0:1 2:1\\n0 1:1 2:1\\n1 0:1 1:1\\n" * 4)
    >>> again = Rerun(th.train(file, "perceptron"), InputData.of_paths(file))
    >>> events = list(again)
    >>> again.account.kind, again.account.to_the_bit, again.account.record.curve.mistakes
    ('run', True, 2)
    """

    def __init__(
        self,
        model: Model,
        data: InputData,
        *,
        examples: bool = False,
        ignore_importance: bool = False,
    ) -> None:
        self.model, self.data = model, data
        self._examples, self._weighted = examples, not ignore_importance
        self._account: Account | None = None

    @property
    def account(self) -> Account:
        """What was found, in the end."""
        assert self._account is not None
        return self._account

    def __iter__(self) -> Iterator[Progressed | Warned]:
        if (passes := self._passes()) is not None:
            yield from self._play_again(passes)
        if self._account is None:
            yield from self._test()

    def _passes(self) -> int | None:
        """How often the model has read these data, if their sizes say that it has."""
        trainings = self.model.history
        learned = [source for training in trainings for source in training.sources]
        paths = expanded(self.data.paths)
        if len(learned) != len(paths) or not all(training.finished for training in trainings):
            return None
        for path, source in zip(paths, learned, strict=True):
            if stored_size(path) != source.n_bytes:
                return None
        passes = {source.passes for source in learned}
        if len(trainings) > 1 and (passes != {1} or any(one.holdout for one in trainings)):
            return None
        return passes.pop() if len(passes) == 1 else None

    def _play_again(self, passes: int) -> Iterator[Progressed | Warned]:
        """Let a new learner play the run; a row that it does not take ends the attempt."""
        model, learner = self.model, self.model.learner.started_anew()
        stream = open_for_model(model, self.data, labels=True)
        record = RunRecord(examples=self._examples)
        every = model.history[0].holdout
        holdout = None if every is None else Holdout(every)
        lessons = ChunkLearner(
            replace(model, learner=learner, kept=None),
            stream,
            Progress(),
            holdout,
            claim=None,
            weighted=self._weighted,
            chosen=True,
        )
        lessons.record = record
        rows = 0
        whole = None if stream.total_bytes is None else passes * stream.total_bytes
        try:
            for number in range(passes):
                if holdout is not None:
                    holdout.start_pass()
                with closing(stream.chunks()) as chunks:
                    for chunk in chunks:
                        for _ in lessons.learn(chunk, 0, model.label_names):
                            pass
                        rows += len(chunk.rows)
                        behind = number * (stream.total_bytes or 0)
                        yield Progressed(rows, behind + chunk.position, whole)
                record.fresh = False
        except ThresherError:
            # A test on the same rows will say what is wrong with them, if something is.
            return
        if not self._is_the_run(learner, stream):
            return
        self._account = Account(
            model=model,
            data=self.data,
            stream=stream,
            record=record,
            card=record.card_for(model),
            kind="run",
            to_the_bit=_to_the_bit(learner, model.learner),
            passes=passes,
        )
        for remark in stream.bad.remarks():
            yield Warned(remark)

    def _is_the_run(self, learner: Learner, stream: Stream) -> bool:
        """Whether the run that was played is the one that made the model."""
        own = self.model.learner
        learned = [source for training in self.model.history for source in training.sources]
        return (
            len(learned) == len(stream.sources)
            and all(map(_same_bytes, learned, stream.sources, expanded(self.data.paths)))
            and (learner.n_rounds, learner.mistakes) == (own.n_rounds, own.mistakes)
            and _to_the_bit(learner, own) is not False
        )

    def _test(self) -> Iterator[Progressed | Warned]:
        """Hold the model's predictions against the labels."""
        record = RunRecord(several=self.model.learner.several, examples=self._examples)
        evaluation = Evaluation(self.model, self.data, record=record)
        yield from evaluation
        self._account = Account(
            model=self.model,
            data=self.data,
            stream=evaluation.stream,
            record=record,
            card=evaluation.card,
            kind="test",
        )


def _same_bytes(learned: Source, read: SourceRecord, path: str) -> bool:
    """Whether what was learned is what was read, by the digest that is known of both."""
    algorithm, _, digest = read.digest.partition(":")
    if learned.sha256 is None or algorithm == "sha256":
        return digest == (learned.blake3 if algorithm == "blake3" else learned.sha256)
    # A release before this one took another digest, of the same bytes.
    with open(path, "rb") as file:
        return file_digest(file, "sha256").hexdigest() == learned.sha256


def _to_the_bit(learner: Learner, other: Learner) -> bool | None:
    """Whether two learners have the same numbers; None where they have none to compare."""
    try:
        ours, theirs = learner.learned_state(), other.learned_state()
    except NotCertifiableError:
        return None
    return ours.keys() == theirs.keys() and all(
        np.array_equal(ours[name], theirs[name]) for name in ours
    )
