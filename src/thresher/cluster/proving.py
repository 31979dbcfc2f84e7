"""Certificates of combined runs, and verdicts on any certificate, with the rows on workers.

What is asked of the rows, and what follows from the answers, is the certifier's and the verifier's
affair: the same code on one machine, so that certificates and verdicts are the same to the letter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.addresses import absolute
from thresher.certifier import certify_shards
from thresher.certifier.finished_run import names_of_classes
from thresher.certifier.mixed import combined_identity
from thresher.cluster.engine import Engine
from thresher.cluster.labelled_shards import (
    OwnRows,
    RowsOfShards,
    StreamRows,
    scheme_by_first_rows,
)
from thresher.cluster.scoring import ShardReading
from thresher.cluster.shard_rows import ShardsOnWorkers
from thresher.cluster.shards import cut
from thresher.errors import NotCertifiableError, RequestError, SourceError
from thresher.models.gathering import gathered
from thresher.models.history import Shards
from thresher.models.input_data import InputData
from thresher.models.labelled import LabelledStream, Piece, labelled_stream
from thresher.models.model import Model
from thresher.models.opening import names_for_all, scheme_of
from thresher.models.own_reader import own_paths, reads_own, strongest_counts
from thresher.parameters import features_by_default
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.recipe import Recipe
from thresher.verifier import (
    ALGORITHMS,
    Certificate,
    LabelledRows,
    Verdict,
    read_rows,
    verify,
    verify_shards,
)
from thresher.verifier.mixed_runs.source import ShardsInMemory, ShardSource
from thresher.verifier.readers.labelled_rows import joined
from thresher.verifier.replayed_run import range_as_claimed
from thresher.verifier.replays.playing import Parameters

DEADLINE = 3600.0


def combined_run(model: Model) -> Shards | None:
    """How the shards of a model learned; None: one learner saw all rows.

    A model that was trained further, before or after, is no single run.
    """
    trained = [training.shards for training in model.history]
    if not any(trained):
        return None
    if len(trained) > 1 or trained[0] is None:
        raise NotCertifiableError(
            f"the model was trained {len(trained)} times, at least once on a cluster. A "
            "certificate is about one run, from its start.",
            "Train a model in one run; one that was interrupted and resumed is one.",
        )
    if not trained[0].epochs:
        raise NotCertifiableError("the model's run was interrupted in its first epoch.")
    return trained[0]


def certify_combined(  # noqa: PLR0913  (each is an option, and has a default)
    model: Model,
    run: Shards,
    data: InputData,
    *,
    engine: Engine | None = None,
    witness: Any = None,
    deadline: float = DEADLINE,
    ignore_importance: bool = False,
    pieces_of: Callable[[LabelledStream], Iterable[Piece]] = iter,
) -> Certificate:
    """The certificate of a model whose shards learned apart; without an engine, here and now.

    `pieces_of` goes through a stream that is read here; a door may tell people meanwhile.
    """
    # What no data can mend is said before they are read.
    combined_identity(model.learner)
    classes = names_of_classes(model.learner) if model.learner.several else None
    with labelled_stream(data, model=model, ignore_importance=ignore_importance) as stream:
        if engine is None:
            source: ShardSource = ShardsInMemory(
                read_rows(gathered(pieces_of(stream)), None, classes)
            )
        else:
            reading = ShardReading.of_stream(data, stream.stream)
            paths = _paths(stream.stream.paths, engine)
    if engine is not None:
        reader = StreamRows(
            reading=reading,
            names=model.name_table,
            labels=scheme_of(data, model.labels),
            classes=classes,
            ignore_importance=ignore_importance,
            learned=True,
        )
        pieces = cut(paths, reading.recipe, len(run.sources))
        source = ShardsOnWorkers(engine, reader, pieces, deadline)
    if not source.n_rows:
        raise SourceError(data.named, "there is not a single row to certify")
    return certify_shards(model.learner, source, run.rounds, run.mistakes, witness=witness)


def verify_on(  # noqa: PLR0913  (each is an option, and has a default)
    certificate: Certificate,
    data: InputData,
    engine: Engine,
    *,
    reader: str = "auto",
    model: Any = None,
    trusted: Mapping[str, str] | None = None,
    n_shards: int | None = None,
    deadline: float = DEADLINE,
) -> Verdict:
    """The verdict on a certificate, its rows being read and played by the workers of an engine.

    Parameters
    ----------
    certificate, data
        What is claimed, and of which files.
    engine, n_shards, deadline
        Who runs the tasks; into how many pieces files are cut where one learner saw them; how many
        seconds one question to all shards may take.
    reader
        "own", "streams" or "auto".
    model, trusted
        As for :func:`thresher.verify`.
    """
    own = reads_own(data, reader)
    rows, recipe, paths = (
        _own(data, certificate, engine) if own else _any(data, certificate, engine)
    )
    mixing = certificate.mixing
    pieces = cut(paths, recipe, n_shards if mixing is None else mixing.shards)
    source = ShardsOnWorkers(engine, rows, pieces, deadline)
    if mixing is not None:
        return verify_shards(certificate, source, model=model, trusted=trusted)
    source.cut(source.counts)
    stream = joined(source.each(as_they_are, ()))
    players = RangesOnWorkers(source, engine)
    return verify(certificate, stream, model=model, trusted=trusted, elsewhere=players)


def as_they_are(rows: LabelledRows) -> LabelledRows:
    """The rows, for whoever wants them all."""
    return rows


class RangesOnWorkers:
    """Whether rounds are mistaken exactly when claimed, each worker having looked at a range."""

    def __init__(self, source: ShardsOnWorkers, engine: Engine) -> None:
        self._source, self._workers = source, engine

    def __call__(
        self,
        name: str,
        parameters: Parameters,
        stream: LabelledRows,
        claimed: NDArray[np.bool_],
    ) -> bool:
        """Whether every range is as claimed."""
        play = ALGORITHMS[name].ranges_for(parameters)
        rounds = self._ranges()
        ends = [0, *accumulate(rounds)]
        mistaken = np.flatnonzero(claimed)
        said = [
            (stream.take(mistaken[mistaken < first]), claimed[first:stop])
            for first, stop in pairwise(ends)
        ]
        # What workers read now must be what was read before, or it would say nothing of it.
        digests = [stream.part(first, stop).digest() for first, stop in pairwise(ends)]
        self._source.cut(rounds, digests)
        return all(self._source.each(range_as_claimed, (play, parameters), said))

    def _ranges(self) -> list[int]:
        """Rows of as many ranges as there are workers, each of whole pieces."""
        counts = self._source.counts
        n = max(1, min(self._workers.width, len(counts)))
        ends = [round(len(counts) * k / n) for k in range(n + 1)]
        return [sum(counts[first:stop]) for first, stop in pairwise(ends)]


def _own(
    data: InputData, certificate: Certificate, engine: Engine
) -> tuple[RowsOfShards, Recipe, Sequence[str]]:
    """The verifier's own reader of svmlight."""
    paths = _paths(own_paths(data), engine)
    rows = OwnRows(
        paths=tuple(paths),
        positive=data.positive,
        one_based=bool(data.given.get("one_based")),
        n_columns=data.n_features or features_by_default("svmlight"),
        classes=certificate.classes,
    )
    return rows, Recipe(format="svmlight"), paths


def _any(
    data: InputData, certificate: Certificate, engine: Engine
) -> tuple[RowsOfShards, Recipe, Sequence[str]]:
    """The reader of all commands."""
    if data.vocabulary:
        raise RequestError(
            "a vocabulary: on a cluster the verifier reads names by hash alone.",
            "Verify without a cluster, or convert the data.",
            code="request.verified_on_one_machine",
        )
    data = data.looked_at()
    names = names_for_all(data, strongest=strongest_counts(certificate))
    several = certificate.classes is not None
    with labelled_stream(data, names=names, several=several, ignore_importance=True) as stream:
        reading = ShardReading.of_stream(data, stream.stream)
        paths = _paths(stream.stream.paths, engine)
    data = replace(data, look=None)
    scheme = scheme_of(data, LabelScheme())
    if several:
        scheme.allow_several(certain=True)
    else:
        scheme = scheme_by_first_rows(data.looked_at(), names, scheme)
    rows = StreamRows(
        reading=reading,
        names=names,
        labels=scheme,
        classes=certificate.classes,
        ignore_importance=True,
        learned=False,
    )
    return rows, reading.recipe, paths


def _paths(paths: Sequence[str], engine: Engine) -> list[str]:
    return [absolute(path) if engine.elsewhere else path for path in paths]
