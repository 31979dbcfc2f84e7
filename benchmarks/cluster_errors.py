"""What learning apart costs: `python -m benchmarks.cluster_errors --data FOLDER`.

The error on rows that were held out, of shards that were combined, over that of one machine that
read the same rows in the same order, after one epoch and after two. FOLDER is that of the benchmark
of accuracy. A quarter of each set is held out, anew in every order; errors are means over the
orders, and behind a ratio stands its standard error. The rules of combination were chosen by the
first sets. `--page docs/cluster.md` writes the tables there.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import thresher as th
from benchmarks.accuracy.datasets import READERS, Dataset
from benchmarks.marks import rewrite
from thresher.cluster.mixing import change_between, mixed

CHOSEN_ON = ("w8a", "amazon_books", "subjectivity", "rcv1_small")
LOOKED_AT = ("a9a", "amazon_dvd", "amazon_electronics", "amazon_kitchen", "sentence_polarity",
             "sms_spam", "movie_reviews", "made table", "made words")  # fmt: skip
CLASSES = ("qc", "20newsgroups")
EPOCHS = 2
Maker = Callable[[int], Any]
TWO: dict[str, Maker] = {
    "committee": lambda n: th.Committee(n_features=n),
    "arow": lambda n: th.AROW(n_features=n, bias=True, scaling="online", journal_bytes=0),
    "adagrad": lambda n: th.AdaGrad(n_features=n, bias=True, journal_bytes=0),
    "perceptron": lambda n: th.Perceptron(n_features=n, bias=True, journal_bytes=0),
}
SEVERAL: dict[str, Maker] = {
    "committee": lambda n: th.OneVersusRest(th.Committee(n_features=n)),
    "arow": lambda n: th.OneVersusRest(TWO["arow"](n)),
    "multiclass_perceptron": lambda n: th.MulticlassPerceptron(n, journal_bytes=0),
}


def made(name: str, data: Path) -> Dataset:
    """A set by its name: a real one, or one that was made."""
    if not name.startswith("made"):
        return READERS[name](data)
    from scipy.sparse import csr_matrix  # noqa: PLC0415  (slow to import, and for these alone)

    random = np.random.default_rng(1)
    if name == "made table":
        values = random.normal(size=(20_000, 30)) * np.exp(random.normal(size=30))
        score = values[:, :10] @ random.normal(size=10) + values[:, 0] * values[:, 1]
        wrong = random.random(20_000) < 0.05
        return Dataset(name, csr_matrix(values), ((score > 0) ^ wrong).astype(np.int64))
    column = np.minimum(random.zipf(1.3, size=(20_000, 20)), 50_000) - 1
    weight = random.normal(size=50_000)
    rows = csr_matrix(
        (np.ones(column.size), column.ravel(), np.arange(0, column.size + 1, 20)),
        shape=(20_000, 50_000),
    )
    rows.sum_duplicates()
    score = rows @ weight + 2.0 * random.normal(size=20_000)
    return Dataset(name, rows, (score > 1.0).astype(np.int64))


def error(learner: Any, rows: Any, label: NDArray[Any]) -> float:
    """The share of rows that the learner is wrong about."""
    return float(np.mean(np.asarray(learner.predict(rows)) != label))


def in_shards(learner: Any, rows: Any, label: NDArray[Any], n_shards: int) -> Any:
    """The learner after an epoch in shards that follow each other."""
    before, changes = learner.shared_numbers(), []
    for part in np.array_split(np.arange(len(label)), n_shards):
        own = learner.copy()
        if len(part):
            own.learn(rows[part[0] : part[-1] + 1], label[part[0] : part[-1] + 1])
        changes.append(change_between(before, own.shared_numbers()))
    return learner.with_shared(mixed(before, changes))


def ratios(data: Dataset, make: Maker, n_shards: int, orders: int) -> list[tuple[float, ...]]:
    """For each epoch: the error of one machine, the ratio, and the standard error of that."""
    found = np.zeros((EPOCHS, 2, orders))
    for seed in range(orders):
        shuffled = data.shuffled(seed)
        held = len(data.classes) // 4
        several = data.n_classes > 2
        label = shuffled.classes if several else np.where(shuffled.classes > 0, 1, -1)
        rows, tested = shuffled.rows[held:], shuffled.rows[:held]
        alone = make(data.rows.shape[1])
        apart = make(data.rows.shape[1])
        for epoch in range(EPOCHS):
            alone.learn(rows, label[held:])
            apart = in_shards(apart, rows, label[held:], n_shards)
            for who, learner in enumerate((alone, apart)):
                found[epoch, who, seed] = error(learner, tested, label[:held])
    lines: list[tuple[float, ...]] = []
    for one, many in found:
        base = one.mean() or 1.0
        spread = float(np.std(many - one) / base / np.sqrt(max(1, orders - 1)))
        lines.append((float(one.mean()), float(many.mean() / base), spread))
    return lines


def lines_of(
    names: Sequence[str], makers: dict[str, Maker], options: argparse.Namespace
) -> list[tuple[str, ...]]:
    """A line of the table for each set."""
    lines = []
    for name in names:
        data = made(name, options.data)
        cells = [name, f"{len(data.classes) - len(data.classes) // 4:,}"]
        for make in makers.values():
            (one, first, spread), (_, second, _) = ratios(
                data, make, options.shards, options.orders
            )
            cells.append(f"{one:.2%}: {first:.3f} ± {spread:.3f}, {second:.3f}")
        lines.append(tuple(cells))
        print(" ".join(cells), flush=True)
    return lines


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print, and write the page if that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--orders", type=int, default=10)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--page", type=Path)
    options = parser.parse_args(arguments)
    sections = {}
    groups = (
        ("chosen on", CHOSEN_ON, TWO),
        ("looked at", LOOKED_AT, TWO),
        ("several classes", CLASSES, SEVERAL),
    )
    for title, names, makers in groups:
        lines = [("", "rows", *makers), ("---", *["--:"] * (len(makers) + 1))]
        lines += lines_of(names, makers, options)
        sections[f"errors, {title}"] = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    if options.page is not None:
        rewrite(options.page, sections)


if __name__ == "__main__":
    main()
