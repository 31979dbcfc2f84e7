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

    #: Rows compared, and those on which both say the same.
    rows: int
    agreeing: int
    #: Of two classes: the model says +1 and the export -1, and the other way round.
    only_model: int = 0
    only_export: int = 0

    def __str__(self) -> str:
        if not self.rows:
            return "no rows to compare"
        share = 100.0 * self.agreeing / self.rows
        # Rounded down: 100 % is said of full agreement alone.
        shown = int(share * 100) / 100
        said = f"agrees with the model on {self.agreeing:,} of {self.rows:,} rows ({shown:.2f} %)"
        if self.only_model + self.only_export != self.rows - self.agreeing:
            return said
        return (
            f"{said}; {self.only_model:,} only the model calls +1, "
            f"{self.only_export:,} only the export"
        )


def agreement(
    model: Model, predicts: Callable[[Rows], NDArray[np.int32]], parts: Iterable[Rows]
) -> Agreement:
    """Compare the model with an export that gives each row the number of its label.

    >>> import thresher as th
    >>> from thresher.export import rule_of
    >>> model = Model(learner=th.Elimination(n_features=2))
    >>> print(agreement(model, rule_of(model).predicts, [Rows.of([[1, 0], [0, 0]])]))
    agrees with the model on 2 of 2 rows (100.00 %); 0 only the model calls +1, 0 only the export
    """
    learner = model.learner
    n_rows = agreeing = only_model = only_export = 0
    for rows in parts:
        theirs = predicts(rows)
        ours = learner.predicted_numbers(learner.scores(rows))
        n_rows += len(rows)
        agreeing += int(np.sum(theirs == ours))
        if not learner.several:
            only_model += int(np.sum(ours > theirs))
            only_export += int(np.sum(theirs > ours))
    return Agreement(n_rows, agreeing, only_model, only_export)
