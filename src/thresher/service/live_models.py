"""LiveModels: all models of a store at work; what is asked of them goes through the log.

The order of an event: read and checked, put into the log, committed, learned, acknowledged. All
but the commit happens in one thread, so that whoever predicts sees the model between two events,
and never waits for the disk.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from secrets import token_hex
from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

from thresher.errors import ServiceError
from thresher.service.following import Following
from thresher.service.recovery import recovered, tidied
from thresher.service.served_model import ServedModel
from thresher.service.snapshots import snapshot_in_time
from thresher.service.store import Kept, Store
from thresher.service.tally import Tally
from thresher.service.tenancy import Tenancy
from thresher.service.writer import Group, Told, Work, Writer

if TYPE_CHECKING:
    from thresher.service.leader import Leader

#: The thread is given back to others after so many seconds of learning what was committed.
TURN = 0.005


class Limits(NamedTuple):
    """What is taken at most, so that memory is bounded whoever asks."""

    #: Bytes of a request, rows in it, features of a row.
    body: int = 8 << 20
    rows: int = 10_000
    features: int = 10_000
    #: Models of a store, classes of a model, characters of their names.
    models: int = 1_000
    classes: int = 1_000
    name: int = 1_000
    #: Classes times columns: a learner has a weight or more for each.
    cells: int = 1 << 28
    #: Requests that wait to be committed.
    waiting: int = 10_000
    #: Bytes of a model file that is sent, and of memory for its arrays.
    file: int = 1 << 30
    model: int = 4 << 30
    #: Seconds for a body and for a model file to arrive, and for `at_least` to be reached.
    body_seconds: float = 30.0
    file_seconds: float = 600.0
    reach_seconds: float = 30.0
    #: Streams of events that are open at a time.
    streams: int = 100


class LiveModels:
    """The models of a store; to be made and used inside an event loop.

    Parameters
    ----------
    store
        Where they live.
    limits, keep
        What is taken, and what is kept, at most.
    remark
        Who hears of what an operator should know.
    read_only
        Whether nothing is learned.
    leader
        Whose log is replayed, and nothing else learned.
    """

    def __init__(
        self,
        store: Store,
        *,
        limits: Limits | None = None,
        keep: Kept | None = None,
        remark: Callable[[str], None] = lambda text: None,
        read_only: bool = False,
        leader: Leader | None = None,
    ) -> None:
        self.store, self.limits = store, limits or Limits()
        self.keep, self.read_only = keep or Kept(), read_only
        self.tally = Tally()
        self.ready = False
        #: Streams of events that are open.
        self.streams = 0
        #: Requests that wait to be committed together with others that were there before.
        self.along = 0
        #: Whether the last commit succeeded.
        self.writable = True
        self.remark = remark
        #: Who is called when a claim was refuted, or a model errs more often.
        self.alarm: Callable[[dict[str, Any]], None] = lambda event: None
        self._served: dict[str, ServedModel] = {}
        self._loop = asyncio.get_running_loop()
        self._groups: deque[Any] = deque()
        self._snapshots: set[asyncio.Task[None]] = set()
        self._writer = Writer(store.writing, self._delivered)
        #: Which process this is, for those who follow.
        self.instance = token_hex(8)
        self.following = None if leader is None else Following(self, leader)
        #: Which models are this process's, where several share a store.
        self._tenancy = Tenancy(self) if store.shared else None

    async def recover(self) -> None:
        """Bring all models back; the service is ready then."""
        await asyncio.to_thread(tidied, self.store)
        if self._tenancy is not None:
            await self._tenancy.begin()
            self.ready = True
            return
        for stored in self.store.models():
            try:
                found = await asyncio.to_thread(recovered, self.store, stored, self.remark)
            except Exception as error:
                if self.following is None:
                    raise
                # What a leader sent is sent again.
                self.remark(f"{stored.name!r} is fetched anew: {error}")
                await self.following.discard(stored)
                continue
            served = ServedModel(self.store, stored, found.live, found.known)
            self._served[stored.name] = served
        self.ready = True
        if self.following is not None:
            self.following.begin()

    async def close(self, seconds: float = 20.0) -> None:
        """Learn what waits, write snapshots down, and end."""
        for served in self._served.values():
            served.ended()
        for ending in (self._tenancy, self.following):
            if ending is not None:
                await ending.end()
        await asyncio.to_thread(self._writer.stop)
        while self._groups:
            await asyncio.sleep(0)
        # The last groups were delivered to this loop before the writer ended.
        await asyncio.sleep(0)
        if self._snapshots:
            await asyncio.wait(self._snapshots, timeout=seconds)

    # ---- who is there --------------------------------------------------------------------

    def __iter__(self) -> Iterator[ServedModel]:
        return iter(self._served.values())

    def __getitem__(self, name: str) -> ServedModel:
        served = self._served.get(name)
        if served is None:
            if not self.ready:
                raise ServiceError("the service is replaying its log.", code="service.not_ready")
            if self._tenancy is not None:
                self._tenancy.require_here(name)
            raise ServiceError(f"there is no model {name!r}.", code="service.no_model", name=name)
        return served

    def get(self, name: str) -> ServedModel | None:
        """The model of this name, or None; one that is elsewhere is not None."""
        found = self._served.get(name)
        if found is None and self._tenancy is not None:
            self._tenancy.require_here(name)
        return found

    def here(self, name: str) -> ServedModel | None:
        """The model of this name, if it is at work in this process."""
        return self._served.get(name)

    def add(self, served: ServedModel) -> ServedModel:
        """Take a model that is in the store."""
        self._served[served.stored.name] = served
        return served

    def drop(self, served: ServedModel) -> None:
        """Let go of a model that is no longer in the store."""
        if self._served.get(served.stored.name) is served:
            del self._served[served.stored.name]

    @property
    def waiting(self) -> int:
        """How many requests wait to be committed."""
        return len(self._writer) + self.along

    # ---- the writer ----------------------------------------------------------------------

    def _delivered(self, group: Group) -> None:
        """In the writer's thread: hand a group over to the loop."""
        self._loop.call_soon_threadsafe(self._take, group)

    def _take(self, group: Group) -> None:
        self.tally.committed(len(group.waiting), group.seconds)
        failed = [error for _, error in group.results if error is not None]
        self.writable = len(failed) < len(group.results) or all(
            isinstance(error, ServiceError) and error.status < 500 for error in failed
        )
        idle = not self._groups
        self._groups.extend(zip(group.waiting, group.results, strict=True))
        if idle:
            self._go_on()

    def _go_on(self) -> None:
        """Tell everybody what was committed, in order, a while at a time."""
        until = perf_counter() + TURN
        while self._groups:
            one, (result, error) = self._groups[0]
            one.told(result, error)
            self._groups.popleft()
            if perf_counter() > until and self._groups:
                self._loop.call_soon(self._go_on)
                return

    def require_writing(self) -> None:
        """Refuse what would change something, where nothing can be changed."""
        if self.following is not None:
            raise self.following.refusal()
        if self.read_only:
            raise ServiceError(
                "this service only predicts: it was started so.", code="service.read_only"
            )
        if not self.ready:
            raise ServiceError("the service is replaying its log.", code="service.not_ready")
        if self.waiting >= self.limits.waiting:
            raise ServiceError(f"{self.waiting} requests wait to be written.", code="service.busy")

    async def commit(
        self,
        work: Work,
        done: Callable[[Any], Any] = lambda result: result,
        *,
        own: bool = False,
    ) -> Any:
        """Do a work and then, in the order of commits, what follows from it.

        What the service does by itself, and nobody asked for, is `own`.
        """
        if not own:
            self.require_writing()
        future: asyncio.Future[Any] = self._loop.create_future()

        def told(result: Any, error: Exception | None) -> None:
            settled = None
            try:
                settled = None if error is not None else done(result)
            except Exception as failure:
                error = failure
            if future.cancelled():
                return
            if error is not None:
                future.set_exception(error)
                # Whoever asked may have gone.
                future.exception()
            else:
                future.set_result(settled)

        self.submit(work, told)
        return await asyncio.shield(future)

    def submit(self, work: Work, told: Told) -> None:
        """Hand a work to the writer; `told` is called in the order of commits."""
        self._writer.submit(work, told)

    # ---- snapshots -----------------------------------------------------------------------

    def snapshot_soon(self, served: ServedModel) -> None:
        """Write a model down meanwhile; one snapshot of it at a time."""
        if served.snapshot_running:
            return
        task = self._loop.create_task(snapshot_in_time(self, served))
        self._snapshots.add(task)
        task.add_done_callback(self._snapshots.discard)
