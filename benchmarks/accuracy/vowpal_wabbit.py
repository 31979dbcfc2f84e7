"""Vowpal Wabbit, fed with text in its own format in the ways in which its users feed it."""

from __future__ import annotations

import importlib
import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np

from benchmarks.accuracy.competitors import Classes, Competitor, Play, sets_of_counts
from benchmarks.accuracy.datasets import Dataset

LOGISTIC, HINGE, SQUARED = (f"--loss_function {loss}" for loss in ("logistic", "hinge", "squared"))
#: How a word that occurs three times is written: ``7:3``, ``7`` or ``7 7 7``.
COUNTS, PRESENCE, REPEATED = "counts", "presence", "repeated"


def vowpal_wabbit(options: str, form: str = COUNTS) -> Play:
    """Vowpal Wabbit with these options and nothing else changed."""

    def play(data: Dataset) -> Classes:
        several = data.n_classes > 2
        with tempfile.TemporaryDirectory() as folder:
            rows, predictions = Path(folder) / "rows.vw", Path(folder) / "predictions"
            rows.write_text(as_text(data, form))
            classes = f"--oaa {data.n_classes}" if several else ""
            workspace = importlib.import_module("vowpalwabbit").Workspace
            files = f"-d {rows} -p {predictions} --quiet"
            workspace(f"{files} {options} -b {bits(data)} {classes}").finish()
            found = np.loadtxt(predictions)
        return (found - 1 if several else found >= 0).astype(np.int64)

    return play


def bits(data: Dataset) -> int:
    """How many bits tell all weights apart: 18, as by default, or what several classes need."""
    several = data.n_classes if data.n_classes > 2 else 1
    # The weights of a feature take the next power of two.
    return max(18, (int(data.rows.shape[1]) << (several - 1).bit_length()).bit_length())


@lru_cache(maxsize=3)
def as_text(data: Dataset, form: str = COUNTS) -> str:
    """The rows in Vowpal Wabbit's text format, features by number, which it does not hash."""
    X = data.rows
    several = data.n_classes > 2
    lines = []
    for t, label in enumerate(data.classes.tolist()):
        own = slice(X.indptr[t], X.indptr[t + 1])
        index, value = X.indices[own].tolist(), X.data[own].tolist()
        if form == COUNTS:
            written = [f"{i}:{v:.9g}" for i, v in zip(index, value, strict=True)]
        else:
            often = value if form == REPEATED else [1] * len(index)
            written = [str(i) for i, v in zip(index, often, strict=True) for _ in range(int(v))]
        lines.append(f"{label + 1 if several else 2 * label - 1} | {' '.join(written)}\n")
    return "".join(lines)


NUMBERS = [
    Competitor("VW logistic", vowpal_wabbit(LOGISTIC)),
    Competitor("VW hinge", vowpal_wabbit(HINGE)),
    Competitor("VW squared", vowpal_wabbit(SQUARED)),
    Competitor("VW ftrl", vowpal_wabbit(f"--ftrl {LOGISTIC}")),
    Competitor("VW coin", vowpal_wabbit(f"--coin {LOGISTIC}")),
]
WORDS = [
    Competitor(f"VW {form} {name}", vowpal_wabbit(loss, form), sets_of_counts)
    for form in (PRESENCE, REPEATED)
    for name, loss in (("logistic", LOGISTIC), ("hinge", HINGE), ("squared", SQUARED))
]
