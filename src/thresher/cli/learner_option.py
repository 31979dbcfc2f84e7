"""The options that choose a learner: `--learner winnow --beta 1/2`, or `winnow:beta=1/2`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from thresher.models.choice import DEFAULT_LEARNER, LearnerChoice
from thresher.models.written import assignments

#: Parameters that are options of their own; `--set` takes every other one.
PARAMETERS = {
    "bias": "Add a constant feature, whose weight is learned like any other.",
    "beta": "Step of Winnow and its kin, factor of the majority learners.",
    "threshold": "Threshold of Winnow and its kin.  [default: the number of features]",
    "eta": "Step of the exponentiated learners.",
    "margin": "The margin that is hoped for.",
}


def chooses_learner(function: Any) -> Callable[..., Any]:
    """The options --learner, --set and those of `PARAMETERS`, as one argument `choice`.

    It is None when none of them was given.
    """

    @wraps(function)
    def with_choice(**arguments: Any) -> Any:
        name, assigned = arguments.pop("learner"), arguments.pop("assigned")
        given = {p: arguments.pop(p) for p in PARAMETERS}
        choice = LearnerChoice.parse(name or DEFAULT_LEARNER)
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
            help="perceptron, winnow, arow, committee, ...; parameters may follow a colon: "
            f"winnow:beta=1/2.  [default: {DEFAULT_LEARNER}]",
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
