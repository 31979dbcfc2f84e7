"""Synthetic streams by name: random ones from concept classes, constructed ones, words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np

from thresher.errors import ParameterError, RequestError
from thresher.games import (
    MulticlassPlayer,
    MulticlassStream,
    Player,
    RandomStream,
    concept_classes,
    streams,
)
from thresher.games.words import Words
from thresher.models.choice import LearnerChoice
from thresher.streams.writers import Examples

#: Rows that are handed on at a time.
_CHUNK = 8192
WORDS = "words"


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamDescription:
    """Which synthetic stream is wanted."""

    kind: str
    #: None: no end.
    rows: int | None = 10_000
    seed: int = 0
    #: Shares of labels flipped, of rows with a wrong attribute, and of positive labels.
    noise: Any = 0
    attribute_noise: Any = 0
    balance: Any = Fraction(1, 2)
    drift: tuple[int, ...] = ()
    #: Parameters of the concept class or construction.
    parameters: Mapping[str, Any] = field(default_factory=dict)
    #: The learner that an adversary plays against; None: the default one.
    against: LearnerChoice | None = None


@dataclass(frozen=True, slots=True)
class Generated:
    """A stream in pieces, with what is behind it."""

    pieces: Iterator[Examples]
    #: One line for each stretch of the stream: what labels its rows.
    secret: Callable[[], Iterator[str]]
    summary: str


def generated(wanted: StreamDescription) -> Generated:
    """The stream that is wanted; nothing of a random one is made before it is read."""
    known = {kind: parameters for kind, _, parameters in kinds_of_streams()}.get(wanted.kind, {})
    try:
        for name, value in wanted.parameters.items():
            if name in known:
                _check_kind(wanted.kind, name, value, known[name])
        return _generated(wanted)
    except ParameterError as error:
        shown = ", ".join(f"{name}={value}" for name, value in known.items())
        raise RequestError(f"{error} Parameters and their defaults: {shown}.") from None


def _check_kind(kind: str, name: str, value: object, default: object) -> None:
    """Refuse values of another kind than the default is of: a word where a number is wanted."""
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ParameterError(kind, name, "True or False", value)
    elif default is None or isinstance(default, int):
        whole = type(value) is int and abs(value) < 2**31
        if not (whole or value is default):
            raise ParameterError(kind, name, "a whole number below 2^31", value)
    elif isinstance(value, bool) or not isinstance(value, Real) or not abs(float(value)) <= 1e100:
        raise ParameterError(kind, name, "a number of at most 1e100", value)


def _generated(wanted: StreamDescription) -> Generated:
    if wanted.kind == WORDS:
        return _words(wanted)
    if wanted.kind in concept_classes():
        return _random(wanted)
    if wanted.kind in streams():
        return _constructed(wanted)
    kinds = ", ".join(kind for kind, _, _ in kinds_of_streams())
    raise RequestError(f"there is no stream called {wanted.kind!r}. Streams are: {kinds}.")


def kinds_of_streams() -> list[tuple[str, str, dict[str, Any]]]:
    """Every kind with its summary, and its parameters with their defaults."""
    words = Words()
    return [
        (WORDS, (Words.__doc__ or "").splitlines()[0], _own_parameters(words)),
        *((e.name, e.summary, e.parameters) for e in concept_classes().values()),
        *((e.name, e.summary, e.parameters) for e in streams().values()),
    ]


def _own_parameters(words: Words) -> dict[str, Any]:
    return {name: getattr(words, name) for name in ("n_features", "active", "tilt", "real")}


def _words(wanted: StreamDescription) -> Generated:
    _refuse(wanted, "noise", "attribute_noise", "balance", hint="Its noise is the parameter tilt.")
    known = _own_parameters(Words())
    if unknown := sorted(wanted.parameters.keys() - known.keys()):
        raise RequestError(
            f"{WORDS} has no parameter {unknown[0]}; it has {', '.join(known)}.",
            code="request.no_such_setting",
            setting=unknown[0],
            kind=WORDS,
            known=", ".join(known),
        )
    given: dict[str, Any] = dict(wanted.parameters)
    if "tilt" in given:
        given["tilt"] = float(given["tilt"])
    stream = Words(rounds=wanted.rows, seed=wanted.seed, drift=wanted.drift, **given)

    def secret() -> Iterator[str]:
        for stretch, first in enumerate((0, *wanted.drift)):
            signs = stream.weights(stretch)
            plus = " ".join(map(str, np.flatnonzero(signs > 0).tolist()))
            yield f"from round {first}: weight -1, but +1 on the columns {plus}"

    summary = f"{stream.n_features} features in pairs of opposites, {stream.active} in a row"
    return Generated(map(Examples.of, stream.blocks()), secret, summary)


def _random(wanted: StreamDescription) -> Generated:
    concepts = concept_classes()[wanted.kind](**wanted.parameters)
    stream = RandomStream(
        concepts,
        wanted.rows,
        wanted.seed,
        wanted.balance,
        wanted.noise,
        wanted.attribute_noise,
        wanted.drift,
    )

    def secret() -> Iterator[str]:
        for first, target in zip((0, *wanted.drift), stream.targets, strict=True):
            yield f"from round {first}: {target!r}" if wanted.drift else repr(target)

    targets = " then ".join(str(target) for target in stream.targets)
    return Generated(map(Examples.of, stream.chunks(_CHUNK)), secret, f"the target is {targets}")


def _constructed(wanted: StreamDescription) -> Generated:
    _refuse(wanted, "noise", "attribute_noise", "balance", "drift", hint="It has one form.")
    entry = streams()[wanted.kind]
    parameters = {**entry.parameters, **wanted.parameters}
    player = _player(wanted, parameters.get("n_features", 2**16)) if entry.needs_player else None
    stream = entry(player, **wanted.parameters)
    bound = "" if stream.bound is None else f", {stream.bound} allowed"
    summary = f"{stream.summary}; {stream.forced} mistakes forced{bound}"
    if isinstance(stream, MulticlassStream):
        weights = stream.weights
        label = np.array(stream.label, np.int32)
        names = [str(c) for c in range(stream.n_classes)]
        whole = Examples(stream.rows, label, names)
        return Generated(iter([whole]), lambda: iter([repr(weights)]), summary)
    target = stream.target
    return Generated(iter([Examples.of(stream.batch)]), lambda: iter([repr(target)]), summary)


def _player(wanted: StreamDescription, n_features: int) -> Player | MulticlassPlayer:
    """Whom an adversary answers."""
    if wanted.kind == "multiclass" and wanted.against is None:
        return _FirstClass()
    return (wanted.against or LearnerChoice.classical()).create(n_features=n_features)


class _FirstClass:
    """A player of games with several classes that always names the first."""

    def predict_one(self, features: object, /) -> int:
        return 0

    def learn_one(self, features: object, label: int, /) -> None:
        pass


def _refuse(wanted: StreamDescription, *names: str, hint: str) -> None:
    """Complain about what a kind of stream knows nothing of."""
    plain = StreamDescription(kind=wanted.kind, rows=wanted.rows)
    for name in names:
        if getattr(wanted, name) != getattr(plain, name):
            raise RequestError(
                f"{name} is for random streams, not for {wanted.kind}. {hint}",
                code="request.of_random_streams",
                option=name.replace("_", "-"),
                kind=wanted.kind,
            )
