"""A race on a cluster: every learner runs over the whole stream by itself, on some worker.

Learners do not know of each other, so that who runs where changes nothing but the time.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from thresher.addresses import absolute
from thresher.cluster.engine import checked_deadline
from thresher.cluster.shards import require_files
from thresher.errors import SourceError, ThresherError
from thresher.models.comparison import Comparison, ComparisonEvent
from thresher.models.events import LeftRace, Progressed, SortedByLabel, Understood, Warned
from thresher.models.input_data import InputData
from thresher.models.labelled import Piece, labelled_stream
from thresher.models.race import Race
from thresher.models.runner import Runner
from thresher.records import record
from thresher.streams.sources.source import expanded

if TYPE_CHECKING:
    from thresher.cluster.engine import Engine
    from thresher.models.contestants import Contestant


@record
class Ran:
    """What became of one learner."""

    runner: Runner
    rounds: int
    left: LeftRace | None
    remarks: list[Warned | SortedByLabel]


class _Alone(Comparison):
    """The part of a race that one contestant runs."""

    def __init__(
        self, data: InputData, asked: dict[str, Any], title: str, learner: Contestant
    ) -> None:
        super().__init__(data, **asked)
        self._running = {title: learner}

    def _begun(self, piece: Piece) -> Race:
        del piece
        return Race(self._running, self.claim, hindsight=self.hindsight, window=self._window)


def race_alone(
    data: InputData, asked: dict[str, Any], title: str, learner: Contestant
) -> Ran | ThresherError:
    """Run over the whole stream; what is wrong with the data is a result."""
    left: LeftRace | None = None
    remarks: list[Warned | SortedByLabel] = []
    alone = _Alone(data, asked, title, learner)
    try:
        for event in alone:
            if isinstance(event, LeftRace):
                left = event
            elif isinstance(event, Warned | SortedByLabel):
                remarks.append(event)
    except SourceError:
        # Perhaps a disk or a network: it is tried again.
        raise
    except ThresherError as error:
        return error
    return Ran(alone.race.runners[0], alone.race.rounds, left, remarks)


class ClusterComparison(Comparison):
    """A race over a stream, whose learners run on the workers of a cluster.

    Parameters
    ----------
    data, asked
        As for `Comparison`.
    engine
        Who runs the tasks, one for each learner.
    deadline
        How many seconds all of them may take.
    """

    def __init__(
        self,
        data: InputData,
        learners: Any,
        engine: Engine,
        *,
        deadline: float = 3600.0,
        **asked: Any,
    ) -> None:
        paths = expanded(data.paths)
        require_files(paths)
        super().__init__(data, learners, **asked)
        self._workers, self._deadline = engine, checked_deadline(deadline)
        self._asked = asked
        if engine.elsewhere:
            paths = [absolute(path) for path in paths]
        # Each worker takes a look of its own, with one thread.
        self._sent = replace(data, paths=tuple(paths), look=None, threads=1)

    def __iter__(self) -> Iterator[ComparisonEvent]:
        race = yield from self._lined_up()
        tasks = [
            self._workers.submit(r.title, race_alone, self._sent, self._asked, r.title, r.learner)
            for r in race.runners
        ]
        found: list[Any] = [None] * len(tasks)
        for place, result in self._workers.gather(tasks, self._deadline):
            found[place] = result
        for result in found:
            if isinstance(result, ThresherError):
                raise result
        race.runners, race.rounds = [ran.runner for ran in found], found[0].rounds
        for ran in found:
            if ran.left is not None:
                self.places[ran.runner.title] = ran.left.place
                yield ran.left
        yield from found[0].remarks

    def _lined_up(self) -> Generator[ComparisonEvent, None, Race]:
        """Read until it is known what labels mean, and so who runs; nobody has run yet."""
        with labelled_stream(
            self.data, several=self._several, ignore_importance=self._ignore_importance
        ) as stream:
            for event in stream.events():
                if isinstance(event, Piece):
                    self._race = self._begun(event)
                    break
                if isinstance(event, Understood | Progressed):
                    yield event
        return self.race
