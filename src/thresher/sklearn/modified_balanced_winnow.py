"""Modified Balanced Winnow for scikit-learn."""

from __future__ import annotations

from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.two_class.modified_balanced_winnow import ModifiedBalancedWinnow
from thresher.sklearn.stated_room import StatedRoom
from thresher.sklearn.two_class import TwoClassClassifier
from thresher.streams.rows import Rows


class ModifiedBalancedWinnowClassifier(StatedRoom, TwoClassClassifier):
    """Modified Balanced Winnow, for counts; see :class:`thresher.ModifiedBalancedWinnow`.

    Features are not negative. It takes no weights of rows or classes.

    Parameters
    ----------
    promotion, demotion, margin, journal_bytes
        As for the learner.
    new_features
        As for :class:`WinnowClassifier`.
    max_iter, new_classes, calibrate
        As for :class:`PerceptronClassifier`.

    Examples
    --------
    >>> from thresher.sklearn import ModifiedBalancedWinnowClassifier
    >>> model = ModifiedBalancedWinnowClassifier()
    >>> model.fit([[1, 0], [0, 1], [1, 0]], ["spam", "ham", "spam"]).predict([[3, 1]]).tolist()
    ['spam']
    """

    _positive_only = True
    _poor_score = True

    # scikit-learn reads the parameters from the signature: they cannot be grouped.
    def __init__(  # noqa: PLR0913
        self,
        promotion: float = 1.5,
        demotion: float = 0.5,
        margin: float = 1.0,
        *,
        max_iter: int = 1,
        new_features: bool | int = False,
        new_classes: bool = False,
        calibrate: str | None = None,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        self.promotion = promotion
        self.demotion = demotion
        self.margin = margin
        self.max_iter = max_iter
        self.new_features = new_features
        self.new_classes = new_classes
        self.calibrate = calibrate
        self.journal_bytes = journal_bytes

    def _learner(self, rows: Rows, n_features: int | None) -> ModifiedBalancedWinnow:
        return ModifiedBalancedWinnow(
            n_features or 1,
            self.promotion,
            self.demotion,
            self.margin,
            journal_bytes=self.journal_bytes,
        )
