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
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from time import monotonic, perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from blake3 import blake3

from thresher.certifier import certify
from thresher.cluster.events import RoundFinished
from thresher.cluster.exact import SAVE_AFTER, ExactTraining
from thresher.cluster.search_task import Searched, search
from thresher.cluster.shards import (
    CUT_BETWEEN_LINES,
    MOST_SHARDS,
    MOST_UNASKED,
    USUAL_BLOCK,
    USUAL_BYTES,
)
from thresher.errors import ClusterError, RequestError, ResumeError, ThresherError
from thresher.models.events import Warned
from thresher.models.history import Search, Source
from thresher.models.stopping import Interrupted
from thresher.parameters import checked_count
from thresher.storage.atomic_write import atomic_write
from thresher.streams.batch import Batch
from thresher.streams.first_look import decoded_by
from thresher.streams.sources.source import is_one_of

if TYPE_CHECKING:
    from thresher.cluster.engine import Engine
    from thresher.cluster.shards import Shard
    from thresher.cluster.training import ClusterEvent
    from thresher.models.history import Training
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
        if request.passes != 1:
            raise RequestError(
                "passes= is not for learning from counter-examples, which goes on until there are "
                "none.",
                "rounds= says how often at most they are searched for.",
                code="request.not_for_counterexamples",
                name="passes",
            )
        self._most = checked_count("cluster", "rounds", rounds, 1)
        # Counts, because the parts that are searched are finer.
        self._n_shares = n_shards
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
        self._places: list[int] = []
        super().__init__(request, engine, n_shards=n_shards, **settings)
        self._require_place_for_examples()
        n = min(self._n_shares or 1, len(self.shards))
        ends = [len(self.shards) * share // n for share in range(n + 1)]
        #: What is searched by one task: parts of the files, in order.
        self.shares = tuple(self.shards[a:b] for a, b in pairwise(ends))
        if request.resume is None:
            self._places = [0] * n
        elif len(self._places) != n:
            raise _not_gone_on_with(request.resume)

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
        if self.finished and not self.consistent:
            return (first,)
        return first, *self._seen.sources

    def _interrupted(self) -> dict[str, Any]:
        now = Search(
            places=tuple(self._places),
            rounds=self.rounds,
            sent=self.sent,
            scored=self.scored,
            bytes_out=self.bytes_out,
            bytes_back=self.bytes_back,
            over=self.consistent is True,
        )
        return super()._interrupted() | {"search": now}

    def _take_up(self, last: Training, path: str) -> None:
        """Go on with a search, or behind it, with the rows that it has learned from."""
        search = last.search
        if search is None:
            raise _not_gone_on_with(path)
        super()._take_up(replace(last, sources=last.sources[1:]), path)
        self._places = list(search.places)
        self.rounds, self.sent, self.scored = search.rounds, search.sent, search.scored
        self.bytes_out, self.bytes_back = search.bytes_out, search.bytes_back
        self.consistent = True if search.over else None
        before, journal = last.sources[0], self.learner.journal
        assert journal is not None
        self.examples = [journal[at : at + 1] for at in range(before.rows)]
        self._lines = self._lines_before(before, path)

    def _lines_before(self, written: Source, path: str) -> list[bytes | None]:
        """The lines that were learned from; of rows that are none, nothing."""
        if written.digest is None:
            return [None] * written.rows
        self.examples_file, self._written = written.name, written
        try:
            # A run that was killed may have written more of them than its model knows.
            text = Path(written.name).read_bytes()[: written.n_bytes]
        except OSError:
            text = b""
        if blake3(text).hexdigest() != written.blake3:
            raise ResumeError(
                f"{path} has learned from {written.rows:,} counter-examples, and {written.name} "
                "does not have them.",
                "Put the file back, or train again.",
                code="resume.other_examples",
            )
        # Not `splitlines`: a line may have a carriage return in it, in a comment for example.
        return [line + b"\n" for line in text.split(b"\n")[:-1]]

    def _save(self) -> Iterator[ClusterEvent]:
        """Write the examples first: there are never fewer than the model speaks of."""
        self._write_examples()
        yield from super()._save()

    @property
    def _searching(self) -> bool:
        return self.consistent is None

    def _passes(self) -> Iterator[ClusterEvent]:
        while self._searching:
            if self._stopping:
                raise Interrupted
            yield self._round()
            if self.consistent or monotonic() - self._saved_at > SAVE_AFTER:
                yield from self._save()
        self._judge()
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
        examples = Batch.joined(self.examples)
        if len(examples) < len(self.examples):
            # Of a run that was interrupted, whose journal was full or not kept.
            return
        try:
            found = certify(self.learner, examples, delta=None)
        except ThresherError:
            return
        if found.theorem is not None and found.allowed is not None:
            self.allowed = Allowed(found.theorem, int(found.allowed))

    def _place_of_examples(self, path: str) -> str:
        suffix = {"svmlight": "svm", "vw": "vw", "json": "jsonl"}[str(self._reading.recipe.format)]
        return f"{path.removesuffix('.thr')}.examples.{suffix}"

    def _require_place_for_examples(self) -> None:
        """Refuse to write the examples over one of the files that they come from."""
        path = self.request.save_to
        if path is None or self._reading.recipe.format not in CUT_BETWEEN_LINES:
            return
        place = self._place_of_examples(path)
        if is_one_of(place, self.request.data.paths):
            raise RequestError(
                f"{place}: counter-examples are written there, and this is one of the inputs.",
                "Choose another name for the model.",
                code="request.examples_over_input",
            )

    def _write_examples(self) -> None:
        """Write the lines that were learned from next to the model, as a file of the same format.

        With it in front of the data, the run is one that a machine plays alone, and certifies.
        """
        recipe, path = self._reading.recipe, self.request.save_to
        lines = [line for line in self._lines if line is not None]
        plain = recipe.format in CUT_BETWEEN_LINES and decoded_by(recipe) is None
        if path is None or not plain or len(lines) < len(self._lines):
            return
        if self._written is not None and self._written.rows == len(lines):
            return
        self.examples_file = self._place_of_examples(path)
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


def _not_gone_on_with(path: str) -> ResumeError:
    return ResumeError(
        f"{path} is not a search for counter-examples that was interrupted with these shards; one "
        "begins with nothing.",
        "Train without resume=, or in another mode.",
        code="resume.no_search",
    )
