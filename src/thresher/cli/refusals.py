"""What the library refuses, in the words of the command line: options instead of arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from thresher.errors import ThresherError

#: Where a learner's parameter is an option about the data.
_OPTIONS = {"n_features": "--features or --bits", "names": "--vocabulary or --seed"}


def _ill_written(whose: str, what: str) -> str:
    return f"{whose if whose.startswith('--') else '--' + whose}: {what}"


def _of_random_streams(option: str, kind: str) -> str:
    hint = "Its noise is set by --set tilt=0.2." if kind == "words" else "It has one form."
    return f"--{option} is for random streams, not for {kind}. {hint}"


def much_memory(n_classes: int, n_bytes: int) -> str:
    """What to say, as a warning or as an error, where every class has a large learner."""
    return (
        f"{n_classes:,} classes with a learner each take {n_bytes / 1e9:.1f} GB, and the model "
        "file as much. --bits makes it less, and so does --learner "
        "multiclass_passive_aggressive, which has weights only for features that it needs."
    )


#: By the code of the error: its message, made from its fields.
_WORDS: dict[str, str | Callable[..., str]] = {
    "another-format": "{what} {named}, say --format {named}.",
    "another-format-before": "{what} {named}, a model goes on with the format it began with: "
    "thresher convert.",
    "another-learner": "the model has a learner {found}, and --learner asks for {asked}. Leave "
    "--learner out, or train a new model.",
    "calibrates-another": "{learner}: name the learner to be calibrated, and say `train "
    "--calibrate isotonic` or platt.",
    "calibrates-one-for-each": "{learner}: its scores compare classes, and --calibrate takes one "
    "learner for each class: name another one.",
    "claim-of-two-classes": "--claim {claim} speaks of two classes, and there are more. "
    "--positive LABEL makes two of them.",
    "classes-by-name": "--positive makes two classes, and {learner} takes them by name. Leave one "
    "of the two out.",
    "format-without-names": "--vocabulary keeps names, which {format} cannot hold.",
    "ill-written": _ill_written,
    "importance": "{what} Take another learner, or --ignore-importance.",
    "much-memory": much_memory,
    "no-such-setting": "--set {setting}: {kind} has {known}.",
    "of-random-streams": _of_random_streams,
    "one-for-each-class": "{learner}: name the learner that each class shall have, such as "
    "--learner arow; with several classes that is one for each (`train --multiclass` if the first "
    "rows show only two).",
    "other-data": "{model} was interrupted while it learned from {before}. Give the same data to "
    "continue there, or --skip-rows 0 to continue with other data.",
    "said-of-the-data": lambda learner, parameter: (
        f"{learner}: say {_OPTIONS[parameter]} instead of {parameter}=."
    ),
    "standard-input-once": "<stdin>: standard input cannot be read {passes} times. Write it to a "
    "file first, or leave --passes out.",
    "takes-no-names": "{learner} takes no names: no --vocabulary, no --seed.",
    "third-class": "{what}. If there are more than two classes, which came late, say --multiclass.",
    "weighted-row": "{fault} --ignore-importance gives all the weight 1.",
    "which-format": "{path}: the name does not say which format to write. Say it with --to: "
    "{known}.",
}


def in_options(error: ThresherError) -> str:
    """The message of an error for somebody who types commands.

    >>> from thresher.errors import RequestError
    >>> error = RequestError("use seed=", "takes-no-names", learner="halving")
    >>> in_options(error), in_options(RequestError("no such thing."))
    ('halving takes no names: no --vocabulary, no --seed.', 'no such thing.')
    """
    words: Any = _WORDS.get(error.code)
    if words is None:
        return str(error)
    return str(words.format(**error.fields) if isinstance(words, str) else words(**error.fields))
