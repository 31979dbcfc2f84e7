"""What `thresher train` has to say in the end, for people and for programs."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from thresher.models.plain_parameters import plain_parameters

if TYPE_CHECKING:
    from thresher.cli.training_job import TrainingJob


def report(job: TrainingJob) -> dict[str, Any]:
    """The run as JSON-ready values."""
    run, learner, request = job.run, job.model.learner, job.request
    found: dict[str, Any] = {
        "model": request.output,
        "learner": learner.name,
        "parameters": plain_parameters(learner),
        "format": job.stream.format,
        "labels": None if job.stream.scheme is None else job.stream.scheme.to_dict(),
        "rows": run.rows,
        "passes": run.number,
        "finished": run.finished,
        "rounds": learner.n_rounds,
        "mistakes": learner.mistakes,
        "classes": None if job.classes is None else [str(label) for label in learner.classes],
        "false_negatives": getattr(learner, "false_negatives", None),
        "false_positives": getattr(learner, "false_positives", None),
        "error": run.progress.error,
        "bad_lines": job.stream.bad.count,
        "seconds": time.perf_counter() - job.began,
        "rounds_per_second": run.progress.rate,
        "progress": [point.to_dict() for point in run.progress.points],
    }
    if run.holdout is not None:
        found["holdout"] = {"every": run.holdout.every, "errors": run.holdout_errors}
    if request.claim is not None:
        refuted = run.refuted_at
        found["claim"] = {"text": request.claim, "allowed": job.allowed, "refuted_at": refuted}
    return found


def as_json(job: TrainingJob) -> str:
    """The report for programs."""
    return json.dumps(report(job), indent=2)


def as_text(job: TrainingJob) -> str:
    """The report for people."""
    run, learner = job.run, job.model.learner
    error = "" if run.progress.error is None else f", {run.progress.error:.2%}"
    lines = [
        f"rounds    {learner.n_rounds:,}",
        f"mistakes  {learner.mistakes:,}{error}{_kinds(job)}",
        *([] if job.classes is None else [f"classes   {len(learner.classes):,}"]),
    ]
    held = [error for error in run.holdout_errors if error is not None]
    if held:
        lines.append("held out  " + ", ".join(f"{error:.2%}" for error in held) + " pass by pass")
    if job.request.claim is not None:
        fell = run.refuted_at
        verdict = "stands" if fell is None else f"was refuted in round {fell + 1:,}"
        lines.append(f"claim     {job.request.claim} {verdict}; it allows {job.allowed:,} mistakes")
    if job.stream.bad.count:
        plural = "" if job.stream.bad.count == 1 else "s"
        lines.append(f"bad       {job.stream.bad.count:,} line{plural} left out")
    lines.append(f"model     {job.request.output}")
    return "\n".join(lines)


def _kinds(job: TrainingJob) -> str:
    """The two kinds of mistakes, where there are two classes."""
    if job.classes is not None:
        return ""
    learner = job.model.learner
    return f" ({learner.false_negatives:,} missed, {learner.false_positives:,} false alarms)"
