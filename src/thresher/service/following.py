"""Following: a replica that replays the log of a leader, to the bit, in a store of its own.

Entries of the leader's log are put into the replica's, with the same numbers, and then learned:
what holds after a restart of a service holds here as well. Where the leader's log does not continue
the replica's (it was compacted, restored from a backup, or the model was made anew), the replica
begins again with the leader's newest snapshot.
"""

from __future__ import annotations

import asyncio
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING, Any

import msgspec

from thresher.errors import ServiceError, ThresherError
from thresher.service import news
from thresher.service.deliveries import SNAPSHOT_BYTES
from thresher.service.live_model import Known, LiveModel, lines_in, said
from thresher.service.messages import NAME
from thresher.service.recovery import BESIDE, MODEL, loaded, state_at
from thresher.service.replication import Beginning, LogPage, fingerprint
from thresher.service.served_model import ServedModel
from thresher.service.settings import Settings, require_servable
from thresher.service.store import (
    CHANGES,
    ROLLBACK,
    Entry,
    Snapshot,
    Store,
    StoredModel,
    append,
    create,
    delete,
    require_at,
)

if TYPE_CHECKING:
    from thresher.service.leader import Leader
    from thresher.service.live_models import LiveModels

#: Seconds between two looks at which models there are, and the longest pause after a failure.
BEAT, LONGEST = 1.0, 5.0
#: Entries that are committed together, and learned before others have their turn.
RUN = 100
#: What means that the leader's log does not continue the replica's.
ANEW = ("service.not_kept", "service.diverged")


class Following:
    """Keeps the models of a replica in step with a leader."""

    def __init__(self, models: LiveModels, leader: Leader) -> None:
        self.leader, self._models = leader, models
        #: Which process this is, so that it does not follow itself.
        self.instance = models.instance
        #: When the leader last answered, and how far it was, by model.
        self.heard: float | None = None
        self._ahead: dict[str, int] = {}
        self._numbers: dict[str, int] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._watching: asyncio.Task[None] | None = None
        self._said = ""
        self._failing: set[str] = set()

    def begin(self) -> None:
        """Follow from now on."""
        self._watching = asyncio.create_task(self._watch())

    async def end(self) -> None:
        """Follow no more."""
        tasks = [*self._tasks.values(), *([self._watching] if self._watching else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self.leader.close()

    def lag(self, name: str) -> int | None:
        """How many numbers the leader was ahead when it last answered; None: it never did."""
        served, ahead = self._models.here(name), self._ahead.get(name)
        if served is None or ahead is None:
            return None
        return max(0, ahead - served.live.sequence)

    @property
    def silence(self) -> float | None:
        """Seconds since the leader last answered."""
        return None if self.heard is None else monotonic() - self.heard

    def refusal(self) -> ServiceError:
        """The answer to whoever wants to write here."""
        return ServiceError(
            f"this is a replica of {self.leader.address}, and learns from it alone.",
            "Ask the leader.",
            code="service.follower",
            address=self.leader.address,
        )

    # ---- which models ----------------------------------------------------------------------

    async def _watch(self) -> None:
        pause = BEAT
        while True:
            try:
                listing = await self.leader.listing()
                if listing.instance == self.instance:
                    raise ServiceError(
                        f"{self.leader.address} is this service itself.", code="service.leader"
                    )
                known = listing.models[: self._models.limits.models]
                await self._compare(
                    {one.name: one.sequence for one in known if NAME.fullmatch(one.name)}
                )
                self.heard, pause = monotonic(), BEAT
                self._remark("")
            except ServiceError as error:
                pause = min(LONGEST, 2 * pause)
                self._remark(str(error))
            await asyncio.sleep(pause)

    async def _compare(self, theirs: dict[str, int]) -> None:
        """Follow every model of the leader; forget those of which it says that there are none."""
        self._ahead.update(theirs)
        for name in theirs:
            task = self._tasks.get(name)
            if task is None or task.done():
                self._tasks[name] = asyncio.create_task(self._follow(name))
        for served in list(self._models):
            name = served.stored.name
            if name not in theirs and not await self.leader.has(name):
                if (task := self._tasks.pop(name, None)) is not None:
                    task.cancel()
                await self._forget(served)

    def _remark(self, text: str) -> None:
        """Say the same once."""
        if text and text != self._said:
            self._models.remark(f"following: {text}")
        elif not text and self._said:
            self._models.remark(f"following: {self.leader.address} answers again.")
        self._said = text

    def _remark_of(self, name: str, text: str) -> None:
        """Say of a model that it cannot be followed, until it can again."""
        if name not in self._failing:
            self._models.remark(f"following {name!r}: {text}")
        self._failing.add(name)

    # ---- one model -------------------------------------------------------------------------

    async def _follow(self, name: str) -> None:
        """Ask for the log again and again, until the model is gone or this ends."""
        pause = 0.1
        digest = await asyncio.to_thread(self._last_digest, self._models.here(name))
        while True:
            try:
                served = self._models.here(name)
                if served is None or (not digest and name not in self._numbers):
                    # After a start, and without an entry to show, nothing tells the log from that
                    # of another model.
                    served, digest = await self._begun(name, served), ""
                page = await self.leader.log(name, served.live.sequence, digest)
                self.heard, self._ahead[name] = monotonic(), page.last
                # After a start the entry that was shown is the leader's, so this is the model.
                self._numbers.setdefault(name, page.number)
                if self._numbers.get(name) != page.number:
                    raise ServiceError(f"{name!r} was made anew.", code="service.diverged")
                digest = await self._taken(served, page) or digest
                pause = 0.1
                self._failing.discard(name)
            except Exception as error:
                code = error.code if isinstance(error, ThresherError) else "service.diverged"
                if code == "service.no_model":
                    return
                self._remark_of(name, f"{type(error).__name__}: {error}")
                if code in ANEW and (found := self._models.here(name)) is not None:
                    await self._forget(found)
                await asyncio.sleep(pause)
                pause = min(LONGEST, 2 * pause)

    def _last_digest(self, served: ServedModel | None) -> str:
        """Of the last entry of the replica's log, if it has one."""
        if served is None:
            return ""
        store, last = self._models.store, served.live.sequence
        query = "SELECT max(last) FROM log WHERE model = ? AND last < ?"
        row = store.reading.execute(query, (served.stored.number, last)).fetchone()
        own = list(store.entries(served.stored.number, row[0] or 0, last))
        return fingerprint(own[-1]) if own else ""

    async def _begun(self, name: str, before: ServedModel | None) -> ServedModel:
        """Begin with the newest snapshot of the leader; until it is here, what was served stays."""
        found = await self.leader.beginning(name)
        if MODEL not in found.files or found.sequence < 0:
            raise ServiceError(f"{name!r} came without a model.", code="service.leader")
        store, files = self._models.store, {}
        for what, data in found.files.items():
            files[what] = f"{token_hex(12)}.thr"
            with store.base.new_file(files[what]) as path:
                await asyncio.to_thread(path.write_bytes, data)
        snapshot = Snapshot(files, found.refuted_at)
        try:
            live = await asyncio.to_thread(_live, store, found, files)
            if before is not None:
                await self._forget(before)
            number = await self._committed(
                lambda db: create(db, name, found.settings, snapshot, found.sequence)
            )
        except Exception as error:
            # Whatever the leader sent, it was no model.
            store.base.remove(files.values())
            raise ServiceError(f"{name!r} cannot be read: {error}", code="service.leader") from None
        self._numbers[name] = found.number
        stored = StoredModel(number, name, found.settings)
        return self._models.add(ServedModel(store, stored, live, {}))

    async def _forget(self, served: ServedModel) -> None:
        """Let go of a model, to begin anew or because the leader has."""
        self._models.drop(served)
        served.ended()
        self._numbers.pop(served.stored.name, None)
        await self.discard(served.stored)

    async def discard(self, stored: StoredModel) -> None:
        """Let go of what the store has of a model."""
        files = await self._committed(lambda db: delete(db, stored.number))
        self._models.store.base.remove(files)

    async def _taken(self, served: ServedModel, page: LogPage) -> str:
        """Put what the leader said into the log, and learn it; the digest of the last entry."""
        together: list[Entry] = []
        last, digest = served.live.sequence, ""
        kinds = served.live.champion.reader.inputs.kinds
        for parts in page.entries:
            entry = Entry(*parts)
            lines = entry.kind in kinds and len(lines_in(entry)) == entry.size
            sound = entry.kind in CHANGES or lines
            sound = sound and (entry.ids is None or len(entry.ids) == entry.size)
            if entry.first != last + 1 or entry.size < 1 or not sound:
                raise ServiceError(
                    f"an entry of kind {entry.kind[:20]!r} that ends with {entry.last} came behind "
                    f"number {last}.",
                    code="service.diverged",
                )
            last, digest = entry.last, fingerprint(entry)
            if together and (ROLLBACK in (entry.kind, together[0].kind) or len(together) >= RUN):
                await self._committed_together(served, together)
                together = []
            together.append(entry)
        if together:
            await self._committed_together(served, together)
        return digest

    async def _committed_together(self, served: ServedModel, run: list[Entry]) -> None:
        """Entries, or one that goes back: into the log in one step, then learned."""
        store, number, past, target = self._models.store, served.stored.number, None, 0
        if run[0].kind == ROLLBACK:
            target = int(run[0].body)
            past = await asyncio.to_thread(
                state_at, store, served.stored, target, self._models.remark
            )

        def work(db: Any) -> None:
            require_at(db, number, run[0].first - 1)
            for entry in run:
                append(db, number, entry.kind, entry.body, entry.ids, entry.size)

        def learned(_: None) -> None:
            served.log_bytes += sum(len(entry.body) for entry in run)
            if past is not None:
                past.sequence = run[0].last
                served.live = past
                served.moved([{"event": ROLLBACK, "sequence": past.sequence, "to": target}])
                return
            for entry in run:
                self._learned(served, entry)

        try:
            await self._committed(work, learned)
        except ServiceError:
            raise
        except Exception as error:
            # In the log, and not learned: begin anew.
            raise ServiceError(
                f"what ends with {run[-1].last} could not be learned ({type(error).__name__}).",
                code="service.diverged",
            ) from error
        if served.log_bytes > max(SNAPSHOT_BYTES, served.snapshot_due):
            self._models.snapshot_soon(served)

    def _learned(self, served: ServedModel, entry: Entry) -> None:
        refuted, answers = served.live.refuted_at, served.live.done(entry)
        if entry.kind in CHANGES:
            # At once: what is learned next is the work of another.
            served.moved([{"event": entry.kind, "sequence": entry.last}])
            return
        lines = lines_in(entry)
        for place, ident in enumerate(entry.ids or ()):
            if ident is not None:
                number = entry.first + place
                served.known[ident] = Known(number, said(lines[place]), answers[place])
        news.tell(self._models, served, entry.kind, lines, answers, refuted)

    async def _committed(self, work: Any, done: Any = lambda result: result) -> Any:
        """Do a work and what follows from it; a replica has no other way to write."""
        return await self._models.commit(work, done, own=True)


def _live(store: Store, found: Beginning, files: dict[str, str]) -> LiveModel:
    """The model in the files of a snapshot that came from elsewhere."""
    models = {what: loaded(store, file) for what, file in files.items()}
    settings = msgspec.json.decode(found.settings, type=Settings)
    for model in models.values():
        require_servable(model)
    return LiveModel(
        settings,
        models[MODEL],
        models.get(BESIDE),
        sequence=found.sequence,
        refuted_at=found.refuted_at,
    )
