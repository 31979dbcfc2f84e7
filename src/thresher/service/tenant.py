"""Tenant: the session that writes, and the models that it alone writes about.

Assumes: locks of a session end with the session, and not before (no pooler in between).

Promises: a model has one session that writes about it. Its advisory lock is held by that session;
every transaction also compares, and holds until its end, the number that stands in the table of
owners. A session that has lost a model, in whatever way, puts nothing behind its log. A commit that
was not answered is looked for before anybody is told.

Each transaction counts itself in a row of its own session. After a connection was lost in the
middle of a commit, that row tells whether the commit is there: it cannot be read while the old
session may still write it, and, unlike the number of a transaction, it is never given to another
one after a crash.
"""

from __future__ import annotations

from contextlib import suppress
from time import monotonic, sleep
from typing import NamedTuple

from thresher.errors import ServiceError, StoreError
from thresher.service.place import Place
from thresher.service.remembered_ids import RememberedIds
from thresher.service.session import Session, unreachable
from thresher.service.store import LAST, StoredModel

#: Seconds for which a commit that was not answered is looked for, and between two attempts to
#: reconnect.
LOOKED_FOR = 10.0
PAUSE = 0.5
#: Seconds after which a question of the writer is given up.
PATIENCE = 15.0
#: And when nothing is to be learned any more.
LEAVE = 1.0


class Claim(NamedTuple):
    """Whose the models of a store are."""

    #: The number of the session that asked.
    instance: int
    #: Models that it has taken and are not yet at work, with the last numbers of their logs.
    taken: list[tuple[StoredModel, int]]
    #: The numbers of all that it has, those included.
    mine: set[int]
    #: Where all others are, by their names.
    elsewhere: dict[str, str]


class Tenant(Session):
    """The session of an instance that writes; a new one begins where the connection was lost."""

    def __init__(self, place: Place, address: str, ids: RememberedIds) -> None:
        super().__init__(place, PATIENCE)
        self.address, self._ids = address, ids
        #: The number of this session among all that ever wrote; 0: it has not written.
        self.instance = 0
        self._transactions = 0
        self._not_before = 0.0
        #: Models that the one who learns is known to be level with, and in which session.
        self._confirmed: dict[int, int] = {}
        #: Whether a place to come back to is marked.
        self._inside = False
        #: Models whose owner was compared in this transaction.
        self._compared: set[int] = set()

    # ---- transactions --------------------------------------------------------------------

    def begin(self) -> None:
        """Begin a transaction, if need be in a new session."""
        if self.lost:
            self._come_back()
        try:
            self._begin()
        except ServiceError:
            # It was lost while nobody asked. Nothing was written yet.
            if not self.lost:
                raise
            self._come_back()
            self._begin()

    def _begin(self) -> None:
        if not self.instance:
            self._register()
        self._compared.clear()
        self._along, self._inside = [b"BEGIN"], False
        row = self.execute(
            "UPDATE instances SET transactions = transactions + 1, seen = now() WHERE number = ?"
            " RETURNING transactions",
            (self.instance,),
        ).fetchone()
        if row is None:
            # Somebody took it for dead.
            self.close()
            raise unreachable()
        self._transactions = row[0]

    def commit(self) -> None:
        """End it durably; if no answer comes, look whether it is there."""
        self._along = []
        try:
            done = self.execute("COMMIT")
        except Exception:
            if not self._is_there():
                raise
            return
        if done.statusmessage != "COMMIT":
            raise ServiceError("the database undid a transaction.", code="service.busy")

    def roll_back(self) -> None:
        """End it without a trace; a session that is lost has ended it."""
        self._along = []
        try:
            self.execute("ROLLBACK")
        except ServiceError:
            self.close()

    def savepoint(self) -> None:
        """Mark a place, with the next question."""
        self._along = [*([b"RELEASE work"] if self._inside else []), b"SAVEPOINT work"]

    def back(self) -> None:
        """Undo what was done since then, the locks that it took included."""
        if self._along:
            # Nothing was done.
            self._along = []
            return
        self._inside = True
        self.execute("ROLLBACK TO work")
        self._compared.clear()

    def release(self) -> None:
        """Keep what was done; the place is forgotten with the next one, or with the end."""
        self._inside = self._inside or not self._along
        self._along = []

    def _is_there(self) -> bool:
        """Whether a commit that was not answered was made."""
        number, wanted = self.instance, self._transactions
        until = monotonic() + LOOKED_FOR
        while True:
            try:
                if self.lost:
                    self._reopen()
                # Waits for the old session, if it still writes.
                row = self.execute(
                    "SELECT transactions FROM instances WHERE number = ? FOR UPDATE", (number,)
                ).fetchone()
                return row is not None and row[0] >= wanted
            except (ServiceError, StoreError):
                if monotonic() > until:
                    break
                sleep(0.1)
        raise ServiceError(
            "the database was lost in the middle of a commit: whether this was learned is not "
            "known.",
            "Send it again with the same id: it is learned once.",
            code="service.unknown",
        )

    def _come_back(self) -> None:
        if monotonic() < self._not_before:
            raise unreachable()
        self._not_before = monotonic() + PAUSE
        try:
            self._reopen()
        except StoreError as error:
            raise unreachable() from error

    def _reopen(self) -> None:
        self.reopen()
        self.instance, self._along = 0, []

    def _register(self) -> None:
        row = self.execute(
            "INSERT INTO instances (address, pid, transactions, seen)"
            " VALUES (?, pg_backend_pid(), 0, now()) RETURNING number",
            (self.address,),
        ).fetchone()
        self.instance = row[0]

    # ---- whose a model is ----------------------------------------------------------------

    def held(self, model: int) -> bool:
        """Whether a model is there and is this session's; it stays so in this transaction."""
        if model in self._compared:
            return True
        row = self.execute(
            "SELECT instance FROM owners WHERE model = ? FOR SHARE", (model,)
        ).fetchone()
        if row is None:
            return False
        if row[0] != self.instance or self._confirmed.get(model) != self.instance:
            raise ServiceError(
                "the connection to the database was lost, and another instance may have the model "
                "now: nothing was learned, and nothing is lost.",
                "Send it again.",
                code="service.unreachable",
            )
        self._compared.add(model)
        return True

    def own(self, model: int) -> None:
        """Be the one who writes about a model that is being made."""
        self._try_lock(model)
        self.execute("INSERT INTO owners VALUES (?, ?)", (model, self.instance))
        self.confirm(model, self.instance)
        self._ids.begin(model, [])

    def confirm(self, model: int, instance: int) -> None:
        """Whoever learns is level with the log that this session took over."""
        self._confirmed[model] = instance

    def claimed(self) -> Claim:
        """Take every model that nobody has, and say whose the others are."""
        rows = self.execute(
            "SELECT m.number, m.name, m.settings, o.instance, i.address, l.pid FROM models m"
            " LEFT JOIN owners o ON o.model = m.number"
            " LEFT JOIN instances i ON i.number = o.instance"
            " LEFT JOIN pg_locks l ON l.locktype = 'advisory' AND l.granted AND l.objsubid = 2"
            " AND l.objid = m.number::oid AND l.classid = current_schema()::regnamespace::oid"
            " AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            " ORDER BY m.number"
        ).fetchall()
        taken: list[tuple[StoredModel, int]] = []
        mine: set[int] = set()
        elsewhere: dict[str, str] = {}
        own = self._raw.info.backend_pid
        for number, name, settings, instance, address, pid in rows:
            if instance != self.instance:
                if pid not in (None, own) or not self._try_lock(number):
                    elsewhere[name] = address or ""
                    continue
                # Waits for a transaction that compared the number before.
                self.execute(
                    "INSERT INTO owners VALUES (?, ?) ON CONFLICT (model) DO UPDATE SET"
                    " instance = excluded.instance",
                    (number, self.instance),
                )
            if self._confirmed.get(number) != self.instance:
                # Until whoever learns is level with it, however often that fails.
                last = self.execute(LAST, (number,)).fetchone()[0]
                taken.append((StoredModel(number, name, bytes(settings)), int(last)))
            mine.add(number)
        self._end_silent({pid for *_, pid in rows if pid not in (None, own)})
        self.execute(
            "DELETE FROM instances WHERE seen < now() - interval '1 day'"
            " AND number NOT IN (SELECT instance FROM owners)"
        )
        return Claim(self.instance, taken, mine, elsewhere)

    def _try_lock(self, model: int) -> bool:
        row = self.execute(
            "SELECT pg_try_advisory_lock(current_schema()::regnamespace::oid::int, ?::int)",
            (model,),
        ).fetchone()
        return bool(row[0])

    def let_go(self) -> None:
        """Release the models before the session ends: the server may take a while to see that."""
        self._patience = LEAVE
        if self.instance and not self.lost:
            with suppress(ServiceError):
                self.execute("SELECT pg_advisory_unlock_all()")

    def _end_silent(self, pids: set[int]) -> None:
        """End sessions that have models and have given no sign of life for too long."""
        if pids:
            self.execute(
                "SELECT pg_terminate_backend(p) FROM unnest(?1::int[]) AS p WHERE NOT EXISTS"
                " (SELECT 1 FROM instances i WHERE i.pid = p"
                " AND i.seen > now() - ?2::float8 * interval '1 second')",
                (sorted(pids), self._place.takeover),
            )
