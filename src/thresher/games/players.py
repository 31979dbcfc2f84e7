"""Who may sit at the table: anything that predicts one row and learns one row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from thresher.games.planted_stream import PlantedStream
from thresher.streams import Batch


class Player(Protocol):
    """A learner as a game sees it; every learner of this library is one."""

    def predict_one(self, features: Mapping[Any, float], /) -> int:
        """-1 or +1."""

    def learn_one(self, features: Mapping[Any, float], label: int, /) -> object:
        """Take notice of the right answer, -1 or +1."""


class PartialFitPlayer:
    """A classifier in scikit-learn's style (``partial_fit``, ``predict``) as a player.

    Before its first row such a classifier cannot predict; the player then says +1, as a
    score of 0 does everywhere in this library.

    Parameters
    ----------
    model
        The classifier; it is trained in place.
    n_features
        The width of the rows it is shown.
    """

    def __init__(self, model: Any, n_features: int) -> None:
        self.model = model
        self.n_features = n_features
        self._fitted = False

    def _row(self, features: Mapping[Any, float]) -> Any:
        row = np.zeros((1, self.n_features))
        for index, value in features.items():
            row[0, index] = value
        return row

    def predict_one(self, features: Mapping[Any, float], /) -> int:
        """-1 or +1."""
        if not self._fitted:
            return 1
        return 1 if self.model.predict(self._row(features))[0] > 0 else -1

    def learn_one(self, features: Mapping[Any, float], label: int, /) -> None:
        """One call of ``partial_fit`` with one row."""
        self.model.partial_fit(self._row(features), np.array([label]), classes=np.array([-1, 1]))
        self._fitted = True


class BooleanPlayer:
    """A classifier in River's style, whose labels are False and True, as a player.

    A model without an opinion (River answers None) counts as saying +1.
    """

    def __init__(self, model: Any) -> None:
        self.model = model

    def predict_one(self, features: Mapping[Any, float], /) -> int:
        """-1 or +1."""
        answer = self.model.predict_one(dict(features))
        return 1 if answer is None or int(answer) > 0 else -1

    def learn_one(self, features: Mapping[Any, float], label: int, /) -> None:
        """One call of ``learn_one`` with a Boolean label."""
        self.model.learn_one(dict(features), label > 0)


def play(player: Player, rows: PlantedStream | Batch, passes: int = 1) -> int:
    """The number of mistakes a player makes on a stream, learning from every round.

    A cycled stream is fed again until a pass has no mistake, at most `passes` times.

    >>> from thresher.games import singletons
    >>> class Optimist:
    ...     def predict_one(self, features):
    ...         return 1
    ...     def learn_one(self, features, label):
    ...         pass
    >>> play(Optimist(), singletons(n_features=8, r=2))
    0
    """
    batch = rows.batch if isinstance(rows, PlantedStream) else rows
    total = 0
    for _ in range(passes):
        before = total
        for features, label in batch.examples():
            total += player.predict_one(features) != label
            player.learn_one(features, label)
        if total == before:
            break
    return total
