"""One class of several, found by its name, and as a model of its own."""

from __future__ import annotations

from thresher.errors import ExportError
from thresher.learners.base.learner import Learner
from thresher.models.model import Model
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.labels import Label

#: Classes that are named where somebody asks for one that is not there.
MOST_NAMED = 10


def class_called(learner: Learner, name: Label) -> Label:
    """The class with this name, which a program may have given as a number.

    >>> import thresher as th
    >>> class_called(th.MulticlassPerceptron(classes=["law", 7]), "7")
    7
    """
    if not learner.several:
        raise ExportError(f"label={name!r}: the model has two classes and one list of weights.")
    found = {str(label): label for label in learner.classes}
    if str(name) not in found:
        known = ", ".join(list(found)[:MOST_NAMED])
        more = f" and {len(found) - MOST_NAMED} more" if len(found) > MOST_NAMED else ""
        raise ExportError(f"the model has no class {name!r}; its classes are {known}{more}.")
    return found[str(name)]


def model_of_class(model: Model, name: Label) -> Model:
    """The model that tells one class from the rest, where each class has a learner of its own.

    >>> import thresher as th
    >>> learner = th.OneVersusRest(th.Perceptron(n_features=2))
    >>> _ = learner.learn([[1, 0], [0, 1], [1, 0]], ["law", "art", "law"])
    >>> one = model_of_class(Model(learner=learner), "art")
    >>> one.label_names, one.learner
    (('not art', 'art'), Perceptron(n_features=2): 3 rounds, 1 mistakes)
    """
    learner = model.learner
    own = learner.learner_of(class_called(learner, name))
    # Names become columns once for all classes; the learner of a class has not seen any.
    if own.name_table is not None:
        own.name_table.vocabulary.update(model.name_table.vocabulary)
    return Model(
        learner=own,
        recipe=model.recipe,
        labels=LabelScheme.of(str(name)),
        kept=model.kept,
        history=model.history,
        digest=model.digest,
    )
