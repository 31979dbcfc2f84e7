"""Way: how shards of a learner become one, whatever their states are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from thresher.verifier.state import State


class Way(Protocol):
    """What a shard sends, and what all of them come to."""

    def changed(self, before: State, after: State) -> State:
        """Of a state, what differs from the state before; it takes less room."""

    def combined(self, before: State, after: Sequence[State]) -> State:
        """What shards come to, given in their order what each `changed`."""
