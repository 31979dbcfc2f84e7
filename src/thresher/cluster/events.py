"""Events of work on a cluster, beside those that all long work has (`thresher.models.events`)."""

from __future__ import annotations

from typing import NamedTuple


class ShardsCut(NamedTuple):
    """The data was found, and shared out; nothing is learned yet."""

    #: As they are called in messages.
    inputs: tuple[str, ...]
    format: str
    n_shards: int
    n_bytes: int
    #: Epochs that an earlier run has done.
    epochs_done: int = 0


class ShardLearned(NamedTuple):
    """A shard has learned from its rows."""

    #: From 1; shards count from 0.
    epoch: int
    shard: int
    rows: int
    mistakes: int
    #: Shards of this epoch that are done, and how many there are.
    done: int
    n_shards: int


class RoundFinished(NamedTuple):
    """Every share was searched for a counter-example, and what was found was learned from."""

    round: int
    #: Rows that were scored, sent, and learned from.
    rows: int
    sent: int
    learned: int
    seconds: float


class EpochFinished(NamedTuple):
    """All shards have learned, and were combined."""

    epoch: int
    rows: int
    #: Of each shard.
    mistakes: tuple[int, ...]
    #: Bytes that went to workers and came back.
    bytes_out: int
    bytes_back: int
    seconds: float
