"""Predictions chunk by chunk: what `predict` writes and `test` counts."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from thresher.cli.opening import open_stream, scheme_of
from thresher.cli.resuming import check_reading
from thresher.cli.training_run import located
from thresher.cli.two_class import load_two_class
from thresher.errors import BadLineError, FormatError
from thresher.streams.detection import detected

if TYPE_CHECKING:
    from thresher.cli.options import DataOptions
    from thresher.storage import Model
    from thresher.streams.chunk import Chunk
    from thresher.streams.reading import Stream

#: What stands for a line that could not be read, so that output and rows stay side by side.
NO_PREDICTION = "?"


@dataclass(frozen=True, slots=True)
class Prediction:
    """The scores of a chunk, in order, and after how many of them each of its bad lines stood."""

    scores: NDArray[np.float64]
    positive: NDArray[np.bool_]
    bad_after: list[int]
    names: tuple[str, str]


def opened(model_path: str, data: DataOptions, *, labels: bool) -> tuple[Model, Stream]:
    """A model, and a stream that reads as the model's training did."""
    model = load_two_class(model_path, journal=False, names=False)
    if data.given.keys() - {"format"}:
        check_reading(model, data)
    stream = open_stream(
        data,
        model.name_table,
        recipe=data.recipe(model.recipe),
        scheme=scheme_of(data, model.labels) if labels else None,
        add=False,
    )
    return model, stream


@contextmanager
def reading(data: DataOptions, stream: Stream) -> Iterator[Iterator[Chunk]]:
    """The chunks of a stream; a bad line in it may mean that it is not in the model's format."""
    with closing(stream.chunks()) as chunks:
        try:
            yield chunks
        except BadLineError as error:
            named = _format_by_name(stream.paths[0])
            if "format" in data.given or named in (None, stream.format):
                raise
            raise BadLineError(
                str(error),
                f"It was read as {stream.format}, like the model's training data; "
                f"if it is {named}, say --format {named}.",
            ) from error


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
    model_path: str, data: DataOptions, warn: Callable[[str], None]
) -> Iterator[Prediction]:
    """The predictions of a model, chunk by chunk; in the end, a word about bad lines."""
    model, stream = opened(model_path, data, labels=False)
    names = model.label_names
    with reading(data, stream) as chunks:
        for chunk in chunks:
            scores = scores_of(model, chunk)
            positive = scores >= model.learner.threshold
            bad_after = np.searchsorted(chunk.line, [bad.line for bad in chunk.bad])
            yield Prediction(scores, positive, bad_after.tolist(), names)
    if stream.bad.count:
        warn(stream.bad.report())


def lines_of(prediction: Prediction, *, scores: bool, as_json: bool) -> str:
    """Predictions as lines of text.

    >>> two = Prediction(np.array([1.5, -2.0]), np.array([True, False]), [1], ("ham", "spam"))
    >>> lines_of(two, scores=True, as_json=False).splitlines()
    ['spam\\t1.5', '?', 'ham\\t-2.0']
    """
    names = prediction.names
    if as_json:
        names = (json.dumps(names[0]), json.dumps(names[1]))
    said = [names[up] for up in prediction.positive.tolist()]
    if as_json:
        pairs = zip(said, prediction.scores.tolist(), strict=True)
        said = [f'{{"label": {name}, "score": {score!r}}}' for name, score in pairs]
    elif scores:
        pairs = zip(said, prediction.scores.tolist(), strict=True)
        said = [f"{name}\t{score!r}" for name, score in pairs]
    for place in reversed(prediction.bad_after):
        said.insert(place, "null" if as_json else NO_PREDICTION)
    return "".join(f"{line}\n" for line in said)
