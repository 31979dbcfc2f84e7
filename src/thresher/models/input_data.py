"""InputData: files or a pipe, and all that somebody said about how to read them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

from thresher.addresses import shown
from thresher.errors import ParameterError
from thresher.parameters import checked_count, features_by_default
from thresher.records import record

if TYPE_CHECKING:
    from thresher.streams.bad_lines import BadLinePolicy
    from thresher.streams.chunk import BadLine
    from thresher.streams.first_look import FirstLook
    from thresher.streams.formats.format import TableHeader
    from thresher.streams.recipe import Recipe
    from thresher.streams.remark import Remark

Path = str | os.PathLike[str]

Policy = Literal["stop", "skip", "quarantine"]

#: Fields of `NGrams`; all others that can be given are fields of `Recipe`.
GRAMS = ("words", "characters", "sparse_bigrams", "counts")
#: Fields of `InputData` that a program gives as they are.
_PLAIN = ("n_features", "seed", "vocabulary", "max_bad", "threads", "chunk_bytes")


@record(kw_only=True, repr=False)
class InputData:
    """What is to be read, and how; what is None, a model says, or the data show.

    Examples
    --------
    >>> data = InputData(paths=("mail.tsv",), given={"words": (1, 2)})
    >>> data.recipe().format, data.recipe().text.words
    ('text', (1, 2))
    """

    paths: tuple[str, ...]
    #: Fields of `Recipe` and of `NGrams` that were stated.
    given: Mapping[str, Any] = field(default_factory=dict)
    #: The label that counts as +1.
    positive: str | None = None
    #: How many features there are; how names find their columns.
    n_features: int | None = None
    seed: int | None = None
    vocabulary: bool = False
    #: What happens to bad lines, and the file they are kept in.
    on_bad: tuple[Policy, str | None] = ("stop", None)
    max_bad: int | None = None
    #: How a bad line is put into words; a door may have other words than Python's.
    phrase: Callable[[BadLine | Remark], str] = str
    threads: int | None = None
    chunk_bytes: int | None = None
    #: What was found of the format, once somebody looked.
    look: FirstLook | None = field(default=None, repr=False, compare=False)
    #: The files of which only a part is read, from one byte to another.
    parts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    #: The header of a table's first file, where others read that file.
    header: TableHeader | None = None
    #: Who deals with bad lines instead of what `on_bad` says, where several read one after another.
    policy: BadLinePolicy | None = field(default=None, repr=False, compare=False)

    def __repr__(self) -> str:
        """Without what signs an address: a worker logs the arguments of a task that failed."""
        told = {"paths": self.shown_paths, "parts": {shown(p): s for p, s in self.parts.items()}}
        said = (
            f"{f.name}={told.get(f.name, getattr(self, f.name))!r}" for f in fields(self) if f.repr
        )
        return f"InputData({', '.join(said)})"

    def looked_at(self) -> InputData:
        """The same, with its format found out; the first file is open then, if it is new."""
        from thresher.streams.first_look import FirstLook  # noqa: PLC0415  (help needs none of it)
        from thresher.streams.sources.source import expanded  # noqa: PLC0415

        if self.look is not None:
            return self
        return replace(self, look=FirstLook(expanded(self.paths), self.recipe()))

    @property
    def features(self) -> int | None:
        """How many features there are; None: as many as names come. For data that was looked at."""
        if self.n_features is not None or self.vocabulary:
            return self.n_features
        return features_by_default(None) if self.look is None else self.look.features

    @property
    def shown_paths(self) -> tuple[str, ...]:
        """The paths as they may be written down: what signs an address is nobody's business."""
        return tuple(map(shown, self.paths))

    @property
    def named(self) -> str:
        """All of them, in a message."""
        return ", ".join(self.shown_paths)

    @classmethod
    def of_paths(cls, data: object, **said: Any) -> InputData | None:
        """The input data that somebody named by paths, or gave; None for anything else.

        >>> InputData.of_paths(["a.svm", "b-*.svm"]).paths, InputData.of_paths([[0, 1]])
        (('a.svm', 'b-*.svm'), None)
        """
        listed = data if isinstance(data, list | tuple) else [data]
        paths = [path for path in listed if isinstance(path, str | os.PathLike)]
        if paths and len(paths) == len(listed):
            return cls.described(paths, **said)
        if said:
            raise ParameterError(
                type(data).__name__, next(iter(said)), "left out: it is for paths", data
            )
        return data if isinstance(data, InputData) else None

    @classmethod
    def described(
        cls,
        paths: Path | Iterable[Path],
        *,
        recipe: Recipe | None = None,
        positive: object = None,
        on_bad: Policy = "stop",
        quarantine: Path | None = None,
        **said: Any,
    ) -> InputData:
        """Input data as a program describes them, argument by argument.

        Parameters
        ----------
        paths
            A file, a pattern, or several of them.
        recipe
            How lines become rows; what differs from the default counts as stated.
        positive
            The label that counts as +1.
        on_bad, quarantine
            What happens to bad lines, and the file they are kept in.
        said
            Other fields of `InputData`; fields of `Recipe` and of `NGrams`.

        Examples
        --------
        >>> data = InputData.described("mail.tsv", format="text", words=(1, 2), on_bad="skip")
        >>> data.given, data.on_bad
        ({'format': 'text', 'words': (1, 2)}, ('skip', None))
        """
        from thresher.streams.recipe import Recipe  # noqa: PLC0415  (help needs none of it)

        listed = [paths] if isinstance(paths, str | os.PathLike) else _listed(paths)
        own = {name: said.pop(name) for name in _PLAIN if name in said}
        _check_own(own)
        if positive is not None and (
            isinstance(positive, bool) or not isinstance(positive, str | int | float)
        ):
            raise ParameterError("input data", "positive", "a label: a text or a number", positive)
        known = [field.name for field in fields(Recipe)]
        if unknown := sorted(said.keys() - {*known, *GRAMS}):
            must = f"one of {', '.join([*known, *GRAMS, *_PLAIN])}"
            raise ParameterError("input data", "an argument about reading", must, unknown[0])
        for name in ("numeric", "categorical", "ignored", "pairs"):
            if isinstance(said.get(name), str):
                said[name] = (said[name],)
        if recipe is not None and not isinstance(recipe, Recipe):
            raise ParameterError("input data", "recipe", "a Recipe", recipe)
        if recipe is not None:
            plain, stated = Recipe(), {name: getattr(recipe, name) for name in known}
            said = {k: v for k, v in stated.items() if v != getattr(plain, k)} | said
        return cls(
            paths=tuple(os.fspath(path) for path in listed),
            given=said,
            positive=None if positive is None else str(positive),
            on_bad=(on_bad, None if quarantine is None else os.fspath(quarantine)),
            **own,
        )

    def recipe(self, known: Recipe | None = None) -> Recipe:
        """The recipe: that of a model where there is one, with what was stated changed."""
        from thresher.streams.formats.detection import may_be_texts  # noqa: PLC0415
        from thresher.streams.recipe import NGrams, Recipe  # noqa: PLC0415  (help needs none of it)

        given = dict(self.given)
        grams = {k: given.pop(k) for k in GRAMS if k in given}
        base = Recipe() if known is None else known
        if known is not None and (named := _told_apart(self.paths, known.format)) is not None:
            # A .tsv is a table or texts, as its lines say.
            given.setdefault("format", None if may_be_texts(self.paths[0]) else named)
        if grams:
            # Whoever asks for characters alone does not want the words of the default.
            no_words = {"words": None} if {"characters", "sparse_bigrams"} & {*grams} else {}
            given["text"] = NGrams(**(no_words | grams))
            if base.format is None and may_be_texts(self.paths[0]):
                given.setdefault("format", "text")
        return replace(base, **given)


def _told_apart(paths: Sequence[str], known: str | None) -> str | None:
    """The format that a name promises; none if the known one may have it as well."""
    from thresher.streams.formats.detection import may_be_texts, told_by_name  # noqa: PLC0415

    named = told_by_name(paths[0]) if paths else None
    if named is None or (known in ("text", "csv") and may_be_texts(paths[0])):
        return None
    return named.name


def _listed(paths: Any) -> list[Any]:
    """Several paths; an error for anything else."""
    # A frame gives the names of its columns to whoever goes through it.
    rows = hasattr(paths, "shape") or isinstance(paths, bytes | Mapping)
    listed = list(paths) if isinstance(paths, Iterable) and not rows else []
    if not listed or not all(isinstance(path, str | os.PathLike) for path in listed):
        hint = "Rows that are in memory go to a learner: th.Committee().learn(X, y)."
        must = "a path, a pattern, or a list of them"
        raise ParameterError("input data", "paths", must, paths, hint)
    return listed


def _check_own(own: Mapping[str, Any]) -> None:
    """Refuse numbers that make no sense, where they are said."""
    least = {"n_features": 1, "seed": 0, "max_bad": 0, "threads": 1, "chunk_bytes": 1}
    for name, low in least.items():
        if own.get(name) is not None:
            checked_count("input data", name, own[name], low)
    if own.get("vocabulary") and own.get("seed") is not None:
        raise ParameterError(
            "input data", "seed", "left out: a vocabulary does not hash", own["seed"]
        )
