"""Predictions chunk by chunk: what `predict` writes and `test` counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import click
import numpy as np
from numpy.typing import NDArray

from thresher.cli.learner_choice import DEFAULT_OF_SEVERAL
from thresher.cli.opening import open_stream, scheme_of
from thresher.cli.prediction_lines import ClassPrediction, Prediction, Wanted
from thresher.cli.resuming import check_reading
from thresher.cli.several_classes import is_several, plain_name
from thresher.errors import BadLineError, FormatError
from thresher.models import load_model
from thresher.streams.formats.detection import detected

if TYPE_CHECKING:
    from thresher.cli.options import DataOptions
    from thresher.models import Model
    from thresher.streams.chunk import Chunk
    from thresher.streams.reading import Stream

#: So many scores are computed together, of one class or of all.
SCORES_TOGETHER = 1 << 22


def opened(model_path: str, data: DataOptions, *, labels: bool) -> tuple[Model, Stream]:
    """A model, and a stream that reads as the model's training did."""
    model = load_model(model_path, journal=False, names=False)
    if data.given.keys() - {"format"}:
        check_reading(model, data)
    scheme = None
    if labels:
        scheme = scheme_of(data, model.labels)
        if is_several(model.learner):
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
def reading(data: DataOptions, stream: Stream, learner: Any) -> Iterator[Iterator[Chunk]]:
    """The chunks of a stream, cut so that their scores fit in memory, however many the classes.

    A bad line may mean that the data is not in the model's format.
    """
    n_classes = len(learner.classes) if is_several(learner) else 1
    most_rows = max(1, SCORES_TOGETHER // max(1, n_classes))
    with closing(stream.chunks()) as chunks:
        try:
            yield (part for chunk in chunks for part in chunk.parts(most_rows))
        except BadLineError as error:
            raise with_format(error, data, stream) from error


def with_format(
    error: BadLineError, data: DataOptions, stream: Stream, remedy: str = "say --format {}"
) -> BadLineError:
    """The error, with what to do if the name of the data tells a format that is not the model's."""
    named = _format_by_name(stream.paths[0])
    if "format" in data.given or named in (None, stream.format):
        return error
    return BadLineError(
        error.what,
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
    with chunk.blaming_lines():
        scores: NDArray[np.float64] = model.learner.scores(chunk.rows)
    return scores


def predictions(
    model_path: str, data: DataOptions, wanted: Wanted, warn: Callable[[str], None]
) -> Iterator[Prediction | ClassPrediction]:
    """The predictions of a model, chunk by chunk; in the end, a word about bad lines."""
    model, stream = opened(model_path, data, labels=False)
    several = is_several(model.learner)
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
    each = learner.parameters.get("learner", learner) if is_several(learner) else learner
    if not hasattr(each, "predict_proba"):
        name = DEFAULT_OF_SEVERAL if is_several(each) else each.name
        raise click.UsageError(
            f"--probabilities: this model ({plain_name(learner)}) knows scores alone. Train one "
            f"with --learner {name} --calibrate isotonic, or with --learner committee."
        )
