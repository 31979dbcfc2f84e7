"""What `thresher train` says on standard error while it learns."""

from __future__ import annotations

import shlex
from types import TracebackType
from typing import TYPE_CHECKING, Self

from thresher.addresses import shown
from thresher.cli.progress import ProgressTable
from thresher.cli.remedies import (
    chosen_by_order,
    much_memory,
    shuffled_first,
    texts_in_a_table,
)
from thresher.cli.terminal.speech import painted, printable, say, warn
from thresher.models.events import (
    InputOpened,
    LabelNeverSeen,
    LabelsDecided,
    MuchMemory,
    PointReached,
    Progressed,
    Refuted,
    SortedByLabel,
    Stopped,
    TrainingEvent,
    Warned,
)
from thresher.streams.sources.source import STDIN

if TYPE_CHECKING:
    from thresher.models.training import TrainingRun

#: Labels that are named when it is said which there are.
SHOWN = 4


class TrainVoice:
    """Tells people the events of a run; with `quiet` only what they must know."""

    def __init__(self, run: TrainingRun, words: list[str], *, quiet: bool) -> None:
        self._run, self._words, self._quiet = run, words, quiet
        self._table = ProgressTable(run, quiet=quiet)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._table.clear()

    def tell(self, event: TrainingEvent) -> None:
        """Say what there is to say about an event."""
        match event:
            case Progressed():
                self._table.live(event)
            case PointReached(point):
                self._table.show(point)
            case _:
                self._table.clear()
                self._tell_of_the_run(event)

    def _tell_of_the_run(self, event: TrainingEvent) -> None:
        match event:
            case InputOpened():
                self._say_what_was_found(event)
            case LabelsDecided(several, why):
                self._say(f"learner  {_described(self._run, why)}")
                self._say(self._classes() if several else self._signs())
            case Refuted(round_number):
                claim = painted(f"the claim {self._run.request.claim} is refuted", "red", bold=True)
                when = f"in round {round_number + 1:,}"
                warn(f"{claim} {when}: there are more mistakes than it allows.")
            case MuchMemory(n_classes, n_bytes):
                warn(much_memory(n_classes, n_bytes))
            case LabelNeverSeen():
                warn(never_seen(event))
            case SortedByLabel(told):
                warn(shuffled_first(told))
            case Warned(text):
                warn(text)
            case Stopped():
                self._say_how_to_resume(event)

    def _say(self, text: str) -> None:
        if not self._quiet:
            say(text)

    def _say_what_was_found(self, event: InputOpened) -> None:
        data = self._run.request.data
        how = texts_in_a_table(event.format, event.inputs, data.given)
        self._say(printable(f"data     {', '.join(event.inputs)}; {event.format}{how}"))
        if event.skip:
            self._say(f"skipping the first {event.skip:,} rows")

    def _signs(self) -> str:
        """Which label counts as +1, and what to say if that is the wrong one."""
        scheme = self._run.stream.scheme
        assert scheme is not None
        other = chosen_by_order(scheme.negative if scheme.in_order else None)
        return printable(f"{scheme}{other}")

    def _classes(self) -> str:
        """How many classes there are so far, and what the first are called."""
        known = [*map(str, self._run.learner.classes)]
        known += [name for name in self._run.stream.label_names if name not in set(known)]
        count = "1 class" if len(known) == 1 else f"{len(known):,} classes"
        shown = _some(known, f", and {len(known) - SHOWN:,} more")
        return f"labels are names of classes, {count} so far: {shown}"

    def _say_how_to_resume(self, event: Stopped) -> None:
        if not event.learned:
            say("interrupted before anything new was learned; nothing was written")
            return
        output = str(self._run.request.save_to)
        say(f"interrupted after {event.rows:,} rows; saved to {output}. To continue from there:")
        say(f"  {resume_command(self._words, output)}")
        if STDIN in self._run.stream.paths:
            say("give the same input from its beginning, or only the rest with --skip-rows 0")


def _described(run: TrainingRun, why: str | None) -> str:
    """The learner, why it was taken if nobody chose it, its features and its names."""
    names = run.model.name_table
    n = names.n_features
    how = f"names hashed with seed {names.seed}" if names.hashed else "names kept exactly"
    # The power of two that a number is, for those who think in bits.
    power = f" (--bits {n.bit_length() - 1})" if n & (n - 1) == 0 else ""
    size = "a growing number of features" if names.growing else f"{n:,} features{power}"
    reason = "" if why is None else f" ({why})"
    return f"{run.learner.plain_name}{reason}; {size}, {how}"


def _some(names: list[str] | tuple[str, ...], more: str) -> str:
    """The first few of some names; `more` where there are others."""
    return ", ".join(map(printable, names[:SHOWN])) + (more if len(names) > SHOWN else "")


def never_seen(event: LabelNeverSeen) -> str:
    """The warning that nothing counts as +1."""
    shown = _some(event.found, ", ...")
    return f"no row has the label {event.label}, which counts as +1; found {shown}"


def resume_command(words: list[str], output: str) -> str:
    """The command that continues: the one that ran, with the model it left behind.

    >>> resume_command(["a.svm", "-o", "m.thr", "--resume", "old.thr", "--passes", "2"], "m.thr")
    'thresher train a.svm -o m.thr --passes 2 --resume m.thr'
    """
    kept: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in ("--resume", "--skip-rows"):
            next(rest, None)
        elif not word.startswith(("--resume=", "--skip-rows=")):
            kept.append(word)
    # What signs an address is shown nowhere, so it has to be asked for again.
    return shlex.join(["thresher", "train", *map(shown, kept), "--resume", output])
