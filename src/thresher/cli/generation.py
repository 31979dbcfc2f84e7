"""Synthetic streams by name: random ones from concept classes, constructed ones, words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import click
import numpy as np

from thresher.errors import ThresherError
from thresher.games import ClassStream, RandomStream, concept_classes, streams
from thresher.games.words import Words
from thresher.models.choice import LearnerChoice
from thresher.streams.writers import Examples

#: Rows that are handed on at a time.
_CHUNK = 8192
DEFAULT_ROWS = 10_000
WORDS = "words"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the options ask for."""

    kind: str
    #: None: no end.
    rows: int | None
    seed: int = 0
    #: Shares of labels flipped, of rows with a wrong attribute, and of positive labels.
    noise: Any = 0
    attribute_noise: Any = 0
    balance: Any = Fraction(1, 2)
    drift: tuple[int, ...] = ()
    #: Parameters of the concept class or construction.
    parameters: dict[str, Any] = field(default_factory=dict)
    #: The learner that an adversary plays against; None: the default one.
    against: LearnerChoice | None = None


@dataclass(frozen=True, slots=True)
class Generated:
    """A stream in pieces, with what is behind it."""

    pieces: Iterator[Examples]
    #: One line for each stretch of the stream: what labels its rows.
    secret: Callable[[], Iterator[str]]
    summary: str


def generated(wish: Wish) -> Generated:
    """The stream that is asked for; nothing of it is made before it is read."""
    if wish.kind == WORDS:
        return _words(wish)
    if wish.kind in concept_classes():
        return _random(wish)
    if wish.kind in streams():
        return _constructed(wish)
    kinds = ", ".join(kind for kind, _, _ in kinds_of_streams())
    raise click.UsageError(f"there is no stream called {wish.kind!r}. Streams are: {kinds}.")


def kinds_of_streams() -> list[tuple[str, str, dict[str, Any]]]:
    """Every kind with its summary, and the parameters that --set changes, with their defaults."""
    words = Words()
    return [
        (WORDS, (Words.__doc__ or "").splitlines()[0], _own_parameters(words)),
        *((e.name, e.summary, e.parameters) for e in concept_classes().values()),
        *((e.name, e.summary, e.parameters) for e in streams().values()),
    ]


def _own_parameters(words: Words) -> dict[str, Any]:
    return {name: getattr(words, name) for name in ("n_features", "active", "tilt", "real")}


def _words(wish: Wish) -> Generated:
    _refuse(wish, "noise", "attribute_noise", "balance", hint="Its noise is set by --set tilt=0.2.")
    known = _own_parameters(Words())
    if unknown := sorted(wish.parameters.keys() - known.keys()):
        raise click.UsageError(f"--set {unknown[0]}: {WORDS} has {', '.join(known)}.")
    given: dict[str, Any] = dict(wish.parameters)
    if "tilt" in given:
        given["tilt"] = float(given["tilt"])
    stream = Words(rounds=wish.rows, seed=wish.seed, drift=wish.drift, **given)

    def secret() -> Iterator[str]:
        for stretch, first in enumerate((0, *wish.drift)):
            signs = stream.weights(stretch)
            plus = " ".join(map(str, np.flatnonzero(signs > 0).tolist()))
            yield f"from round {first}: weight -1, but +1 on the columns {plus}"

    summary = f"{stream.n_features} features in pairs of opposites, {stream.active} in a row"
    return Generated(map(Examples.of, stream.blocks()), secret, summary)


def _random(wish: Wish) -> Generated:
    concepts = concept_classes()[wish.kind](**wish.parameters)
    stream = RandomStream(
        concepts,
        wish.rows,
        wish.seed,
        wish.balance,
        wish.noise,
        wish.attribute_noise,
        wish.drift,
    )

    def secret() -> Iterator[str]:
        for first, target in zip((0, *wish.drift), stream.targets, strict=True):
            yield f"from round {first}: {target!r}" if wish.drift else repr(target)

    targets = " then ".join(str(target) for target in stream.targets)
    return Generated(map(Examples.of, stream.chunks(_CHUNK)), secret, f"the target is {targets}")


def _constructed(wish: Wish) -> Generated:
    _refuse(wish, "noise", "attribute_noise", "balance", "drift", hint="It has one form.")
    entry = streams()[wish.kind]
    parameters = entry.parameters | wish.parameters
    player = _player(wish, parameters.get("n_features", 2**16)) if entry.needs_player else None
    stream = entry(player, **wish.parameters)
    bound = "" if stream.bound is None else f", {stream.bound} allowed"
    summary = f"{stream.summary}; {stream.forced} mistakes forced{bound}"
    if isinstance(stream, ClassStream):
        weights = stream.weights
        label = np.array(stream.label, np.int32)
        names = [str(c) for c in range(stream.n_classes)]
        whole = Examples(stream.rows, label, names)
        return Generated(iter([whole]), lambda: iter([repr(weights)]), summary)
    target = stream.target
    return Generated(iter([Examples.of(stream.batch)]), lambda: iter([repr(target)]), summary)


def _player(wish: Wish, n_features: int) -> Any:
    """Whom an adversary answers."""
    if wish.kind == "multiclass" and wish.against is None:
        return _FirstClass()
    return (wish.against or LearnerChoice.default()).create(n_features=n_features)


class _FirstClass:
    """A player of games with several classes that always names the first."""

    def predict_one(self, features: object, /) -> int:
        return 0

    def learn_one(self, features: object, label: int, /) -> None:
        pass


def _refuse(wish: Wish, *names: str, hint: str) -> None:
    """Options that a kind of stream knows nothing of."""
    plain = Wish(kind=wish.kind, rows=wish.rows)
    for name in names:
        if getattr(wish, name) != getattr(plain, name):
            option = "--" + name.replace("_", "-")
            raise click.UsageError(f"{option} is for random streams, not for {wish.kind}. {hint}")


def error_in(wish: Wish, error: ThresherError) -> click.UsageError:
    """A parameter that a stream refused, with the parameters it has."""
    known = {kind: parameters for kind, _, parameters in kinds_of_streams()}[wish.kind]
    shown = ", ".join(f"{name}={value}" for name, value in known.items())
    return click.UsageError(f"{error} Parameters and their defaults: {shown}.")
