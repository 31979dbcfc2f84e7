"""Advice on data: its first rows are measured, and the usual learners race on them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from thresher.errors import SourceError
from thresher.models.contestants import contestants
from thresher.models.input_data import InputData
from thresher.models.labelled import Piece, labelled_stream
from thresher.models.race import Race
from thresher.models.runner import takes_much_memory
from thresher.models.usual_learners import USUAL_LEARNERS
from thresher.reports.advice import advise
from thresher.reports.data_advice import DataAdvice
from thresher.reports.sample import MulticlassSample, measure
from thresher.streams.batch import Batch

#: Rows of the data that are looked at.
SAMPLE = 10_000


@dataclass(frozen=True, kw_only=True)
class Stated:
    """What is known of the data beside what its first rows show; None: nothing."""

    relevant: int | None = None
    active: int | None = None
    #: 0: no label is wrong, for certain.
    noise: Fraction | int | None = None
    #: Rows to expect.
    rows: int | None = None

    @property
    def figures(self) -> dict[str, Any]:
        """Those that replace figures of a sample."""
        known = {"relevant": self.relevant, "active": self.active, "noise": self.noise}
        return {name: value for name, value in known.items() if value is not None}


def advise_on(
    data: InputData,
    stated: Stated | None = None,
    *,
    sample: int = SAMPLE,
    ignore_importance: bool = False,
    no_noise: str = "noise=0",
    on_event: Callable[[object], object] | None = None,
) -> DataAdvice:
    """Look at the first rows of the data, and let the usual learners race on them.

    Parameters
    ----------
    data
        Rows with labels, of two or of several classes.
    stated
        What is known of them beside what the first rows show.
    sample
        How many rows to look at.
    ignore_importance
        Let rows with an importance other than 1 count as all others; without it they are refused.
    no_noise
        How the reader of the reasons says that no label is wrong.
    on_event
        Called with what happens while files are read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "colours.svm")
    >>> _ = file.write_text("red 0:1\\ngreen 1:1\\nblue 2:1\\n" * 9)
    >>> advised = advise_on(InputData(paths=(str(file),)))
    >>> advised.sample.classes, advised.winner.curve.mistakes
    (3, 3)
    """
    known = stated or Stated()
    batch = _first_rows(data, sample, ignore_importance, on_event)
    # Room for columns that the sample does not show: the next power of two.
    n = data.n_features or 2 ** max(1, (batch.n_features - 1).bit_length())
    if not batch.signed:
        return _on_several(batch, n)
    measured = measure(batch)
    figures = measured.figures(known.rows)
    advice, names = None, list(USUAL_LEARNERS)
    if figures is not None:
        advice = advise(replace(figures, n_features=n, **known.figures), no_noise=no_noise)
        names.append(advice.choice.spelled)
    race = Race(contestants(tuple(dict.fromkeys(names)), n, several=False))
    race.learn(batch)
    race.bound_mixtures()
    return DataAdvice(measured, advice, race, n_features=n, certain=known.noise == 0)


def _on_several(batch: Batch, n_features: int) -> DataAdvice:
    """The same where theorems compare nobody."""
    measured = MulticlassSample.of(batch)
    running = contestants(None, n_features, several=True)
    left_out = tuple(
        title for title, learner in running.items() if takes_much_memory(learner, measured.classes)
    )
    race = Race({title: one for title, one in running.items() if title not in left_out})
    race.learn(batch)
    return DataAdvice(measured, None, race, n_features=n_features, left_out=left_out)


def _first_rows(
    data: InputData,
    size: int,
    ignore_importance: bool,
    on_event: Callable[[object], object] | None,
) -> Batch:
    """The first rows of the data as one batch; the rest is not read."""
    kept: list[Batch] = []
    left = size
    several = None if data.positive is None else False
    with labelled_stream(data, several=several, ignore_importance=ignore_importance) as stream:
        for event in stream.events():
            if isinstance(event, Piece):
                kept.append(event.batch[:left])
                left -= len(kept[-1])
                if not left:
                    break
            elif on_event is not None:
                on_event(event)
    if not kept:
        raise SourceError(data.named, "there is no row to look at")
    return Batch.joined(kept)
