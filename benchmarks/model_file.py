"""How long it takes to save and to load a model with many weights.

python -m benchmarks.model_file [BITS]
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import thresher as th
from benchmarks.machine import load, processor, versions


def models(n: int) -> dict[str, Any]:
    """Learners with whole and with real duals, none of them zero."""
    random = np.random.default_rng(0)
    whole = random.integers(1, 9, n).astype(np.float64)
    real = random.normal(size=n)
    return {
        "Perceptron, whole weights": th.Perceptron(n).with_dual(whole),
        "Perceptron, real weights": th.Perceptron(n).with_dual(real),
        "Winnow, whole duals": th.Winnow(n).with_dual(whole),
        "SignedWinnow, real duals": th.SignedWinnow(n, eta=0.1).with_dual(real),
    }


def main() -> None:
    bits = int(sys.argv[1]) if len(sys.argv) > 1 else 24
    print(f"2^{bits} weights; {processor()}; load {load():.1f}; thresher {versions()['thresher']}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.thr"
        for name, learner in models(2**bits).items():
            began = time.perf_counter()
            learner.save(path)
            saved = time.perf_counter()
            th.load(path)
            loaded = time.perf_counter()
            size = path.stat().st_size / 1e6
            print(
                f"{name:26} {size:7.1f} MB  save {saved - began:.3f} s  load {loaded - saved:.3f} s"
            )


if __name__ == "__main__":
    main()
