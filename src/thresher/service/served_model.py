"""ServedModel: a live model with those who wait for it: ids in flight, readers, subscribers."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from heapq import heapify, heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from thresher.errors import ServiceError
from thresher.service.live_model import Known, LiveModel, said
from thresher.service.pupil import Learned
from thresher.service.store import Store, StoredModel
from thresher.service.watch import Watch

if TYPE_CHECKING:
    from thresher.service.deliveries import Load

#: Events that come with every request that was learned; all others are rare.
EVERY_REQUEST = ("learned", "mistake")
#: Events that wait for a subscriber; whoever is further behind is sent away.
MOST_BEHIND = 1_000


class Answered(NamedTuple):
    """The answers to the events of one request: the number of the first, and what it said."""

    first: int
    answers: list[Learned]


class Promise(NamedTuple):
    """An event that is on its way to the log."""

    digest: bytes
    done: asyncio.Future[Answered]
    #: Its place among the events that it came with.
    place: int


class ServedModel:
    """A model of the store, at work; everything here happens in one thread."""

    def __init__(
        self, store: Store, stored: StoredModel, live: LiveModel, known: dict[str, Known]
    ) -> None:
        self.store, self.stored, self.live = store, stored, live
        #: Ids of events that are in the log and not yet in the table of ids, oldest first.
        self.known = known
        self.promised: dict[str, Promise] = {}
        #: Events that wait for the writer, and may be joined by others.
        self.loading: Load | None = None
        #: Names of the classes of events that wait; a learner of two has none.
        self.coming: Counter[str] = Counter()
        self.watch = Watch(live)
        #: Why it can learn no more, if something happened that nobody foresaw.
        self.stuck: str | None = None
        #: Whether another instance has it now, or this one begins with it anew.
        self.gone = False
        #: Bytes of the log behind the newest snapshot, and how many make the next one due.
        self.log_bytes = store.log_bytes(stored.number, max(store.snapshots(stored.number)))
        self.snapshot_due = 0
        self.snapshot_running = False
        #: Seconds that it took to freeze the model when that was last done; readers wait so long.
        self.freezing = 0.0
        #: One at a time looks at the whole model, for it takes memory; its last digest, by etag.
        self.looking, self.digest = asyncio.Lock(), ("", "")
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = count()
        #: Who listens, and whether to the events of every request as well.
        self._subscribers: dict[asyncio.Queue[dict[str, Any] | None], bool] = {}

    @property
    def etag(self) -> str:
        """What tells this state of the model from all others."""
        return f'"{self.stored.number}.{self.live.sequence}"'

    def require_learning(self) -> None:
        """Refuse if it can learn no more."""
        if self.gone:
            raise ServiceError(
                f"{self.stored.name!r} was taken over while this was asked: nothing was learned, "
                "and nothing is lost.",
                "Send it again.",
                code="service.unreachable",
            )
        if self.stuck is not None:
            raise ServiceError(
                f"{self.stored.name!r} has stopped learning: {self.stuck}",
                "What was acknowledged is kept. Start the service again.",
                code="service.stuck",
            )

    # ---- ids -----------------------------------------------------------------------------

    def known_id(self, ident: str) -> Known | None:
        """What became of the event with this id, if it is in the log or remembered."""
        found = self.known.get(ident)
        if found is None and (kept := self.store.known(self.stored.number, ident)) is not None:
            found = Known.of(*kept)
        return found

    def require_same(self, ident: str, digest: bytes, line: bytes) -> None:
        """Refuse another example under an id that was used."""
        if digest != said(line):
            raise ServiceError(
                f"the id {ident!r} was used for another example: a retry has the same features, "
                "label and importance.",
                "Give every event an id of its own.",
                code="service.id_used",
                id=ident,
            )

    # ---- waiting -------------------------------------------------------------------------

    async def reached(self, sequence: int, seconds: float) -> None:
        """Wait until so many events have been learned."""
        if self.live.sequence >= sequence:
            return
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        place = (sequence, next(self._order), future)
        heappush(self._waiting, place)
        try:
            await asyncio.wait_for(future, seconds)
        except TimeoutError:
            # A number that is never reached would be kept for ever.
            if place in self._waiting:
                self._waiting.remove(place)
                heapify(self._waiting)
            raise ServiceError(
                f"number {sequence} was not reached in {seconds:g} seconds; the model is at "
                f"{self.live.sequence}.",
                code="service.behind",
                sequence=self.live.sequence,
            ) from None

    def moved(self, events: list[dict[str, Any]]) -> None:
        """Tell everybody that the model has changed, and what happened."""
        while self._waiting and self._waiting[0][0] <= self.live.sequence:
            future = heappop(self._waiting)[2]
            if not future.done():
                future.set_result(None)
        self.watch.turn_to(self.live)
        rare = [event for event in events if event["event"] not in EVERY_REQUEST]
        self.watch.alarms.extend(rare)
        for queue, whole in list(self._subscribers.items()):
            wanted = events if whole else rare
            if queue.qsize() + len(wanted) > MOST_BEHIND:
                del self._subscribers[queue]
                queue.put_nowait(None)
                continue
            for event in wanted:
                queue.put_nowait(event)

    @contextmanager
    def subscribed(self, *, whole: bool) -> Iterator[asyncio.Queue[dict[str, Any] | None]]:
        """A queue of what happens from now on, without what comes every time unless it is whole.

        None is its end.
        """
        queue: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        self._subscribers[queue] = whole
        try:
            yield queue
        finally:
            self._subscribers.pop(queue, None)

    @property
    def watched(self) -> bool:
        """Whether somebody listens to the events of every request."""
        return any(self._subscribers.values())

    def ended(self) -> None:
        """Send all away who wait for something."""
        for _, _, future in self._waiting:
            if not future.done():
                future.set_exception(
                    ServiceError("nothing more happens here.", code="service.stopping")
                )
        self._waiting.clear()
        for queue in self._subscribers:
            queue.put_nowait(None)
        self._subscribers.clear()
