"""Tuning: every setting of a grid learns from one reading of the data, side by side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import (
    DimensionError,
    FeatureRangeError,
    ParameterError,
    RequestError,
    SourceError,
)
from thresher.learners.base.stateful import array_bytes
from thresher.learners.multiclass.arrangement import arranged
from thresher.models.events import LeftRace, Progressed, SortedByLabel, Understood, Warned
from thresher.models.grid import Grid, described, settings
from thresher.models.input_data import InputData
from thresher.models.label_order import LabelOrder
from thresher.models.labelled import Piece, labelled_stream
from thresher.models.mistake_curve import MistakeCurve
from thresher.models.multiclass import MUCH_MEMORY, TOO_MUCH_MEMORY
from thresher.models.runner import Runner
from thresher.parameters import features_by_default
from thresher.streams.crew import at_once, default_threads, threads_for

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.models.choice import LearnerChoice
    from thresher.streams.batch import Batch

#: Other ways to write a setting that are told.
MOST_NAMED = 3
#: Features of a learner whose memory tells that of larger ones.
SMALL = 1024

TuningEvent = Understood | Progressed | LeftRace | SortedByLabel | Warned


@dataclass(slots=True)
class Setting:
    """A learner with certain parameters, and how often it was wrong so far."""

    choice: LearnerChoice
    learner: Learner
    #: Other ways to write it that the grid has: it runs once for all of them.
    also: list[str] = field(default_factory=list)
    mistakes: int = 0
    #: Why it cannot go on, if it cannot, and from which row, counted from 1.
    out: str | None = None
    out_in: int | None = None
    #: Mistakes along the stream.
    curve: MistakeCurve = field(default_factory=MistakeCurve)

    @property
    def title(self) -> str:
        """Its name and its parameters."""
        return described(self.choice)


class Tuning:
    """A grid of settings in one pass: whoever goes through it gets events, and then standings.

    Each row is predicted by every setting before its label is told, so that all errors are honest
    ones. That of the best is still a little too low, for it was chosen by its error; the more
    settings there are, and the closer to each other, the more so.

    Parameters
    ----------
    data
        Rows with labels.
    learner, grid
        Which settings: see `models.grid.settings`.
    several
        Whether there are several classes; None: as the first rows show.
    ignore_importance
        Let rows with an importance other than 1 count as all others; without it they are refused.
    """

    def __init__(
        self,
        data: InputData,
        learner: str | None = None,
        grid: Grid | None = None,
        *,
        several: bool | None = None,
        ignore_importance: bool = False,
    ) -> None:
        self.data = data.looked_at()
        self.rows = 0
        self._several = several if data.positive is None else False
        self._ignore_importance = ignore_importance
        choices = settings(learner, grid)
        self._room = _Room(choices, self.data.features)
        self.settings = _different(choices, self.data.features)
        #: How many rows two settings were both wrong on.
        self._both = np.zeros((len(self.settings), len(self.settings)), np.int64)

    def __iter__(self) -> Iterator[TuningEvent]:
        order = LabelOrder()
        yield from self._repeated()
        yield from self._room.check(1)
        leader = self.settings[0].learner
        tables = [setting.learner.name_table for setting in self.settings]
        # Names that share a column are added up, unless somebody takes no sums.
        alike = all(table is not None and not table.strongest for table in tables)
        with labelled_stream(
            self.data,
            leader if alike and not self.data.vocabulary else None,
            several=self._several,
            ignore_importance=self._ignore_importance,
        ) as stream:
            for event in stream.events():
                if isinstance(event, Piece):
                    order.take(event.chunk.label)
                    yield from self._learn(event)
                else:
                    yield event
        yield from order.events()
        if not self.rows:
            raise SourceError(self.data.named, "there is no row to learn from")

    def _repeated(self) -> Iterator[Warned]:
        """What is said of settings that the grid has several times, in whatever words."""
        for setting in self.settings:
            if setting.also:
                others = ", ".join(setting.also[:MOST_NAMED])
                more = len(setting.also) - MOST_NAMED
                others += f" and {more:,} more" if more > 0 else ""
                yield Warned(f"{setting.title} runs once; the same in other words: {others}")

    def _learn(self, piece: Piece) -> Iterator[LeftRace | Warned]:
        """Every setting over some rows."""
        if not self.rows and piece.several:
            for setting in self.settings:
                setting.learner = arranged(setting.learner, several=True)
        if piece.several:
            yield from self._room.check(len(piece.batch.classes))
        wrong = np.zeros((len(self.settings), len(piece.batch)), np.float32)
        refused = at_once(
            [partial(_played, setting, piece.batch, wrong[r]) for r, setting in self._in()],
            threads_for(piece.batch, self.data.threads or default_threads()),
        )
        for (_, setting), error in zip(self._in(), refused, strict=True):
            if error is not None:
                setting.out = f"{error.detail} {error.remedy}".rstrip()
                at = setting.out_in = self.rows + error.row + 1
                yield LeftRace(setting.title, at, piece.place(error.row), setting.out)
        self.rows += len(piece.batch)
        # Counts of a chunk are whole numbers below 2^24, which these sums hold exactly.
        self._both += (wrong @ wrong.T).astype(np.int64)
        for setting, mistakes in zip(self.settings, self._both.diagonal().tolist(), strict=True):
            setting.mistakes = mistakes

    def _in(self) -> list[tuple[int, Setting]]:
        """The settings that can still go on, and their numbers."""
        return [(r, setting) for r, setting in enumerate(self.settings) if setting.out is None]

    def standings(self) -> list[Setting]:
        """The settings from the fewest mistakes to the most; who could not go on comes last."""
        return sorted(self.settings, key=lambda s: (s.out is not None, s.mistakes))

    def runners(self) -> list[Runner]:
        """The standings as those of a race, for pictures and pages."""
        return [
            Runner(one.title, one.learner, curve=one.curve, out=one.out, out_in=one.out_in)
            for one in self.standings()
        ]

    @property
    def best(self) -> LearnerChoice:
        """The setting with the fewest mistakes, for `thresher.train`."""
        first = self.standings()[0]
        if first.out is not None:
            raise SourceError(self.data.named, f"no setting can learn: {first.out}")
        return first.choice

    def error(self, setting: Setting) -> tuple[float, float]:
        """The share of mistakes, and its standard error if rows are independent draws."""
        share = setting.mistakes / self.rows
        return share, sqrt(share * (1 - share) / self.rows)

    def behind(self, setting: Setting) -> tuple[float, float]:
        """How much larger its error is than the best, and the standard error of that.

        What counts are the rows on which one was right and the other wrong, so that much smaller
        differences show than by comparing the errors.
        """
        one, other = (self.settings.index(s) for s in (setting, self.standings()[0]))
        apart = self._both[one, one] + self._both[other, other] - 2 * self._both[one, other]
        share = (setting.mistakes - int(self._both[other, other])) / self.rows
        return share, sqrt(max(0.0, apart / self.rows - share**2) / self.rows)

    def __repr__(self) -> str:
        first = self.standings()[0]
        found = first.out or f"{first.title} made {first.mistakes:,} mistakes"
        return f"Tuning({len(self.settings)} settings, {self.rows:,} rows: {found})"

    def both_wrong(self) -> NDArray[np.int64]:
        """How many rows each two of the settings were both wrong on."""
        return self._both.copy()


def _played(
    setting: Setting, batch: Batch, wrong: NDArray[np.float32]
) -> FeatureRangeError | DimensionError | None:
    """Let a setting learn, and note where it was wrong; the error if it cannot take a row."""
    try:
        mistaken = setting.learner.learn(batch).mistaken
    except (FeatureRangeError, DimensionError) as error:
        return error
    wrong[:] = mistaken
    setting.curve.add(mistaken)
    return None


class _Room:
    """The memory that settings take together, by what small learners take."""

    def __init__(self, choices: list[LearnerChoice], n_features: int | None) -> None:
        small = [choice.create(n_features=SMALL, journal=False) for choice in choices]
        taken = sum(array_bytes(learner.__getstate__()) for learner in small)
        self._n_settings = len(choices)
        self._of_a_class = taken * (n_features or features_by_default(None)) // SMALL
        self._warned = False
        # Before they are made, with as many features as they are to have.
        self._said(1)

    def check(self, n_classes: int) -> Iterator[Warned]:
        """A word about memory, the first time that it is much; an error where it is too much."""
        said = self._said(n_classes)
        if said is not None and not self._warned:
            self._warned = True
            yield Warned(f"{said}.")

    def _said(self, n_classes: int) -> str | None:
        needed = n_classes * self._of_a_class
        of_classes = f" for {n_classes:,} classes" if n_classes > 1 else ""
        what = f"{self._n_settings} settings{of_classes} take up to {needed / 1e9:.1f} GB of memory"
        if needed > TOO_MUCH_MEMORY:
            raise RequestError(f"{what}. A smaller grid or fewer features take less.")
        return what if needed > MUCH_MEMORY else None


def _different(choices: list[LearnerChoice], n_features: int | None) -> list[Setting]:
    """Settings that differ in what they do, each with the other ways in which it is written."""
    found: list[Setting] = []
    parameters: list[tuple[str, dict[str, Any]]] = []
    for choice in choices:
        # A race is no proof: nobody needs a journal.
        learner = choice.create(n_features=n_features, journal=False)
        does = choice.name, learner.settled_parameters
        if does in parameters:
            found[parameters.index(does)].also.append(described(choice))
        else:
            found.append(Setting(choice, learner))
            parameters.append(does)
    return found


def tune(
    data: Any,
    learner: str | None = None,
    grid: Grid | None = None,
    *,
    several: bool | None = None,
    ignore_importance: bool = False,
    on_event: Callable[[TuningEvent], object] | None = None,
    **reading: Any,
) -> Tuning:
    """Try a grid of settings in one pass over files.

    Parameters
    ----------
    data
        A file, a pattern or several of them, or an `InputData`.
    learner
        The learner to tune, with its fixed parameters (``"arow:bias=yes"``). None: learners for
        real data, each with its usual grid.
    grid
        The values of each parameter: ``{"r": [0.1, 1, 10]}``. None: the usual ones.
    several, ignore_importance
        As for `Tuning`.
    on_event
        Called with each event while files are read.
    reading
        How to read files: ``format="json"``, ``positive="spam"``, ``n_features=2**20``; see
        `InputData.described`.

    Returns
    -------
    Tuning
        Its `best` can be given to :func:`thresher.train`; `standings` has all settings.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import thresher as th
    >>> file = pathlib.Path(tempfile.mkdtemp(), "tiny.svm")
    >>> _ = file.write_text("1 0:1 2:1\\n0 1:1 2:1\\n1 0:1 1:1\\n" * 4)
    >>> tuning = tune(file, "arow", {"r": [0.1, 1, 10]})
    >>> tuning.best, [setting.mistakes for setting in tuning.standings()]
    (LearnerChoice(name='arow', given={'r': 0.1}), [2, 2, 4])
    >>> th.train(file, tuning.best).learner
    AROW(n_features=262144, r=0.1, journal_bytes=0): 12 rounds, 2 mistakes
    """
    files = InputData.of_paths(data, **reading)
    if files is None:
        raise ParameterError("tune", "data", "a file, several files, or an InputData", data)
    tuning = Tuning(files, learner, grid, several=several, ignore_importance=ignore_importance)
    for event in tuning:
        if on_event is not None:
            on_event(event)
    return tuning
