"""The screen Step: one stream, a few learners, and any round of theirs."""

from __future__ import annotations

from typing import Any

import numpy as np

from thresher.errors import RequestError
from thresher.lab.evidence import Evidence, check_commands, evidence
from thresher.lab.frames import Frame, frames, weight_history
from thresher.lab.programs import program
from thresher.lab.recorded_run import RecordedRun
from thresher.lab.streams import LabStream
from thresher.streams.batch import Batch

#: Learners side by side: so many can be told apart by colour and dash.
MOST_LEARNERS = 6
#: Rounds of one learner in a page that is saved: all its mistakes if they fit, and others evenly.
SAVED_ROUNDS = 240


def overview(stream: LabStream, runs: list[RecordedRun]) -> dict[str, Any]:
    """What the screen shows before a round is chosen: the stream, and everybody's curve."""
    batch = runs[0].batch
    _refuse_several(stream)
    return {
        "stream": stream.text,
        "title": stream.title,
        "facts": facts(stream, batch),
        "secret": stream.secret,
        "labels": stream.labels,
        "rounds": len(batch),
        "features": stream.n_features,
        "learners": [
            {
                "text": run.text,
                "title": run.title,
                "commands": check_commands(run),
                "python": program(run),
                "mistakes": run.mistakes,
                "curve": run.curve(),
                # Of a run with more mistakes than points, the page asks for the next one.
                "all": len(run.curve()) > run.mistakes,
            }
            for run in runs
        ],
    }


def _refuse_several(stream: LabStream) -> None:
    """Rounds are looked at one by one where there is one score, and one threshold."""
    if stream.several:
        raise RequestError(
            f"{stream.title} has several classes, and Step goes through rounds of two.",
            "Your data and Race show all of them; or say in Your data which label counts as +1.",
            code="request.step_several",
        )


def facts(stream: LabStream, batch: Batch) -> list[str]:
    """The stream in a few words."""
    widths = np.diff(batch.row_start)
    low, high = int(widths.min()), int(widths.max())
    each = f"{low}" if low == high else f"{low} to {high}"
    share = np.count_nonzero(batch.label > 0) / max(len(batch), 1)
    found = [
        f"{len(batch):,} rounds",
        f"{stream.n_features:,} features, {each} in each row",
        f"{share:.0%} {stream.labels[1]}".replace("%", " %"),
    ]
    return [*found, stream.remark] if stream.remark else found


def next_mistake(run: RecordedRun, t: int, direction: int) -> int:
    """The round of the next mistake after `t`, or of the last before it; `t` if there is none."""
    wrong = run.mistaken_rounds
    at = np.searchsorted(wrong, t, side="right") if direction > 0 else np.searchsorted(wrong, t) - 1
    return int(wrong[at]) if 0 <= at < len(wrong) else t


def saved(runs: list[RecordedRun], t: int) -> dict[str, Any]:
    """All that a page needs to show a run without the lab, round `t` included."""
    return {
        "frames": [_saved_frames(run, t) for run in runs],
        "evidence": [evidence(run) for run in runs],
    }


def _saved_frames(run: RecordedRun, t: int) -> list[Frame]:
    wrong = run.mistaken_rounds
    if len(wrong) > SAVED_ROUNDS:
        wrong = wrong[np.linspace(0, len(wrong) - 1, SAVED_ROUNDS).astype(np.int64)]
    even = np.linspace(1, len(run), max(2, SAVED_ROUNDS - len(wrong))).astype(np.int64)
    chosen = np.unique(np.concatenate((wrong, even, [min(max(t, 1), len(run))])))
    return [frame for one in chosen.tolist() for frame in frames(run, one, 1)]


__all__ = [
    "MOST_LEARNERS",
    "Evidence",
    "evidence",
    "frames",
    "next_mistake",
    "overview",
    "saved",
    "weight_history",
]
