"""The linear form of one class of several, and the class as a model of its own."""

from __future__ import annotations

from typing import Any

from thresher.errors import ExportError
from thresher.export.form import form_of
from thresher.learners.base.linear_form import LinearForm
from thresher.learners.base.multiclass_learner import MulticlassLearner
from thresher.learners.calibration.calibrated import Calibrated
from thresher.learners.multiclass.one_versus_rest import OneVersusRest
from thresher.models.model import Model
from thresher.streams.label_scheme import LabelScheme

#: Classes that are named where somebody asks for one that is not there.
MOST_NAMED = 10


def is_several(learner: Any) -> bool:
    """Whether a learner takes several classes."""
    return isinstance(learner, MulticlassLearner | OneVersusRest)


def class_called(learner: Any, name: str) -> Any:
    """The class with this name, which a program may have given as a number.

    >>> import thresher as th
    >>> class_called(th.MulticlassPerceptron(classes=["law", 7]), "7")
    7
    """
    found = {str(label): label for label in learner.classes}
    if name not in found:
        known = ", ".join(list(found)[:MOST_NAMED])
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        raise ExportError(f"the model has no class {name!r}; its classes are {known}{more}.")
    return found[name]


def form_of_class(learner: Any, label: Any) -> LinearForm:
    """The numbers behind the scores of one class.

    >>> import thresher as th
    >>> learner = th.MulticlassPerceptron(2)
    >>> _ = learner.learn([[1, 0], [0, 1], [2, 1]], ["law", "art", "law"])
    >>> form_of_class(learner, "art").weights.tolist()
    [-2.0, 0.0]
    """
    if isinstance(learner, MulticlassLearner):
        weights, constant = learner.weights_of(label)
        return LinearForm(weights, 0.0, constant)
    form = form_of(_own(learner, label))
    if form.threshold:
        # Classes are compared by what exceeds their thresholds.
        constant = form.constant - form.threshold * form.divisor
        return LinearForm(form.weights, 0.0, constant, form.divisor, form.default)
    return form


def _own(learner: OneVersusRest, label: Any) -> Any:
    """The learner of a class, without its calibration."""
    own = learner.learner_of(label)
    return own.learner if isinstance(own, Calibrated) else own


def model_of_class(model: Model, name: str) -> Model:
    """The model that tells one class from the rest, where each class has a learner of its own."""
    learner = model.learner
    label = class_called(learner, name)
    if not isinstance(learner, OneVersusRest):
        raise ExportError(
            f"{type(learner).__name__} has one table of weights for all classes, so that no class "
            "is a model of its own.",
            "Train one with a learner for each class: th.OneVersusRest(th.AROW(...)).",
            code="export.one_table",
        )
    own = _own(learner, label)
    # Names become columns once for all classes; the learner of a class has not seen any.
    own._engine.names.vocabulary.update(model.name_table.vocabulary)
    return Model(
        learner=own,
        recipe=model.recipe,
        labels=LabelScheme.of(name),
        kept=model.kept,
        history=model.history,
        digest=model.digest,
    )
