"""How often drift is found where there is none, and how soon where there is: for docs/service.md.

`python -m scripts.measure_drift --streams 100`. The promise is about independent mistakes; those of
a learner are not, so that it is measured: streams that stay as they are, with wrong labels in
between, and streams whose deciding features change in the middle.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import thresher as th
from thresher.service.drift import BLOCK, DriftTest

#: Rows and labels.
Rounds = tuple[NDArray[np.float64], NDArray[np.int8]]

FEATURES, ACTIVE, ROUNDS = 64, 8, 20_000
LEARNERS: dict[str, Callable[[], Any]] = {
    "Perceptron": lambda: th.Perceptron(FEATURES),
    "Winnow": lambda: th.Winnow(FEATURES),
    "AROW": lambda: th.AROW(FEATURES),
    "PassiveAggressive": lambda: th.PassiveAggressive(FEATURES, C=0.1),
}


def stream(seed: int, wrong: float, *, changes: bool) -> Rounds:
    """Rows in which any of three features decides; others from the middle on, if it changes."""
    dice = np.random.default_rng(seed)
    rows = np.argsort(dice.random((ROUNDS, FEATURES)), axis=1)[:, :ACTIVE]
    late = np.arange(ROUNDS) >= ROUNDS // 2
    deciding = np.where((late & changes)[:, None], rows >= FEATURES - 3, rows < 3).any(axis=1)
    label = np.where(deciding != (dice.random(ROUNDS) < wrong), 1, -1).astype(np.int8)
    dense = np.zeros((ROUNDS, FEATURES))
    np.put_along_axis(dense, rows, 1.0, axis=1)
    return dense, label


def alarms(mistaken: NDArray[np.bool_]) -> list[int]:
    """The rounds after which there was an alarm."""
    test, found = DriftTest(), []
    counts = mistaken.reshape(-1, BLOCK).sum(axis=1)
    for block, count in enumerate(counts.tolist(), 1):
        if test.add(count) is not None:
            found.append(block * BLOCK)
    return found


def main() -> None:
    """Print a line for each learner and share of wrong labels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--streams", type=int, default=100)
    streams = parser.parse_args().streams
    print(f"{streams} streams of {ROUNDS:,} rounds each")
    for wrong in (0.0, 0.05, 0.2):
        for name, make in LEARNERS.items():
            false, late, error = 0, [], []
            for seed in range(streams):
                rounds = make().learn(*stream(seed, wrong, changes=False))
                false += bool(alarms(rounds.mistaken))
                error.append(float(rounds.mistaken[ROUNDS // 2 :].mean()))
                changed = make().learn(*stream(seed, wrong, changes=True)).mistaken
                after = [at - ROUNDS // 2 for at in alarms(changed) if at > ROUNDS // 2]
                late += after[:1]
            delay = f"{int(np.median(late))} rounds" if late else "-"
            print(
                f"{name:18} wrong {wrong:4.0%} error {np.mean(error):6.2%} "
                f"alarms without a change {false:3d}, with one {len(late):3d}, "
                f"median after {delay}",
                flush=True,
            )


if __name__ == "__main__":
    main()
