"""Which rows suit which learner: the table in the README.

The target is an "or" of r of 1,000 features; s features are active in each row, and half
of the rows are positive, with exactly one relevant feature on. Mistakes in 40,000 rounds.

    python benchmarks/dense_or_sparse.py
"""

from __future__ import annotations

import numpy as np

import thresher as th

N_FEATURES, ROUNDS = 1000, 40_000


def stream(rng: np.random.Generator, relevant: int, active: int) -> th.Batch:
    """Rows with `active` features on, labelled by whether one of the first few is among them."""
    columns = np.empty((ROUNDS, active), np.int32)
    labels = np.empty(ROUNDS, np.int8)
    others = np.arange(relevant, N_FEATURES)
    for t in range(ROUNDS):
        positive = rng.random() < 0.5
        columns[t, positive:] = rng.choice(others, size=active - positive, replace=False)
        if positive:
            columns[t, 0] = rng.integers(0, relevant)
        labels[t] = 1 if positive else -1
    columns.sort(axis=1)
    row_start = np.arange(0, ROUNDS * active + 1, active, dtype=np.int64)
    return th.Batch(row_start, columns.ravel(), np.ones(ROUNDS * active), labels)


def main() -> None:
    rng = np.random.default_rng(0)
    print("relevant  active  Perceptron  allowed  Winnow  allowed")
    for relevant in (2, 20):
        for active in (2, 5, 20, 100, 400):
            batch = stream(rng, relevant, active)
            perceptron = th.Perceptron(N_FEATURES, bias=True).learn(batch).mistakes
            winnow = th.Winnow(N_FEATURES).learn(batch).mistakes
            sparse = th.theory.PerceptronDisjunction(relevant=relevant, active=active)
            dense = th.theory.WinnowDisjunction(n_features=N_FEATURES, relevant=relevant)
            print(
                f"{relevant:8}  {active:6}  {perceptron:10,}  {sparse.max_mistakes():7,}"
                f"  {winnow:6,}  {dense.max_mistakes():7,}"
            )


if __name__ == "__main__":
    main()
