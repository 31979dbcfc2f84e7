"""Models for the commands, which speak of two classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thresher.errors import ModelFileError

if TYPE_CHECKING:
    from thresher.storage import Model


def load_two_class(path: str, *, journal: bool = True, names: bool = True) -> Model:
    """The model in a file; one with several classes is refused."""
    from thresher.storage import load_model

    model = load_model(path, journal=journal, names=names)
    if hasattr(model.learner, "predict_top"):
        raise ModelFileError(
            path,
            f"this {type(model.learner).__name__} has several classes, and commands have two",
            "Use it from a program: thresher.load(path).predict(rows).",
        )
    return model
