"""What `thresher train` has to say in the end, for people and for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thresher.cli.json_result import json_result
from thresher.models.plain_parameters import plain_parameters

if TYPE_CHECKING:
    from thresher.models.training import TrainingRun


def report_as_json(run: TrainingRun, seconds: float) -> str:
    """The report for programs; `seconds` is all that the command took."""
    learner, request, scheme = run.learner, run.request, run.stream.scheme
    found: dict[str, Any] = {
        "model": request.save_to,
        "learner": learner.name,
        "parameters": plain_parameters(learner),
        "format": run.stream.format,
        "labels": None if scheme is None else scheme.to_dict(),
        "rows": run.rows,
        "passes": run.pass_number,
        "finished": run.finished,
        "rounds": learner.n_rounds,
        "mistakes": learner.mistakes,
        "classes": [str(label) for label in learner.classes] if learner.several else None,
        "false_negatives": learner.false_negatives,
        "false_positives": learner.false_positives,
        "error": learner.mistakes / learner.n_rounds if learner.n_rounds else None,
        "bad_lines": run.bad_lines,
        "unended": run.unended,
        "seconds": seconds,
        "rounds_per_second": run.rounds_per_second,
        "progress": [point.to_dict() for point in run.progress.points],
        "curve": run.progress.curve.to_dict(),
    }
    if run.progress.window is not None:
        found["window"] = run.progress.window.to_dict()
    if (evidence := run.evidence) is not None:
        found["evidence"] = {
            "mistakes": evidence.mistakes,
            "rounds": evidence.rounds,
            "max_mean_risk": evidence.max_risk,
            "confidence": float(1 - evidence.delta),
            "theorem": evidence.theorem,
            "if": "rows are independent draws from one source",
        }
    if run.holdout is not None:
        found["holdout"] = {
            "every": run.holdout.every,
            "errors": run.holdout.errors,
            "best_pass": run.holdout.best_pass,
        }
    if request.claim is not None:
        allowed, refuted = run.allowed, run.refuted_at
        found["claim"] = {"text": request.claim, "allowed": allowed, "refuted_at": refuted}
    return json_result("train", found)


def best_pass(run: TrainingRun) -> str:
    """Which pass the model is from; a run that was interrupted has not chosen yet."""
    if not run.finished or run.holdout is None:
        return "the current pass; the best pass is chosen at the end"
    return f"pass {run.holdout.best_pass}"


def report_as_text(run: TrainingRun) -> str:
    """The report for people."""
    learner, claim, bad = run.learner, run.request.claim, run.bad_lines
    rounds = learner.n_rounds
    error = f", {learner.mistakes / rounds:.2%}" if rounds else ""
    missed, alarms = learner.false_negatives, learner.false_positives
    alarm = "alarm" if alarms == 1 else "alarms"
    kinds = "" if learner.several else f" ({missed:,} missed, {alarms:,} false {alarm})"
    lines = [f"rounds    {rounds:,}", f"mistakes  {learner.mistakes:,}{error}{kinds}"]
    if run.progress.window is not None:
        lines.append(f"window    {run.progress.window}")
    if learner.several:
        lines.append(f"classes   {len(learner.classes):,}")
    errors = [] if run.holdout is None else run.holdout.errors
    if held := [f"{error:.2%}" for error in errors if error is not None]:
        which = "" if len(held) == 1 else f"; the model is that of {best_pass(run)}"
        lines.append(f"held out  {', '.join(held)} pass by pass{which}")
    if claim is not None:
        fell = run.refuted_at
        verdict = "stands" if fell is None else f"was refuted in round {fell + 1:,}"
        lines.append(f"claim     {claim} {verdict}; it allows {run.allowed:,} mistakes")
    if (evidence := run.evidence) is not None:
        lines.append(f"evidence  {evidence}")
    if bad:
        lines.append(f"bad       {bad:,} line{'' if bad == 1 else 's'} left out")
    return "\n".join([*lines, f"model     {run.request.save_to}"])
