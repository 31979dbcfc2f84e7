"""What the estimators share whose learners must be told how many features there will be."""

from __future__ import annotations

from thresher.errors import ParameterError
from thresher.parameters import checked_count


class StatedRoom:
    """An estimator whose algorithm depends on the number of features.

    With ``new_features=N`` a call to `partial_fit` may bring columns that were not there
    before, until there are N: the learner is made for N features from the start. Frames are
    matched by the names of their columns; arrays by position, so that new columns stand at
    the end. Columns that are missing count 0. When predicting, columns never learned count
    for nothing.
    """

    new_features: bool | int
    n_features_in_: int

    def _room(self) -> int:
        if self.new_features is False:
            return self.n_features_in_
        owner = type(self).__name__
        if self.new_features is True:
            raise ParameterError(
                owner,
                "new_features",
                "False, or the number of features that there may ever be",
                True,
                "The algorithm depends on that number.",
            )
        room = checked_count(owner, "new_features", self.new_features, 1)
        if room < self.n_features_in_:
            raise ParameterError(
                owner,
                "new_features",
                f"at least {self.n_features_in_}, for so many features have come",
                room,
            )
        return room
