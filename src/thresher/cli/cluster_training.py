"""`thresher train --cluster`: what it says while shards learn, and in the end."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.cluster_option import ClusterPlace
from thresher.cli.exact_report import exact_as_json, exact_as_text
from thresher.cli.interruption import Interruption
from thresher.cli.json_result import json_result
from thresher.cli.terminal.live_line import WIPE
from thresher.cli.terminal.speech import can_write_over, painted, printable, say, warn, width
from thresher.cli.terminal.table import Column, Table
from thresher.cli.train_voice import never_seen, resume_command
from thresher.cluster.events import EpochFinished, RoundFinished, ShardLearned, ShardsCut
from thresher.cluster.exact import ExactTraining
from thresher.cluster.train import Mode, run_of
from thresher.cluster.training import ClusterEvent, ClusterTraining
from thresher.models.events import LabelNeverSeen, LabelsDecided, Stopped, Warned
from thresher.models.plain_parameters import plain_parameters

if TYPE_CHECKING:
    from thresher.models.training_request import TrainingRequest

#: Shards whose mistakes are told one by one.
SHOWN = 16
COUNTEREXAMPLES_ARE_LEFT = 1
Run = ClusterTraining | ExactTraining


def train_on(
    place: ClusterPlace,
    request: TrainingRequest,
    words: list[str],
    *,
    mode: Mode,
    rounds: int | None,
    as_json: bool,
    quiet: bool,
) -> int:
    """Train on a cluster; the exit status."""
    began = time.perf_counter()
    settings = place.settings | ({} if rounds is None else {"rounds": rounds})
    with place.engine() as engine:
        run = run_of(mode, request, engine, **settings)
        interruption, voice = Interruption(run), _Voice(run, place, words, quiet=quiet)
        with interruption.listening():
            for event in run:
                voice.tell(event)
    if run.learned:
        seconds = time.perf_counter() - began
        click.echo(_report(run, seconds, as_json=as_json))
    if getattr(run, "consistent", None) is False:
        return COUNTEREXAMPLES_ARE_LEFT
    return 0 if run.finished else interruption.exit_status


def _report(run: Run, seconds: float, *, as_json: bool) -> str:
    if isinstance(run, ExactTraining):
        return exact_as_json(run, seconds) if as_json else exact_as_text(run)
    return _as_json(run, seconds) if as_json else _as_text(run)


class _Voice:
    """Tells people the events of a run; with `quiet` only what they must know."""

    def __init__(self, run: Run, place: ClusterPlace, words: list[str], *, quiet: bool) -> None:
        self._run, self._place, self._words, self._quiet = run, place, words, quiet
        self._live = not quiet and can_write_over(sys.stderr)
        self._table = Table(
            [
                Column("epoch", 5),
                Column("rounds", 11),
                Column("mistakes", 9),
                Column("error", 7),
                Column("by shard", 15, rank=1),
                Column("sent", 9, rank=2),
                Column("seconds", 7, rank=3),
            ]
        )
        self._begun = False

    def tell(self, event: ClusterEvent) -> None:
        """Say what there is to say about an event."""
        if isinstance(event, ShardLearned | RoundFinished):
            self._show_progress(event)
            return
        if self._live:
            say(WIPE, end="")
        match event:
            case ShardsCut():
                self._say(self._cut(event))
            case LabelsDecided(_, why):
                reason = "" if why is None else f" ({why})"
                self._say(f"learner  {self._run.learner.plain_name}{reason}")
            case EpochFinished():
                self._show_epoch(event)
            case LabelNeverSeen():
                warn(never_seen(event))
            case Warned(text):
                warn(text)
            case Stopped(_, learned):
                self._say_how_to_resume(learned)

    def _say(self, text: str) -> None:
        if not self._quiet:
            say(printable(text))

    def _cut(self, event: ShardsCut) -> str:
        shards = "1 shard" if event.n_shards == 1 else f"{event.n_shards} shards"
        files = event.inputs[0] if len(event.inputs) == 1 else f"{len(event.inputs)} files"
        done = f"; {event.epochs_done} epochs are done" if event.epochs_done else ""
        size = f"{event.n_bytes / 1e6:,.1f} MB"
        return (
            f"data     {files}; {event.format}, {size} in {shards} on {self._place.address}{done}"
        )

    def _show_progress(self, event: ShardLearned | RoundFinished) -> None:
        if not self._live:
            return
        if isinstance(event, RoundFinished):
            said = f"round {event.round:,}  {event.sent} sent, {event.learned} learned from"
            say(f"{WIPE}{said[: width() - 1]}", end="")
        else:
            done = f"epoch {event.epoch}  {event.done} of {event.n_shards} shards"
            last = f"shard {event.shard + 1}: {event.mistakes:,} of {event.rows:,} wrong"
            say(f"{WIPE}{f'{done}  {last}'[: width() - 1]}", end="")

    def _show_epoch(self, event: EpochFinished) -> None:
        if self._quiet:
            return
        if not self._begun:
            say(painted(self._table.heading(width()), "cyan"))
            self._begun = True
        wrong = sum(event.mistakes)
        cells = [
            f"{event.epoch}",
            f"{event.rows:,}",
            f"{wrong:,}",
            f"{wrong / event.rows:.2%}",
            f"{min(event.mistakes):,} to {max(event.mistakes):,}",
            f"{(event.bytes_out + event.bytes_back) / 1e6:,.1f} MB",
            f"{event.seconds:.1f}",
        ]
        say(self._table.line(cells, width()))

    def _say_how_to_resume(self, learned: bool) -> None:
        if not learned:
            say("interrupted before the first epoch was done; nothing was written")
            return
        output = str(self._run.request.save_to)
        epochs, run = len(self._run.mistakes), self._run
        done = "1 epoch" if epochs == 1 else f"{epochs} epochs"
        if isinstance(run, ExactTraining):
            done = f"{run.learner.n_rounds:,} rounds"
        say(f"interrupted after {done}; saved to {output}. To continue from there:")
        say(f"  {resume_command(self._words, output)}")


def _as_text(run: ClusterTraining) -> str:
    learner = run.learner
    rounds, wrong = learner.n_rounds, learner.mistakes
    missed, alarms = learner.false_negatives, learner.false_positives
    alarm = "alarm" if alarms == 1 else "alarms"
    kinds = "" if learner.several else f" ({missed:,} missed, {alarms:,} false {alarm})"
    lines = [f"rounds    {rounds:,}", f"mistakes  {wrong:,}, {wrong / rounds:.2%}{kinds}"]
    if learner.several:
        lines.append(f"classes   {len(learner.classes):,}")
    if len(run.shards) <= SHOWN:
        for number, shard in enumerate(run.shards):
            own = " ".join(f"{epoch[number]:,}" for epoch in run.mistakes)
            lines.append(f"shard {number + 1:<3} {own}  {printable(shard.files)}")
    lines.append(f"theorem   {_theorem(run)}")
    if run.bad.count:
        lines.append(
            f"bad       {run.bad.count:,} line{'' if run.bad.count == 1 else 's'} left out"
        )
    return "\n".join([*lines, f"model     {run.request.save_to}"])


def _theorem(run: ClusterTraining) -> str:
    if run.theorem is not None:
        one = run.theorem.sequential.name
        most = run.theorem.max_mistakes()
        return f"MixingWithLosses with {one} allows {most:,} mistakes in all shards and epochs"
    if run.learner.several or run.learner.shared_numbers().rule != "average":
        return f"none is known for {run.learner.plain_name} whose shards are combined"
    return (
        "not measured: it takes a new learner of which one speaks, and more than one epoch"
        if run.learner.name != "winnow"
        else "not measured: it takes a new Winnow of few different weights, and more than one epoch"
    )


def _as_json(run: ClusterTraining, seconds: float) -> str:
    learner, theorem = run.learner, run.theorem
    found: dict[str, Any] = {
        "model": run.request.save_to,
        "learner": learner.name,
        "parameters": plain_parameters(learner),
        "labels": run.model.labels.to_dict(),
        "epochs": len(run.mistakes),
        "finished": run.finished,
        "rounds": learner.n_rounds,
        "mistakes": learner.mistakes,
        "classes": [str(label) for label in learner.classes] if learner.several else None,
        "false_negatives": learner.false_negatives,
        "false_positives": learner.false_positives,
        "error": learner.mistakes / learner.n_rounds,
        "shards": [
            {
                "pieces": [str(piece) for piece in shard.pieces],
                "bytes": shard.n_bytes,
                "mistakes": [epoch[number] for epoch in run.mistakes],
            }
            for number, shard in enumerate(run.shards)
        ],
        "theorem": None
        if theorem is None
        else {
            "name": theorem.name,
            "sequential": theorem.sequential.name,
            "allowed": theorem.max_mistakes(),
            "shards": theorem.shards,
            "loss": float(theorem.sequential.loss),
        },
        "bad_lines": run.bad.count,
        "seconds": seconds,
    }
    return json_result("train", found)
