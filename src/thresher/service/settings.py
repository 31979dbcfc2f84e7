"""Settings: what is asked of a new model."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from thresher.errors import ServiceError
from thresher.models.arrangement import Arrangement
from thresher.models.choice import LearnerChoice
from thresher.models.claims import parse_claim
from thresher.models.input_data import InputData
from thresher.models.model import Model
from thresher.models.written import literal
from thresher.parameters import features_by_default
from thresher.service.vocabularies import require_short
from thresher.streams.label_scheme import LabelScheme, canonical
from thresher.streams.labels import Label
from thresher.streams.recipe import NGrams, Recipe

#: Columns that a model may have: a learner takes up to some hundred bytes for each.
MOST_FEATURES = 1 << 24


class Settings(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What is asked of a new model: a learner, its parameters, and what labels mean."""

    #: Its name, such as ``"perceptron"``; the default is the committee.
    learner: str | None = None
    #: Parameters of the learner, such as ``{"beta": "1/2"}``.
    parameters: dict[str, Any] = {}
    #: Columns that names are hashed into, and that numbers must fit; 2^18 unless given, and 2^20
    #: for texts. `bits` says it as a power of two.
    n_features: int | None = None
    bits: int | None = None
    #: Seed of the hash.
    seed: int | None = None
    #: Whether names are kept exactly instead, each with a column of its own.
    vocabulary: bool = False
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
    #: What rows are: features by name ("json", the default), texts, or the columns of a table.
    format: Literal["json", "text", "csv"] | None = None
    #: Texts: lengths of sequences of words, from and to, and of characters; see `NGrams`.
    words: tuple[int, int] | None = None
    characters: tuple[int, int] | None = None
    sparse_bigrams: int | None = None
    counts: bool = False
    #: Texts: whether lines have the label behind the text.
    label_last: bool = False
    #: Tables: the columns of numbers, and those of categories; others are not read.
    numeric: list[str] = []
    categorical: list[str] = []
    #: Tables: the column of a body in CSV that has the label; "label" unless given.
    label_field: str | None = None
    #: Whether index 1 of svmlight lines is column 0.
    one_based: bool = False


#: Settings that say how rows are read.
READING = (
    *("format", "words", "characters", "sparse_bigrams", "counts", "label_last", "numeric"),
    *("categorical", "label_field", "one_based", "pairs"),
)
_OF_TEXTS = ("words", "characters", "sparse_bigrams", "counts", "label_last")
_OF_TABLES = ("numeric", "categorical", "label_field")


def created(settings: Settings) -> Model:
    """The model that was asked for, which has seen nothing.

    >>> model = created(Settings("winnow", n_features=64, positive="spam", negative="ham"))
    >>> model.learner, model.label_names
    (Winnow(n_features=64): 0 rounds, 0 mistakes, ('ham', 'spam'))
    >>> created(Settings("perceptron", format="text", bits=10, multiclass=True)).recipe.text
    NGrams(words=(1, 2), characters=None, sparse_bigrams=None, counts=False)
    """
    said = None
    if settings.learner is not None:
        said = LearnerChoice.parse(settings.learner)
    given = {name: _value(value) for name, value in settings.parameters.items()}
    if given:
        said = LearnerChoice("" if said is None else said.name, given, named=said is not None)
    choice = (
        LearnerChoice.default(said) if settings.claim is None else LearnerChoice.classical(said)
    )
    recipe = recipe_of(settings)
    learner = Arrangement(
        _data(settings, recipe),
        choice,
        multiclass=settings.multiclass,
        calibrate=settings.calibrate,
    ).before_labels()
    model = Model(learner=learner, recipe=recipe, labels=_labels(settings, several=learner.several))
    require_servable(model)
    if settings.claim is not None:
        # Imported here: theorems are for those who claim something.
        from thresher.learners.base.evidence import limits_for  # noqa: PLC0415

        limits_for(learner, parse_claim(settings.claim, learner.n_features))
    return model


def _value(value: Any) -> Any:
    return literal(value) if isinstance(value, str) else value


def _data(settings: Settings, recipe: Recipe) -> InputData:
    """How names find columns."""
    n_features = settings.n_features
    if settings.bits is not None:
        if n_features is not None:
            raise ServiceError("bits and n_features both say how many columns there are.")
        if not 1 <= settings.bits <= 24:
            raise ServiceError(f"bits is {settings.bits}, and a model has 1 to 24 of them.")
        n_features = 1 << settings.bits
    if n_features is not None and not 1 <= n_features <= MOST_FEATURES:
        raise ServiceError(
            f"n_features is {n_features}, and a model has 1 to {MOST_FEATURES} columns."
        )
    if settings.vocabulary:
        if settings.seed is not None:
            raise ServiceError("seed is of the hash, and a vocabulary does not hash.")
        if settings.claim is not None and n_features is None:
            raise ServiceError(
                "a claim speaks of a known number of features, and a vocabulary grows.",
                "Give n_features, or leave vocabulary out.",
            )
    elif n_features is None:
        n_features = features_by_default(recipe.format)
    return InputData(
        paths=(), n_features=n_features, seed=settings.seed, vocabulary=settings.vocabulary
    )


def recipe_of(settings: Settings) -> Recipe:
    """How the rows that were asked for are read."""
    format_ = settings.format or "json"
    for own, names in (("text", _OF_TEXTS), ("csv", _OF_TABLES)):
        for name in names:
            if format_ != own and getattr(settings, name) not in (None, False, []):
                raise ServiceError(
                    f'{name} is for "format": "{own}", and this model reads {format_}.'
                )
    fields: dict[str, Any] = {"format": format_, "pairs": tuple(settings.pairs)}
    if format_ == "text":
        grams = {name: getattr(settings, name) for name in _OF_TEXTS[:3]}
        # Whoever asks for characters alone does not want the words of the default.
        if any(value is not None for value in grams.values()):
            fields["text"] = NGrams(**grams, counts=settings.counts)
        else:
            fields["text"] = NGrams(counts=settings.counts)
        fields["label_last"] = settings.label_last
    if format_ == "csv":
        columns = (*settings.numeric, *settings.categorical)
        if not columns:
            raise ServiceError(
                "nobody has said which columns the table has.",
                'Name them: {"numeric": ["age"], "categorical": ["job"]}.',
            )
        fields |= {"numeric": tuple(settings.numeric), "categorical": tuple(settings.categorical)}
        fields["label_field"] = settings.label_field or "label"
        if len({*columns, fields["label_field"]}) <= len(columns):
            raise ServiceError("a column of a table is named twice.")
    return Recipe(**fields, one_based=settings.one_based)


def following(settings: Settings, model: Model) -> Settings:
    """Settings of a learner that learns along with a model: it reads the same rows and labels.

    What they leave open about rows and labels is as the model has it.
    """
    recipe, found = model.recipe, msgspec.structs.replace(settings)
    kind = recipe.format if recipe.format in ("text", "csv") else "json"
    if recipe.format in ("parquet", "arrow") and (recipe.numeric or recipe.categorical):
        raise ServiceError(
            f"the model learned from {recipe.format} with columns that were said to be of other "
            "kinds, and no other learner can be made to read them so.",
            "Train the other one from the same file, and serve it under a name of its own.",
        )
    if settings.format not in (None, kind):
        raise ServiceError(
            f"the model reads {kind}, and the shadow is to read {settings.format}: both learn from "
            "the same lines."
        )
    stated = any(getattr(settings, name) not in (None, False, []) for name in READING)
    if kind == "text":
        found.format = "text"
        if not stated:
            for name in ("words", "characters", "sparse_bigrams", "counts"):
                setattr(found, name, getattr(recipe.text, name))
            found.label_last, found.pairs = recipe.label_last, [*recipe.pairs]
    if kind == "csv":
        found.format, found.label_field = "csv", recipe.label_field
        found.numeric, found.categorical = [*recipe.numeric], [*recipe.categorical]
        found.pairs = settings.pairs or [*recipe.pairs]
    found.one_based = settings.one_based or recipe.one_based
    if model.learner.several:
        found.multiclass = True
    elif settings.positive is None and model.labels.decided:
        found.positive, found.negative = model.labels.positive, model.labels.negative
    return found


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
    """Refuse a model that takes no names of features, or more memory than one may."""
    table = model.learner.name_table
    if table is None:
        raise ServiceError(
            f"{type(model.learner).__name__} takes no names of features: its inputs are the "
            "opinions of experts, or points of a finite domain.",
            "Use it in a program; a service has learners of features.",
        )
    if table.hashed and table.n_features > MOST_FEATURES:
        raise ServiceError(
            f"the model has {table.n_features} columns, and a service takes {MOST_FEATURES}."
        )
    if not table.hashed:
        require_short(table)
