"""One honest certificate of every kind and for every learner, and what makes lies of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from typing import Any

import numpy as np

import thresher as th
from tests.learners.makers import MAKERS, stream
from thresher.concepts import Disjunctions
from thresher.theory import Disjunction, Experts, Separator

Document = dict[str, Any]
Path = tuple[str | int, ...]


@dataclass(frozen=True, eq=False)
class Honest:
    """A certificate that holds, in JSON's terms, and what it is about."""

    title: str
    document: Document
    X: Any
    y: Any

    def __str__(self) -> str:
        return self.title


def _rows(n_rows: int = 24) -> tuple[np.ndarray[Any, Any], list[str]]:
    """Rows of three classes."""
    generator = np.random.default_rng(5)
    table = (generator.random((n_rows, 4)) < 0.5).astype(float)
    return table, [("a", "b", "c")[int(row[0] + row[1])] for row in table]


SEVERAL: dict[str, Callable[[], Any]] = {
    "one_versus_rest": lambda: th.OneVersusRest(th.Perceptron(4, bias=True)),
    "one_versus_rest calibrated": lambda: th.OneVersusRest(th.Calibrated(th.AROW(4))),
    "multiclass_perceptron": lambda: th.MulticlassPerceptron(4, bias=True),
    "multiclass_passive_aggressive": lambda: th.MulticlassPassiveAggressive(4),
    "multiclass_normalized_winnow": lambda: th.MulticlassNormalizedWinnow(4, eta=0.5),
    "multiclass_signed_winnow": lambda: th.MulticlassSignedWinnow(4, margin=0.25),
    "sparse_network": lambda: th.SparseNetwork(4),
}
#: Claims that are refuted, or not, by the stream of the maker with this name.
CLAIMED = {
    "winnow": (th.Winnow(6), Disjunction(k=2, n=6)),
    "elimination": (th.Elimination(6), Disjunction(k=2, n=6)),
    "perceptron": (th.Perceptron(6), Separator(margin=1, radius=4)),
    "weighted_majority": (th.WeightedMajority(6), Experts(n=6, best=9)),
}


def _certified(title: str, learner: Any, X: Any, y: Any, **given: Any) -> Honest:
    learner.learn(X, y)
    certificate = th.certify(learner, X, y, **given)
    document = json.loads(certificate.to_json())
    return Honest(f"{title}, {certificate.kind}", document, X, y)


@lru_cache
def honest() -> tuple[Honest, ...]:
    """All of them, on small streams."""
    found = [
        _certified(
            maker.title, maker.make(), *stream(maker, 24), delta=None if number % 3 else 0.05
        )
        for number, maker in enumerate(MAKERS)
    ]
    found += [_certified(title, make(), *_rows()) for title, make in SEVERAL.items()]
    bits = (np.random.default_rng(2).random((24, 6)) < 0.4).astype(float)
    named = np.where(bits[:, :2].any(axis=1), 1, -1)
    votes, noise = 2 * bits - 1, np.where(np.arange(24) % 2, 1, -1)
    calibrated = th.Calibrated(th.Perceptron(6))
    found.append(_certified("calibrated", calibrated, bits, named))
    found.append(_certified("halving, emptied", th.Halving(Disjunctions(6)), bits, noise))
    found.append(_certified("sparse, separable", th.SignedWinnow(6, margin=0.2), bits, named))
    by_lot = th.RandomizedWeightedMajority(6, seed=3)
    found.append(_certified("randomized_weighted_majority", by_lot, votes, named))
    for several in ("multiclass_perceptron", "multiclass_signed_winnow"):
        found.append(_certified(several, SEVERAL[several](), np.eye(4), ["a", "b", "c", "c"]))
    for title, (learner, claim) in CLAIMED.items():
        X = votes if title == "weighted_majority" else bits
        found.append(_certified(title, learner.started_anew(), X, named, claim=claim))
        found.append(_certified(title, learner.started_anew(), X, noise, claim=claim))
    return tuple(found)


def sealed(document: Document) -> Document:
    """The document with the seal that belongs to it."""
    rest = {name: value for name, value in document.items() if name not in ("seal", "signatures")}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return document | {"seal": sha256(text.encode()).hexdigest()}


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths to everything that is neither an object nor a list, and to what is empty."""
    if not isinstance(value, dict | list) or not value:
        yield path
        return
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        yield from leaves(item, (*path, key))


def inside(value: Any, path: Path = ()) -> Iterator[Path]:
    """The paths to every object and list."""
    if isinstance(value, dict | list):
        yield path
        for key, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from inside(item, (*path, key))


def at(document: Any, path: Path) -> Any:
    """What stands at a path."""
    for key in path:
        document = document[key]
    return document


def put(document: Document, path: Path, value: Any) -> Document:
    """A copy with another value at a path."""
    changed = deepcopy(document)
    if not path:
        return changed | value if isinstance(value, dict) else changed
    at(changed, path[:-1])[path[-1]] = value
    return changed
