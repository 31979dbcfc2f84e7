"""Mistake curves of several learners in a file: a table, a picture or a page, as its name says."""

from __future__ import annotations

import os
import shlex
from typing import TYPE_CHECKING

import click

from thresher.addresses import shown
from thresher.cli.writing import writing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thresher.models.runner import Runner

#: What the curves can be written as.
ENDINGS = (".csv", ".html", ".json", ".png", ".svg")

curves_option = click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the mistake curves to FILE, in the format its name ends with: .csv, .html, .json, "
    ".png or .svg. - prints them as CSV, and nothing else.",
)


def check_name(output: str | None) -> None:
    """Refuse a name that promises what nobody writes, before the work."""
    ending = "" if output is None else os.path.splitext(output)[1]
    if ending and ending.lower() not in ENDINGS:
        raise click.UsageError(
            f"-o {output}: curves are written as {', '.join(ENDINGS)}; choose a name that ends so."
        )
    if ending.lower() == ".png":
        from thresher.reports.png import painter

        painter()


def write_curves(
    output: str, runners: Sequence[Runner], inputs: Sequence[str], in_json: str
) -> None:
    """The curves, the best first, to a file; `in_json` is all that was found."""
    with writing(output) as file:
        if output.lower().endswith(".png"):
            from thresher.reports.png import png
            from thresher.reports.race_page import race_svg

            file.write(png(race_svg(runners)))
        else:
            file.write(_text(output.lower(), runners, inputs, in_json).encode())


def _text(name: str, runners: Sequence[Runner], inputs: Sequence[str], in_json: str) -> str:
    if name.endswith(".json"):
        return f"{in_json}\n"
    if name.endswith(".svg"):
        from thresher.reports.race_page import race_svg

        return str(race_svg(runners))
    if name.endswith(".html"):
        from thresher.reports.race_page import race_page

        context = click.get_current_context()
        what = str(context.command.name)
        typed = shlex.join(["thresher", what, *map(shown, context.meta["thresher.words"])])
        return race_page(runners, inputs, [typed], what)
    return _as_csv(runners)


def _as_csv(runners: Sequence[Runner]) -> str:
    """The points of all curves, one on each line."""
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("learner", "rounds", "mistakes"))
    for runner in runners:
        writer.writerows((runner.title, *point) for point in runner.curve.points())
    return text.getvalue()
