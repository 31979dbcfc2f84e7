"""Comparison: several learners in one pass over files, each row predicted by all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from thresher.errors import ParameterError, RequestError, SourceError
from thresher.models.claims import parse_claim
from thresher.models.class_weights import checked_weights, signed_weights
from thresher.models.contestants import Learners, contestants
from thresher.models.events import LeftRace, Progressed, SortedByLabel, Understood, Warned
from thresher.models.input_data import InputData
from thresher.models.label_order import LabelOrder
from thresher.models.labelled import Piece, labelled_stream
from thresher.models.race import Race
from thresher.parameters import checked_count
from thresher.streams.crew import default_threads

if TYPE_CHECKING:
    from thresher.theory import Concept

ComparisonEvent = Understood | Progressed | LeftRace | SortedByLabel | Warned


class Comparison:
    """A race over a stream: whoever goes through it gets events, and then has the standings.

    Parameters
    ----------
    data
        Rows with labels. Names that share a column count as the strongest of them.
    learners
        Who runs: fresh learners under the titles they race by, or names with parameters such as
        ``"winnow:beta=1/2"``. None: the usual ones. A two-class learner runs once for each class
        where there are several, and the commonest label always runs.
    claim
        What is believed of the stream, or such a text as ``"disjunction:k=4"``: who has a theorem
        for it shows what it allows.
    several
        Whether there are several classes; None: as the first rows show.
    tracking
        Whether variants that forget run along (`TRACKING_LEARNERS`), for targets that move.
    window
        How many last rows to tell the error of, too; None: none.
    hindsight
        Whether to search a small stream for comparators after the race.
    ignore_importance
        Let rows with an importance other than 1 count as all others; without it they are refused.
    class_weight
        How much the rows of a class count, by its label; 1 unless given. Of the usual learners
        those run that can take it.
    """

    def __init__(  # noqa: PLR0913  (each but the first has a default)
        self,
        data: InputData,
        learners: Learners | None = None,
        *,
        claim: Concept | str | None = None,
        several: bool | None = None,
        tracking: bool = False,
        window: int | None = None,
        hindsight: bool = True,
        ignore_importance: bool = False,
        class_weight: Mapping[Any, float] | None = None,
    ) -> None:
        self.data, self.hindsight = data.looked_at(), hindsight
        self._tracking = tracking
        self._window = None if window is None else checked_count("race", "window", window, 1)
        self._claimed = claim
        self.claim: Concept | None = (
            parse_claim(claim, self.data.features) if isinstance(claim, str) else claim
        )
        #: File and line of the row at which a learner left, by its title.
        self.places: dict[str, str] = {}
        self._race: Race | None = None
        self._learners = learners
        self._several = several if data.positive is None else False
        self._ignore_importance = ignore_importance
        self._class_weight = checked_weights(class_weight)

    @property
    def race(self) -> Race:
        """The race as far as it has gone; there is none before the first row."""
        if self._race is None:
            raise SourceError(self.data.named, "there is no row to race on")
        return self._race

    def __iter__(self) -> Iterator[ComparisonEvent]:
        order = LabelOrder()
        with labelled_stream(
            self.data, several=self._several, ignore_importance=self._ignore_importance
        ) as stream:
            for event in stream.events():
                if isinstance(event, Piece):
                    order.take(event.chunk.label)
                    yield from self._run(event)
                else:
                    yield event
        yield from order.events()
        self.race.look_back()

    def _run(self, piece: Piece) -> Iterator[LeftRace]:
        """Everybody over some rows."""
        race = self._race = self._race or self._begun(piece)
        first = race.rounds
        race.learn(piece.batch, piece.names_in)
        for runner in race.runners:
            if runner.out is not None and runner.out_in is not None and runner.out_in > first:
                place = self.places[runner.title] = piece.place(runner.out_in - first - 1)
                yield LeftRace(runner.title, runner.out_in, place, runner.out)

    def _begun(self, piece: Piece) -> Race:
        several = piece.several
        if several and self.claim is not None:
            raise RequestError(
                "a claim speaks of two classes, and there are more: positive= makes two.",
                code="request.claim_of_two_classes",
                claim=self._claimed,
            )
        weight: Mapping[Any, float] | None = self._class_weight
        if weight and not several:
            assert piece.stream.scheme is not None
            weight = signed_weights(weight, piece.stream.scheme)
        running = contestants(
            self._learners,
            self.data.features,
            several=several,
            tracking=self._tracking,
            class_weight=weight,
        )
        return Race(
            running,
            self.claim,
            hindsight=self.hindsight,
            window=self._window,
            threads=self.data.threads or default_threads(),
        )


def race(  # noqa: PLR0913  (each but the first has a default)
    data: Any,
    learners: Learners | None = None,
    *,
    claim: Concept | str | None = None,
    several: bool | None = None,
    tracking: bool = False,
    window: int | None = None,
    hindsight: bool = True,
    ignore_importance: bool = False,
    class_weight: Mapping[Any, float] | None = None,
    on_event: Callable[[ComparisonEvent], object] | None = None,
    **reading: Any,
) -> Race:
    """Let several learners run over files, side by side.

    Parameters
    ----------
    data
        A file, a pattern or several of them, or an `InputData`.
    learners
        The learners to run: new learners, or names with parameters, by the titles to show; or a
        list of such names. None: the usual ones.
    claim, several, tracking, window, hindsight, ignore_importance, class_weight
        As for `Comparison`.
    on_event
        Called with each event while files are read.
    reading
        How to read files: ``format="json"``, ``positive="spam"``, ``n_features=2**20``; see
        `InputData.described`.

    Returns
    -------
    Race
        Its `standings` are ordered from the fewest mistakes to the most.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import thresher as th
    >>> file = pathlib.Path(tempfile.mkdtemp(), "tiny.svm")
    >>> _ = file.write_text("1 0:1 2:1\\n0 1:1 2:1\\n1 0:1 1:1\\n" * 4)
    >>> result = race(file, {"winnow": th.Winnow(4), "perceptron": th.Perceptron(4)})
    >>> [(runner.title, runner.curve.mistakes, runner.allowed) for runner in result.standings()]
    [('perceptron', 2, 3), ('winnow', 3, 4), ('commoner label', 4, None)]
    """
    files = InputData.of_paths(data, **reading)
    if files is None:
        raise ParameterError("race", "data", "a file, several files, or an InputData", data)
    comparison = Comparison(
        files,
        learners,
        claim=claim,
        several=several,
        tracking=tracking,
        window=window,
        hindsight=hindsight,
        ignore_importance=ignore_importance,
        class_weight=class_weight,
    )
    for event in comparison:
        if on_event is not None:
            on_event(event)
    return comparison.race
