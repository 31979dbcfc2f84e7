"""LiveModel: a champion that predicts, a shadow that learns along, and the number of events so far.

It is a function of its snapshot and its log: whoever replays the log has the same model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from hashlib import blake2b
from typing import NamedTuple

import msgspec

from thresher.errors import StateError
from thresher.models.model import Model
from thresher.service.pupil import Learned, Lesson, Pupil
from thresher.service.settings import Settings, created
from thresher.service.store import CHANGES, ROLLBACK, SHADOW, SWAP, Entry

#: Bytes of the log that are learned at a time in a replay.
MOST_JOINED = 1 << 18

_pack, _unpack = msgspec.msgpack.encode, msgspec.msgpack.decode


class Known(NamedTuple):
    """An event whose id is remembered: its number, what was said (a digest), and the answer."""

    sequence: int
    said: bytes
    answer: Learned

    def packed(self) -> bytes:
        """For the store, which keeps the number apart."""
        return _pack((self.said, *self.answer))

    @classmethod
    def of(cls, sequence: int, packed: bytes) -> Known:
        """From the store."""
        digest, *answer = _unpack(packed)
        return cls(sequence, digest, Learned(*answer))


def said(line: bytes) -> bytes:
    """A digest that tells a retry from another example with the same id."""
    return blake2b(line, digest_size=8).digest()


class LiveModel:
    """A model between two events.

    Parameters
    ----------
    settings
        What was asked for when it was made.
    champion
        Who predicts, in the state of this number.
    shadow
        Who learns along, if anybody does.
    sequence
        How many events and changes led to it.
    refuted_at
        The number of the event that refuted the claim, if one has.
    """

    def __init__(
        self,
        settings: Settings,
        champion: Model,
        shadow: Model | None = None,
        *,
        sequence: int = 0,
        refuted_at: int | None = None,
    ) -> None:
        self.settings, self.sequence, self.refuted_at = settings, sequence, refuted_at
        self.champion = Pupil(champion, settings.claim if refuted_at is None else None)
        self.shadow = None if shadow is None else Pupil(shadow)

    def learn(self, kind: str, lines: list[bytes], prepared: Lesson | None = None) -> list[Learned]:
        """Learn events, which are in the log and have the next numbers."""
        answers, refuted = self.champion.taught(kind, lines, prepared)
        if refuted is not None:
            self.refuted_at = self.sequence + 1 + refuted
        if self.shadow is not None:
            self.shadow.taught(kind, lines)
        self.sequence += len(lines)
        return answers

    def swap(self) -> None:
        """Let the shadow predict from here on, and the other learn along; alone it stays."""
        if self.shadow is not None:
            self.champion, self.shadow = self.shadow, self.champion
        self.sequence += 1

    def follow(self, shadow: Pupil | None) -> None:
        """Let a new learner learn along from here on; None: nobody."""
        self.shadow = shadow
        self.sequence += 1

    def done(self, entry: Entry) -> list[Learned]:
        """Do what an entry of the log says; to go back is for whoever has the past."""
        assert entry.kind != ROLLBACK
        if entry.first != self.sequence + 1:
            found = f"event {entry.first} of the log does not follow event {self.sequence}."
            raise StateError(found)
        if entry.kind == SWAP:
            self.swap()
        elif entry.kind == SHADOW:
            settings = msgspec.json.decode(entry.body, type=Settings) if entry.body else None
            self.follow(None if settings is None else Pupil(created(settings)))
        else:
            return self.learn(entry.kind, lines_in(entry))
        return []

    def copy(self) -> LiveModel:
        """The same, to learn on by itself."""
        return self.frozen()()

    def frozen(self) -> Callable[[], LiveModel]:
        """What makes a copy of the present state, in any thread, while this one learns on."""
        settings, sequence, refuted_at = self.settings, self.sequence, self.refuted_at
        champion = self.champion.frozen()
        shadow = None if self.shadow is None else self.shadow.frozen()

        def made() -> LiveModel:
            beside = None if shadow is None else shadow()
            twin = LiveModel(settings, champion(), beside, sequence=sequence, refuted_at=refuted_at)
            return twin

        return made


def lines_in(entry: Entry) -> list[bytes]:
    """The lines of an entry, one for each event, with their ends."""
    return [line + b"\n" for line in entry.body.split(b"\n")[: entry.size]]


def joined(entries: Iterable[Entry], cuts: set[int]) -> Iterator[Entry]:
    """Neighbouring events of one kind as one entry, but not across the numbers in `cuts`."""
    run: list[Entry] = []
    size = 0
    for entry in entries:
        fits = run and entry.kind == run[0].kind and entry.kind not in CHANGES
        if not fits or run[-1].last in cuts or size + len(entry.body) > MOST_JOINED:
            yield from _as_one(run)
            run, size = [], 0
        run.append(entry)
        size += len(entry.body)
    yield from _as_one(run)


def _as_one(run: list[Entry]) -> Iterator[Entry]:
    if len(run) < 2:
        yield from run
        return
    ids: list[str | None] | None = None
    if any(entry.ids is not None for entry in run):
        ids = [ident for entry in run for ident in entry.ids or [None] * entry.size]
    body = b"".join(entry.body for entry in run)
    yield run[-1]._replace(size=sum(entry.size for entry in run), body=body, ids=ids)


def parts(entry: Entry, until: int, cuts: Iterable[int]) -> Iterator[Entry]:
    """An entry up to a sequence number, cut behind some others."""
    last = min(entry.last, until)
    ends = sorted({cut for cut in cuts if entry.first <= cut < last} | {last})
    if ends == [entry.last]:
        yield entry
        return
    lines, start = lines_in(entry), 0
    for end in ends:
        stop = end - entry.first + 1
        ids = None if entry.ids is None else entry.ids[start:stop]
        yield entry._replace(last=end, size=stop - start, body=b"".join(lines[start:stop]), ids=ids)
        start = stop
