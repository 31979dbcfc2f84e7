"""`thresher certify` of a model that was trained on a cluster: what it takes, and who works."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from thresher.cli.labelled import reading_words, told

if TYPE_CHECKING:
    from thresher.cli.cluster_option import ClusterPlace
    from thresher.cluster.engine import Engine
    from thresher.models.choice import LearnerChoice
    from thresher.models.input_data import InputData
    from thresher.models.model import Model
    from thresher.verifier import Certificate

#: Options that are about one learner that sees all rows in order.
OF_ONE_LEARNER = {
    "claim": "what a claim allows is known of one learner",
    "holdout": "shards hold out nothing",
    "class_weight": "the model has its learner",
}


def certified_combined(
    model: Model,
    data: InputData,
    choice: LearnerChoice | None,
    place: ClusterPlace | None,
    said: dict[str, Any],
) -> tuple[Certificate, list[str]]:
    """The certificate, and the words by which its data is read again."""
    from thresher.cli.certify import parse_witness
    from thresher.cli.terminal.live_line import LiveLine
    from thresher.cli.told_tasks import ToldTasks
    from thresher.cluster.proving import certify_combined, combined_run

    for name, why in OF_ONE_LEARNER.items():
        if said[name] is not None:
            option = name.replace("_", "-")
            raise click.UsageError(f"--{option}: shards of {data.paths[0]} learned apart; {why}.")
    if choice is not None:
        raise click.UsageError(f"{data.paths[0]} has its learner; leave --learner out.")
    run = combined_run(model)
    rest = replace(data, paths=data.paths[1:])
    if not rest.paths:
        raise click.UsageError(
            f"{data.paths[0]}: no journal rebuilds shards that were combined; give the data it was "
            "trained on."
        )
    assert run is not None
    witness = None if said["witness"] is None else parse_witness(said["witness"], model.learner)
    with ExitStack() as until_the_end:
        engine: Engine | None = None
        if place is not None:
            workers = until_the_end.enter_context(place.engine())
            line = until_the_end.enter_context(LiveLine(quiet=said["quiet"]))
            engine = ToldTasks(workers, line)
        certificate = certify_combined(
            model,
            run,
            rest,
            engine=engine,
            witness=witness,
            deadline=3600.0 if place is None else place.deadline,
            ignore_importance=said["ignore_importance"],
            pieces_of=lambda stream: told(stream, quiet=said["quiet"]),
        )
    return certificate, [*rest.shown_paths, *reading_words(rest, model)]
