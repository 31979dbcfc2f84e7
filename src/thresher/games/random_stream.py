"""Random realisable streams of any length, in bounded memory, the same in every chunk size."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.games.assemble import joined
from thresher.games.numbers import Number, exact, whole
from thresher.games.random_concepts import ConceptClass, Round, Table
from thresher.games.random_margins import Experts, quota
from thresher.games.targets import Target
from thresher.streams import Batch

#: Rows are drawn this many at a time, each block from a generator of its own.
BLOCK = 1024


@dataclass(frozen=True, slots=True)
class RandomStream:
    """A stream drawn from a concept class, with as much noise and drift as asked for.

    The rows come in blocks; block j is drawn from a PCG64 generator seeded with the seed and
    j, so any part of the stream can be drawn alone and the result never depends on how it was
    cut. Labels are chosen first and rows to fit them; the number of positive labels, of
    flipped labels and of spoiled rows is each exactly the rate times the rounds, to the
    nearest integer.

    Parameters
    ----------
    concepts
        Where the target is drawn from, and how rows are made.
    rounds
        The length; None has no end.
    balance
        The share of positive labels (before flipping).
    label_noise
        The share of rounds whose label is flipped.
    attribute_noise
        The share of rounds in which one relevant attribute is wrong.
    drift
        Rounds, increasing, at which a new target is drawn.

    >>> from thresher.games import disjunctions
    >>> stream = RandomStream(disjunctions(100, r=3, active=8), rounds=2000, balance="1/4")
    >>> batch = stream.batch()
    >>> len(batch), int((batch.label > 0).sum()), len(stream.target.contradictions(batch))
    (2000, 500, 0)
    """

    concepts: ConceptClass[Any]
    rounds: int | None
    seed: int = 0
    balance: Number = "1/2"
    label_noise: Number = 0
    attribute_noise: Number = 0
    drift: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        whole("RandomStream", "seed", self.seed, 0)
        if self.rounds is not None:
            whole("RandomStream", "rounds", self.rounds, 0)
        for name in ("balance", "label_noise", "attribute_noise"):
            rate = getattr(self, name)
            if not 0 <= exact("RandomStream", name, rate) <= 1:
                raise ParameterError("RandomStream", name, "between 0 and 1", rate)
        if any(b <= a for a, b in zip((0, *self.drift), self.drift, strict=False)):
            raise ParameterError("RandomStream", "drift", "increasing rounds above 0", self.drift)

    @property
    def n_features(self) -> int:
        """The width of the rows."""
        return self.concepts.n_features

    @property
    def targets(self) -> tuple[Target, ...]:
        """The target of each stretch between drifts."""
        return tuple(self._target(i) for i in range(len(self.drift) + 1))

    @property
    def target(self) -> Target:
        """The target at the beginning."""
        return self._target(0)

    def target_at(self, t: int) -> Target:
        """The target in round `t`."""
        return self._target(int(np.searchsorted(self.drift, t, side="right")))

    def batch(self) -> Batch:
        """The whole stream."""
        if self.rounds is None:
            raise ParameterError(
                "RandomStream.batch", "rounds", "a number", None, "Use chunks: it has no end."
            )
        return joined(self._blocks(0, self.rounds))

    def part(self, first: int, stop: int) -> Batch:
        """The rounds from `first` to before `stop`, drawn alone."""
        whole("RandomStream.part", "first", first, 0)
        return joined(self._blocks(first, stop if self.rounds is None else min(stop, self.rounds)))

    def chunks(self, size: int) -> Iterator[Batch]:
        """The stream in batches of `size` rounds (the last may be shorter)."""
        whole("RandomStream.chunks", "size", size, 1)
        held: list[Batch] = []
        count = 0
        for block in self._blocks(0, self.rounds):
            held.append(block)
            count += len(block)
            if count >= size:
                ready = joined(held)
                whole_chunks = count // size
                for i in range(whole_chunks):
                    yield ready[i * size : (i + 1) * size]
                held = [ready[whole_chunks * size :]]
                count %= size
        if count:
            yield joined(held)

    def _generator(self, *key: int) -> np.random.Generator:
        return np.random.Generator(
            np.random.PCG64(np.random.SeedSequence(self.seed, spawn_key=key))
        )

    def _target(self, i: int) -> Target:
        drawn: Target = self.concepts.draw(self._generator(0, i))
        return drawn

    def _blocks(self, first: int, stop: int | None) -> Iterator[Batch]:
        targets = self.targets
        j = first // BLOCK
        while stop is None or j * BLOCK < stop:
            start = j * BLOCK
            block = self._block(j, targets)
            yield block[max(0, first - start) : len(block) if stop is None else stop - start]
            j += 1

    def _block(self, j: int, targets: tuple[Target, ...]) -> Batch:
        first = j * BLOCK
        n = BLOCK if self.rounds is None else min(BLOCK, self.rounds - first)
        rng = self._generator(1, j)
        label = np.where(self._chosen(rng, self.balance, first, n), 1, -1).astype(np.int8)
        flipped = self._chosen(rng, self.label_noise, first, n)
        spoiled = self._chosen(rng, self.attribute_noise, first, n)
        ends = (0, *self.drift, first + n)
        parts = []
        for i, target in enumerate(targets):
            start, stop = max(ends[i], first), min(ends[i + 1], first + n)
            if start < stop:
                table = self.concepts.rows(
                    target, self._generator(2, j, i), Round(label, spoiled, first)
                )
                final = np.where(flipped, -label, label).astype(np.int8)
                parts.append(_batch(table, final)[start - first : stop - first])
        return parts[0] if len(parts) == 1 else joined(parts)

    def _chosen(
        self, rng: np.random.Generator, rate: Number, first: int, n: int
    ) -> NDArray[np.bool_]:
        """A random mask of the rounds that a rate is due in this block."""
        due = quota(exact("RandomStream", "rate", rate), first, first + n)
        return rng.permutation(np.arange(n) < due)


def _batch(table: Table, label: NDArray[np.int8]) -> Batch:
    counts = table.column < table.empty
    value = np.ones(np.count_nonzero(counts)) if table.value is None else table.value[counts]
    start = np.zeros(len(label) + 1, np.int64)
    np.cumsum(counts.sum(axis=1), out=start[1:])
    return Batch(start, table.column[counts].astype(np.int32), value, label)


def expert_stream(
    n_experts: int, rounds: int, best_mistakes: int, error_rate: Number = "1/2", seed: int = 0
) -> RandomStream:
    """Advice whose best expert makes exactly `best_mistakes` mistakes.

    >>> from thresher.games import best_expert
    >>> best_expert(expert_stream(20, 300, best_mistakes=7).batch())[1]
    7
    """
    whole("expert_stream", "rounds", rounds, 1)
    rate = exact("expert_stream", "error_rate", error_rate)
    whole("expert_stream", "best_mistakes", best_mistakes, 0, quota(rate, 0, rounds))
    return RandomStream(
        Experts(n_experts, rate),
        rounds,
        seed,
        attribute_noise=Fraction(best_mistakes, rounds),
    )
