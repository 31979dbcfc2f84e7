"""Which learner is trained: what was chosen, arranged for the labels that the data has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from thresher.errors import RequestError
from thresher.learners.base.learner import Learner
from thresher.learners.multiclass.arrangement import arranged
from thresher.models.choice import LearnerChoice

if TYPE_CHECKING:
    from thresher.kernels.rows.named_rows import NameTable
    from thresher.learners.multiclass.one_versus_rest import OneVersusRest
    from thresher.models.input_data import InputData


@dataclass(frozen=True, slots=True)
class Arrangement:
    """What was asked for, and the learners that follow from it.

    Examples
    --------
    >>> from thresher.models.input_data import InputData
    >>> plan = Arrangement(InputData(paths=(), n_features=8), LearnerChoice.default())
    >>> learner = plan.before_labels()
    >>> learner.plain_name, plan.for_several(learner.name_table).plain_name
    ('perceptron', 'arow for each class')
    """

    data: InputData
    #: By name, or a learner that was made in a program, of which a copy learns.
    chosen: LearnerChoice | Learner
    multiclass: bool = False
    calibrate: str | None = None
    #: Whether to keep journals; None: as suits the learner.
    journal: bool | None = None

    @property
    def by_somebody(self) -> bool:
        """Whether somebody chose the learner; otherwise it is the default."""
        return isinstance(self.chosen, Learner) or self.chosen.named

    def before_labels(self) -> Learner:
        """The learner to begin with, before a label was seen."""
        return self._made(several=self.multiclass)

    def for_several(self, names: NameTable) -> Learner:
        """One learner for each class, over names that are being read already."""
        # A learner that takes several classes itself was there before the labels.
        learner = cast("OneVersusRest", self._made(several=True))
        learner.share_names(names)
        return learner

    def _made(self, *, several: bool) -> Learner:
        if isinstance(self.chosen, Learner):
            self._require_nothing_else()
            learner = self.chosen.copy()
        else:
            learner = self._created(self.chosen, several=several)
        return arranged(learner, several=several, calibrate=self.calibrate)

    def _created(self, choice: LearnerChoice, *, several: bool) -> Learner:
        journal = self.journal
        if several and not choice.takes_several:
            # A journal for each class would hold most rows many times over.
            choice, journal = choice.for_each_class(), bool(journal)
        data = self.data
        return choice.create(
            n_features=data.features, seed=data.seed, vocabulary=data.vocabulary, journal=journal
        )

    def _require_nothing_else(self) -> None:
        """Refuse to say once more what a learner that was made already knows."""
        data = self.data
        if data.vocabulary or (data.n_features, data.seed) != (None, None):
            raise RequestError(
                "a learner that is made already has its features and names: leave n_features=, "
                "seed= and vocabulary= out."
            )
