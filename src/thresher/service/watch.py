"""Watch: what whoever looks at a model wants to see, since the service began, in bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from thresher.errors import ThresherError
from thresher.service.drift import BLOCK, Drift, DriftTest

if TYPE_CHECKING:
    from thresher.service.live_model import LiveModel
    from thresher.service.pupil import Learned, Pupil
    from thresher.verifier.measures.limits import Limits

#: Points of a curve at most, the last one included.
POINTS = 1_024
#: Rounds and alarms that are remembered.
LAST_ROUNDS, LAST_ALARMS = 20, 20


class Point(NamedTuple):
    """A point of the curve: rounds of the learner's life, and the mistakes in them."""

    rounds: int
    mistakes: int
    #: What they would be had the shadow predicted since it came; None: nobody learns along.
    shadow: int | None


class Duel(NamedTuple):
    """Rounds that both played, and the mistakes of each in them."""

    rounds: int
    champion: int
    shadow: int


class Watch:
    """Follows one model; it is told whenever the model has moved.

    Parameters
    ----------
    live
        The model as it is now.
    """

    def __init__(self, live: LiveModel) -> None:
        self.rounds = self.mistakes = self.refused = self.drifts = 0
        self.drift: Drift | None = None
        self.drift_at: int | None = None
        #: The last events, with their numbers and what they said; what else happened.
        self.last_rounds: deque[tuple[int, Learned, str, bytes]] = deque(maxlen=LAST_ROUNDS)
        self.alarms: deque[dict[str, Any]] = deque(maxlen=LAST_ALARMS)
        self._champion: Pupil | None = None
        self._shadow: Pupil | None = None
        self.turn_to(live)

    def turn_to(self, live: LiveModel) -> None:
        """Begin anew if somebody else predicts now, or learns along."""
        if live.champion is not self._champion:
            self._champion = live.champion
            self._test, self._block, self._errors = DriftTest(), 0, 0
            self._points: list[Point] = []
            self._step = BLOCK
            self._allowed: Limits | None = None
            self._judged = False
            self.last_rounds.clear()
        elif live.shadow is self._shadow:
            return
        self._shadow = live.shadow
        learner = live.champion.model.learner
        shadow = None if live.shadow is None else live.shadow.model.learner
        #: Rounds and mistakes of the champion, and mistakes of the shadow, when both were there.
        self._since = (learner.n_rounds, learner.mistakes, 0 if shadow is None else shadow.mistakes)
        self._points.append(self._now())

    def learned(self, answers: list[Learned], last: int) -> Drift | None:
        """Go on by events, the last of which has this number; what became worse, if something."""
        numbers: Sequence[int] = range(last - len(answers) + 1, last + 1)
        played = [one.mistake for one in answers]
        if None in played:
            numbers = [k for k, one in zip(numbers, played, strict=True) if one is not None]
            self.refused += len(played) - len(numbers)
            played = [one for one in played if one is not None]
        self.rounds += len(played)
        found, start = None, 0
        while start < len(played):
            # Up to the end of a block at a time: requests may have thousands of rows.
            piece = played[start : start + BLOCK - self._block]
            errors = piece.count(True)
            start += len(piece)
            self.mistakes += errors
            self._block += len(piece)
            self._errors += errors
            if self._block < BLOCK:
                break
            drift = self._test.add(self._errors)
            self._block = self._errors = 0
            if drift is not None:
                self.drift, self.drift_at, found = drift, numbers[start - 1], drift
                self.drifts += 1
        assert self._champion is not None
        if self._champion.model.learner.n_rounds - self._points[-1].rounds >= self._step:
            self._points.append(self._now())
            if len(self._points) >= POINTS:
                self._points = self._points[::2]
                self._step *= 2
        return found

    def _now(self) -> Point:
        assert self._champion is not None
        learner = self._champion.model.learner
        shadow = None
        if self._shadow is not None:
            _, champion, before = self._since
            shadow = champion + self._shadow.model.learner.mistakes - before
        return Point(learner.n_rounds, learner.mistakes, shadow)

    @property
    def curve(self) -> list[Point]:
        """Mistakes so far, from when the service began, or this learner to predict."""
        now = self._now()
        return self._points if self._points[-1] == now else [*self._points, now]

    @property
    def duel(self) -> Duel | None:
        """The champion and the shadow over the rounds that both played."""
        now = self._now()
        if now.shadow is None:
            return None
        rounds, mistakes, _ = self._since
        return Duel(now.rounds - rounds, now.mistakes - mistakes, now.shadow - mistakes)

    def allowed(self, live: LiveModel) -> Limits | None:
        """The mistakes that the claim allows this learner; None: there is none, or no theorem."""
        if live.settings.claim is None:
            return None
        if not self._judged:
            # Imported here: theorems are for those who claim something.
            from thresher.learners.base.evidence import limits_for  # noqa: PLC0415
            from thresher.models.claims import parse_claim  # noqa: PLC0415

            learner = live.champion.model.learner
            self._judged = True
            try:
                claim = parse_claim(live.settings.claim, learner.n_features)
                self._allowed = limits_for(learner, claim)
            except ThresherError:
                self._allowed = None
        return self._allowed
