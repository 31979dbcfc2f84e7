"""MixedRun: a run of shards as theorems about one learner see it, and what mixing makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from thresher.theory import MistakeBound, MixingWithLosses, ParameterMixing
from thresher.theory.mixing.parameter_mixing import MIXABLE
from thresher.theory.mixing.with_losses import WithLoss
from thresher.verifier.algorithm import Algorithm
from thresher.verifier.measures.margins import Margins
from thresher.verifier.measures.strongest import applying_for
from thresher.verifier.mixed_runs.replay import Epoch, ever_changed
from thresher.verifier.mixed_runs.shard_work import ShardMeasured, take
from thresher.verifier.mixed_runs.source import ShardSource
from thresher.verifier.readers.labelled_rows import joined
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.playing import FLOAT64, Parameters, Replay
from thresher.verifier.witness import Comparator, Witness


@dataclass(frozen=True)
class MixedRun(ReplayedRun):
    """The rows that some shard got wrong, or changed by; losses are those of all shards and epochs.

    ``measured_shards`` has what one comparator makes of each shard, once.
    """

    shards: int = 1
    epochs: int = 1
    #: Rounds of all shards and epochs.
    all_rounds: int = 0
    measured_shards: tuple[ShardMeasured, ...] = ()

    def margins(self, comparator: Comparator) -> Margins:
        """What the comparator that was measured makes of all shards in all epochs."""
        return SumOfShards(self)

    margins_of_all = margins

    def allows(self, theorem: MistakeBound) -> int:
        """What a theorem about one learner allows all shards."""
        mixed = mixed_theorem(theorem, self.shards)
        return theorem.max_mistakes() if mixed is None else mixed.max_mistakes()

    def compared_with(self, found: Sequence[ShardMeasured]) -> MixedRun:
        """The same run next to a comparator."""
        return replace(self, measured_shards=tuple(found))


class SumOfShards(Margins):
    """Margins that shards have measured; losses come again in every epoch."""

    def __init__(self, run: MixedRun) -> None:
        self._run = run

    @property
    def exact(self) -> bool:
        """Squares of losses are not measured: no theorem about mixing asks for them."""
        return False

    def smallest(self) -> Fraction | None:
        """The smallest margin of all shards."""
        found = [one.smallest for one in self._run.measured_shards if one.smallest is not None]
        return min(found, default=None)

    def hinge_loss(self, level: Fraction, negative_level: Fraction | None = None) -> Fraction:
        """The losses of all shards, at the levels of the witness, once for each epoch."""
        once = sum((one.loss for one in self._run.measured_shards), Fraction(0))
        return self._run.epochs * once


def mixed_run(
    algorithm: Algorithm,
    parameters: Parameters,
    source: ShardSource,
    epochs: Sequence[Epoch],
    rounds: Sequence[int],
) -> MixedRun:
    """The run that so many epochs were, its mistaken rows fetched from those who have them."""
    places = ever_changed(epochs)
    parts = source.each(take, (), places)
    # Which of the rows were mistaken does not say in which epoch: norms are asked of each row.
    wrong = np.concatenate(
        [
            np.isin(one, np.concatenate([epoch.mistaken[shard] for epoch in epochs]))
            for shard, one in enumerate(places)
        ]
    )
    changed = np.concatenate(
        [
            np.isin(one, np.concatenate([epoch.updates[shard] for epoch in epochs]))
            for shard, one in enumerate(places)
        ]
    )
    replay = Replay(np.flatnonzero(wrong), np.flatnonzero(changed), FLOAT64)
    return MixedRun(
        algorithm,
        parameters,
        joined(parts),
        replay,
        shards=len(rounds),
        epochs=len(epochs),
        all_rounds=sum(rounds) * len(epochs),
    )


def mixing_is_known(algorithm: Algorithm) -> bool:
    """Whether there is a theorem about shards of the algorithm, with some options at least."""
    return algorithm.title in MixingWithLosses.learners


def mixed_theorem(theorem: MistakeBound, shards: int) -> MistakeBound | None:
    """The theorem about shards that follows from one about one learner; None where none does."""
    if isinstance(theorem, WithLoss):
        return MixingWithLosses(sequential=theorem, shards=shards)
    if isinstance(theorem, MIXABLE):
        return ParameterMixing(sequential=theorem, shards=shards)
    return None


def mixed_bounds(run: MixedRun, witness: Witness) -> list[MistakeBound]:
    """The theorems that apply to a run that was compared with a witness, the strongest first."""
    found = []
    for theorem in applying_for(run, witness):
        mixed = mixed_theorem(theorem, run.shards)
        if mixed is None or not mixed.applies():
            continue
        # Losses may allow a mistake in every round; that says nothing.
        if mixed.max_mistakes() < run.all_rounds or not mixed.measured().get("loss"):
            found.append(mixed)
    return sorted(found, key=lambda theorem: theorem.max_mistakes())
