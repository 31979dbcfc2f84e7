"""`thresher convert`: a stream in another format."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.cluster_option import on_a_cluster
from thresher.cli.json_result import json_result
from thresher.cli.options import Command, json_option, quiet_option, reads_data
from thresher.cli.output_format import FORMATS, output_format
from thresher.cli.terminal.live_line import LiveLine
from thresher.cli.terminal.speech import say, warn
from thresher.models.input_data import InputData

if TYPE_CHECKING:
    from thresher.cli.cluster_option import ClusterPlace


@click.command("convert", cls=Command)
@reads_data(labels=False)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    required=True,
    help="Output file, - for standard output; .gz and .zst compress.",
)
@click.option(
    "--to", type=click.Choice(FORMATS), help="Format to write. Default: by the name of FILE."
)
@click.option(
    "--strongest",
    is_flag=True,
    help="If two names hash to one column, keep the stronger value, not the sum: for "
    "learners whose features are 0 and 1.",
)
@click.option("--ignore-importance", is_flag=True, help="Write every row with importance 1.")
@click.option(
    "--shuffle",
    metavar="SEED",
    type=click.IntRange(0),
    help="Write the rows in random order, the same for the same SEED; all are held in "
    "memory. If the format stays the same, lines are not changed; lines of texts go "
    "to .tsv.",
)
@on_a_cluster("read the files in N parts; the result does not depend on N")
@json_option
@quiet_option
def command(
    data: InputData,
    output: str,
    to: str | None,
    place: ClusterPlace | None,
    as_json: bool,
    quiet: bool,
    **how: Any,
) -> None:
    """Write a stream in another format.

    Labels stay as they are (numbers in their shortest form). Names of features are kept if both
    formats have them: VW text, JSON lines, CSV, Parquet. In svmlight and binary files features are
    columns; names are hashed into 2^18 columns (for texts 2^20). --bits and --seed change that, and
    then names become columns in the other formats too.

    The binary format (.thb) is the fastest to learn from.

    --cluster reads the files on the workers of a Dask cluster; the rows are written here, in the
    order of the data, and the file is the same.

    \b
    Examples:
      thresher convert mail.tsv -o mail.thb --bits 20
      thresher convert day-*.vw.gz -o all.jsonl.zst
      thresher convert sorted.csv -o mixed.csv --shuffle 1
      thresher convert 's3://logs/day-*.vw.gz' -o all.thb --cluster local:4
      zcat table.csv.gz | thresher convert - --format csv --label-field class -o - --to vw
    """
    from thresher.models.conversion import Conversion

    if as_json and output == "-":
        raise click.UsageError("--json prints to standard output, where the rows go: give -o FILE.")
    wanted = {"to": output_format(output, to), **how}
    with ExitStack() as until_the_end:
        if place is None:
            conversion = Conversion(data, output, **wanted)
        else:
            from thresher.cluster.converting import ClusterConversion

            engine = until_the_end.enter_context(place.engine())
            conversion = ClusterConversion(data, output, engine, **place.settings, **wanted)
        line = until_the_end.enter_context(LiveLine(quiet=quiet))
        for event in conversion:
            line.show(event)
    done = conversion.result
    assert done is not None
    for remark in done.remarks:
        warn(remark)
    if as_json:
        click.echo(json_result("convert", done.to_dict()))
    elif not quiet:
        where = "standard output" if output == "-" else output
        say(
            f"{done.rows:,} rows with {done.values:,} values from {done.read} to {done.written}, "
            f"features as {done.features}: {where}"
        )
