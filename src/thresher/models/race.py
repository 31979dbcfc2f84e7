"""Race: several learners on one stream, each batch going to all of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from thresher.models.runner import NamesIn, Runner
from thresher.models.window import WindowError
from thresher.streams.batch import Batch
from thresher.streams.crew import at_once, threads_for

if TYPE_CHECKING:
    from thresher.models.contestants import Contestant
    from thresher.pictures import Svg
    from thresher.theory import Concept

#: Comparators are searched for on streams up to this size; beyond it a claim must be declared.
HINDSIGHT_ROWS, HINDSIGHT_VALUES = 10_000, 250_000


class Race:
    """Several learners in one pass over one stream.

    Parameters
    ----------
    learners
        The contestants, fresh, under the titles they race by.
    claim
        What is believed of the stream: who has a theorem for it shows what it allows.
    hindsight
        Whether to keep a small stream and search it for comparators afterwards.
    window
        How many last rounds to tell the error of, too; None: none.
    threads
        How many threads share the learners; what they do does not depend on it.

    Examples
    --------
    >>> import thresher as th
    >>> race = Race({"winnow": th.Winnow(4), "perceptron": th.Perceptron(4)})
    >>> race.learn(Batch.of([[1, 0, 1, 0], [0, 1, 1, 0], [1, 1, 0, 0]] * 4, [1, -1, 1] * 4))
    >>> [(runner.title, runner.curve.mistakes) for runner in race.standings()]
    [('perceptron', 2), ('winnow', 3)]
    """

    def __init__(
        self,
        learners: Mapping[str, Contestant],
        claim: Concept | None = None,
        *,
        hindsight: bool = False,
        window: int | None = None,
        threads: int = 1,
    ) -> None:
        self._threads = threads
        self.runners = [
            Runner(title, learner, window=None if window is None else WindowError(window))
            for title, learner in learners.items()
        ]
        self.rounds = 0
        self._bounds = hindsight
        self._kept: list[Batch] | None = [] if hindsight and claim is None else None
        self._values = 0
        if claim is not None:
            for runner in self.runners:
                runner.declare(claim)

    def learn(self, batch: Batch, names_in: NamesIn | None = None) -> None:
        """Let every learner that is still in the race play these rounds.

        `names_in` tells what the columns of a row are called, for messages.
        """
        self.rounds += len(batch)
        self._values += len(batch.column)
        if not batch.signed:
            self._kept = None
        elif self._kept is not None:
            small = self.rounds <= HINDSIGHT_ROWS and self._values <= HINDSIGHT_VALUES
            self._kept = [*self._kept, batch] if small else None
        if not batch.signed:
            for runner in self.runners:
                runner.make_room(len(batch.classes))
        at_once(
            [partial(runner.learn, batch, names_in) for runner in self.runners],
            threads_for(batch, self._threads),
        )

    def look_back(self) -> bool:
        """Search for the comparators through which theorems allow the fewest mistakes.

        Returns whether it was done: only on streams that were small enough to keep. What a mixture
        of experts is allowed needs no search.
        """
        if self._bounds:
            self.bound_mixtures()
        if not self._kept:
            return False
        stream = Batch.joined(self._kept)
        for runner in self.runners:
            runner.look_back(stream)
        return True

    def bound_mixtures(self) -> None:
        """Show what those are allowed who bound their own mistakes, whatever the stream."""
        for runner in self.runners:
            theorem = runner.learner.bound() if runner.curve.rounds else None
            if theorem is not None:
                runner.allow(theorem)

    def plot(self) -> Svg:
        """The mistake curves with what theorems allow, as a picture that notebooks show."""
        # By name: pages and pictures of races are a stage above.
        picture: Svg = import_module("thresher.reports.race_page").race_svg(self.standings())
        return picture

    def standings(self) -> list[Runner]:
        """The runners from the fewest mistakes to the most; who is out comes last."""
        return sorted(self.runners, key=lambda r: (r.out is not None, r.curve.mistakes))
