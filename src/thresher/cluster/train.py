"""`thresher.cluster.train`: what `thresher train --cluster` does, for programs."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, get_args

from thresher.cluster.counterexamples import ROUNDS, CounterexampleTraining
from thresher.cluster.engine import Engine, InProcess
from thresher.cluster.exact import ExactTraining
from thresher.cluster.training import DEADLINE, ClusterEvent, ClusterTraining
from thresher.errors import ParameterError
from thresher.learners.base.learner import Learner
from thresher.models.choice import LearnerChoice
from thresher.models.input_data import InputData, Path
from thresher.models.model import Model
from thresher.models.training_request import TrainingRequest
from thresher.parameters import checked_choice

#: How shards work together.
Mode = Literal["mixing", "exact", "counterexamples"]
MODES: tuple[Mode, ...] = get_args(Mode)


def train(  # noqa: PLR0913  (each is an option of the command, and has a default)
    files: Path | Iterable[Path],
    learner: str | LearnerChoice | Learner | None = None,
    *,
    client: Any = None,
    epochs: int = 1,
    shards: int | None = None,
    deadline: float = DEADLINE,
    mode: Mode = "mixing",
    multiclass: bool = False,
    rounds: int = ROUNDS,
    save_to: Path | None = None,
    resume: Path | None = None,
    ignore_importance: bool = False,
    class_weight: Mapping[Any, float] | None = None,
    on_event: Callable[[ClusterEvent], object] | None = None,
    **reading: Any,
) -> Model:
    """Learn from files on a cluster, and return the model.

    The files are cut into shards. In an epoch every shard learns from its rows, beginning with the
    same learner, and what they have become is combined. The model depends on the files, the
    learner, the number of shards and of epochs, and on nothing else: not on how many workers
    there are, which of them are lost, or which shard is done first.

    Parameters
    ----------
    files
        A file, a pattern (``"part-*.svm.gz"``) or several of them, which all workers see.
    learner
        A name, with parameters if they are wanted (``"winnow:beta=1/2"``), or a learner, of which
        a copy learns. The default is that of :func:`thresher.train`, a Committee.
    client
        A `distributed.Client`; an address or ``"local:2"``, which is connected to for this run; an
        engine; or None: everything happens in this process, with the same result.
    epochs
        How often the files are read.
    shards
        How many shards; None: one for 64 MiB, and 16 at most. See docs/cluster.md on how to choose.
    deadline
        How many seconds an epoch, or a round, may take.
    mode
        ``"mixing"`` as above. ``"exact"`` learns what one machine would that reads all files in
        order, to the bit, with blocks played ahead by workers; shards are only what the history
        names. ``"counterexamples"`` lets every shard send rows that the learner gets wrong, until
        there are none. Both are for learners that change only when they are wrong, or within a
        margin (`thresher.learners.base.learner.Learner.conservative`).
    multiclass
        Whether there are several classes, whatever the first rows show.
    rounds
        How often counter-examples are searched for at most.
    save_to, resume
        Where the model is saved after each epoch; a model file to go on with, after the epoch in
        which it was interrupted if it was.
    ignore_importance, class_weight, reading
        As for :func:`thresher.train`.
    on_event
        Called with each event of :mod:`thresher.cluster.events`.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "tiny.svm"
    >>> _ = file.write_text("1 0:1\\n0 1:1\\n0 1:1 2:1\\n" * 4)
    >>> model = train(file, "perceptron", n_features=4, shards=2, epochs=2)
    >>> model.learner
    Perceptron(n_features=4, journal_bytes=0): 24 rounds, 2 mistakes
    >>> model.learner.dual.tolist(), model.history[0].shards.mistakes
    ([0.0, -1.0, 0.0, 0.0], ((1, 1), (0, 0)))
    """
    request = TrainingRequest(
        data=InputData.described(files, **reading),
        learner=LearnerChoice.parse(learner) if isinstance(learner, str) else learner,
        passes=epochs,
        save_to=None if save_to is None else os.fspath(save_to),
        resume=None if resume is None else os.fspath(resume),
        ignore_importance=ignore_importance,
        class_weight=class_weight,
        multiclass=multiclass,
    )
    engine = engine_for(client)
    try:
        settings: dict[str, Any] = {"n_shards": shards, "deadline": deadline}
        run = run_of(mode, request, engine, rounds=rounds, **settings)
        for event in run:
            if on_event is not None:
                on_event(event)
    finally:
        engine.close()
    return run.model


def run_of(
    mode: Mode, request: TrainingRequest, engine: Engine, *, rounds: int = ROUNDS, **settings: Any
) -> ClusterTraining | ExactTraining:
    """The run of a mode."""
    checked_choice("cluster", "mode", mode, MODES)
    if mode == "exact":
        return ExactTraining(request, engine, **settings)
    if mode == "counterexamples":
        return CounterexampleTraining(request, engine, rounds=rounds, **settings)
    return ClusterTraining(request, engine, **settings)


def engine_for(client: Any) -> Engine:
    """The engine that a client, an address, an engine or None stands for."""
    if client is None or isinstance(client, InProcess):
        return client or InProcess()
    # Imported here: it is for those who have a cluster.
    from thresher.cluster.dask_engine import DaskEngine, connected  # noqa: PLC0415

    if isinstance(client, DaskEngine):
        return client
    if isinstance(client, str):
        return connected(client)
    if not hasattr(client, "submit"):
        raise ParameterError(
            "cluster", "client", "a distributed.Client, an address or None", client
        )
    return DaskEngine(client)
