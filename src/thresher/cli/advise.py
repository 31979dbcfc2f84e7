"""`thresher advise`: which learner suits a problem, with its bound, and why."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.json_result import json_result
from thresher.cli.labelled import importance_option
from thresher.cli.options import Command, json_option, quiet_option, reads_data
from thresher.models.input_data import InputData
from thresher.parameters import exact

if TYPE_CHECKING:
    from thresher.reports.advice import Advice
    from thresher.reports.data_advice import DataAdvice
    from thresher.reports.sample import MulticlassSample, Sample

SAMPLE = 10_000
NO_NOISE = "--noise 0"


@click.command("advise", cls=Command)
@reads_data(required=False)
@click.option(
    "--relevant", type=click.IntRange(1), metavar="R", help="Number of features that matter."
)
@click.option(
    "--active",
    type=click.IntRange(1),
    metavar="S",
    help="Largest number of active features in a row.",
)
@click.option(
    "--noise",
    metavar="SHARE",
    help="Share of rows that contradict the target; 0 if you are certain that there are none.",
)
@click.option("--rows", type=click.IntRange(1), metavar="T", help="Number of rows to expect.")
@click.option(
    "--sample",
    type=click.IntRange(1, 1_000_000),
    default=SAMPLE,
    show_default=True,
    metavar="N",
    help="Number of rows of the data to examine.",
)
@importance_option
@json_option
@quiet_option
def command(
    data: InputData,
    sample: int,
    ignore_importance: bool,
    as_json: bool,
    quiet: bool,
    **figures: Any,
) -> None:
    """Recommend a learner for a problem, with its bound.

    The advice can be based on numbers: how many features there are, how many matter, how many are
    active in a row, and how noisy the labels are. The target is then assumed to be an "or" of the
    features that matter. Or it can be based on data: the first rows are measured, and the learners
    race on them.

    \b
    Examples:
      thresher advise --features 10000 --relevant 20 --active 50
      thresher advise --features 10000 --relevant 20 --active 50 --noise 0.01
      thresher advise mail.svm
      thresher advise mail.vw --bits 20 --sample 50000 --json
      thresher advise news.tsv --format text

    If no short "or" explains the labels, as in most real data, the committee is recommended unless
    another learner makes clearly fewer mistakes: it needs no tuning, and its mistakes are bounded
    by the loss of its best expert.

    Bounds are exact numbers from proven theorems; `thresher race` shows what actually happens.
    """
    noise = None if figures["noise"] is None else exact(figures["noise"])
    if figures["noise"] is not None and noise is None:
        raise click.UsageError(f"--noise {figures['noise']}: a number from 0 to 1 is wanted.")
    figures["noise"] = noise
    if not data.paths:
        advice = from_figures(data, figures)
        words = [in_words(advice), train_line(advice.recommended, data)]
        document = {"advice": advice.to_dict(), "recommended": advice.recommended}
        _deliver(document, words, as_json=as_json)
        return
    from thresher.cli.labelled import telling
    from thresher.reports.advising import Stated, advise_on

    with telling(quiet=quiet) as tell:
        found = advise_on(
            data,
            Stated(**figures),
            sample=sample,
            ignore_importance=ignore_importance,
            no_noise=NO_NOISE,
            on_event=tell,
        )
    _deliver(found.to_dict(), paragraphs(found, data), as_json=as_json)


def _deliver(document: dict[str, Any], paragraphs: list[str], *, as_json: bool) -> None:
    if as_json:
        click.echo(json_result("advise", document))
    else:
        click.echo("\n\n".join(paragraphs))


def from_figures(data: InputData, figures: dict[str, Any]) -> Advice:
    """Advice on figures alone."""
    from thresher.reports.advice import Figures, advise

    n, relevant = data.n_features, figures["relevant"]
    if n is None or relevant is None:
        raise click.UsageError("give --features and --relevant, or data to look at.")
    given = {name: figures[name] for name in ("noise", "rows") if figures[name] is not None}
    return advise(Figures(n, relevant, figures["active"] or n, **given), no_noise=NO_NOISE)


def paragraphs(found: DataAdvice, data: InputData) -> list[str]:
    """What was measured, what the theorems say, who won, whom to take, and what to type next."""
    from thresher.cli.race import result_table

    race = "A race on the sample:"
    if found.several:
        race = "A race on the sample; a two-class learner runs once for each class:"
    left_out = f"Left out, for they would take more than 2 GB: {', '.join(found.left_out)}."
    return [
        wrapped(measured(found.sample)),
        *([in_words(found.advice)] if found.advice is not None else []),
        wrapped(race),
        result_table(found.race.standings()),
        *([wrapped(left_out)] if found.left_out else []),
        wrapped(found.verdict(no_noise=NO_NOISE)),
        train_line(found.winner.title, replace(data, n_features=found.n_features)),
    ]


def measured(sample: Sample | MulticlassSample) -> str:
    """The sample in a sentence or two."""
    from thresher.cli.terminal.speech import printable
    from thresher.reports.sample import MulticlassSample

    if isinstance(sample, MulticlassSample):
        return (
            f"{sample.rows:,} rows of {sample.classes:,} classes; the commonest, "
            f"{printable(sample.commonest)}, has {sample.share_of_commonest:.1%} of them. Rows "
            f"have {sample.mean_active:.1f} features on average and {sample.max_active:,} at most."
        )
    kind = "all of them 1" if sample.binary else f"from {sample.lowest:g} to {sample.highest:g}"
    words = (
        f"{sample.rows:,} rows, {sample.positives:,} of them positive; {sample.used:,} features "
        f"occur (the largest column is {sample.n_features - 1:,}), {sample.mean_active:.1f} in a "
        f"row on average and {sample.max_active:,} at most; values are {kind}."
    )
    if sample.disjunction is not None:
        size = len(sample.disjunction)
        exactly = "explains every label"
        if sample.errors:
            exactly = f"explains the labels with {sample.errors:,} errors"
        words += f" An 'or' of {size} of the features {exactly}."
    elif sample.binary:
        words += " No short 'or' of features explains the labels."
    if sample.conjunction is not None:
        words += f" An 'and' of {sample.conjunction} features explains every label."
    return words


def in_words(advice: Advice) -> str:
    """Promises as a table, the choice, and the reasons."""
    from thresher.cli.terminal.speech import width
    from thresher.cli.terminal.table import Column, Table

    table = Table(
        [Column("learner", left=True), Column("allowed"), Column("theorem", left=True, rank=1)]
    )
    rows = [
        (
            promise.spelled + (" *" if promise.brittle else ""),
            f"{promise.max_mistakes:,}",
            promise.theorem,
        )
        for promise in advice.promises
    ]
    parts = ["Mistakes that a theorem allows, at most:", table.text(rows, width())]
    if any(promise.brittle for promise in advice.promises):
        parts.append("* only if no label is wrong")
    chosen = advice.choice
    taken = f"By the theorems, take {chosen.spelled}."
    if advice.vacuous:
        taken = f"The theorems promise nothing here: take {advice.recommended}."
    parts += ["", wrapped(taken)]
    parts += [wrapped(f"- {reason}", indent="  ") for reason in advice.reasons]
    return "\n".join(parts)


def train_line(learner: str, data: InputData) -> str:
    """What to type next."""
    import shlex

    from thresher.cli.labelled import reading_words

    words = [*(data.shown_paths or ("DATA",)), *reading_words(data)]
    return shlex.join(["thresher", "train", *words, "-o", "model.thr", "--learner", learner])


def wrapped(text: str, indent: str = "") -> str:
    """A paragraph as wide as the terminal."""
    from thresher.cli.terminal.speech import width

    return textwrap.fill(text, min(100, width()), subsequent_indent=indent)
