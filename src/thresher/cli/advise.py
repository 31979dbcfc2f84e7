"""`thresher advise`: which learner suits a problem, with its bound, and why."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.labelled import importance_option
from thresher.cli.options import Command, json_option, quiet_option, reads_data
from thresher.cli.race import BASELINE
from thresher.models.input_data import InputData
from thresher.models.written import exact

if TYPE_CHECKING:
    from collections.abc import Iterator

    from thresher.cli.class_advice import ClassAdvice
    from thresher.reports.advice import Advice
    from thresher.reports.race import Race, Runner
    from thresher.reports.sample import Sample
    from thresher.streams.batch import Batch

SAMPLE = 10_000
COMMITTEE = "committee"


@click.command("advise", cls=Command)
@reads_data(required=False)
@click.option("--relevant", type=click.IntRange(1), metavar="R", help="Features that matter.")
@click.option(
    "--active", type=click.IntRange(1), metavar="S", help="Most active features of a row."
)
@click.option(
    "--noise",
    metavar="SHARE",
    help="Share of rows that contradict the target; 0 if it is certain that there are none.",
)
@click.option("--rows", type=click.IntRange(1), metavar="T", help="Rows to expect.")
@click.option(
    "--sample",
    type=click.IntRange(1, 1_000_000),
    default=SAMPLE,
    show_default=True,
    metavar="N",
    help="Rows of the data to look at.",
)
@importance_option
@json_option
@quiet_option
def command(data: InputData, sample: int, as_json: bool, quiet: bool, **figures: Any) -> None:
    """Say which learner suits a problem, with its bound.

    From figures: how many features there are, how many matter, how many are active in a row, and
    how noisy the labels are. The target is taken to be an "or" of the features that matter. Or
    from data: its first rows are measured, and the learners race on them.

    \b
    Examples:
      thresher advise --features 10000 --relevant 20 --active 50
      thresher advise --features 10000 --relevant 20 --active 50 --noise 0.01
      thresher advise mail.svm
      thresher advise mail.vw --bits 20 --sample 50000 --json
      thresher advise news.tsv --format text

    Where no short "or" explains the labels, which is so for most real data, the committee is
    advised unless another learner errs clearly less: it needs no tuning, and its mistakes are
    bounded by the loss of its best expert.

    Bounds are exact numbers, from theorems with proof; `thresher race` shows what happens.
    """
    noise = None if figures["noise"] is None else exact(figures["noise"])
    if figures["noise"] is not None and noise is None:
        raise click.UsageError(f"--noise {figures['noise']}: a number from 0 to 1 is wanted.")
    figures["noise"] = noise
    if not data.paths:
        advice = from_figures(data, figures)
        words = [in_words(advice), train_line(advice.recommended, data)]
        _deliver(advice.to_dict(), words, as_json=as_json)
        return
    figures["weights"] = figures.pop("ignore_importance")
    found = from_data(data, sample, figures, quiet=quiet)
    _deliver(found.to_dict(), found.paragraphs(), as_json=as_json)


def _deliver(document: dict[str, Any], paragraphs: list[str], *, as_json: bool) -> None:
    if as_json:
        import json

        click.echo(json.dumps(document))
    else:
        click.echo("\n\n".join(paragraphs))


def from_figures(data: InputData, figures: dict[str, Any]) -> Advice:
    """Advice on figures alone."""
    from thresher.reports.advice import Figures, advise

    n, relevant = data.n_features, figures["relevant"]
    if n is None or relevant is None:
        raise click.UsageError("give --features and --relevant, or data to look at.")
    given = {name: figures[name] for name in ("noise", "rows") if figures[name] is not None}
    return advise(Figures(n, relevant, figures["active"] or n, **given))


class DataAdvice:
    """What was measured on a sample, what the theorems say to that, and who won the race on it."""

    def __init__(
        self, sample: Sample, advice: Advice | None, race: Race, data: InputData, *, certain: bool
    ) -> None:
        self.sample, self.advice, self.race, self.data = sample, advice, race, data
        runners = [r for r in race.standings() if r.title != BASELINE]
        ranked = [r for r in runners if r.out is None] or runners
        #: Who won, and who is advised.
        self.first = ranked[0]
        lasting = [r for r in ranked if certain or not brittle(r.title)] or ranked
        #: The best of those that a wrong label may spoil.
        self.spoilt = next((r for r in ranked if r not in lasting), None)
        self.committee = next((r for r in lasting if r.title == COMMITTEE), None)
        self.winner = self._advised(lasting)

    def _advised(self, ranked: list[Runner]) -> Runner:
        """The best, except that a promise for good, or no need of tuning, decides a near race."""
        best, committee = ranked[0], self.committee
        if committee is None or len(ranked) == 1:
            return best
        if self.sample.clean:
            return next((r for r in ranked if bounded(r.title)), best)
        return committee if near(committee, best) else best

    def to_dict(self) -> dict[str, Any]:
        """All of it in JSON's terms."""
        results = [runner.to_dict() for runner in self.race.standings()]
        for result in results:
            del result["curve"]
        return {
            "sample": self.sample.to_dict(),
            "advice": None if self.advice is None else self.advice.to_dict(),
            "race": results,
            "choice": self.winner.title,
        }

    def paragraphs(self) -> list[str]:
        """All of it in words."""
        from thresher.cli.race import result_table

        return [
            wrapped(measured(self.sample)),
            *([in_words(self.advice)] if self.advice is not None else []),
            "A race on the sample:",
            result_table(self.race.standings()),
            wrapped(self.verdict()),
            train_line(self.winner.title, self.data),
        ]

    def verdict(self) -> str:
        """Whom to take, and why."""
        return (
            f"Take {self.winner.title}: {' '.join(self._reasons())} Counts are evidence about "
            "these rows; what a theorem allows holds for all rows of the kind it speaks of."
        )

    def _reasons(self) -> Iterator[str]:
        first, winner = self.first, self.winner
        if first is winner:
            yield "it made the fewest mistakes."
        if self.spoilt is not None and self.spoilt.curve.mistakes < winner.curve.mistakes:
            yield (
                f"{self.spoilt.title} made fewer mistakes, but a single wrong label spoils it for "
                "good. Say --noise 0 if there is certainly none."
            )
        if winner is self.committee:
            if first not in (winner, self.spoilt):
                yield f"{first.title} made hardly fewer mistakes."
            yield why_the_committee(winner)
        elif self.committee is not None and self.sample.clean:
            made = self.committee.curve.mistakes
            yield (
                "A short 'or' explains the labels, so that its mistakes are bounded for good and "
                f"can be certified; the committee, of which that is not known, made {made:,}."
            )


def bounded(title: str) -> bool:
    """Whether a theorem bounds the mistakes of a learner on an "or" of few features."""
    from thresher.reports.advice import RUNNABLE

    return title.partition(":")[0] in RUNNABLE.values()


def near(runner: Runner, best: Runner) -> bool:
    """Whether so few more mistakes may well be chance: two roots of their number.

    >>> from thresher.reports.race import Runner
    >>> one, two = Runner("a", None), Runner("b", None)
    >>> for title, mistakes in ((one, 110), (two, 90)):
    ...     title.curve.add([True] * mistakes)
    >>> near(one, two), near(two, one)
    (True, True)
    """
    made, least = runner.curve.mistakes, best.curve.mistakes
    return made <= least or (made - least) ** 2 <= 4 * made


def why_the_committee(runner: Runner) -> str:
    """What the committee promises, whatever the stream."""
    allowed = "" if runner.allowed is None else f", which is {runner.allowed:,} on these rows"
    return (
        "It needs no tuning: it mixes eight learners with steps from short to long, and its "
        "mistakes are at most the logarithmic loss of the best of its experts, in bits, and the "
        f"logarithm of 16 times the rows ({runner.theorem}){allowed}. It keeps no journal, so that "
        "nothing can be certified, and has no single list of weights to export; arow has."
    )


def brittle(title: str) -> bool:
    """Whether a learner, as the command line has it, never recovers from a wrong label."""
    name, _, parameters = title.partition(":")
    return name in ("elimination", "conjunction") or "zeroing" in parameters


def from_data(
    data: InputData, size: int, figures: dict[str, Any], *, quiet: bool
) -> DataAdvice | ClassAdvice:
    """Look at the first rows, and let the learners race on them."""
    from thresher.cli.class_advice import ClassAdvice
    from thresher.cli.race import DEFAULT_LEARNERS, contestants
    from thresher.reports.advice import advise
    from thresher.reports.race import Race
    from thresher.reports.sample import measure

    batch = first_rows(data, size, quiet=quiet, weights=figures["weights"])
    if batch is None:
        raise click.UsageError("there is no row to look at.")
    if not batch.signed:
        return ClassAdvice(batch, data)
    sample = measure(batch)
    # Room for columns that the sample does not show: the next power of two.
    n = data.n_features or 2 ** max(1, (sample.n_features - 1).bit_length())
    advice, names = None, list(DEFAULT_LEARNERS)
    known = sample.figures(figures["rows"])
    if known is not None:
        stated = {k: figures[k] for k in ("relevant", "active", "noise") if figures[k] is not None}
        advice = advise(replace(known, n_features=n, **stated))
        names.append(advice.choice.spelled)
    race = Race(contestants(tuple(dict.fromkeys(names)), n))
    race.learn(batch)
    race.bound_mixtures()
    read = replace(data, n_features=n)
    return DataAdvice(sample, advice, race, read, certain=figures["noise"] == 0)


def first_rows(data: InputData, size: int, *, quiet: bool, weights: bool) -> Batch | None:
    """The first rows of the data as one batch; the rest is not read. None without rows."""
    from thresher.cli.labelled import labelled_stream

    kept: list[Any] = []
    left = size
    several = None if data.positive is None else False
    with labelled_stream(data, quiet=quiet, weights=weights, several=several) as stream:
        for piece in stream:
            kept.append(piece.batch[:left])
            left -= len(kept[-1])
            if not left:
                break
    return type(kept[0]).joined(kept) if kept else None


def measured(sample: Sample) -> str:
    """The sample in a sentence or two."""
    kind = "all of them 1" if sample.binary else f"from {sample.lowest:g} to {sample.highest:g}"
    words = (
        f"{sample.rows:,} rows, {sample.positives:,} of them positive; {sample.used:,} features "
        f"occur (the largest column is {sample.n_features - 1:,}), {sample.mean_active:.1f} in a "
        f"row on average and {sample.max_active:,} at most; values are {kind}."
    )
    if sample.disjunction is not None:
        size = len(sample.disjunction)
        exactly = (
            "explains every label"
            if not sample.errors
            else (f"explains the labels with {sample.errors:,} errors")
        )
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

    words = [*(data.paths or ("DATA",)), *reading_words(data)]
    return shlex.join(["thresher", "train", *words, "-o", "model.thr", "--learner", learner])


def wrapped(text: str, indent: str = "") -> str:
    """A paragraph as wide as the terminal."""
    from thresher.cli.terminal.speech import width

    return textwrap.fill(text, min(100, width()), subsequent_indent=indent)
