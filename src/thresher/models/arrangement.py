"""Which learner is trained: what was chosen, arranged for the labels that the data has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from thresher.errors import RequestError
from thresher.learners.base.learner import Learner
from thresher.learners.multiclass.arrangement import arranged
from thresher.models.choice import DEFAULT_LEARNER, LearnerChoice
from thresher.models.class_weights import signed_weights
from thresher.models.multiclass import MUCH_MEMORY
from thresher.records import record

if TYPE_CHECKING:
    from thresher.kernels.rows.named_rows import NameTable
    from thresher.learners.base.linear_learner import LinearLearner
    from thresher.learners.multiclass.one_versus_rest import OneVersusRest
    from thresher.models.input_data import InputData
    from thresher.streams.label_scheme import LabelScheme


@record
class Arrangement:
    """What was asked for, and the learners that follow from it.

    Where nobody chose, that is a committee; with several classes one for each, if those of the
    first rows fit into `MUCH_MEMORY`, and otherwise an AROW for each.

    Examples
    --------
    >>> from thresher.models.input_data import InputData
    >>> from thresher.streams.label_scheme import LabelScheme
    >>> plan = Arrangement(InputData(paths=(), n_features=2**16), LearnerChoice.default())
    >>> learner = plan.before_labels()
    >>> schemes = [LabelScheme(classes="several", n_first=n) for n in (20, 20_000)]
    >>> [plan.settled(learner, scheme).plain_name for scheme in schemes]
    ['committee for each class', 'arow for each class']
    """

    data: InputData
    #: By name, or a learner that was made in a program, of which a copy learns.
    chosen: LearnerChoice | Learner
    multiclass: bool = False
    calibrate: str | None = None
    #: Whether to keep journals; None: as suits the learner.
    journal: bool | None = None
    #: How much the rows of a class count, by its label; 1 unless given.
    class_weight: Mapping[str, float] | None = None

    @property
    def by_somebody(self) -> bool:
        """Whether somebody chose the learner; otherwise it is the default."""
        return isinstance(self.chosen, Learner) or self.chosen.by_somebody

    def before_labels(self) -> Learner:
        """The learner to begin with, before a label was seen."""
        return self._made(several=self.multiclass)

    def settled(self, learner: Learner, scheme: LabelScheme) -> Learner:
        """The learner that learns, now that the labels of the first rows have a meaning.

        Parameters
        ----------
        learner
            The one to begin with, whose names are being read already.
        scheme
            What labels mean, and how many classes the first rows have.
        """
        if scheme.several:
            if self.by_somebody and learner.several:
                return learner
            names = cast("NameTable", learner.name_table)
            return self._for_each_class(names, scheme.n_first or 0)
        if self.class_weight:
            learner.weigh_classes(signed_weights(self.class_weight, scheme))
        return learner

    def why(self, learner: Learner) -> str | None:
        """Why this learner was taken, where nobody chose one; None where somebody did."""
        if self.by_somebody:
            return None
        if not learner.several:
            if learner.innermost.name == DEFAULT_LEARNER:
                return "the default: it needs no tuning"
            return "the default for a claim: theorems speak of its mistakes"
        most = f"{MUCH_MEMORY >> 30} GiB"
        if learner.innermost.name == DEFAULT_LEARNER:
            return f"the default while all classes fit into {most}"
        return f"the default here: a {DEFAULT_LEARNER} for each class would not fit into {most}"

    def _for_each_class(self, names: NameTable, n_classes: int) -> Learner:
        """One learner for each class, over names that are being read already."""
        # A learner that takes several classes itself was there before the labels.
        learner = cast("OneVersusRest", self._made(several=True))
        if not self.by_somebody and n_classes * _bytes_of_a_class(learner, names) > MUCH_MEMORY:
            learner = cast("OneVersusRest", self._made(several=True, lean=True))
        learner.share_names(names)
        return learner

    def _made(self, *, several: bool, lean: bool = False) -> Learner:
        if isinstance(self.chosen, Learner):
            self._require_nothing_else()
            learner = self.chosen.copy()
        else:
            learner = self._created(self.chosen, several=several, lean=lean)
        weights = self.class_weight if several or learner.several else None
        return arranged(learner, several=several, calibrate=self.calibrate, class_weight=weights)

    def _created(self, choice: LearnerChoice, *, several: bool, lean: bool) -> Learner:
        journal = self.journal
        if several and not choice.takes_several:
            # A journal for each class would hold most rows many times over.
            choice, journal = choice.for_each_class(lean=lean), bool(journal)
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


def _bytes_of_a_class(learner: OneVersusRest, names: NameTable) -> int:
    """What a class takes; one that grows with the names, as many as there are so far."""
    if not names.growing:
        return learner.bytes_of_a_class
    each = learner.each_class.innermost
    size = max(1, len(names.vocabulary))
    grown = cast("LinearLearner", type(each)(**each.parameters | {"n_features": size}))
    return type(learner)(grown).bytes_of_a_class
