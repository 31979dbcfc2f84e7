"""The options of commands that can work on a cluster, as one argument `place`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from thresher.cluster.engine import Engine


class ClusterPlace(NamedTuple):
    """Where to work, in how many parts, and how long at most."""

    address: str
    shards: int | None
    deadline: float

    @property
    def settings(self) -> dict[str, Any]:
        """How many parts and how long, as arguments of what works there."""
        return {"n_shards": self.shards, "deadline": self.deadline}

    @contextmanager
    def engine(self) -> Iterator[Engine]:
        """Who runs the tasks, while the block lasts."""
        from thresher.cluster.dask_engine import connected

        engine = connected(self.address)
        try:
            yield engine
        finally:
            engine.close()


def on_a_cluster(shards: str | None) -> Callable[[Any], Any]:
    """The options; `shards` says what a number of them means to the command; None: nothing."""
    options = [
        click.option(
            "--cluster",
            metavar="ADDRESS",
            help="Run on a Dask cluster: local:N starts N workers on this machine, "
            "tcp://HOST:PORT is a scheduler, auto uses DASK_SCHEDULER_ADDRESS.",
        ),
        click.option(
            "--shards",
            type=click.IntRange(1),
            metavar="N",
            help=f"On a cluster: {shards}.  [default: by the size of the files]",
        ),
        click.option(
            "--deadline",
            type=click.FloatRange(0, min_open=True),
            metavar="SECONDS",
            help="On a cluster: time limit each time all shards run.  [default: 3600]",
        ),
    ]

    def decorate(function: Any) -> Any:
        @wraps(function)
        def placed(*words: Any, **arguments: Any) -> Any:
            return function(*words, place=_collect(arguments), **arguments)

        if shards is None:
            del options[1]
        for option in reversed(options):
            placed = option(placed)
        return placed

    return decorate


def _collect(arguments: dict[str, Any]) -> ClusterPlace | None:
    """Take what is about a cluster out of a command's arguments."""
    address, deadline = arguments.pop("cluster"), arguments.pop("deadline")
    shards = arguments.pop("shards", None)
    if address is not None:
        return ClusterPlace(address, shards, deadline or 3600.0)
    for name, value in (("shards", shards), ("deadline", deadline)):
        if value is not None:
            raise click.UsageError(f"--{name} goes with --cluster.")
    return None
