"""`thresher trace`: every round of a small stream, as a lecture writes it on the board."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.labelled import importance_option
from thresher.cli.learner_option import chooses_learner
from thresher.cli.options import Command, quiet_option, reads_data
from thresher.models.choice import CLASSICAL_LEARNER, LearnerChoice
from thresher.models.concept_choice import CLASSES
from thresher.models.input_data import InputData

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.models.labelled import Piece
    from thresher.reports.lecture_table import TracedRound

HEADINGS = (
    "round", "example", "score", "prediction", "label", "mistake", "potential", "bound", "weights",
)  # fmt: skip
#: The same where room is dear.
SHORT_HEADINGS = (
    "t", "example", "score", "said", "label", "wrong", "potential", "bound", "weights",
)  # fmt: skip
#: Rounds that are shown unless more are asked for.
LIMIT = 100
#: Characters of an example in a line of the table, and of weights where there is no room at all.
LONGEST_EXAMPLE, SHORTEST_WEIGHTS = 32, 16
#: Characters of weights for which the columns of the proof make room.
ROOMY_WEIGHTS = 40


class Rounds(click.ParamType[tuple[int, int | None]]):
    """Rounds from A to B, both included and counted from 1; either may be left out.

    >>> Rounds().convert("10:20", None, None), Rounds().convert(":5", None, None)
    ((10, 20), (1, 5))
    """

    name = "A:B"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """First and last round; the last is None where there is none."""
        if isinstance(value, tuple):
            return value
        found = re.fullmatch(r"(\d{0,15}):(\d{0,15})", value)
        first = int(found[1] or 1) if found else 0
        last = int(found[2]) if found and found[2] else None
        if first < 1 or (last is not None and last < first):
            self.fail(f"{value!r} is not a range of rounds such as 1:20.", param, ctx)
        return (first, last)


@dataclass(slots=True)
class Window:
    """Which rounds are shown."""

    first: int
    last: int | None
    only_mistakes: bool
    #: None: all.
    limit: int | None
    all_weights: bool
    #: Whether there were more to show than the limit.
    cut: bool = False


@click.command("trace", cls=Command)
@reads_data()
@chooses_learner(CLASSICAL_LEARNER)
@click.option("--rounds", type=Rounds(), default=":", help="Rounds to show, counted from 1.")
@click.option(
    "--only-mistakes", is_flag=True, help="Show only the rounds in which the learner was wrong."
)
@click.option(
    "--limit",
    type=click.IntRange(1),
    help=f"Rounds to show at most.  [default: {LIMIT} on a terminal, in a pipe all]",
)
@click.option(
    "--all-weights",
    is_flag=True,
    help="Show all weights after a round, not only those that changed.",
)
@click.option(
    "--to",
    type=click.Choice(("table", "markdown", "csv", "json")),
    default="table",
    show_default=True,
    help="Output format; json is one object per line, with exact numbers as text.",
)
@click.option(
    "--concepts",
    metavar="CLASS",
    help=f"halving, standard_optimal: the class they learn from, over as many variables as "
    f"--features says: {', '.join(CLASSES)}; parameters may follow a colon: disjunctions:k=2.",
)
@importance_option
@quiet_option
def command(
    data: InputData,
    choice: LearnerChoice | None,
    to: str,
    concepts: str | None,
    ignore_importance: bool,
    quiet: bool,
    **shown: Any,
) -> None:
    """Show every round of a small stream as a table.

    Each line has the example, its score, the prediction, the label, whether it was a mistake, and
    the weights it changed. Weights are exact where they are known exactly: fractions, or powers for
    large ones.

    If the proof behind a learner uses a potential, it is shown after each round from the first
    update on, with the most that the proof allows: the squared length of the Perceptron's weights,
    the sum of Winnow's, the concepts left to Halving, the dimension left to the standard optimal
    algorithm.

    \b
    Examples:
      thresher trace small.svm --learner winnow --features 5
      thresher trace small.svm --learner winnow:beta=1/2 --features 5 --all-weights --to markdown
      thresher trace mail.vw --rounds 1000:1010 --learner perceptron
      thresher trace mail.vw --only-mistakes --limit 20 --to json
      thresher trace small.svm --learner halving --concepts disjunctions --features 5
    """
    from thresher.cli.labelled import told
    from thresher.cli.terminal.speech import BOUNDLESS, room_for_results, say
    from thresher.models.labelled import labelled_stream

    first, last = shown.pop("rounds")
    if shown["limit"] is None and room_for_results() < BOUNDLESS:
        shown["limit"] = LIMIT
    window = Window(first, last, **shown)
    data = data.looked_at()
    chosen = LearnerChoice.classical(choice)
    learner = _made(chosen, concepts, data)
    known_by = learner if learner.name_table is not None else None
    with labelled_stream(data, known_by, ignore_importance=ignore_importance) as stream:
        rounds = [*traced(learner, told(stream, quiet=quiet), window)]
        for line in SHAPES[to](measured(learner, rounds)):
            click.echo(line)
    if window.cut and not quiet:
        say(
            f"Stopped after {window.limit} rounds: --rounds A:B shows others, --limit N more, "
            "--only-mistakes the mistakes alone."
        )


def _made(choice: LearnerChoice, concepts: str | None, data: InputData) -> Learner:
    """The learner, with a journal, from which the potential is known."""
    if choice.record.needs == "concepts":
        from thresher.models.concept_choice import learner_over_concepts

        return learner_over_concepts(choice, concepts, data.n_features)
    if concepts is not None:
        raise click.UsageError("--concepts goes with --learner halving or standard_optimal.")
    return choice.require_two_classes("a trace shows").create(
        n_features=data.features, seed=data.seed, vocabulary=data.vocabulary
    )


def measured(learner: Learner, rounds: list[TracedRound]) -> Iterator[TracedRound]:
    """The rounds with what the proof follows, where that was not known before the end."""
    from dataclasses import replace

    found = learner.proof_course()
    for round_ in rounds:
        if round_.potential is None and found is not None:
            potential, bound = found.after(round_.round_number)
            round_ = replace(round_, potential=potential, bound=bound)
        yield round_


def traced(learner: Learner, pieces: Iterable[Piece], window: Window) -> Iterator[TracedRound]:
    """The rounds to show; those before the first are played, those after the last are not read."""
    from thresher.reports.lecture_table import trace

    played = shown = 0
    named: dict[int, str] = {}

    def name_of(column: int) -> str:
        return named.get(column, str(column))

    for piece in pieces:
        batch = piece.batch
        skip = min(len(batch), max(0, window.first - 1 - played))
        if skip:
            with piece.blaming_lines():
                learner.learn(batch[:skip])
        stop = len(batch) if window.last is None else min(len(batch), window.last - played)
        for t in range(skip, stop):
            named.update(piece.names_in(t))
            with piece.blaming_lines([t]):
                (round_,) = trace(
                    learner, batch[t : t + 1], name_of, all_weights=window.all_weights
                )
            if window.only_mistakes and not round_.mistaken:
                continue
            if shown == window.limit:
                window.cut = True
                return
            shown += 1
            yield round_
        played += len(batch)
        if window.last is not None and played >= window.last:
            return


def cells(round_: TracedRound) -> tuple[str, ...]:
    """One round as texts under `HEADINGS`."""
    from thresher.reports.lecture_table import number_text, short_number

    example = " ".join(
        name if value == 1.0 else f"{name}:{number_text(value)}" for name, value in round_.features
    )
    if round_.weights is not None:
        weights = " ".join(map(str, round_.weights))
    else:
        weights = ", ".join(map(str, round_.changes))
    return (
        str(round_.round_number),
        example or "(nothing)",
        number_text(round_.score),
        f"{round_.prediction:+d}",
        f"{round_.label:+d}",
        "yes" if round_.mistaken else "",
        "" if round_.potential is None else short_number(round_.potential),
        "" if round_.bound is None else short_number(round_.bound),
        weights,
    )


def as_table(rounds: Iterator[TracedRound]) -> Iterator[str]:
    """Columns that line up; weights take what the terminal has left, in a pipe what they need."""
    from thresher.cli.terminal.speech import BOUNDLESS, room_for_results, short
    from thresher.cli.terminal.table import Column, Table

    wide = room_for_results()
    longest = BOUNDLESS if wide == BOUNDLESS else LONGEST_EXAMPLE
    rows = [[short(cell, longest) for cell in cells(r)[:-1]] + [cells(r)[-1]] for r in rounds]
    used = _shown_columns(rows, wide)
    rows = [[row[c] for c in used] for row in rows]
    headings = [SHORT_HEADINGS[c] for c in used]
    ranks = {"wrong": 2, "score": 1}
    table = Table(
        [Column(h, left=h in ("example", "weights"), rank=ranks.get(h, 0)) for h in headings]
    )
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    least = [*widths[:-1], min(widths[-1], SHORTEST_WEIGHTS)]
    taken = sum(least[c] + 2 for c in table.fitting(wide, least)[:-1])
    room = max(least[-1], wide - taken)
    yield table.text([[*row[:-1], short(row[-1], room)] for row in rows], wide)


def _shown_columns(rows: list[list[str]], wide: int) -> list[int]:
    """All columns; without those of the proof where it has nothing, or where weights need room."""
    every = [*range(len(SHORT_HEADINGS))]
    proof = [SHORT_HEADINGS.index("potential"), SHORT_HEADINGS.index("bound")]
    found = [c for c in every if c not in proof or any(row[c] for row in rows)]
    widths = [max([len(SHORT_HEADINGS[c]), *(len(row[c]) for row in rows)]) for c in found]
    widths[-1] = min(widths[-1], ROOMY_WEIGHTS)
    if sum(widths) + 2 * (len(widths) - 1) <= wide:
        return found
    return [c for c in every if c not in proof]


def as_markdown(rounds: Iterator[TracedRound]) -> Iterator[str]:
    """A table as Markdown has it."""
    yield "| " + " | ".join(HEADINGS) + " |"
    yield "|" + "|".join("---" for _ in HEADINGS) + "|"
    for round_ in rounds:
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells(round_)) + " |"


def as_csv(rounds: Iterator[TracedRound]) -> Iterator[str]:
    """Lines of comma-separated values, with a header."""
    import csv
    import io

    for row in (HEADINGS, *map(cells, rounds)):
        line = io.StringIO()
        csv.writer(line, lineterminator="").writerow(row)
        yield line.getvalue()


def as_json(rounds: Iterator[TracedRound]) -> Iterator[str]:
    """One object a line."""
    from thresher.cli.json_result import strict_json

    return (strict_json(round_.to_dict()) for round_ in rounds)


SHAPES = {"table": as_table, "markdown": as_markdown, "csv": as_csv, "json": as_json}
