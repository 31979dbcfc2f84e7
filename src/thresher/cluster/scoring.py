"""Predicting and testing on a cluster: every shard by itself, results in the order of the data.

Nothing is learned, so that the results are those of one machine, to the letter and to the bit,
however the data is cut.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.addresses import absolute
from thresher.cluster.bad_lines import (
    BadLinesFound,
    BadLinesOfShard,
    account,
    lines_to_keep,
    sound,
)
from thresher.cluster.engine import checked_deadline, unpacked_for
from thresher.cluster.shards import Shard, cut, require_files, usual_number
from thresher.errors import SourceError, ThresherError
from thresher.models.evaluation import numbers_on_card
from thresher.models.events import Progressed, Warned
from thresher.models.input_data import InputData
from thresher.models.opening import open_for_model
from thresher.models.prediction import Prediction, Predictions
from thresher.models.scorecard import Scorecard
from thresher.models.scoring import ScoredStream
from thresher.records import record
from thresher.streams.first_look import NoLook
from thresher.streams.recipe import Recipe
from thresher.streams.sources.source import expanded

if TYPE_CHECKING:
    from thresher.cluster.engine import Engine
    from thresher.models.model import Model
    from thresher.streams.bad_lines import BadLinePolicy
    from thresher.streams.reading import Stream

#: Makes of predictions what is to be written of them, on a worker.
Render = Callable[[Prediction], bytes]
#: Scores, labels by number, and what the labels are called so far.
Tested = tuple[NDArray[np.float64], NDArray[np.int32], tuple[str, ...]]


@record
class Answered:
    """What became of a shard: parts in order, and its bad lines."""

    parts: list[Any]
    bad: BadLinesFound


@record
class ShardReading:
    """How a shard is read: what was said of all data, and what was found out once."""

    data: InputData
    recipe: Recipe
    bad_kept: int

    @classmethod
    def of_stream(cls, data: InputData, stream: Stream) -> ShardReading:
        """As a stream over all data is read."""
        stream.settle_header()
        given = replace(data, look=None, policy=None, header=stream.header)
        return cls(given, stream.recipe, lines_to_keep(data))

    def of(self, shard: Shard) -> InputData:
        """The input data that a shard is."""
        paths = tuple(piece.path for piece in shard.pieces)
        return replace(
            self.data,
            paths=paths,
            # Decided by the first file of all: the first of a shard may have another name.
            given={**self.data.given, "format": self.recipe.format},
            threads=1,
            parts={p.path: (p.start, p.stop) for p in shard.pieces if not p.whole},
            look=NoLook(paths, self.recipe),
            policy=BadLinesOfShard(self.data.on_bad[0], self.bad_kept),
        )


def predict_shard(
    reading: ShardReading, shard: Shard, probabilities: bool, render: Render, model: Model
) -> Answered | ThresherError:
    """The predictions for a shard, as they are to be written."""

    def answers(data: InputData) -> list[bytes]:
        return [render(found) for found in Predictions(model, data, probabilities=probabilities)]

    return answered(reading, shard, answers)


def score_shard(reading: ShardReading, shard: Shard, model: Model) -> Answered | ThresherError:
    """The scores and labels of a shard."""

    def answers(data: InputData) -> list[Tested]:
        scored = ScoredStream(model, data, labels=True)
        return [(scores, chunk.label, tuple(scored.stream.label_names)) for chunk, scores in scored]

    return answered(reading, shard, answers)


def answered(
    reading: ShardReading, shard: Shard, answers: Callable[[InputData], list[Any]]
) -> Answered | ThresherError:
    """What a shard has."""
    data = reading.of(shard)
    assert isinstance(data.policy, BadLinesOfShard)
    found = sound(shard, answers, data)
    if isinstance(found, ThresherError):
        return found
    return Answered(found, data.policy.found_in(shard))


class ShardedStream:
    """A stream that a model is to see, as tasks for its shards, and their results in order."""

    def __init__(
        self,
        model: Model,
        data: InputData,
        engine: Engine,
        *,
        labels: bool,
        n_shards: int | None,
        deadline: float,
    ) -> None:
        self.model, self.data = model, data
        self._workers, self._deadline = engine, checked_deadline(deadline)
        require_files(expanded(data.paths))
        with open_for_model(model, data, labels=labels) as stream:
            #: What happens to bad lines, and what was noticed already.
            self.bad: BadLinePolicy = stream.bad
            self.scheme = stream.scheme
            self._reading = ShardReading.of_stream(data, stream)
            paths = [absolute(p) if engine.elsewhere else p for p in stream.paths]
        self.shards = cut(paths, self._reading.recipe, n_shards or usual_number(paths))

    def results(
        self, function: Callable[..., Any], *more: Any
    ) -> Iterator[tuple[Shard, list[Any]]]:
        """The parts of each shard, in order."""
        packed = pickle.dumps(self.model, protocol=5)
        models = unpacked_for(self._workers, "the model", packed, len(self.shards))
        tasks = [
            self._workers.submit(str(shard), function, self._reading, shard, *more, model)
            for shard, model in zip(self.shards, models, strict=True)
        ]
        results = in_order(self._workers.gather(tasks, self._deadline))
        for shard, result in zip(self.shards, results, strict=True):
            if isinstance(result, ThresherError):
                raise result
            account(self.bad, [result.bad])
            yield shard, result.parts


def in_order(results: Iterable[tuple[int, Any]]) -> Iterator[Any]:
    """Results that come with their places in any order, in order."""
    early: dict[int, Any] = {}
    following = 0
    for place, result in results:
        early[place] = result
        while following in early:
            yield early.pop(following)
            following += 1


class ClusterPredictions:
    """The predictions for a stream, as they are to be written, part by part and in order."""

    def __init__(
        self,
        model: Model,
        data: InputData,
        engine: Engine,
        render: Render,
        *,
        probabilities: bool = False,
        n_shards: int | None = None,
        deadline: float = 3600.0,
    ) -> None:
        if probabilities:
            model.learner.require_probabilities()
        self._stream = ShardedStream(
            model, data, engine, labels=False, n_shards=n_shards, deadline=deadline
        )
        self._asked = probabilities, render
        self.bad = self._stream.bad

    def __iter__(self) -> Iterator[bytes]:
        for _, parts in self._stream.results(predict_shard, *self._asked):
            yield from parts


class ClusterEvaluation:
    """A model's predictions held against the labels of a stream; iterate, then look at `card`."""

    def __init__(
        self,
        model: Model,
        data: InputData,
        engine: Engine,
        window: int | None = None,
        *,
        n_shards: int | None = None,
        deadline: float = 3600.0,
    ) -> None:
        self._stream = ShardedStream(
            model, data, engine, labels=True, n_shards=n_shards, deadline=deadline
        )
        self.card = Scorecard.of(model, window)

    def __iter__(self) -> Iterator[Progressed | Warned]:
        stream, learner = self._stream, self._stream.model.learner
        assert stream.scheme is not None
        rows = position = 0
        total = sum(shard.n_bytes for shard in stream.shards)
        for shard, parts in stream.results(score_shard):
            for scores, label, names in parts:
                given = numbers_on_card(self.card, stream.scheme, names, label)
                self.card.add(scores, learner.predicted_numbers(scores), given)
                rows += len(scores)
            position += shard.n_bytes
            yield Progressed(rows, position, total)
        for remark in stream.bad.remarks():
            yield Warned(remark)
        if not rows:
            raise SourceError(stream.data.named, "there is not a single row to test on")
