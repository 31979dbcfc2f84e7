"""How a run on a cluster begins: what it can be asked for, and what the first rows settle."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from typing import TYPE_CHECKING

from thresher.addresses import absolute
from thresher.cluster.bad_lines import lines_to_keep
from thresher.cluster.shard_task import Reading
from thresher.cluster.shards import require_files
from thresher.errors import RequestError
from thresher.streams.sources.source import expanded

if TYPE_CHECKING:
    from thresher.cluster.engine import Engine
    from thresher.learners.base.learner import Learner
    from thresher.models.model import Model
    from thresher.models.training_request import TrainingRequest
    from thresher.streams.label_scheme import LabelScheme
    from thresher.streams.recipe import Recipe
    from thresher.streams.remark import Remark

#: What a run on one machine can be asked for, and this one not: the value that asks for nothing.
NOT_HERE = {
    "holdout": None,
    "window": None,
    "claim": None,
    "calibrate": None,
    "save_every": None,
    "skip_rows": None,
    "record": None,
}


def refuse_what_is_for_one_machine(request: TrainingRequest) -> None:
    """Refuse what shards cannot do, because none of them sees all rows."""
    for name, nothing in NOT_HERE.items():
        if getattr(request, name) != nothing:
            raise RequestError(
                f"{name}= is for training on one machine: shards that learn apart do not know it.",
                code="request.not_on_a_cluster",
                name=name,
            )
    if request.data.vocabulary:
        raise RequestError(
            "vocabulary=True is for training on one machine: shards find columns by hashing.",
            code="request.not_on_a_cluster",
            name="vocabulary",
        )


def settled(
    request: TrainingRequest,
    engine: Engine,
    suits: Callable[[Learner], object],
    *,
    several: bool = False,
) -> tuple[TrainingRequest, Model, LabelScheme, tuple[Remark, ...]]:
    """By the first rows: request and model to begin with, what labels mean, what was noticed.

    `suits` refuses a learner that cannot do it, and `several` says whether there may be more than
    two classes.
    """
    # Before anything is read: nobody is to wait for the end of a pipe to be told.
    require_files(expanded(request.data.paths))
    if request.resume is None:
        request = replace(request, data=request.data.looked_at())
    model = request.model()
    # Asked now: a learner that cannot do it is refused before anything is read.
    suits(model.learner)
    stream = request.opened(model)
    with closing(stream.chunks()) as chunks:
        for chunk in chunks:
            if len(chunk.rows):
                break
    scheme = stream.scheme
    assert scheme is not None
    if scheme.several and not several:
        raise RequestError(
            "the labels are of more than two classes, and only shards that are mixed learn them "
            "all.",
            "Leave out mode= and exact=, or make two classes of them by positive=.",
            code="request.two_classes_on_a_cluster",
        )
    if request.resume is None:
        model = replace(model, learner=request.arrangement.settled(model.learner, scheme))
        suits(model.learner)
    paths = tuple(absolute(p) if engine.elsewhere else p for p in stream.paths)
    data = replace(request.data, paths=paths, look=None, header=stream.header)
    request = replace(request, data=data)
    return request, replace(model, recipe=stream.recipe), scheme, stream.bad.noticed


def reading_of(request: TrainingRequest, recipe: Recipe, scheme: LabelScheme) -> Reading:
    """How all shards are read."""
    data = request.data
    return Reading(
        recipe=recipe,
        labels=scheme,
        header=data.header,
        on_bad=data.on_bad[0],
        bad_kept=lines_to_keep(data),
        ignore_importance=request.ignore_importance,
        chosen=request.resume is not None or request.arrangement.by_somebody,
    )
