"""The Committee for River."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from thresher.learners.committee import Committee
from thresher.river.classifier import RiverClassifier


class CommitteeClassifier(RiverClassifier):
    """Eight learners in one pass, mixed so that nothing needs tuning; see `thresher.Committee`.

    It takes no weights. Its probabilities are its own, for True and False; for other labels
    each class has the one that its committee gives it against the rest, divided by their sum.

    Parameters
    ----------
    members
        As for the learner.

    Examples
    --------
    >>> from river import datasets, evaluate, metrics
    >>> from thresher.river import CommitteeClassifier
    >>> model = CommitteeClassifier()
    >>> evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
    Accuracy: 88.63%
    """

    def __init__(self, members: tuple[tuple[str, float, str], ...] | None = None) -> None:
        self.members = members
        self._begin()

    def _learner(self) -> Committee:
        return Committee(members=self.members)

    def predict_proba_one(self, x: Mapping[Any, float], **kwargs: Any) -> dict[Any, float]:
        """The probability of each class so far; empty before the first was learned."""
        positive = {name: (1.0 + margin) / 2.0 for name, margin in self.margins_one(x).items()}
        if self._two_classes:
            return {False: 1.0 - positive[True], True: positive[True]}
        total = sum(positive.values())
        return {name: each / total for name, each in positive.items()}
