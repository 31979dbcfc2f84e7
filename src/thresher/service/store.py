"""Store: what a service keeps, in a folder: models, the log of events, snapshots, ids.

The log has what was said, in the words in which it was said, in one order for each model; a
snapshot is an ordinary model file. The newest snapshot that can be read and the log behind it make
the model. Everything that changes the store is a function of a connection, which a `Writer` calls
inside a transaction.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
from math import inf, nextafter
from pathlib import Path
from time import time
from typing import Any, NamedTuple

import apsw
import msgspec

from thresher.errors import ServiceError, StoreError
from thresher.service.database import SNAPSHOTS, connected, locked, made_folder

#: Entries of the log that change a model otherwise than by learning; all others are events.
ROLLBACK, SWAP, SHADOW = "rollback", "swap", "shadow"
CHANGES = (ROLLBACK, SWAP, SHADOW)

_pack, _unpack = msgspec.msgpack.encode, msgspec.msgpack.decode


def _rows(db: apsw.Connection, query: str, *values: Any) -> list[Any]:
    """What a query finds."""
    return db.execute(query, values).fetchall()


def _value(db: apsw.Connection, query: str, *values: Any) -> Any:
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
    """A folder of which this process is the only user; see `database` for what it promises."""

    def __init__(self, folder: str | os.PathLike[str], *, vfs: str | None = None) -> None:
        self.folder, self._vfs = made_folder(folder), vfs
        self._lock = locked(self.folder)
        try:
            #: For the one thread that writes.
            self.writing = connected(self.folder, vfs=vfs)
            #: For those who only look.
            self.reading = self.writing if vfs else connected(self.folder)
        except BaseException:
            self._lock.close()
            raise

    def close(self) -> None:
        """Let go of the folder; everything that was committed is in it."""
        for connection in (self.reading, self.writing, self._lock):
            connection.close()

    # ---- reading -------------------------------------------------------------------------

    @contextmanager
    def at_this_moment(self) -> Iterator[Store]:
        """The same store as it is now, for whoever reads it for a while in a thread of their own.

        Through `reading` they would hold back everybody who looks something up there: while one
        statement of a connection is under way, all others see what it sees, and an id that moved
        to its table meanwhile would not be found.
        """
        if self._vfs:
            # Such a file has one connection.
            yield self
            return
        twin = copy(self)
        twin.reading = connected(self.folder)
        try:
            with twin.reading:
                yield twin
        finally:
            twin.reading.close()

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
        rows = _rows(self.reading, query, model, ROLLBACK, after, until)
        return [int(bytes(body)) for (body,) in rows]

    def snapshots(self, model: int) -> dict[int, Snapshot]:
        """The snapshots of a model by the sequence numbers they were taken at, oldest first."""
        rows = self.reading.execute(
            "SELECT sequence, files FROM snapshots WHERE model = ? ORDER BY sequence", (model,)
        )
        return {sequence: Snapshot.of(packed) for sequence, packed in rows}

    def path(self, file: str) -> Path:
        """Where a file of a snapshot is."""
        return self.folder / SNAPSHOTS / file

    def size(self, file: str) -> int:
        """How many bytes a file of a snapshot has; 0 if it is gone."""
        try:
            return self.path(file).stat().st_size
        except OSError:
            return 0

    def known(self, model: int, ident: str) -> KnownId | None:
        """What became of the event with this id, if it is remembered and not only in the log."""
        row = self.reading.execute(
            "SELECT sequence, answer FROM ids WHERE model = ? AND id = ?", (model, ident)
        ).fetchone()
        return None if row is None else KnownId(*row)

    def pending(self, model: int, ident: str, since: float) -> bytes | None:
        """The features of a prediction that waits for its label, if it was made since then."""
        row = self.reading.execute(
            "SELECT features FROM pending WHERE model = ? AND id = ? AND at >= ?",
            (model, ident, since),
        ).fetchone()
        return None if row is None else bytes(row[0])

    def log_bytes(self, model: int, after: int) -> int:
        """The size of the log behind a sequence number."""
        query = "SELECT coalesce(sum(length(body)), 0) FROM log WHERE model = ? AND last > ?"
        return int(_value(self.reading, query, model, after))


def stored_called(store: Store, name: str) -> StoredModel:
    """The model of this name."""
    for stored in store.models():
        if stored.name == name:
            return stored
    known = ", ".join(stored.name for stored in store.models()) or "none"
    raise StoreError(
        f"{store.folder}: there is no model {name!r}; there are {known}.", code="store.no_model"
    )


# ---- what reads through any connection ----------------------------------------------------


def last_sequence(db: apsw.Connection, model: int) -> int:
    """The last sequence number of a model: of its log, or of its newest snapshot."""
    query = (
        "SELECT max(coalesce((SELECT max(last) FROM log WHERE model = ?1), 0),"
        " coalesce((SELECT max(sequence) FROM snapshots WHERE model = ?1), 0))"
    )
    return int(_value(db, query, model))


def entries(
    db: apsw.Connection, model: int, after: int, until: int | None = None
) -> Iterator[Entry]:
    """The log behind a sequence number, up to and with another one."""
    rows = db.execute(
        "SELECT last, count, kind, body, ids FROM log WHERE model = ? AND last > ? AND last <= ?"
        " ORDER BY last",
        (model, after, until if until is not None else 2**62),
    )
    for last, count, kind, body, ids in rows:
        yield Entry(last, count, kind, bytes(body), None if ids is None else _unpack(ids))


# ---- what changes the store, inside a transaction ---------------------------------------------


def append(
    db: apsw.Connection,
    model: int,
    kind: str,
    body: bytes,
    ids: list[str | None] | None,
    count: int,
) -> int:
    """Put events, or a change, behind the log; the sequence number of the last of them."""
    require_there(db, model)
    last = last_sequence(db, model) + count
    packed = None if ids is None else _pack(ids)
    db.execute(
        "INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", (model, last, count, kind, body, packed)
    )
    return last


def require_there(db: apsw.Connection, model: int) -> None:
    """Refuse to write about a model that was deleted meanwhile."""
    if _value(db, "SELECT 1 FROM models WHERE number = ?", model) is None:
        raise ServiceError("the model was deleted meanwhile.", code="service.no_model")


def require_at(db: apsw.Connection, model: int, sequence: int | None) -> None:
    """Refuse to change a model that has moved on since somebody saw it; None: whatever it is."""
    if sequence is not None and (found := last_sequence(db, model)) != sequence:
        raise ServiceError(
            f"the model is at number {found}, and was at {sequence} when it was looked at.",
            "Look at it again, then decide.",
            code="service.changed",
        )


def require_kept(db: apsw.Connection, name: str, model: int, sequence: int) -> None:
    """Refuse to go back to a number that the log does not lead to, or no longer."""
    oldest = _value(db, "SELECT min(sequence) FROM snapshots WHERE model = ?", model)
    last = last_sequence(db, model)
    if oldest is None or not oldest <= sequence <= last:
        raise ServiceError(
            f"the store keeps {name!r} from number {oldest} to {last}, and {sequence} is "
            "asked for.",
            code="service.not_kept",
            oldest=oldest,
            last=last,
        )


def create(db: apsw.Connection, name: str, settings: bytes, snapshot: Snapshot) -> int:
    """A new model, whose first snapshot is written already; its number."""
    try:
        db.execute("INSERT INTO models (name, settings) VALUES (?, ?)", (name, settings))
    except apsw.ConstraintError:
        raise ServiceError(
            f"there is a model {name!r} already.", code="service.exists", name=name
        ) from None
    number = db.last_insert_rowid()
    db.execute("INSERT INTO snapshots VALUES (?, 0, ?)", (number, snapshot.packed()))
    return number


def delete(db: apsw.Connection, model: int) -> list[str]:
    """Forget a model; the files that are to be removed afterwards."""
    rows = _rows(db, "SELECT files FROM snapshots WHERE model = ?", model)
    for table in ("log", "snapshots", "ids", "pending"):
        db.execute(f"DELETE FROM {table} WHERE model = ?", (model,))
    db.execute("DELETE FROM models WHERE number = ?", (model,))
    return [file for (packed,) in rows for file in Snapshot.of(packed).files.values()]


def keep_prediction(
    db: apsw.Connection, model: int, rows: Iterable[tuple[str, bytes]], most: int
) -> None:
    """Keep the features of predictions until their labels come; the oldest go beyond `most`."""
    require_there(db, model)
    # A clock that was set back must not make the newest the oldest, which go first.
    newest = _value(db, "SELECT max(at) FROM pending WHERE model = ?", model)
    now = max(time(), nextafter(newest or 0.0, inf))
    for ident, features in rows:
        db.execute(
            "INSERT OR REPLACE INTO pending VALUES (?, ?, ?, ?)", (model, ident, now, features)
        )
    db.execute(
        "DELETE FROM pending WHERE model = ?1 AND at < coalesce((SELECT at FROM pending WHERE"
        " model = ?1 ORDER BY at DESC LIMIT 1 OFFSET ?2), -1)",
        (model, most - 1),
    )


def use_predictions(db: apsw.Connection, model: int, idents: Iterable[str]) -> None:
    """Labels have come for these predictions."""
    for ident in idents:
        db.execute("DELETE FROM pending WHERE model = ? AND id = ?", (model, ident))


class Kept(NamedTuple):
    """How much of the past a store keeps for each model."""

    snapshots: int = 3
    ids: int = 1_000_000
    pending: int = 100_000
    pending_seconds: float = 7 * 86_400


def add_snapshot(
    db: apsw.Connection,
    model: int,
    sequence: int,
    snapshot: Snapshot,
    known: Iterable[tuple[str, int, bytes]],
    keep: Kept,
) -> list[str]:
    """Take note of a snapshot, whose files are durable; the files that nobody needs any more.

    The ids of events up to it move from the log to a table of their own, and the log before the
    oldest snapshot that is kept goes.
    """
    if not db.execute("SELECT 1 FROM models WHERE number = ?", (model,)).fetchone():
        # Deleted while the snapshot was written.
        return list(snapshot.files.values())
    query = "DELETE FROM snapshots WHERE model = ? AND sequence = ? RETURNING files"
    gone = _rows(db, query, model, sequence)
    db.execute("INSERT INTO snapshots VALUES (?, ?, ?)", (model, sequence, snapshot.packed()))
    for ident, number, answer in known:
        db.execute("INSERT OR REPLACE INTO ids VALUES (?, ?, ?, ?)", (model, ident, number, answer))
    db.execute(
        "DELETE FROM ids WHERE model = ?1 AND sequence <= coalesce((SELECT sequence FROM ids WHERE"
        " model = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2), -1)",
        (model, keep.ids),
    )
    db.execute(
        "DELETE FROM pending WHERE model = ? AND at < ?", (model, time() - keep.pending_seconds)
    )
    oldest = _oldest_needed(db, model, keep.snapshots)
    query = "DELETE FROM snapshots WHERE model = ? AND sequence < ? RETURNING files"
    gone += _rows(db, query, model, oldest)
    db.execute("DELETE FROM log WHERE model = ? AND last <= ?", (model, oldest))
    return [file for (packed,) in gone for file in Snapshot.of(packed).files.values()]


def _oldest_needed(db: apsw.Connection, model: int, count: int) -> int:
    """The oldest snapshot to keep: so many, and the one that a later rollback goes back to."""
    nth = "SELECT sequence FROM snapshots WHERE model = ? ORDER BY sequence DESC LIMIT ?"
    oldest = int(_rows(db, nth, model, count)[-1][0])
    backwards = "SELECT body FROM log WHERE model = ? AND kind = ? AND last > ?"
    before = "SELECT max(sequence) FROM snapshots WHERE model = ? AND sequence <= ?"
    while True:
        targets = [int(bytes(body)) for (body,) in _rows(db, backwards, model, ROLLBACK, oldest)]
        found = _value(db, before, model, min([oldest, *targets]))
        if found is None or found == oldest:
            return oldest
        oldest = int(found)


def removed(store: Store, files: Iterable[str]) -> None:
    """Remove files that the store no longer names."""
    for file in files:
        with suppress(OSError):
            store.path(file).unlink()
