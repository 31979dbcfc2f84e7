"""What `thresher train --exact` and `--mode counterexamples` print in the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from thresher.cli.json_result import json_result
from thresher.cluster.counterexamples import CounterexampleTraining
from thresher.models.plain_parameters import plain_parameters

if TYPE_CHECKING:
    from thresher.cluster.exact import ExactTraining


def exact_as_text(run: ExactTraining) -> str:
    """The report for people."""
    learner = run.learner
    rounds, wrong = learner.n_rounds, learner.mistakes
    missed, alarms = learner.false_negatives, learner.false_positives
    alarm = "alarm" if alarms == 1 else "alarms"
    lines = [
        f"rounds    {rounds:,}",
        f"mistakes  {wrong:,}, {wrong / max(rounds, 1):.2%} ({missed:,} missed, "
        f"{alarms:,} false {alarm})",
    ]
    if isinstance(run, CounterexampleTraining):
        lines += _search(run)
    else:
        played = f"{run.blocks:,} blocks that count, {run.in_vain:,} in vain"
        lines.append(f"played    {played}; {run.syncs:,} syncs, {run.changes:,} changes")
    if run.bad.count:
        lines.append(
            f"bad       {run.bad.count:,} line{'' if run.bad.count == 1 else 's'} left out"
        )
    return "\n".join([*lines, f"model     {run.request.save_to}"])


def _search(run: CounterexampleTraining) -> list[str]:
    sent = f"{run.sent:,} rows sent in {run.rounds:,} rounds by {len(run.shares)} shards"
    moved = f"{(run.bytes_out + run.bytes_back) / 1e6:,.1f} MB"
    lines = [f"examples  {len(run.examples):,} learned from, {sent}, {moved}"]
    if run.allowed is None:
        lines.append("theorem   none was found for them")
    else:
        theorem, most = run.allowed
        lines.append(f"theorem   {theorem} allows one learner {most:,} mistakes on them")
    if run.consistent is not None:
        said = (
            "all rows are predicted rightly" if run.consistent else "no: counter-examples are left"
        )
        lines.append(f"agrees    {said}")
    if run.examples_file is not None:
        lines.append(f"stream    {run.examples_file}")
    return lines


def exact_as_json(run: ExactTraining, seconds: float) -> str:
    """The report for machines."""
    learner = run.learner
    found: dict[str, Any] = {
        "model": run.request.save_to,
        "learner": learner.name,
        "parameters": plain_parameters(learner),
        "labels": run.model.labels.to_dict(),
        "finished": run.finished,
        "rounds": learner.n_rounds,
        "mistakes": learner.mistakes,
        "false_negatives": learner.false_negatives,
        "false_positives": learner.false_positives,
        "error": learner.mistakes / max(learner.n_rounds, 1),
        "shards": len(run.shards),
        "blocks": run.blocks,
        "blocks_in_vain": run.in_vain,
        "syncs": run.syncs,
        "changes": run.changes,
        "bad_lines": run.bad.count,
        "seconds": seconds,
    }
    if isinstance(run, CounterexampleTraining):
        allowed = run.allowed
        found["counterexamples"] = {
            "file": run.examples_file,
            "learned": len(run.examples),
            "sent": run.sent,
            "rounds": run.rounds,
            "shares": len(run.shares),
            "rows_scored": run.scored,
            "bytes_out": run.bytes_out,
            "bytes_back": run.bytes_back,
            "consistent": run.consistent,
            "theorem": None if allowed is None else allowed._asdict(),
        }
    return json_result("train", found)
