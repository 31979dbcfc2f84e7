"""Adapter: a class of another library that stands for a learner and takes its parameters."""

from __future__ import annotations

import inspect
from abc import abstractmethod
from collections.abc import Callable, Mapping
from textwrap import indent
from typing import Any, ClassVar

from thresher.learners.base.learner import Learner
from thresher.learners.registry import record_of

#: The parameters of learners by name, as `inspect` knows them.
Parameters = dict[str, inspect.Parameter]

#: Parameters that every door has in a place, and with a meaning, of its own.
COMMON = {"n_features", "bias", "class_weight", "scaling", "names", "classes", "journal_bytes"}


class Adapter:
    """One declaration stands for a learner: `class AROWClassifier(Door, learner="arow")`.

    The class takes the learner's parameters, with the learner's defaults, and what the door has
    for all. It keeps each as an attribute, exactly as given, which is how scikit-learn and
    River copy models. What the docstring says is completed by a list of the parameters.
    """

    #: A learner as its defaults make it: tells what is the same for all of its kind.
    _example: ClassVar[Learner]
    #: Which of the learner's parameters the class takes, under the names that the learner has.
    _taken: ClassVar[Parameters]

    def __init_subclass__(
        cls,
        *,
        learner: str | None = None,
        without: tuple[str, ...] = (),
        defaults: Mapping[str, Any] | None = None,
        **options: Any,
    ) -> None:
        """Read a declaration.

        Parameters
        ----------
        learner
            The name of the learner in the registry; None for a base of declarations.
        without
            Parameters of the learner that the class does not take.
        defaults
            Defaults that differ from the learner's.
        """
        super().__init_subclass__(**options)
        if learner is None:
            return
        kind: Callable[..., Learner] = record_of(learner).load()
        signature = inspect.signature(kind).parameters
        cls._example = kind(n_features=1)
        cls._taken = {name: one for name, one in signature.items() if name not in without}
        # Named, so that what differs stands in the place the learner gives it.
        for name, value in (defaults or {}).items():
            cls._taken[name] = cls._taken[name].replace(default=value)
        stated = cls._stated()
        cls.__init__ = initialiser(stated)  # type: ignore[method-assign]
        if cls.__doc__:
            cls.__doc__ = with_parameters(cls.__doc__, cls._meanings(stated))

    @classmethod
    @abstractmethod
    def _stated(cls) -> list[inspect.Parameter]:
        """The parameters of the class, in order."""

    @classmethod
    @abstractmethod
    def _meaning(cls, name: str) -> str | None:
        """What a parameter means; None where it means what it means to the learner."""

    @classmethod
    def _own(cls) -> list[inspect.Parameter]:
        """The parameters that this learner has and others need not have."""
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        return [one.replace(kind=kind) for name, one in cls._taken.items() if name not in COMMON]

    @classmethod
    def _bounded(cls) -> bool:
        """Whether the learner is made for features of at most 1, which rows need not keep."""
        return cls._example.domain.highest <= 1.0

    @classmethod
    def _must_know_n_features(cls) -> bool:
        """Whether the algorithm depends on the number of features, and so cannot grow."""
        return cls._taken["n_features"].default is inspect.Parameter.empty

    @classmethod
    def _can_be_calibrated(cls) -> bool:
        """Whether scores can be turned into probabilities: of two classes, and not there yet."""
        return not (cls._example.several or cls._example.gives_probabilities)

    @classmethod
    def _made(cls, **given: Any) -> Learner:
        """A learner with these parameters."""
        kind: Callable[..., Learner] = type(cls._example)
        return kind(**given)

    def _given(self) -> dict[str, Any]:
        """What was given for the learner's own parameters, and for its journal."""
        names = [one.name for one in self._own()]
        if "journal_bytes" in self._taken:
            names.append("journal_bytes")
        return {name: getattr(self, name) for name in names}

    def _begin(self) -> None:
        """The parameters have been set."""

    @classmethod
    def _meanings(cls, stated: list[inspect.Parameter]) -> dict[str, str]:
        """Names of parameters, and what they mean; first those the learner's page describes."""
        found = {one.name: cls._meaning(one.name) for one in stated}
        described = ", ".join(name for name, text in found.items() if text is None)
        title = type(cls._example).__name__
        page = {described: f"As for :class:`thresher.{title}`."} if described else {}
        return page | {name: text for name, text in found.items() if text is not None}


def declared(namespace: Mapping[str, Any]) -> list[str]:
    """The names of the classes in a namespace that stand for a learner."""
    return sorted(
        name
        for name, kind in namespace.items()
        if isinstance(kind, type) and "_example" in vars(kind)
    )


def initialiser(stated: list[inspect.Parameter]) -> Callable[..., None]:
    """An `__init__` with these parameters, which keeps each as it was given.

    >>> class Pair:
    ...     _begin = lambda self: None
    >>> one = inspect.Parameter("one", inspect.Parameter.POSITIONAL_OR_KEYWORD, default=1)
    >>> Pair.__init__ = initialiser([one])
    >>> inspect.signature(Pair), Pair().one, Pair(5).one
    (<Signature (one=1) -> None>, 1, 5)
    >>> Pair(two=2)
    Traceback (most recent call last):
    TypeError: Pair() got an unexpected keyword argument 'two'
    """
    signature = inspect.Signature(stated)

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807
        try:
            bound = signature.bind(*values, **named)
        except TypeError as error:
            raise TypeError(f"{type(self).__name__}() {error}") from None
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            setattr(self, name, value)
        self._begin()

    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    complete = inspect.Signature([itself, *stated], return_annotation=None)
    __init__.__signature__ = complete  # type: ignore[attr-defined]
    return __init__


def with_parameters(text: str, meanings: Mapping[str, str]) -> str:
    """A docstring with the parameters listed before its examples.

    >>> with_parameters("What it is.", {"max_iter": "How many passes."})
    'What it is.\\n\\nParameters\\n----------\\nmax_iter\\n    How many passes.'
    """
    lines = [f"{name}\n{indent(meaning, '    ')}" for name, meaning in meanings.items()]
    section = "\n".join(["Parameters", "----------", *lines])
    before, header, after = inspect.cleandoc(text).partition("\n\nExamples\n")
    return f"{before}\n\n{section}{header}{after}"
