"""The learner that `train` makes: as it is, calibrated, or one for each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.learner_choice import LearnerChoice

if TYPE_CHECKING:
    from thresher.kernels.rows.named_rows import NameTable
    from thresher.learners.multiclass.one_versus_rest import OneVersusRest
    from thresher.models.input_data import InputData


#: Learners that also change when they were right: their journal would hold most of the stream.
BUSY = {"arow", "adagrad", "passive_aggressive", "multiclass_passive_aggressive"}


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What the options say about the learner, and the learners that follow from it."""

    data: InputData
    choice: LearnerChoice | None
    multiclass: bool = False
    calibrate: str | None = None
    #: Whether to keep journals; None: as suits the learner.
    journal: bool | None = None

    def first(self) -> Any:
        """The learner to begin with, before a label was seen."""
        chosen = self.choice or LearnerChoice.default()
        if chosen.takes_several:
            if self.calibrate is not None:
                raise click.UsageError(
                    f"{chosen.name}: its scores compare classes, and --calibrate takes one "
                    "learner for each class: name another one."
                )
            return self._made(chosen, journal=self._keeps_journal(chosen))
        if self.multiclass:
            return self._for_each(chosen)
        return self._calibrated(self._made(chosen, journal=self._keeps_journal(chosen)))

    def _keeps_journal(self, chosen: LearnerChoice) -> bool:
        return chosen.name not in BUSY if self.journal is None else self.journal

    def for_several(self, names: NameTable) -> OneVersusRest:
        """One learner for each class, over names that are being read already."""
        learner = self._for_each(self.choice or LearnerChoice.default())
        learner.share_names(names)
        return learner

    def _for_each(self, chosen: LearnerChoice) -> OneVersusRest:
        from thresher.learners.multiclass.one_versus_rest import OneVersusRest

        # A journal for each class would hold most rows many times over.
        each = self._made(chosen.for_each_class(), journal=bool(self.journal))
        return OneVersusRest(self._calibrated(each))

    def _calibrated(self, learner: Any) -> Any:
        if self.calibrate is None:
            return learner
        from thresher.learners.calibration.calibrated import Calibrated

        return Calibrated(learner, self.calibrate)

    def _made(self, chosen: LearnerChoice, *, journal: bool) -> Any:
        return chosen.create(
            n_features=self.data.n_features,
            seed=self.data.seed,
            vocabulary=self.data.vocabulary,
            journal=journal,
        )
