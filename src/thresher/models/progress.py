"""Progressive validation: what is known whenever the number of rounds is a power of two.

Each row was predicted before its label was known, so that the error is an honest one: as on rows
never seen. In a later pass the rows are no longer new; then only the error on rows held out is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from thresher.models.events import PointReached, Refuted
from thresher.models.mistake_curve import MistakeCurve
from thresher.models.window import WindowError
from thresher.records import record

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from thresher.learners.base.rounds import Rounds
    from thresher.streams.rows import Rows

#: What is predicted while no class is known.
NO_CLASS = "-"


@record
class Point:
    """What is known after some rounds."""

    rounds: int
    mistakes: int
    #: Share of all rounds, and of the rounds since the last point, that were mistakes.
    error: float
    recent_error: float
    label: str
    prediction: str
    #: Features of the last row.
    features: int
    #: Share of mistakes on rows held out, in this pass.
    holdout_error: float | None
    #: Share of the last rounds, as many as the window has, that were mistakes.
    window_error: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The point as JSON-ready values; without a window nothing is said of one."""
        found = asdict(self)
        return {k: v for k, v in found.items() if k != "window_error" or v is not None}


class Progress:
    """Counts rounds and mistakes, from where the learner stands.

    Examples
    --------
    >>> import thresher as th
    >>> batch = th.Batch.of([[1], [0], [1]], [-1, 1, -1])
    >>> progress = Progress()
    >>> rounds = th.Perceptron(n_features=1).learn(batch)
    >>> found = [event.point for event in progress.observe(rounds, batch, ("ham", "spam"))]
    >>> [(point.rounds, point.mistakes, point.label, point.prediction) for point in found]
    [(1, 1, 'ham', 'spam'), (2, 1, 'spam', 'spam')]
    >>> progress.rounds, progress.error
    (3, 0.3333333333333333)
    """

    def __init__(self, rounds: int = 0, mistakes: int = 0, window: int | None = None) -> None:
        self.rounds, self.mistakes = rounds, mistakes
        #: The last rounds of this run, if somebody wants to know about them alone.
        self.window = None if window is None else WindowError(window)
        self.points: list[Point] = []
        #: Mistakes along this run.
        self.curve = MistakeCurve()
        #: On rows held out, in this pass.
        self.holdout_error: float | None = None
        self._last = (rounds, mistakes)

    @property
    def error(self) -> float | None:
        """Share of all rounds that were mistakes."""
        return self.mistakes / self.rounds if self.rounds else None

    def observe(
        self, rounds: Rounds, rows: Rows, names: Sequence[str]
    ) -> Iterator[PointReached | Refuted]:
        """Take note of rounds that were just played on these rows.

        `names` says what -1 and +1 are called in the data. If a claim fell in these rounds, that
        is told between the points before it and those after.
        """
        fell = rounds.refuted_at
        mistaken = rounds.mistaken
        first, stop = self.rounds, self.rounds + len(rounds)
        counted = 0
        due = 1 << first.bit_length()
        while due <= stop:
            if fell is not None and fell < due:
                yield Refuted(fell)
                fell = None
            end = due - first
            self._count(mistaken[counted:end])
            self.rounds, counted = due, end
            yield PointReached(self._point(rounds, rows, end - 1, names))
            due *= 2
        self._count(mistaken[counted:])
        self.rounds = stop
        if fell is not None:
            yield Refuted(fell)

    def _count(self, mistaken: NDArray[np.bool_]) -> None:
        self.mistakes += int(np.count_nonzero(mistaken))
        self.curve.add(mistaken)
        if self.window is not None:
            self.window.add(mistaken)

    def _point(self, rounds: Rounds, rows: Rows, t: int, names: Sequence[str]) -> Point:
        since = self.rounds - self._last[0]
        label, prediction = _called(rounds, t, names)
        point = Point(
            rounds=self.rounds,
            mistakes=self.mistakes,
            error=self.mistakes / self.rounds,
            recent_error=(self.mistakes - self._last[1]) / since,
            label=label,
            prediction=prediction,
            features=int(rows.row_start[t + 1] - rows.row_start[t]),
            holdout_error=self.holdout_error,
            window_error=None if self.window is None else self.window.error,
        )
        self._last = (self.rounds, self.mistakes)
        self.points.append(point)
        return point


def _called(rounds: Rounds, t: int, names: Sequence[str]) -> tuple[str, str]:
    """What the label of a round is called, and what was predicted."""
    if rounds.predicted is None:
        said = rounds.scores[t] >= rounds.threshold
        return names[int(rounds.label[t] > 0)], names[int(said)]
    classes = (*map(str, rounds.classes), NO_CLASS)
    return classes[rounds.label[t]], classes[rounds.predicted[t]]
