"""Honest certificates of every kind, and documents sealed again after a lie was put in."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from hashlib import sha256
from typing import Any

import numpy as np

import thresher as th
from thresher.concepts import Disjunctions
from thresher.errors import ThresherError
from thresher.theory import Disjunction, Experts, Separator

rng = np.random.default_rng(5)
BITS = rng.integers(0, 2, size=(40, 4))
EITHER = np.where(BITS[:, 0] | BITS[:, 1], 1, -1)
NOISY = EITHER.copy()
NOISY[7] *= -1
VOTES = 2 * BITS - 1
EXPERT = VOTES[:, 2].copy()
CLASSES = np.array(["a", "b", "c"])[BITS[:, 0] + BITS[:, 1]]


@dataclass(frozen=True)
class Run:
    """A learner after its run, the stream and the certificate."""

    learner: Any
    X: Any
    y: Any
    certificate: th.Certificate

    def verdict(self, document: Mapping[str, Any], **options: Any) -> str:
        """The verdict on a document sealed again; "refused" where it is no certificate."""
        body = {key: part for key, part in document.items() if key not in ("seal", "signatures")}
        text = json.dumps(body, sort_keys=True, separators=(",", ":"))
        whole = {**document, "seal": sha256(text.encode()).hexdigest()}
        try:
            read = th.Certificate.from_json(json.dumps(whole))
            return th.verify(read, self.X, self.y, **options).status
        except ThresherError:
            return "refused"

    @property
    def document(self) -> dict[str, Any]:
        """The certificate in JSON's terms."""
        found: dict[str, Any] = json.loads(self.certificate.to_json())
        return found


def run_of(learner: Any, X: Any, y: Any, **options: Any) -> Run:
    """A run and its certificate; statements about risks, which take time, where asked for."""
    learner.learn(X, y)
    return Run(learner, X, y, th.certify(learner, X, y, **{"delta": None, **options}))


MAKERS: dict[str, Callable[[], Run]] = {
    "perceptron": lambda: run_of(th.Perceptron(4, bias=True), BITS, EITHER, delta=0.05),
    "perceptron with noise": lambda: run_of(th.Perceptron(4, bias=True), BITS, NOISY),
    "perceptron of fractions": lambda: run_of(th.Perceptron(4), BITS * 0.1, EITHER),
    "a separator": lambda: run_of(
        th.Perceptron(4), VOTES, EXPERT, claim=Separator(margin=Fraction(1), radius=2)
    ),
    "thick perceptron": lambda: run_of(th.Perceptron(4, bias=True, margin=1.0), BITS, EITHER),
    "averaged perceptron": lambda: run_of(
        th.Perceptron(4, average=True, scaling="l2"), BITS, EITHER
    ),
    "winnow": lambda: run_of(th.Winnow(4), BITS, EITHER),
    "a disjunction": lambda: run_of(th.Winnow(4), BITS, EITHER, claim=Disjunction(k=2, n=4)),
    "winnow with noise": lambda: run_of(th.Winnow(4, beta=Fraction(1, 2)), BITS, NOISY),
    "normalised winnow": lambda: run_of(th.NormalizedWinnow(4, eta=0.3), VOTES, EXPERT),
    "signed winnow": lambda: run_of(th.SignedWinnow(4, bias=True), BITS, EITHER),
    "elimination": lambda: run_of(th.Elimination(4, literals=True), BITS, EITHER),
    "a refutation": lambda: run_of(th.Elimination(4), BITS, -EITHER, claim=Disjunction(k=2, n=4)),
    "weighted majority": lambda: run_of(th.WeightedMajority(4), VOTES, EXPERT, claim=Experts(n=4)),
    "by lot": lambda: run_of(th.RandomizedWeightedMajority(4, seed=3), VOTES, EXPERT),
    "halving": lambda: run_of(th.Halving(Disjunctions(4)), BITS, EITHER),
    "an emptied class": lambda: run_of(th.Halving(Disjunctions(4)), BITS, NOISY),
    "committee": lambda: run_of(th.Committee(4), BITS, EITHER),
    "p-norm perceptron": lambda: run_of(th.PNormPerceptron(4, p=4.0), VOTES, EXPERT),
    "arow": lambda: run_of(th.AROW(4), BITS, EITHER, delta=0.05),
    "adagrad": lambda: run_of(th.AdaGrad(4), BITS, EITHER),
    "multiclass perceptron": lambda: run_of(th.MulticlassPerceptron(4, bias=True), BITS, CLASSES),
    "sparse network": lambda: run_of(th.SparseNetwork(4), BITS, CLASSES),
    "one versus rest": lambda: run_of(
        th.OneVersusRest(th.Calibrated(th.Perceptron(4))), BITS, CLASSES
    ),
}


@cache
def honest(name: str) -> Run:
    """The run by that name."""
    return MAKERS[name]()


def changed(document: Mapping[str, Any], path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The document with another value in one place."""
    found: Any = deepcopy(dict(document))
    at = found
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    whole: dict[str, Any] = found
    return whole
