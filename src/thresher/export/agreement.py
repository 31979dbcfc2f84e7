"""How often an export says what the model says, on given rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from thresher.models.model import Model
from thresher.streams.rows import Rows


@dataclass(frozen=True, slots=True)
class Agreement:
    """Rows by what the model says and what the export says."""

    both_positive: int = 0
    both_negative: int = 0
    #: The model says +1 and the export -1, and the other way round.
    only_model: int = 0
    only_export: int = 0

    @property
    def rows(self) -> int:
        """Rows compared."""
        return self.agreeing + self.only_model + self.only_export

    @property
    def agreeing(self) -> int:
        """Rows on which both say the same."""
        return self.both_positive + self.both_negative

    def __str__(self) -> str:
        if not self.rows:
            return "no rows to compare"
        share = 100.0 * self.agreeing / self.rows
        # Rounded down: 100 % is said of full agreement alone.
        shown = int(share * 100) / 100
        return (
            f"agrees with the model on {self.agreeing:,} of {self.rows:,} rows ({shown:.2f} %); "
            f"{self.only_model:,} only the model calls +1, {self.only_export:,} only the export"
        )


def agreement(
    model: Model, says: Callable[[Rows], NDArray[np.bool_]], parts: Iterable[Rows]
) -> Agreement:
    """Compare the model with an export that says whether it predicts +1.

    >>> import thresher as th
    >>> from thresher.export import rule_of
    >>> model = Model(learner=th.Elimination(n_features=2))
    >>> print(agreement(model, rule_of(model).holds, [Rows.of([[1, 0], [0, 0]])]))
    agrees with the model on 2 of 2 rows (100.00 %); 0 only the model calls +1, 0 only the export
    """
    counts = np.zeros(4, np.int64)
    for rows in parts:
        theirs = says(rows)
        ours = model.learner.predict(rows) > 0
        counts += np.bincount(2 * ours + theirs, minlength=4)
    neither, export_only, model_only, both = counts.tolist()
    return Agreement(both, neither, model_only, export_only)
