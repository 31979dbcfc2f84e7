"""The Committee for River."""

from __future__ import annotations

from thresher.learners.two_class.committee import Committee
from thresher.river.two_class import TwoClassRiverClassifier


class CommitteeClassifier(TwoClassRiverClassifier):
    """Eight learners in one pass, mixed so that nothing needs tuning; see `thresher.Committee`.

    It takes no weights. Its probabilities are its own, for True and False; for other labels
    each class has the one that its committee gives it against the rest, divided by their sum.

    Parameters
    ----------
    members
        As for the learner.
    n_features
        As for :class:`PerceptronClassifier`.

    Examples
    --------
    >>> from thresher.river import CommitteeClassifier
    >>> model = CommitteeClassifier()
    >>> for _ in range(20):
    ...     model.learn_one({"meeting": 1, "noon": 1}, False)
    ...     model.learn_one({"cash": 2, "now": 1}, True)
    >>> model.predict_one({"cash": 1}), model.predict_proba_one({"noon": 1})[False] > 0.5
    (True, True)
    """

    def __init__(
        self,
        members: tuple[tuple[str, float, str], ...] | None = None,
        n_features: int | None = None,
    ) -> None:
        self.members = members
        self.n_features = n_features
        self._begin()

    def _learner(self) -> Committee:
        return Committee(self.n_features, self.members)

    @property
    def _gives_probabilities(self) -> bool:
        return True
