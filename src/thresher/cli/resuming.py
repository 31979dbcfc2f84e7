"""Going on with a model: which rows it has seen, and whether the options fit it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from thresher.errors import ResumeError

#: The name of a learner whose scores are turned into probabilities.
CALIBRATED = "calibrated"

if TYPE_CHECKING:
    from thresher.cli.learner_choice import LearnerChoice
    from thresher.models.history import Training
    from thresher.models.input_data import InputData
    from thresher.models.model import Model


def check_learner(model: Model, choice: LearnerChoice | None, data: InputData) -> None:
    """Refuse options that ask for another learner than the model has."""
    learner = base_learner(model.learner)
    parameters = dict(learner.parameters)
    n_features = data.n_features
    asked: dict[str, Any] = {}
    if n_features is not None:
        asked["n_features"] = n_features
    if choice is not None:
        if choice.named and choice.name.replace("-", "_") != learner.name:
            raise ResumeError(
                f"the model has a learner {learner.name}, and --learner asks for {choice.name}. "
                "Leave --learner out, or train a new model."
            )
        same = replace(choice, name=learner.name)
        made = same.create(n_features=n_features or parameters.get("n_features"))
        asked |= {name: made.parameters[name] for name in choice.given}
    names = parameters.get("names")
    parameters["seed of the hash"] = getattr(names, "seed", 0)
    parameters["vocabulary"] = type(names).__name__ == "Vocabulary"
    if data.seed is not None:
        asked["seed of the hash"] = data.seed
    if data.vocabulary:
        asked["vocabulary"] = True
    _require(parameters, asked)


def check_arrangement(model: Model, *, multiclass: bool, calibrate: str | None) -> None:
    """Refuse options that ask for another arrangement of learners than the model has."""
    calibrated = each_of(model.learner)
    found = {
        "several classes": model.learner.several,
        "calibration": calibrated.parameters.get("method")
        if calibrated.name == CALIBRATED
        else None,
    }
    asked: dict[str, Any] = {"several classes": True} if multiclass else {}
    _require(found, asked if calibrate is None else asked | {"calibration": calibrate})


def _require(found: dict[str, Any], asked: dict[str, Any]) -> None:
    for name, value in asked.items():
        if found.get(name) != value:
            raise ResumeError(
                f"the model has {name} {found.get(name)}, and the options ask for {value}. "
                "Leave the option out, or train a new model."
            )


def each_of(learner: Any) -> Any:
    """The learner that each class has; a learner that is not one for each class is itself."""
    return learner.each_class or learner


def base_learner(learner: Any) -> Any:
    """The learner under those that are made of others."""
    inner = learner.parameters.get("learner")
    return learner if inner is None else base_learner(inner)


def interrupted_run(model: Model) -> Training | None:
    """The run that was interrupted when the model was saved, if there is one."""
    last = model.history[-1] if model.history else None
    return None if last is None or last.finished else last


def rows_to_skip(model: Model, names: list[str], path: str) -> int:
    """How many rows of these inputs the model has seen: none, unless it was interrupted on them."""
    run = interrupted_run(model)
    if run is None:
        return 0
    before = [source.name for source in run.sources]
    if names != before:
        raise ResumeError(
            f"{path} was interrupted while it learned from {', '.join(before)}. Give the same "
            "data to go on there, or --skip-rows 0 to go on with other data."
        )
    return sum(source.rows for source in run.sources)


def resume_command(words: list[str], output: str) -> str:
    """The command that goes on: the one that ran, with the model it left behind.

    >>> resume_command(["a.svm", "-o", "m.thr", "--resume", "old.thr", "--passes", "2"], "m.thr")
    'thresher train a.svm -o m.thr --passes 2 --resume m.thr'
    """
    kept: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in ("--resume", "--skip-rows"):
            next(rest, None)
        elif not word.startswith(("--resume=", "--skip-rows=")):
            kept.append(word)
    return shlex.join(["thresher", "train", *kept, "--resume", output])
