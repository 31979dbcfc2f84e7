"""Settings: what is asked of a new model."""

from __future__ import annotations

from typing import Any

import msgspec

from thresher.errors import ServiceError
from thresher.models.arrangement import Arrangement
from thresher.models.choice import LearnerChoice
from thresher.models.claims import parse_claim
from thresher.models.input_data import InputData
from thresher.models.model import Model
from thresher.models.written import literal
from thresher.streams.label_scheme import LabelScheme, canonical
from thresher.streams.labels import Label
from thresher.streams.recipe import Recipe

#: Columns that a model may have: a learner takes up to some hundred bytes for each.
MOST_FEATURES = 1 << 24


class Settings(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What is asked of a new model: a learner, its parameters, and what labels mean."""

    #: Its name, such as ``"perceptron"``; the default is the committee.
    learner: str | None = None
    #: Parameters of the learner, such as ``{"beta": "1/2"}``.
    parameters: dict[str, Any] = {}
    #: Columns that names are hashed into, and that numbers must fit; 2^18 unless given.
    n_features: int | None = None
    #: Seed of the hash.
    seed: int | None = None
    #: Whether labels are the names of several classes.
    multiclass: bool = False
    #: The two labels, where they are not -1 (or 0) and 1.
    positive: Label | None = None
    negative: Label | None = None
    #: How probabilities are learned along: "isotonic" or "platt".
    calibrate: str | None = None
    #: What is believed of all events, such as "disjunction:k=4".
    claim: str | None = None
    #: Which features make pairs, such as ["colour,size"].
    pairs: list[str] = []


def created(settings: Settings) -> Model:
    """The model that was asked for, which has seen nothing.

    >>> model = created(Settings("winnow", n_features=64, positive="spam", negative="ham"))
    >>> model.learner, model.label_names
    (Winnow(n_features=64): 0 rounds, 0 mistakes, ('ham', 'spam'))
    """
    if settings.n_features is not None and not 1 <= settings.n_features <= MOST_FEATURES:
        raise ServiceError(
            f"n_features is {settings.n_features}, and a model has 1 to {MOST_FEATURES} columns."
        )
    said = None
    if settings.learner is not None:
        said = LearnerChoice.parse(settings.learner)
    given = {name: _value(value) for name, value in settings.parameters.items()}
    if given:
        said = LearnerChoice("" if said is None else said.name, given, named=said is not None)
    choice = (
        LearnerChoice.default(said) if settings.claim is None else LearnerChoice.classical(said)
    )
    learner = Arrangement(
        InputData(paths=(), n_features=settings.n_features, seed=settings.seed),
        choice,
        multiclass=settings.multiclass,
        calibrate=settings.calibrate,
    ).before_labels()
    model = Model(
        learner=learner,
        recipe=Recipe(format="json", pairs=tuple(settings.pairs)),
        labels=_labels(settings, several=learner.several),
    )
    require_servable(model)
    if settings.claim is not None:
        # Imported here: theorems are for those who claim something.
        from thresher.learners.base.evidence import limits_for  # noqa: PLC0415

        limits_for(learner, parse_claim(settings.claim, learner.n_features))
    return model


def _value(value: Any) -> Any:
    return literal(value) if isinstance(value, str) else value


def _labels(settings: Settings, *, several: bool) -> LabelScheme:
    if several:
        if settings.positive is not None or settings.negative is not None:
            raise ServiceError("several classes have names: leave positive and negative out.")
        return LabelScheme(classes="several")
    if settings.positive is None:
        if settings.negative is not None:
            raise ServiceError("there is a negative label and no positive one: name both.")
        return LabelScheme("1", "-1")
    positive = canonical(str(settings.positive))
    if settings.negative is None:
        return LabelScheme.of(positive)
    return LabelScheme(positive, canonical(str(settings.negative)))


def require_servable(model: Model) -> None:
    """Refuse a model whose rows depend on more than their lines, or whose memory has no bound."""
    table = model.learner.name_table
    if table is None or not table.hashed:
        raise ServiceError(
            f"{type(model.learner).__name__} keeps names in a vocabulary, or takes none: a service "
            "hashes names, so that its memory has a bound."
        )
    if model.recipe.format not in (None, "json", "svmlight", "vw"):
        raise ServiceError(
            f"the model reads {model.recipe.format}, and a service takes json, svmlight and vw."
        )
    if table.n_features > MOST_FEATURES:
        raise ServiceError(
            f"the model has {table.n_features} columns, and a service takes {MOST_FEATURES}."
        )
