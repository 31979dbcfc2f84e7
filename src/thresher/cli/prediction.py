"""Predictions chunk by chunk: what `predict` writes and `test` counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray

from thresher.cli.prediction_lines import ClassPrediction, Prediction, Wanted
from thresher.errors import BadLineError, FormatError
from thresher.models.choice import DEFAULT_OF_SEVERAL
from thresher.models.file import load_model
from thresher.models.located import located
from thresher.models.opening import open_stream, scheme_of
from thresher.models.resuming import check_reading
from thresher.streams.formats.detection import detected

if TYPE_CHECKING:
    from thresher.models.input_data import InputData
    from thresher.models.model import Model
    from thresher.streams.chunk import Chunk
    from thresher.streams.reading import Stream

#: So many scores are computed together, of one class or of all.
SCORES_TOGETHER = 1 << 22


def opened(model_path: str, data: InputData, *, labels: bool) -> tuple[Model, Stream]:
    """A model, and a stream that reads as the model's training did."""
    model = load_model(model_path, journal=False, names=False)
    if data.given.keys() - {"format"}:
        check_reading(model, data)
    scheme = None
    if labels:
        scheme = scheme_of(data, model.labels)
        if model.learner.several:
            if data.positive is not None:
                raise click.UsageError("--positive: this model tells several classes apart.")
            scheme.allow_several(certain=True)
    stream = open_stream(
        data,
        model.name_table,
        recipe=data.recipe(model.recipe),
        scheme=scheme,
        add=False,
        learner=model.learner,
    )
    return model, stream


@contextmanager
def reading(data: InputData, stream: Stream, learner: Any) -> Iterator[Iterator[Chunk]]:
    """The chunks of a stream, cut so that their scores fit in memory, however many the classes.

    A bad line may mean that the data is not in the model's format.
    """
    n_classes = len(learner.classes) if learner.several else 1
    most_rows = max(1, SCORES_TOGETHER // max(1, n_classes))
    with closing(stream.chunks()) as chunks:
        try:
            yield (part for chunk in chunks for part in chunk.parts(most_rows))
        except BadLineError as error:
            raise with_format(error, data, stream) from error


def with_format(
    error: BadLineError, data: InputData, stream: Stream, remedy: str = "say --format {}"
) -> BadLineError:
    """The error, with what to do if the name of the data tells a format that is not the model's."""
    named = _format_by_name(stream.paths[0])
    if "format" in data.given or named in (None, stream.format):
        return error
    return BadLineError(
        str(error),
        f"It was read as {stream.format}, like the model's training data; "
        f"if it is {named}, {remedy.format(named)}.",
    )


def _format_by_name(path: str) -> str | None:
    try:
        return detected(path, b"").name
    except FormatError:
        return None


def scores_of(model: Model, chunk: Chunk) -> NDArray[np.float64]:
    """The scores of a chunk; a row that the learner cannot take is named by file and line."""
    with located(chunk, np.arange(len(chunk.rows))):
        scores: NDArray[np.float64] = model.learner.scores(chunk.rows)
    return scores


def predictions(
    model_path: str, data: InputData, wanted: Wanted, warn: Callable[[str], None]
) -> Iterator[Prediction | ClassPrediction]:
    """The predictions of a model, chunk by chunk; in the end, a word about bad lines."""
    model, stream = opened(model_path, data, labels=False)
    several = model.learner.several
    if wanted.top is not None and not several:
        raise click.UsageError("--top: this model has two classes; --scores tells them apart.")
    if wanted.probabilities:
        _require_probabilities(model)
    with reading(data, stream, model.learner) as chunks:
        for chunk in chunks:
            scores = scores_of(model, chunk)
            sure = model.learner.predict_proba(chunk.rows) if wanted.probabilities else None
            bad = np.searchsorted(chunk.line, [bad.line for bad in chunk.bad]).tolist()
            if several:
                yield ClassPrediction(scores, sure, bad, [*map(str, model.learner.classes)])
            else:
                positive = scores >= model.learner.threshold
                yield Prediction(scores, positive, bad, model.label_names, sure)
    if stream.bad.count:
        warn(stream.bad.report())


def _require_probabilities(model: Model) -> None:
    """Complain if the model knows no probabilities."""
    learner = model.learner
    if not learner.gives_probabilities:
        each = learner.each_class or learner
        name = DEFAULT_OF_SEVERAL if each.several else each.name
        raise click.UsageError(
            f"--probabilities: this model ({learner.plain_name}) knows scores alone. Train one "
            f"with --learner {name} --calibrate isotonic, or with --learner committee."
        )
