"""A calibrated learner, replayed: calibration changes no prediction."""

from __future__ import annotations

from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.nested import Inner
from thresher.verifier.replays.playing import ONE_OF_SEVERAL, Parameters, Replay


def replay_calibrated(stream: LabelledRows, parameters: Parameters, *, inner: Inner) -> Replay:
    """The run of the learner that is calibrated.

    Scores, predictions and updates are its own, and so is the state. The map from scores to
    probabilities decides none of them; a certificate says nothing about it.
    """
    record, own = inner.of(parameters)
    return record.replay(stream, own | {ONE_OF_SEVERAL: parameters.get(ONE_OF_SEVERAL)})
