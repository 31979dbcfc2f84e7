"""Account: what a model did on data, as a report tells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from thresher.models.gathering import gathered
from thresher.models.labelled import labelled_stream
from thresher.streams.batch import Batch

if TYPE_CHECKING:
    from thresher.models.input_data import InputData
    from thresher.models.model import Model
    from thresher.models.run_record import RunRecord
    from thresher.models.scorecard import Scorecard
    from thresher.models.training import TrainingRun
    from thresher.streams.reading import Stream


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A record of rounds or of a test, and what it is a record of."""

    model: Model
    data: InputData
    stream: Stream
    record: RunRecord
    #: Confusion and ranking, of the run's first pass or of the test.
    card: Scorecard
    #: All that made the model, the last part of that, or rows that it did not learn from.
    kind: Literal["run", "part", "test"]
    #: Whether a learner that played the run again has the model's numbers to the last bit; None
    #: where nobody has looked, or can tell.
    to_the_bit: bool | None = None
    passes: int = 1

    @property
    def before_learning(self) -> bool:
        """Whether each row was predicted before its label was told, and then learned."""
        return self.kind != "test"

    @classmethod
    def of_training(cls, run: TrainingRun) -> Account:
        """What a run of training, with a record, has done."""
        model, record = run.model, run.request.record
        assert record is not None
        once = run.holdout is None or run.request.passes == 1
        whole = not run.rounds_before and run.finished and once
        return cls(
            model=model,
            data=run.request.data,
            stream=run.stream,
            record=record,
            card=record.card_for(model),
            kind="run" if whole else "part",
            passes=run.request.passes,
        )

    def rows_of_the_run(self) -> Batch | None:
        """The rows of the run, pass after pass, if they were kept."""
        batch = self.record.batch
        return None if batch is None else Batch.joined([batch] * self.passes)

    def rows_for(self, rounds: int) -> Batch:
        """The rows as often as it takes to make so many rounds; once, if nothing makes them."""
        batch = self.record.batch
        if batch is None:
            with labelled_stream(self.data, model=self.model, ignore_importance=True) as stream:
                batch = gathered(stream)
        times = rounds // len(batch) if len(batch) and rounds % len(batch) == 0 else 1
        return Batch.joined([batch] * max(1, times))
