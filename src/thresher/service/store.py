"""Store: what a service keeps: models, the log of events, snapshots, ids.

The log has what was said, in the words in which it was said, in one order for each model; a
snapshot is an ordinary model file. The newest snapshot that can be read and the log behind it make
the model. Everything that changes the store is a function of a connection, which a `Writer` calls
inside a transaction.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from math import inf, nextafter
from pathlib import Path
from time import time
from typing import Any, NamedTuple

import msgspec

from thresher.errors import ServiceError, StoreError
from thresher.service.connection import Connection, Database
from thresher.service.database import SNAPSHOTS, Folder
from thresher.service.place import is_postgres

#: Entries of the log that change a model otherwise than by learning; all others are events.
ROLLBACK, SWAP, SHADOW = "rollback", "swap", "shadow"
CHANGES = (ROLLBACK, SWAP, SHADOW)
#: Entries of the log that are read at a time.
PAGE = 100

_pack, _unpack = msgspec.msgpack.encode, msgspec.msgpack.decode


def all_of(db: Connection, query: str, *values: Any) -> list[Any]:
    """What a query finds."""
    found: list[Any] = db.execute(query, values).fetchall()
    return found


def first_of(db: Connection, query: str, *values: Any) -> Any:
    """The first value that a query finds; None where it finds nothing."""
    row = db.execute(query, values).fetchone()
    return None if row is None else row[0]


class Entry(NamedTuple):
    """A piece of the log: some events that came together, or a change of the model."""

    #: The sequence numbers of its events are the `size` that end with this one.
    last: int
    size: int
    #: The format of the lines in `body`, or which change it is.
    kind: str
    body: bytes
    #: One for each event, None where it has none; or None: nobody has one.
    ids: list[str | None] | None

    @property
    def first(self) -> int:
        """The sequence number of its first event."""
        return self.last - self.size + 1


class StoredModel(NamedTuple):
    """A model as the store knows it; a name that is given away again has another number."""

    number: int
    name: str
    settings: bytes


class Snapshot(NamedTuple):
    """A model that was written down: its files by what they are, and what else is to be known."""

    files: dict[str, str]
    refuted_at: int | None = None

    def packed(self) -> bytes:
        """For the database."""
        return _pack((self.files, self.refuted_at))

    @classmethod
    def of(cls, packed: bytes) -> Snapshot:
        """From the database."""
        return cls(*_unpack(packed))


class KnownId(NamedTuple):
    """What became of an event whose id is remembered."""

    sequence: int
    #: Digest of what was said, and the answer, as `live_model` has them.
    answer: bytes


class Store:
    """A folder, or a schema of PostgreSQL; see `database` and `postgres` for what they promise.

    Parameters
    ----------
    where
        A folder, of which this process is the only user; or the address of a database.
    vfs
        A file system for SQLite, for tests.
    address
        Where this process can be asked, for others at work on the same store.
    """

    def __init__(
        self, where: str | os.PathLike[str], *, vfs: str | None = None, address: str = ""
    ) -> None:
        self.base: Database = (
            _postgres(str(where), address) if is_postgres(where) else Folder(where, vfs=vfs)
        )
        self.where, self.shared = self.base.where, self.base.shared
        #: For the one thread that writes, and for those who only look.
        self.writing: Any = self.base.writing
        self.reading: Any = self.base.reading

    def close(self) -> None:
        """Let go of it; everything that was committed is in it."""
        self.base.close()

    # ---- reading -------------------------------------------------------------------------

    @contextmanager
    def at_this_moment(self) -> Iterator[Store]:
        """The same store as it is now, for whoever reads it for a while in their own thread."""
        twin = copy(self)
        with self.base.moment() as twin.reading:
            yield twin

    def models(self) -> list[StoredModel]:
        """All models, in the order in which they were made."""
        rows = self.reading.execute("SELECT number, name, settings FROM models ORDER BY number")
        return [StoredModel(*row) for row in rows]

    def last(self, model: int) -> int:
        """The last sequence number of a model; 0 before the first event."""
        return last_sequence(self.reading, model)

    def entries(self, model: int, after: int, until: int | None = None) -> Iterator[Entry]:
        """The log behind a sequence number, up to and with another one."""
        return entries(self.reading, model, after, until)

    def rollbacks(self, model: int, after: int, until: int) -> list[int]:
        """Where the rollbacks behind a sequence number go back to, up to and with another one."""
        query = "SELECT body FROM log WHERE model = ? AND kind = ? AND last > ? AND last <= ?"
        rows = all_of(self.reading, query, model, ROLLBACK, after, until)
        return [int(bytes(body)) for (body,) in rows]

    def snapshots(self, model: int) -> dict[int, Snapshot]:
        """The snapshots of a model by the sequence numbers they were taken at, oldest first."""
        rows = self.reading.execute(
            "SELECT sequence, files FROM snapshots WHERE model = ? ORDER BY sequence", (model,)
        )
        return {sequence: Snapshot.of(packed) for sequence, packed in rows}

    def path(self, file: str) -> Path:
        """Where a file of a snapshot is, in a store that is a folder."""
        return Path(self.where, SNAPSHOTS, file)

    def size(self, file: str) -> int:
        """How many bytes a file of a snapshot has; 0 if it is gone."""
        return self.base.size(file)

    def known_of(self, model: int, idents: Iterable[str]) -> dict[str, KnownId]:
        """What became of the events with these ids, of those that are remembered."""
        asked = [ident for ident in idents if self.base.known_apart(model, ident)]
        query = "SELECT id, sequence, answer FROM ids WHERE model = ? AND id IN ({})"
        rows = self._in_pieces(query, (model,), asked)
        return {ident: KnownId(sequence, answer) for ident, sequence, answer in rows}

    def pending_of(self, model: int, idents: list[str], since: float) -> dict[str, bytes]:
        """The features of predictions that wait for their labels, of those made since then."""
        query = "SELECT id, features FROM pending WHERE model = ? AND at >= ? AND id IN ({})"
        rows = self._in_pieces(query, (model, since), idents)
        return {ident: bytes(features) for ident, features in rows}

    def _in_pieces(self, query: str, values: tuple[Any, ...], idents: list[str]) -> Iterator[Any]:
        for start in range(0, len(idents), PAGE):
            some = idents[start : start + PAGE]
            marks = ", ".join("?" * len(some))
            yield from all_of(self.reading, query.format(marks), *values, *some)

    def known(self, model: int, ident: str) -> KnownId | None:
        """What became of the event with this id, if it is remembered and not only in the log."""
        if not self.base.known_apart(model, ident):
            return None
        row = self.reading.execute(
            "SELECT sequence, answer FROM ids WHERE model = ? AND id = ?", (model, ident)
        ).fetchone()
        return None if row is None else KnownId(*row)

    def log_bytes(self, model: int, after: int) -> int:
        """The size of the log behind a sequence number."""
        query = "SELECT coalesce(sum(length(body)), 0) FROM log WHERE model = ? AND last > ?"
        return int(first_of(self.reading, query, model, after))


def stored_called(store: Store, name: str) -> StoredModel:
    """The model of this name."""
    for stored in store.models():
        if stored.name == name:
            return stored
    known = ", ".join(stored.name for stored in store.models()) or "none"
    raise StoreError(
        f"{store.where}: there is no model {name!r}; there are {known}.", code="store.no_model"
    )


# ---- what reads through any connection ----------------------------------------------------


LAST = (
    "SELECT coalesce(max(ends.n), 0) FROM (SELECT max(last) AS n FROM log WHERE model = ?1"
    " UNION ALL SELECT max(sequence) FROM snapshots WHERE model = ?1) AS ends"
)


def last_sequence(db: Connection, model: int) -> int:
    """The last sequence number of a model: of its log, or of its newest snapshot."""
    return int(first_of(db, LAST, model))


def entries(db: Connection, model: int, after: int, until: int | None = None) -> Iterator[Entry]:
    """The log behind a sequence number, up to and with another one, a page at a time."""
    query = (
        "SELECT last, count, kind, body, ids FROM log WHERE model = ? AND last > ? AND last <= ?"
        " ORDER BY last LIMIT ?"
    )
    page: list[Any] = [None] * PAGE
    while len(page) == PAGE:
        page = all_of(db, query, model, after, 2**62 if until is None else until, PAGE)
        for last, count, kind, body, ids in page:
            yield Entry(last, count, kind, bytes(body), None if ids is None else _unpack(ids))
            after = last


# ---- what changes the store, inside a transaction ---------------------------------------------


def append(
    db: Connection,
    model: int,
    kind: str,
    body: bytes,
    ids: list[str | None] | None,
    count: int,
) -> int:
    """Put events, or a change, behind the log; the sequence number of the last of them."""
    require_there(db, model)
    packed = None if ids is None else _pack(ids)
    query = f"INSERT INTO log VALUES (?1, ({LAST}) + ?2, ?2, ?3, ?4, ?5) RETURNING last"
    return int(first_of(db, query, model, count, kind, body, packed))


def require_there(db: Connection, model: int) -> None:
    """Refuse to write about a model that was deleted meanwhile, or is somebody else's."""
    if not db.held(model):
        raise ServiceError("the model was deleted meanwhile.", code="service.no_model")


def require_at(db: Connection, model: int, sequence: int | None) -> None:
    """Refuse to change a model that has moved on since somebody saw it; None: whatever it is."""
    if sequence is not None and (found := last_sequence(db, model)) != sequence:
        raise ServiceError(
            f"the model is at number {found}, and was at {sequence} when it was looked at.",
            "Look at it again, then decide.",
            code="service.changed",
        )


def require_kept(db: Connection, name: str, model: int, sequence: int) -> None:
    """Refuse to go back to a number that the log does not lead to, or no longer."""
    oldest = first_of(db, "SELECT min(sequence) FROM snapshots WHERE model = ?", model)
    last = last_sequence(db, model)
    if oldest is None or not oldest <= sequence <= last:
        raise ServiceError(
            f"the store keeps {name!r} from number {oldest} to {last}, and {sequence} is "
            "asked for.",
            code="service.not_kept",
            oldest=oldest,
            last=last,
        )


def create(
    db: Connection, name: str, settings: bytes, snapshot: Snapshot, sequence: int = 0
) -> int:
    """A new model, whose first snapshot is written already; its number."""
    query = (
        "INSERT INTO models (name, settings) VALUES (?, ?) ON CONFLICT (name) DO NOTHING"
        " RETURNING number"
    )
    number = first_of(db, query, name, settings)
    if number is None:
        raise ServiceError(f"there is a model {name!r} already.", code="service.exists", name=name)
    db.own(number)
    db.execute("INSERT INTO snapshots VALUES (?, ?, ?)", (number, sequence, snapshot.packed()))
    return int(number)


def delete(db: Connection, model: int) -> list[str]:
    """Forget a model; the files that are to be removed afterwards."""
    db.held(model)
    rows = all_of(db, "SELECT files FROM snapshots WHERE model = ?", model)
    for table in ("log", "snapshots", "ids", "pending"):
        db.execute(f"DELETE FROM {table} WHERE model = ?", (model,))
    db.execute("DELETE FROM models WHERE number = ?", (model,))
    return [file for (packed,) in rows for file in Snapshot.of(packed).files.values()]


def keep_prediction(
    db: Connection, model: int, rows: Iterable[tuple[str, bytes]], most: int
) -> None:
    """Keep the features of predictions until their labels come; the oldest go beyond `most`."""
    require_there(db, model)
    # A clock that was set back must not make the newest the oldest, which go first.
    newest = first_of(db, "SELECT max(at) FROM pending WHERE model = ?", model)
    now = max(time(), nextafter(newest or 0.0, inf))
    db.executemany(
        "INSERT INTO pending VALUES (?, ?, ?, ?) ON CONFLICT (model, id) DO UPDATE SET"
        " at = excluded.at, features = excluded.features",
        [(model, ident, now, features) for ident, features in rows],
    )
    db.execute(
        "DELETE FROM pending WHERE model = ?1 AND at < coalesce((SELECT at FROM pending WHERE"
        " model = ?1 ORDER BY at DESC LIMIT 1 OFFSET ?2), -1)",
        (model, most - 1),
    )


def use_predictions(db: Connection, model: int, idents: Iterable[str]) -> None:
    """Labels have come for these predictions."""
    db.executemany(
        "DELETE FROM pending WHERE model = ? AND id = ?", [(model, ident) for ident in idents]
    )


class Kept(NamedTuple):
    """How much of the past a store keeps for each model."""

    snapshots: int = 3
    ids: int = 1_000_000
    pending: int = 100_000
    pending_seconds: float = 7 * 86_400


def removed(store: Store, files: Iterable[str]) -> None:
    """Remove files that the store no longer names."""
    store.base.remove(files)


def _postgres(url: str, address: str) -> Database:
    # What speaks to PostgreSQL is an extra of its own.
    from thresher.service.postgres import Postgres  # noqa: PLC0415

    return Postgres(url, address)
