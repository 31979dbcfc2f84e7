"""Training a model further: whether what was asked for fits it, and which rows it has seen."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from thresher.errors import ResumeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from thresher.models.choice import LearnerChoice
    from thresher.models.history import Training
    from thresher.models.input_data import InputData
    from thresher.models.model import Model


def check_learner(model: Model, choice: LearnerChoice | None, data: InputData) -> None:
    """Refuse to train another learner than the model has."""
    learner, table = model.learner.innermost, model.name_table
    found: dict[str, Any] = dict(learner.parameters)
    found |= {"seed of the hash": table.seed, "vocabulary": not table.hashed}
    asked: dict[str, Any] = {} if data.n_features is None else {"n_features": data.n_features}
    if choice is not None:
        if choice.named and choice.name != learner.name:
            raise ResumeError(
                f"the model has a learner {learner.name}, and {choice.name} is asked for.",
                "Leave learner= out, or train a new model.",
                code="resume.another_learner",
            )
        # Made, to compare values and not how they are written.
        same = replace(choice, name=learner.name)
        made = same.create(n_features=data.n_features or found.get("n_features"))
        asked |= {name: made.parameters[name] for name in choice.given}
    asked |= {} if data.seed is None else {"seed of the hash": data.seed}
    asked |= {"vocabulary": True} if data.vocabulary else {}
    _require(found, asked)


def check_arrangement(model: Model, *, multiclass: bool, calibrate: str | None) -> None:
    """Refuse another arrangement of learners than the model has."""
    learner = model.learner
    found = {"several classes": learner.several, "calibration": learner.calibration}
    asked: dict[str, Any] = {"several classes": True} if multiclass else {}
    _require(found, asked if calibrate is None else asked | {"calibration": calibrate})


def _require(found: dict[str, Any], asked: dict[str, Any]) -> None:
    for name, value in asked.items():
        if found.get(name) != value:
            raise ResumeError(
                f"the model has {name} {found.get(name)}, and the options ask for {value}. "
                "Leave the option out, or train a new model."
            )


def interrupted_run(model: Model) -> Training | None:
    """The run that was interrupted when the model was saved, if there is one."""
    last = model.history[-1] if model.history else None
    return None if last is None or last.finished else last


def rows_to_skip(model: Model, inputs: Sequence[str], path: str) -> int:
    """How many rows of these inputs the model has seen: none, unless it was interrupted on them."""
    run = interrupted_run(model)
    if run is None:
        return 0
    before = [source.name for source in run.sources]
    if [*inputs] != before:
        raise ResumeError(
            f"{path} was interrupted while it learned from {', '.join(before)}.",
            "Give the same data to continue there, or skip_rows=0 to continue with other data.",
            code="resume.other_data",
        )
    return sum(source.rows for source in run.sources)
