"""Pairs next to Vowpal Wabbit's ``-q`` and ``--ngram``: ``python -m benchmarks.pairs``.

*Features*: rows of 12 features in each of two namespaces, with names of a few letters; every row
gets 144 pairs. Vowpal Wabbit makes the pairs twice a row, to predict and to update, and keeps none;
thresher writes them into the row. The learners differ (AdaGrad with the hinge loss, and Vowpal
Wabbit's own with the same).

*Texts*: reviews of some ninety words, 26 MB with 50,000 of them, whose words and pairs of
neighbours are the features. Words are as frequent as words are, and most follow one another as
they often do. Thresher has its default, a Committee; Vowpal Wabbit has the logistic loss.

Both tools read the same text, in processes of their own, in turn, with 2^20 features unless
`--bits` says otherwise. Thresher keeps the names of what it learned from, which is a large part of
its time; Vowpal Wabbit keeps none.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
from pathlib import Path
from statistics import median

import numpy as np
from numpy.typing import NDArray

from benchmarks import machine
from benchmarks.processes import DRIVER, Run, run

PER_NAMESPACE, NAMES = 12, 2_000
WORDS, FOLLOWERS = 60_000, 20
PLAIN, CROSSED, REVIEWS = "no pairs", "pairs of features", "texts with word pairs"
OUR, THEIR = "thresher", "Vowpal Wabbit"
FEATURES = "--loss_function hinge --noconstant --quiet"
TEXTS = "--loss_function logistic --ngram 2 --quiet"


def write_rows(path: Path, rows: int) -> None:
    """Rows whose label is told by pairs, not by single features."""
    random = np.random.default_rng(7)
    secret = random.choice([-1.0, 1.0], (NAMES, NAMES))
    with path.open("w") as file:
        for _ in range(rows):
            a, b = random.integers(0, NAMES, (2, PER_NAMESPACE))
            label = 1 if secret[a[0] % 40, b[0] % 40] > 0 else -1
            left, right = (" ".join(f"f{i}" for i in side) for side in (a, b))
            file.write(f"{label} |a {left} x{a[0] % 40} |b {right} y{b[0] % 40}\n")


def made_words(random: np.random.Generator) -> list[str]:
    """Different words, the frequent ones short."""
    letters = np.array(list("etaoinshrdlucmfwygpbvk"))
    words: dict[str, None] = {}
    while len(words) < WORDS:
        length = 2 + int(0.55 * np.log1p(len(words))) + int(random.integers(3))
        drawn = (random.random(length) ** 1.7 * len(letters)).astype(int)
        words["".join(letters[drawn])] = None
    return list(words)


def write_texts(path: Path, rows: int) -> None:
    """Reviews, as `label<TAB>text` and, beside them, as Vowpal Wabbit reads them."""
    random = np.random.default_rng(11)
    words = np.array(made_words(random), object)

    def drawn(n: int) -> NDArray[np.int64]:
        return np.array(np.exp(random.random(n) * np.log(WORDS)) - 1.0).astype(np.int64)

    follower = drawn(WORDS * FOLLOWERS).reshape(WORDS, FOLLOWERS)
    with path.open("w") as ours, path.with_suffix(".vw").open("w") as theirs:
        for _ in range(rows):
            positive, n = int(random.integers(2)), max(5, int(random.lognormal(4.25, 0.6)))
            row, follows = drawn(n), random.random(n) < 0.6
            which, telling = random.integers(0, FOLLOWERS, n), random.random(n) < 0.03
            for i in range(1, n):
                if follows[i]:
                    row[i] = follower[row[i - 1], which[i]]
            row[telling] = 500 + 2 * random.integers(0, 1000, telling.sum()) + positive
            text = " ".join(words[row])
            ours.write(f"{'pos' if positive else 'neg'}\t{text}\n")
            theirs.write(f"{2 * positive - 1} | {text}\n")


def contestants(rows: Path, texts: Path, bits: int) -> dict[tuple[str, str], list[str]]:
    """Commands, by what is done and by whom."""
    ours = [sys.executable, "-m", "thresher", "train", "--quiet", "--bits", str(bits)]
    ours += ["-o", str(rows.with_suffix(".thr"))]
    theirs = [sys.executable, "-c", DRIVER, "-b", str(bits)]
    features = [*theirs, *FEATURES.split(), "-d", str(rows)]
    return {
        (PLAIN, OUR): [*ours, "--learner", "adagrad", str(rows)],
        (PLAIN, THEIR): features,
        (CROSSED, OUR): [*ours, "--learner", "adagrad", "--pairs", "a,b", str(rows)],
        (CROSSED, THEIR): [*features, "-q", "ab"],
        (REVIEWS, OUR): [*ours, "--words", "1-2", str(texts)],
        (REVIEWS, THEIR): [*theirs, *TEXTS.split(), "-d", str(texts.with_suffix(".vw"))],
    }


def main() -> None:
    """Print medians and ratios, and write them as JSON if that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--texts", type=int, default=50_000)
    parser.add_argument("--bits", type=int, default=20)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", metavar="FILE")
    asked = parser.parse_args()
    print(f"{machine.processor()}; load {machine.load():.1f}")
    print(f"{asked.rows:,} rows with 144 pairs, {asked.texts:,} texts")
    with tempfile.TemporaryDirectory() as folder:
        rows, texts = Path(folder) / "rows.vw", Path(folder) / "texts.tsv"
        write_rows(rows, asked.rows)
        write_texts(texts, asked.texts)
        commands = contestants(rows, texts, asked.bits)
        if importlib.util.find_spec("vowpalwabbit") is None:
            commands = {of: words for of, words in commands.items() if of[1] == OUR}
        runs: dict[tuple[str, str], list[Run]] = {of: [] for of in commands}
        for _ in range(asked.repeat):
            for of, words in commands.items():
                runs[of].append(run(words))
    wall = {of: median(one.seconds for one in each) for of, each in runs.items()}
    cpu = {of: median(one.cpu for one in each) for of, each in runs.items()}
    for of in commands:
        peak = max(one.peak for one in runs[of])
        name = f"{of[0]}: {of[1]}"
        print(f"{name:<37}{wall[of]:6.2f} s {cpu[of]:6.2f} s cpu {peak / 1e6:6.0f} MB")
    for kind in (PLAIN, CROSSED, REVIEWS):
        ours, theirs = (kind, OUR), (kind, THEIR)
        if theirs in wall:
            ratio, of_cpu = wall[ours] / wall[theirs], cpu[ours] / cpu[theirs]
            print(f"{kind}: {ratio:.2f} times as long by the clock, {of_cpu:.2f} by the processor")
    if asked.json:
        found = {" ".join(of): {"wall": wall[of], "cpu": cpu[of]} for of in commands}
        Path(asked.json).write_text(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
