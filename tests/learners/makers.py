"""One list of every learner there is, each with rows it can take."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

import thresher as th
from thresher.concepts import Disjunctions

N = 6
BINARY, TERNARY, REAL, SIGNED = "binary", "ternary", "real", "signed"


@dataclass(frozen=True)
class Maker:
    """How to make a learner over N features, and what its features may be."""

    title: str
    make: Callable[..., Any]
    values: str
    linear: bool = True
    #: Whether it may also update where the prediction was right.
    eager: bool = False
    #: Whether its updates are few enough to keep.
    journaled: bool = True

    @property
    def grows(self) -> bool:
        """Whether it was made without a number of features."""
        return self.title.endswith("-grows")

    @property
    def unbounded(self) -> bool:
        """Whether it takes values beyond 1."""
        return self.make()._engine.highest > 1.0 if self.linear else False

    def __str__(self) -> str:
        return self.title


MAKERS = [
    Maker("perceptron", lambda **k: th.Perceptron(N, **k), SIGNED),
    Maker("perceptron-bias", lambda **k: th.Perceptron(N, bias=True, **k), SIGNED),
    Maker("perceptron-grows", lambda **k: th.Perceptron(bias=True, **k), SIGNED),
    Maker("perceptron-margin", lambda **k: th.Perceptron(N, margin=0.4, **k), SIGNED, eager=True),
    Maker("pa", lambda **k: th.PassiveAggressive(N, "PA", **k), SIGNED, eager=True),
    Maker("pa1-grows", lambda **k: th.PassiveAggressive(C=0.1, **k), SIGNED, eager=True),
    Maker("pa2", lambda **k: th.PassiveAggressive(N, "PA-II", bias=True, **k), SIGNED, eager=True),
    Maker("arow", lambda **k: th.AROW(N, bias=True, **k), SIGNED, eager=True),
    Maker("arow-grows", lambda **k: th.AROW(r=0.1, bias=True, **k), SIGNED, eager=True),
    Maker("adagrad", lambda **k: th.AdaGrad(N, **k), SIGNED, eager=True),
    Maker("logistic-grows", lambda **k: th.AdaGrad(loss="logistic", **k), SIGNED, eager=True),
    Maker(
        "perceptron-mean-grows", lambda **k: th.Perceptron(average=True, **k), SIGNED, eager=True
    ),
    Maker("perceptron-decay", lambda **k: th.Perceptron(N, True, decay=0.1, **k), SIGNED),
    Maker("perceptron-l2", lambda **k: th.Perceptron(N, scaling="l2", **k), SIGNED),
    Maker("perceptron-classes", lambda **k: th.Perceptron(N, class_weight=(2, 0.5), **k), SIGNED),
    Maker("arow-mean", lambda **k: th.AROW(N, average=True, **k), SIGNED, eager=True),
    Maker("adagrad-online", lambda **k: th.AdaGrad(N, scaling="online", **k), SIGNED, eager=True),
    Maker("p-norm", lambda **k: th.PNormPerceptron(N, 3, bias=True, **k), SIGNED),
    Maker("p-norm-margin", lambda **k: th.PNormPerceptron(N, margin=0.3, **k), SIGNED, eager=True),
    Maker("mbw", lambda **k: th.ModifiedBalancedWinnow(N, **k), REAL, eager=True),
    Maker("winnow-margin", lambda **k: th.Winnow(N, threshold=2, margin=1, **k), REAL, eager=True),
    Maker("winnow-floor", lambda **k: th.Winnow(N, threshold=2, floor=0.3, **k), BINARY),
    Maker("winnow-max", lambda **k: th.Winnow(N, threshold=1, scaling="max", **k), REAL),
    Maker("committee", lambda **k: th.Committee(N, **k), SIGNED, eager=True, journaled=False),
    Maker("committee-grows", lambda **k: th.Committee(**k), SIGNED, eager=True, journaled=False),
    Maker("winnow", lambda **k: th.Winnow(N, **k), BINARY),
    Maker("winnow-real", lambda **k: th.Winnow(N, beta=0.1, threshold=2, **k), REAL),
    Maker("winnow-rational", lambda **k: th.Winnow(N, Fraction(13, 5), Fraction(7, 3), **k), REAL),
    Maker("winnow-zeroing", lambda **k: th.Winnow(N, zeroing=True, **k), BINARY),
    Maker("winnow-literals", lambda **k: th.Winnow(N, literals=True, **k), BINARY),
    Maker(
        "normalized-literals",
        lambda **k: th.NormalizedWinnow(N, eta=0.3, literals=True, **k),
        SIGNED,
    ),
    Maker("balanced-winnow", lambda **k: th.BalancedWinnow(N, threshold=1, **k), SIGNED),
    Maker("normalized-winnow", lambda **k: th.NormalizedWinnow(N, eta=0.3, **k), SIGNED),
    Maker("normalized-margin", lambda **k: th.NormalizedWinnow(N, margin=0.5, **k), TERNARY),
    Maker("normalized-restarts", lambda **k: th.NormalizedWinnow(N, bias=True, **k), TERNARY),
    Maker("signed-winnow", lambda **k: th.SignedWinnow(N, eta=0.3, bias=True, **k), SIGNED),
    Maker("signed-restarts", lambda **k: th.SignedWinnow(N, **k), SIGNED),
    Maker("elimination", lambda **k: th.Elimination(N, **k), BINARY),
    Maker("elimination-literals", lambda **k: th.Elimination(N, literals=True, **k), BINARY),
    Maker("conjunction", lambda **k: th.Conjunction(N, **k), BINARY),
    Maker("conjunction-literals", lambda **k: th.Conjunction(N, literals=True, **k), BINARY),
    Maker("weighted-majority", lambda **k: th.WeightedMajority(N, **k), TERNARY),
    Maker("weighted-majority-zero", lambda **k: th.WeightedMajority(N, beta=0, **k), TERNARY),
    Maker("random-majority", lambda **k: th.RandomizedWeightedMajority(N, seed=3, **k), TERNARY),
    Maker("halving", lambda **k: th.Halving(Disjunctions(N), **k), BINARY, linear=False),
    Maker("standard-optimal", lambda **k: th.StandardOptimal(Disjunctions(3), **k), BINARY, False),
]
LINEAR = [maker for maker in MAKERS if maker.linear]
JOURNALED = [maker for maker in MAKERS if maker.journaled]
NAMED = [maker for maker in LINEAR if "majority" not in maker.title]


def stream(maker: Maker, n_rows: int = 60, seed: int = 0) -> tuple[np.ndarray[Any, Any], Any]:
    """A table of rows with some empty ones, and labels with some rhyme but no reason."""
    generator = np.random.default_rng(seed)
    n = 3 if maker.title == "standard-optimal" else N
    on = generator.random((n_rows, n)) < 0.4
    values = {
        BINARY: np.ones((n_rows, n)),
        TERNARY: generator.choice([-1.0, 1.0], (n_rows, n)),
        REAL: generator.choice([1.0, 0.5, 0.1, 1 / 3], (n_rows, n)),
        SIGNED: generator.choice([1.0, -1.0, 0.5, -0.3, 1e-9], (n_rows, n)),
    }[maker.values]
    table = np.where(on, values, 0.0)
    # The first third is whole, so that a learner turns from whole duals to real ones half way.
    table[: n_rows // 3] = np.sign(table[: n_rows // 3])
    wobbly = table[:, 0] + table[:, 1] - table[:, 2] + generator.normal(0, 0.4, n_rows)
    labels = np.where(wobbly > 0.3, 1, -1)
    if not maker.linear:
        labels = np.where(table[:, :2].any(axis=1), 1, -1)
    return table, labels
