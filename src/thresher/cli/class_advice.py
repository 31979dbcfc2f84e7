"""Advice on data with several classes: what was measured, and who won a race on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from thresher.cli.advise import COMMITTEE, near, train_line, wrapped
from thresher.cli.race import BASELINE, DEFAULT_OF_SEVERAL, contestants, result_table
from thresher.cli.terminal.speech import printable
from thresher.models.several_classes import MUCH_MEMORY
from thresher.reports.race import Race

if TYPE_CHECKING:
    from thresher.models.input_data import InputData
    from thresher.streams.batch import Batch


class ClassAdvice:
    """A race on a sample; theorems do not compare these learners."""

    def __init__(self, batch: Batch, data: InputData) -> None:
        self.batch = batch
        labels, counts = np.unique(batch.labels.astype(str), return_counts=True)
        self.n_classes, self.commonest = len(labels), str(labels[np.argmax(counts)])
        self.share = float(counts.max() / len(batch))
        # Room for columns that the sample does not show: the next power of two.
        n = data.n_features or 2 ** max(1, (batch.n_features - 1).bit_length())
        self.data = replace(data, n_features=n)
        running = contestants(DEFAULT_OF_SEVERAL, n, several=True)
        #: Who would take too much memory for so many classes.
        self.left_out = [
            title
            for title, learner in running.items()
            if self.n_classes * learner.bytes_of_a_class > MUCH_MEMORY
        ]
        self.race = Race({t: one for t, one in running.items() if t not in self.left_out})
        self.race.learn(batch)
        ranked = [r for r in self.race.standings() if r.title != BASELINE]
        self.first = ranked[0]
        committee = next((r for r in ranked if r.title == COMMITTEE), None)
        self.winner = self.first
        if committee is not None and committee.out is None and near(committee, self.first):
            self.winner = committee

    def to_dict(self) -> dict[str, Any]:
        """All of it in JSON's terms."""
        results = [runner.to_dict() for runner in self.race.standings()]
        for result in results:
            del result["curve"]
        active = np.diff(self.batch.row_start)
        return {
            "sample": {
                "rows": len(self.batch),
                "classes": self.n_classes,
                "commonest": self.commonest,
                "share_of_commonest": self.share,
                "n_features": self.batch.n_features,
                "mean_active": float(active.mean()),
                "max_active": int(active.max()),
            },
            "advice": None,
            "left_out": self.left_out,
            "race": results,
            "choice": self.winner.title,
        }

    def paragraphs(self) -> list[str]:
        """All of it in words."""
        active = np.diff(self.batch.row_start)
        measured = (
            f"{len(self.batch):,} rows of {self.n_classes:,} classes; the commonest, "
            f"{printable(self.commonest)}, has {self.share:.1%} of them. Rows have "
            f"{active.mean():.1f} features on average and {active.max():,} at most."
        )
        race = "A race on the sample; a two-class learner runs once for each class:"
        left_out = f"Left out, for they would take more than 2 GB: {', '.join(self.left_out)}."
        return [
            wrapped(measured),
            wrapped(race),
            result_table(self.race.standings()),
            *([wrapped(left_out)] if self.left_out else []),
            wrapped(self.verdict()),
            train_line(self.winner.title, self.data),
        ]

    def verdict(self) -> str:
        """Whom to take, and why."""
        why = "it made the fewest mistakes."
        if self.winner is not self.first:
            why = f"{self.first.title} made hardly fewer mistakes."
        if self.winner.title == COMMITTEE:
            why += (
                " It needs no tuning: each class has eight learners and their mixture, which is "
                "never much worse than the best of them. It takes 72 bytes for each feature and "
                "class; arow takes 16, and shows its weights."
            )
        return f"Take {self.winner.title}: {why} Counts are evidence about these rows."
