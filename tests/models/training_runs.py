"""Runs of training in small chunks, which can be stopped."""

from __future__ import annotations

from typing import Any

from thresher.models.choice import LearnerChoice
from thresher.models.events import Progressed, TrainingEvent
from thresher.models.input_data import InputData
from thresher.models.training import TrainingRun
from thresher.models.training_request import TrainingRequest


def asked(paths: str = "a.svm", learner: str | None = None, **settings: Any) -> TrainingRun:
    """A run in chunks of some 30 rows."""
    said = ("on_bad", "positive", "n_features")
    data = {name: settings.pop(name) for name in said if name in settings}
    return TrainingRun(
        TrainingRequest(
            data=InputData(paths=tuple(paths.split()), chunk_bytes=600, **data),
            learner=None if learner is None else LearnerChoice.parse(learner),
            **settings,
        )
    )


def stopped_after(running: TrainingRun, chunks: int) -> list[TrainingEvent]:
    """The events of a run that is stopped while so many chunks were learned."""
    events = []
    for event in running:
        events.append(event)
        chunks -= isinstance(event, Progressed)
        if not chunks:
            running.stop()
    return events
