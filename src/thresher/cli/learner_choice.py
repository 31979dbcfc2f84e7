"""Which learner, with which parameters: `--learner winnow --beta 1/2`, or `winnow:beta=1/2`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import wraps
from typing import Any

import click

from thresher.cli.parsing import assignments, literal
from thresher.models.input_data import DEFAULT_BITS

DEFAULT_LEARNER = "perceptron"
#: One for each class where there are several, and nobody chose.
DEFAULT_OF_SEVERAL, ITS_PARAMETERS = "arow", {"bias": "yes"}

#: Parameters that are options of their own; `--set` takes every other one.
PARAMETERS = {
    "bias": "Add a constant feature, whose weight is learned like any other.",
    "beta": "Step of Winnow and its kin, factor of the majority learners.",
    "threshold": "Threshold of Winnow and its kin.  [default: the number of features]",
    "eta": "Step of the exponentiated learners.",
    "margin": "The margin that is hoped for.",
}
#: What the command line works out from other options.
_TAKEN = {"n_features": "--features or --bits", "names": "--vocabulary or --seed"}
#: Learners made of others, which are named instead.
_MADE_BY_OPTIONS = {
    "one_versus_rest": "name the learner that each class shall have, such as --learner arow; with "
    "several classes that is one for each (`train --multiclass` if the first rows show only two).",
    "calibrated": "name the learner to be calibrated, and say `train --calibrate isotonic` or "
    "platt.",
}


@dataclass(frozen=True, slots=True)
class LearnerChoice:
    """A learner by name, and parameters as they were written.

    Examples
    --------
    >>> choice = LearnerChoice.parse("winnow:beta=1/2")
    >>> choice
    LearnerChoice(name='winnow', given={'beta': '1/2'})
    >>> choice.create(n_features=8)
    Winnow(n_features=8, beta=1/2): 0 rounds, 0 mistakes
    """

    name: str
    given: dict[str, str] = field(default_factory=dict)
    #: Whether somebody named the learner; otherwise it is the default, with these parameters.
    named: bool = field(default=True, repr=False)

    @classmethod
    def parse(cls, text: str) -> LearnerChoice:
        """A choice from `name` or `name:parameter=value,...`."""
        name, _, parameters = text.partition(":")
        return cls(name.strip(), assignments(parameters, f"--learner {text}"))

    @classmethod
    def default(cls) -> LearnerChoice:
        """The learner for those who did not choose."""
        return cls(DEFAULT_LEARNER, named=False)

    @property
    def takes_several(self) -> bool:
        """Whether the learner takes several classes itself, without one of it for each."""
        return bool(self._class().several)

    def for_each_class(self) -> LearnerChoice:
        """The learner that each of several classes gets."""
        if self.named:
            return self
        return replace(self, name=DEFAULT_OF_SEVERAL, given=ITS_PARAMETERS | self.given)

    def require_two_classes(self, what: str) -> LearnerChoice:
        """Itself, unless it takes several classes where only two make sense."""
        if self.takes_several:
            raise click.UsageError(f"{self.name} takes several classes, and {what} two.")
        return self

    def create(
        self,
        *,
        n_features: int | None = None,
        seed: int | None = None,
        vocabulary: bool = False,
        journal: bool = True,
    ) -> Any:
        """The learner, which has seen nothing.

        `n_features` None means 2^18; with a vocabulary, as many as there are names, where the
        learner can grow.
        """
        made = self._class()
        accepted = inspect.signature(made).parameters
        arguments = {name: self._value(made, name, text) for name, text in self.given.items()}
        count = "n_experts" if "n_experts" in accepted else "n_features"
        grows = vocabulary and n_features is None and accepted[count].default is None
        if not grows:
            arguments.setdefault(count, n_features or 2**DEFAULT_BITS)
        if vocabulary or seed is not None:
            from thresher.names.tables import Hashed, Vocabulary

            if "names" not in accepted:
                raise click.UsageError(f"{self.name} takes no names: no --vocabulary, no --seed.")
            arguments["names"] = Vocabulary() if vocabulary else Hashed(seed or 0)
        if not journal and "journal_bytes" in accepted:
            arguments["journal_bytes"] = 0
        return made(**arguments)

    def _class(self) -> Any:
        from thresher.learners.registry import learner_class

        made = learner_class(self.name)
        if "concepts" in inspect.signature(made).parameters:
            raise click.UsageError(
                f"{self.name} learns from a list of concepts, which only a program can give it."
            )
        if made.name in _MADE_BY_OPTIONS:
            raise click.UsageError(f"{self.name}: {_MADE_BY_OPTIONS[made.name]}")
        return made

    def _value(self, made: Any, name: str, text: str) -> Any:
        accepted = inspect.signature(made).parameters
        if name in _TAKEN:
            raise click.UsageError(f"{self.name}: say {_TAKEN[name]} instead of {name}=.")
        if name not in accepted:
            known = ", ".join(n for n in accepted if n not in _TAKEN)
            raise click.UsageError(f"{self.name} has no parameter {name}; it has {known}.")
        value = literal(text)
        # A parameter that is a float is one everywhere; an exact one stays the fraction it is.
        if accepted[name].annotation == "float" and isinstance(value, int | Fraction):
            return float(value)
        return value


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
        merged: dict[str, str] = {}
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
