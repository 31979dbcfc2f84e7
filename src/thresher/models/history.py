"""What a model was trained on: which files, with which command, in which order."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from thresher.records import record

if TYPE_CHECKING:
    from thresher.streams.reading import SourceRecord

#: Fields of `Training` that are left out where nobody asked for them.
_RARE = ("holdout", "shards", "labels", "search")
HEX_DIGITS = set("0123456789abcdef")


@record(kw_only=True)
class Source:
    """A file, or another stream of bytes, that was learned from."""

    #: As it was named on the command line; ``<stdin>`` for standard input.
    name: str
    #: Rows learned or held out in all passes.
    rows: int
    #: Bytes as stored, and one digest of them; None where it was not read to its end. BLAKE3 is
    #: that of all files but converted ones, which have a SHA-256 inside. Releases up to 0.2.0 took
    #: the SHA-256 of every file.
    n_bytes: int | None = None
    sha256: str | None = None
    blake3: str | None = None
    #: How often it was read to its end.
    passes: int = 1

    def __post_init__(self) -> None:
        counts = (self.rows, self.n_bytes or 0, self.passes)
        if not all(0 <= count < 2**62 for count in counts):
            raise ValueError(f"rows, bytes and passes cannot be counted as {counts}")
        for digest in (self.sha256, self.blake3):
            if digest is not None and not (len(digest) == 64 and set(digest) <= HEX_DIGITS):
                raise ValueError("a SHA-256 or BLAKE3 has 64 hexadecimal digits")

    @property
    def complete(self) -> bool:
        """Whether it was read to its end, so that its bytes are known."""
        return self.digest is not None

    @property
    def digest(self) -> str | None:
        """The digest, BLAKE3 with its name before it."""
        return self.sha256 if self.blake3 is None else f"blake3:{self.blake3}"


class SourcesSeen:
    """What a run has seen of its files so far: rows, and how often each to its end."""

    def __init__(self, names: Iterable[str]) -> None:
        self._rows = dict.fromkeys(names, 0)
        self._passes = dict.fromkeys(self._rows, 0)
        self._reading: str | None = None

    def take(self, name: str, rows: int, pass_number: int) -> None:
        """Some rows of a file come; when another file begins, the one before is at its end."""
        if self._reading not in (None, name):
            self._passes[str(self._reading)] = pass_number
        self._reading = name
        self._rows[name] += rows

    def finish_pass(self, pass_number: int) -> None:
        """All files are at their ends."""
        self._passes = dict.fromkeys(self._passes, pass_number)
        self._reading = None

    def sources(self, read: Iterable[SourceRecord]) -> tuple[Source, ...]:
        """What was seen, with what a stream knows of the files it has read."""
        records = {record.name: record for record in read}
        found = []
        for name, passes in self._passes.items():
            # The reader may be at the end of a file before the learner is.
            record = records.get(name) if passes else None
            known: dict[str, Any] = {}
            if record is not None:
                algorithm, _, digest = record.digest.partition(":")
                known = {"n_bytes": record.n_bytes, algorithm: digest}
            found.append(Source(name=name, rows=self._rows[name], passes=passes, **known))
        return tuple(found)


@record(kw_only=True)
class Shards:
    """How the sources of a run were shared among shards that learned apart and were combined."""

    #: How many sources, one after another, each shard had.
    sources: tuple[int, ...]
    #: Rounds of each shard in an epoch, and its mistakes in each epoch so far.
    rounds: tuple[int, ...]
    mistakes: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        n = len(self.sources)
        counts = (*self.sources, *self.rounds, *(k for epoch in self.mistakes for k in epoch))
        alike = {n, len(self.rounds), *(len(epoch) for epoch in self.mistakes)} == {n}
        if not alike or not all(0 <= count < 2**62 for count in counts):
            raise ValueError("shards have sources, rounds and mistakes, each of them a count")

    @property
    def epochs(self) -> int:
        """How often all shards were read and combined."""
        return len(self.mistakes)


@record(kw_only=True)
class Search:
    """How far a run has come that searches the parts of its sources for counter-examples."""

    #: Of each share of the sources, the part in which its last search ended.
    places: tuple[int, ...]
    #: Rounds; rows that were sent and scored; bytes out and back.
    rounds: int
    sent: int
    scored: int
    bytes_out: int
    bytes_back: int
    #: Whether a round found none, so that all rows are to be played.
    over: bool = False

    def __post_init__(self) -> None:
        counts = (self.rounds, self.sent, self.scored, self.bytes_out, self.bytes_back)
        if not all(0 <= count < 2**62 for count in (*self.places, *counts)):
            raise ValueError("a search has places and counts")


@record(kw_only=True)
class Training:
    """One run of training."""

    #: The command that ran, or None: the learner was trained in a program.
    command: str | None = None
    #: The release that ran it.
    version: str
    sources: tuple[Source, ...] = ()
    #: Whether it came to its end; otherwise the rows of the sources say how far it got.
    finished: bool = True
    #: One row in so many was not learned; None: all were.
    holdout: int | None = None
    #: The share of these rows that was predicted wrongly in each of several passes. The model is
    #: the one after the pass in which it was lowest.
    holdout_errors: tuple[float | None, ...] | None = None
    #: How shards learned apart; None: one learner saw all sources in order.
    shards: Shards | None = None
    #: Of a run that was interrupted on a cluster: labels that its rows had so far, as many as tell
    #: whether those that count as -1 have a name; and where a search for counter-examples was.
    labels_seen: tuple[str, ...] | None = None
    search: Search | None = None

    def document(self) -> dict[str, Any]:
        """In JSON's terms; what was not asked for is left out."""
        return {
            name: value
            for name, value in asdict(self).items()
            if value is not None or not name.startswith(_RARE)
        }


def holdout_of(history: Iterable[Training]) -> int | None:
    """One row in so many that no training has learned, if there was but one of one pass.

    >>> once = Training(version="1", holdout=10, sources=(Source(name="a.svm", rows=20),))
    >>> holdout_of([once]), holdout_of([once, once])
    (10, None)
    """
    trainings = tuple(history)
    if len(trainings) != 1 or any(source.passes != 1 for source in trainings[0].sources):
        return None
    return trainings[0].holdout


def data_digest(history: Iterable[Training]) -> str:
    """SHA-256 of what was learned from, in order, whatever the files are called.

    It is chained: each source is hashed together with the digest of all before it.

    >>> first = Source(name="a.svm", rows=2, n_bytes=9, sha256="00" * 32)
    >>> again = Source(name="b.svm", rows=2, n_bytes=9, sha256="00" * 32)
    >>> one, two = (Training(version="1", sources=(each,)) for each in (first, again))
    >>> data_digest([one]) == data_digest([two]) != data_digest([one, two])
    True
    """
    digest = sha256(b"thresher data").hexdigest()
    for training in history:
        for source in training.sources:
            seen = [digest, source.digest, source.n_bytes, source.rows, source.passes]
            digest = sha256(json.dumps(seen).encode()).hexdigest()
    return digest
