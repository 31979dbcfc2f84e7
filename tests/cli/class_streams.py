"""Streams of several classes, made up, the same each time."""

from __future__ import annotations

from thresher.learners.multiclass.one_versus_rest import OneVersusRest
from thresher.streams.batch import Batch

COLOURS = ("red", "green", "blue")


def class_rows(
    n: int, names: tuple[str, ...] = COLOURS, seed: int = 1
) -> list[tuple[str, list[int]]]:
    """Labels and columns on which every learner errs now and then."""
    state = seed
    rows = []
    for _ in range(n):
        state = state * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        on = sorted({(state >> shift) % 30 for shift in (20, 28, 36, 44)})
        true = min(on) % len(names)
        wrong = state >> 60 == 0
        rows.append((names[(true + wrong) % len(names)], on))
    return rows


def svmlight(rows: list[tuple[str, list[int]]]) -> str:
    """The rows as lines of a file."""
    return "".join(f"{label} {' '.join(f'{c}:1' for c in on)}\n" for label, on in rows)


def batch_of(rows: list[tuple[str, list[int]]]) -> Batch:
    """The rows as a program has them."""
    made = [dict.fromkeys(on, 1.0) for _, on in rows]
    return Batch.of_classes(made, [label for label, _ in rows])


def by_hand(learner: object, rows: list[tuple[str, list[int]]]) -> OneVersusRest:
    """One learner for each class, after these rows."""
    several = OneVersusRest(learner)  # type: ignore[arg-type]
    several.learn(batch_of(rows))
    return several
