"""Files to learn from on a cluster, the same each time."""

from __future__ import annotations

from pathlib import Path

import numpy as np

N_FEATURES = 64


def rows(n: int, seed: int, noise: float = 0.05) -> list[str]:
    """svmlight rows with a linear target and some wrong labels."""
    random = np.random.default_rng(seed)
    target = np.random.default_rng(1).normal(size=N_FEATURES)
    lines = []
    for _ in range(n):
        on = np.sort(random.choice(N_FEATURES, 6, replace=False))
        label = (target[on].sum() > 0) != (random.random() < noise)
        lines.append(f"{int(label)} " + " ".join(f"{i}:1" for i in on))
    return lines


def written(folder: Path, *sizes: int, noise: float = 0.05) -> str:
    """Files of so many rows each; the pattern that names them."""
    for number, n in enumerate(sizes):
        text = "".join(f"{line}\n" for line in rows(n, number, noise))
        (folder / f"part-{number}.svm").write_text(text)
    return str(folder / "part-*.svm")
