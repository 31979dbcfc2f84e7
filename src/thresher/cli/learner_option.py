"""The options that choose a learner: `--learner winnow --beta 1/2`, or `winnow:beta=1/2`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, wraps
from typing import Any

import click

from thresher.cli.parsing import class_weight
from thresher.models.choice import LearnerChoice
from thresher.models.written import assignments

#: Parameters that are options of their own; `--set` takes every other one.
PARAMETERS = {
    "bias": "Add a constant feature; its weight is learned like any other.",
    "beta": "Step size of the Winnow family, factor of the majority learners.",
    "threshold": "Threshold of the Winnow family.  [default: the number of features]",
    "eta": "Step size of the exponentiated learners.",
    "margin": "The expected margin.",
}


def _by_label(
    context: click.Context, parameter: click.Parameter, given: tuple[tuple[str, float], ...]
) -> dict[str, float] | None:
    weights = dict(given)
    if len(weights) < len(given):
        raise click.BadParameter("a label is given twice.", context, parameter)
    return weights or None


class_weight_option = click.option(
    "--class-weight",
    type=class_weight,
    multiple=True,
    callback=_by_label,
    metavar="LABEL:W",
    help="Make each row with this label count W times; repeat it for several labels.",
)


def chooses_learner(default: str) -> Callable[[Any], Callable[..., Any]]:
    """The options --learner, --set and those of `PARAMETERS`, as one argument `choice`.

    It is None when none of them was given; `default` is who learns then.
    """
    return partial(_with_options, default)


def _with_options(default: str, function: Any) -> Callable[..., Any]:
    @wraps(function)
    def with_choice(**arguments: Any) -> Any:
        name, assigned = arguments.pop("learner"), arguments.pop("assigned")
        given = {p: arguments.pop(p) for p in PARAMETERS}
        choice = LearnerChoice.default(LearnerChoice.parse(name) if name else None)
        parts = [choice.given, assignments(",".join(assigned), "--set")]
        parts.append({p: str(value) for p, value in given.items() if value is not None})
        merged: dict[str, Any] = {}
        for part in parts:
            if twice := sorted(merged.keys() & part.keys()):
                raise click.UsageError(f"{twice[0]} is given twice.")
            merged |= part
        said = LearnerChoice(choice.name, merged, named=name is not None)
        return function(choice=said if name or merged else None, **arguments)

    options = [
        click.option(
            "--learner",
            metavar="NAME",
            help="committee, arow, perceptron, winnow, ...; parameters may follow a colon: "
            f"winnow:beta=1/2.  [default: {default}]",
        ),
        click.option(
            "--set",
            "assigned",
            multiple=True,
            metavar="NAME=VALUE",
            help="Any other parameter of the learner. Numbers are exact: 1/3, 0.1.",
        ),
        click.option("--bias", is_flag=True, default=None, help=PARAMETERS["bias"]),
    ]
    options += [
        click.option(f"--{name}", metavar="NUMBER", help=text)
        for name, text in PARAMETERS.items()
        if name != "bias"
    ]
    for option in reversed(options):
        with_choice = option(with_choice)
    return with_choice
