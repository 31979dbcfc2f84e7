"""Opening what the options name as a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from thresher.cli.options import DataOptions
    from thresher.kernels.rows.named_rows import NameTable
    from thresher.streams.bad_lines import BadLinePolicy
    from thresher.streams.label_scheme import LabelScheme
    from thresher.streams.reading import Stream
    from thresher.streams.recipe import Recipe
    from thresher.streams.value_limits import ValueLimits


def bad_line_policy(data: DataOptions) -> BadLinePolicy:
    """The policy that --on-bad and --max-bad ask for."""
    from thresher.cli.remedies import phrased
    from thresher.streams.bad_lines import BadLinePolicy

    policy, file = data.on_bad
    if policy == "stop" and data.max_bad is not None:
        raise click.UsageError("--max-bad goes with --on-bad skip or quarantine.")
    return BadLinePolicy(policy, quarantine=file, max_bad=data.max_bad, phrase=phrased)


def scheme_of(data: DataOptions, known: LabelScheme) -> LabelScheme:
    """What labels mean: what a model says, what --positive says, or what the labels will show."""
    from thresher.streams.label_scheme import LabelScheme, canonical

    if not known.decided:
        return LabelScheme() if data.positive is None else LabelScheme.of(data.positive)
    if data.positive is not None and known.several:
        raise click.UsageError(
            f"--positive {data.positive}: this model tells several classes apart by name."
        )
    if data.positive is not None and canonical(data.positive) != known.positive:
        raise click.UsageError(
            f"--positive {data.positive}: to this model the label {known.positive} counts as +1."
        )
    return LabelScheme.from_dict(known.to_dict())


def limits_of(learner: Any) -> ValueLimits | None:
    """The values that a learner can take; None if it takes all."""
    from thresher.streams.value_limits import ValueLimits

    if learner is None:
        return None
    # One versus rest asks the learner that it has one of for each class.
    one = learner.parameters.get("learner", learner)
    engine = one._engine
    needs = f"values in {engine.domain()}, which {type(one).__name__} needs"
    expected = f"{needs} (scale or binarise the features first)"
    return ValueLimits(engine.lowest, engine.highest, bool(engine.whole), expected)


def open_stream(
    data: DataOptions,
    names: NameTable,
    *,
    recipe: Recipe | None = None,
    scheme: LabelScheme | None = None,
    add: bool = True,
    learner: object = None,
) -> Stream:
    """The stream that the options describe.

    Parameters
    ----------
    data
        What the options said.
    names
        Where names find their columns: the table of the learner that will see the rows.
    recipe
        How lines become rows, if a model says; otherwise the options do.
    scheme
        What labels mean; None leaves them as they are written, and they may be missing.
    add
        Whether a vocabulary may take new names.
    learner
        Who is to see the rows; those it cannot take are bad lines.
    """
    from thresher.streams.reading import ReadSettings, read_stream

    sizes = {} if data.chunk_bytes is None else {"chunk_bytes": data.chunk_bytes}
    return read_stream(
        data.paths,
        names=names,
        recipe=data.recipe() if recipe is None else recipe,
        scheme=scheme,
        bad=bad_line_policy(data),
        settings=ReadSettings(
            threads=data.threads or 0, add_names=add, limits=limits_of(learner), **sizes
        ),
    )
