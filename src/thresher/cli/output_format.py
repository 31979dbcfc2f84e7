"""The format of what a command writes: `--to`, or what the name of the file says."""

from __future__ import annotations

import click

#: As `thresher.streams.writers` has them; a test compares, so that help need not import it.
FORMATS = ("svmlight", "vw", "json", "csv", "tsv", "parquet", "arrow", "binary")


def output_format(output: str, to: str | None) -> str:
    """The format to write; standard output has no name to tell it by."""
    from thresher.streams.writers import format_of

    if output == "-" and to is None:
        raise click.UsageError(f"say which format to write: --to {'|'.join(FORMATS)}.")
    return format_of(output, to)
