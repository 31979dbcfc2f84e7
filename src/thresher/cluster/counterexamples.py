"""A run that learns from counter-examples alone (after Balcan, Blum, Fine and Mansour 2012).

In a round every share of the data is searched for a row that the learner, as it is, gets wrong, and
sends the first. The learner learns from those that it still gets wrong, in the order of the shares.
A round in which nobody finds one ends the search: the learner is consistent with all rows.

So what was learned from is a stream on which every round was a mistake: the theorems for one
learner bound it, whatever the shares. The first row that is sent in a round is always learned from:
so with M rows learned from there are at most M + 1 rounds, and with N shares N M rows sent.

In the end all rows are played once, as on one machine, and change nothing. The model is the one
that one machine makes of the counter-examples and then of all files, in order.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from itertools import pairwise
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from blake3 import blake3

from thresher.certifier import certify
from thresher.cluster.events import RoundFinished
from thresher.cluster.exact import ExactTraining
from thresher.cluster.search_task import Searched, search
from thresher.cluster.shards import (
    CUT_BETWEEN_LINES,
    MOST_SHARDS,
    MOST_UNASKED,
    USUAL_BLOCK,
    USUAL_BYTES,
)
from thresher.errors import ClusterError, RequestError, ThresherError
from thresher.models.events import Warned
from thresher.models.history import Source
from thresher.models.stopping import Interrupted
from thresher.parameters import checked_count
from thresher.storage.atomic_write import atomic_write
from thresher.streams.batch import Batch
from thresher.streams.first_look import decoded_by

if TYPE_CHECKING:
    from thresher.cluster.engine import Engine
    from thresher.cluster.shards import Shard
    from thresher.cluster.training import ClusterEvent
    from thresher.models.training_request import TrainingRequest

#: How many rounds there are at most, unless it is said.
ROUNDS = 10_000
#: So many examples are few enough to look for the theorem that allows the fewest.
FEW = 2000


class Allowed(NamedTuple):
    """What a theorem for one learner allows it on the examples."""

    theorem: str
    mistakes: int


class CounterexampleTraining(ExactTraining):
    """One run: whoever iterates over it makes it happen, and hears of it event by event.

    Parameters
    ----------
    request
        What is asked for.
    engine
        Who runs the tasks.
    n_shards
        How many shares search apart; None: one for 64 MiB, and 16 at most. The model depends on it.
    deadline
        How many seconds a round may take.
    rounds
        How many rounds there are at most.
    """

    def __init__(
        self,
        request: TrainingRequest,
        engine: Engine,
        *,
        n_shards: int | None = None,
        rounds: int = ROUNDS,
        **settings: Any,
    ) -> None:
        if request.resume is not None or request.passes != 1:
            name = "resume" if request.resume is not None else "passes"
            raise RequestError(
                f"{name}= is not for learning from counter-examples, which begins with nothing and "
                "goes on until there are none.",
                "rounds= says how often at most they are searched for.",
                code="request.not_for_counterexamples",
                name=name,
            )
        self._most = checked_count("cluster", "rounds", rounds, 1)
        # Counts, because the parts that are searched are finer.
        self._n_shares = n_shards
        super().__init__(request, engine, n_shards=n_shards, **settings)
        n = min(self._n_shares or 1, len(self.shards))
        ends = [len(self.shards) * share // n for share in range(n + 1)]
        #: What is searched by one task: parts of the files, in order.
        self.shares = tuple(self.shards[a:b] for a, b in pairwise(ends))
        self._places = [0] * n
        #: Rounds; rows that were sent, scored, and learned from, in order; bytes out and back.
        self.rounds = self.sent = self.scored = 0
        self.examples: list[Batch] = []
        self._lines: list[bytes | None] = []
        self.bytes_out = self.bytes_back = 0
        #: Whether no row contradicts the learner; None: nobody knows yet.
        self.consistent: bool | None = None
        self.allowed: Allowed | None = None
        #: The file with the examples, and what is known of it.
        self.examples_file: str | None = None
        self._written: Source | None = None

    def _parts(self, n_shards: int | None, total: int) -> int:
        """How many parts the files are cut into: several for each share."""
        if n_shards is None:
            n_shards = min(MOST_UNASKED, max(1, -(-total // USUAL_BYTES)))
        checked_count("cluster", "shards", n_shards, 1, MOST_SHARDS)
        self._n_shares = n_shards
        return min(MOST_SHARDS, n_shards * max(1, -(-total // (n_shards * USUAL_BLOCK))))

    @property
    def learned(self) -> bool:
        """Whether there is something to show for it."""
        return self.consistent is not None or bool(self.examples)

    def _sources(self) -> tuple[Source, ...]:
        """What was learned from: the examples, then all rows if they were played."""
        n = len(self.examples)
        first = self._written or Source(name="counter-examples", rows=n, passes=1)
        return (first, *self._seen.sources) if self._seen.passes else (first,)

    def _passes(self) -> Iterator[ClusterEvent]:
        while self.consistent is None:
            if self._stopping:
                raise Interrupted
            yield self._round()
        self._judge()
        self._write_examples()
        if not self.consistent:
            times = "1 round" if self.rounds == 1 else f"{self.rounds:,} rounds"
            yield Warned(f"after {times} there are still rows that the learner gets wrong.")
            return
        changes = self.changes
        yield from self._pass()
        if self.changes != changes:
            raise ClusterError(
                "rows that the learner got right changed it when they were played.",
                "A file must not change while it is learned from: train again.",
                code="cluster.changed",
            )

    def _round(self) -> RoundFinished:
        clock = perf_counter()
        packed = pickle.dumps(self.learner.without_journal(), protocol=5)
        tasks = [
            self._workers.submit(
                f"round {self.rounds + 1}, {_named(share)}",
                search,
                self._reading,
                share,
                place,
                packed,
            )
            for share, place in zip(self.shares, self._places, strict=True)
        ]
        found: list[Searched] = []
        until = monotonic() + self._deadline
        for share, result in zip(self.shares, list(self._in_order(tasks, until)), strict=True):
            if isinstance(result, ThresherError):
                told = vars(result) | {"fields": result.fields | {"shard": share[0].number}}
                raise type(result)._bare(result.args, told)
            found.append(result)
        self._places = [result.place for result in found]
        rows = sum(result.rows for result in found)
        sent = [result for result in found if result.example is not None]
        before = len(self.examples)
        for result in sent:
            self._learn(result)
        back = sum(result.example.nbytes for result in sent if result.example is not None)
        self.rounds, self.sent = self.rounds + 1, self.sent + len(sent)
        self.scored += rows
        self.bytes_out += len(packed) * len(tasks)
        self.bytes_back += back
        if not sent:
            self.consistent = True
        elif self.rounds == self._most:
            self.consistent = False
        learned = len(self.examples) - before
        return RoundFinished(self.rounds, rows, len(sent), learned, perf_counter() - clock)

    def _learn(self, found: Searched) -> None:
        """Learn from a row, if the learner still gets it wrong."""
        example = found.example
        assert example is not None
        if self.learner.first_change(example) is None:
            return
        self.learner.learn(example)
        self.examples.append(example)
        self._lines.append(found.line)
        if found.names is not None:
            self._names.append(found.names)

    def _judge(self) -> None:
        """Say what a theorem allows, if there is one and it is not too long to look for."""
        if not self.examples or len(self.examples) > FEW or self._before:
            return
        try:
            found = certify(self.learner, Batch.joined(self.examples), delta=None)
        except ThresherError:
            return
        if found.theorem is not None and found.allowed is not None:
            self.allowed = Allowed(found.theorem, int(found.allowed))

    def _write_examples(self) -> None:
        """Write the lines that were learned from next to the model, as a file of the same format.

        With it in front of the data, the run is one that a machine plays alone, and certifies.
        """
        recipe, path = self._reading.recipe, self.request.save_to
        lines = [line for line in self._lines if line is not None]
        plain = recipe.format in CUT_BETWEEN_LINES and decoded_by(recipe) is None
        if path is None or not plain or len(lines) < len(self._lines):
            return
        suffix = {"svmlight": "svm", "vw": "vw", "json": "jsonl"}[str(recipe.format)]
        self.examples_file = f"{path.removesuffix('.thr')}.examples.{suffix}"
        text = b"".join(line.rstrip(b"\r\n") + b"\n" for line in lines)
        atomic_write(self.examples_file, [text])
        self._written = Source(
            name=self.examples_file,
            rows=len(lines),
            n_bytes=len(text),
            blake3=blake3(text).hexdigest(),
        )


def _named(share: tuple[Shard, ...]) -> str:
    first, last = str(share[0]), str(share[-1])
    return first if first == last else f"{first} to {last}"
