"""The figures of the lecture (docs/tutorial-lecture.md) as SVG, ready for slides.

    python -m scripts.lecture_figures FOLDER

Mistakes and what is allowed, on a stream that reaches its bound and on mushrooms; how each bound
moves with its quantities.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import thresher as th
from thresher import games, theory
from thresher.pictures import Svg
from thresher.streams import load_mushrooms


def figures() -> Iterator[tuple[str, Svg]]:
    """Name and picture, in the order of the lecture."""
    yield "halving-bound", theory.HalvingClass(n_concepts=1024).plot()
    yield "winnow-bound", theory.WinnowDisjunctionClean(n_features=1000, relevant=3).plot()
    perceptron = th.Perceptron(n_features=3)
    stream = games.circle("20.5").batch
    yield "perceptron-worst-case", perceptron.learn(stream).plot()
    yield "perceptron-certificate", th.certify(perceptron, stream).plot()
    bound = theory.Novikoff(radius_squared=1, comparator_norm_squared=1, margin=Fraction(1, 5))
    yield "perceptron-bound", bound.plot()
    mushrooms, names = load_mushrooms(order=1)
    for learner in (th.Winnow(len(names)), th.Perceptron(len(names)), th.Elimination(len(names))):
        learner.learn(mushrooms)
        name = type(learner).__name__.lower()
        yield f"mushrooms-{name}", th.certify(learner, mushrooms).plot()
    yield "experts-bound", theory.WeightedMajorityBest(n_experts=16, best_mistakes=10).plot()
    yield "adversary-bound", theory.DisjunctionLower(n_features=64, relevant=4).plot()
    risk = theory.MeanRiskHoeffding(mistakes=61, rounds=5644, delta=Fraction(1, 20))
    yield "risk-bound", risk.plot()


def write(folder: Path) -> list[Path]:
    """Write all of them, and say where."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name, picture in figures():
        written.append(folder / f"{name}.svg")
        picture.save(written[-1])
    return written


if __name__ == "__main__":
    for path in write(Path(sys.argv[1])):
        print(path)
