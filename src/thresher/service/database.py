"""The database of a store: one SQLite file that keeps what was committed, even without power.

Assumes: `fsync` returns only when the bytes are on the device, and the folder is on a local disk
(SQLite's write-ahead log needs memory that is shared between the processes of one machine).

Promises: what was committed survives the death of the process and of the machine. While a store is
open, no other process opens it to write. Nobody but the owner can read its files.

Does not promise: anything on a disk that says it has written what it has not; the tests show that
such a disk loses events.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import apsw

from thresher.errors import StoreError

DATABASE, LOCK, SNAPSHOTS = "thresher.db", "lock.db", "snapshots"
#: "thrs": what `file` and others may tell the database by.
APPLICATION = 0x74687273
VERSION = 1
#: Full: the log is synced at every commit.
SYNCED = 2
#: How long a connection waits for another one, in milliseconds.
PATIENCE = 10_000

SCHEMA = """
CREATE TABLE models (
  number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, settings BLOB NOT NULL
);
CREATE TABLE log (
  model INTEGER NOT NULL, last INTEGER NOT NULL, count INTEGER NOT NULL, kind TEXT NOT NULL,
  body BLOB NOT NULL, ids BLOB, PRIMARY KEY (model, last)
);
CREATE TABLE snapshots (
  model INTEGER NOT NULL, sequence INTEGER NOT NULL, files BLOB NOT NULL,
  PRIMARY KEY (model, sequence)
) WITHOUT ROWID;
CREATE TABLE ids (
  model INTEGER NOT NULL, id TEXT NOT NULL, sequence INTEGER NOT NULL, answer BLOB NOT NULL,
  PRIMARY KEY (model, id)
) WITHOUT ROWID;
CREATE INDEX ids_in_order ON ids (model, sequence);
CREATE TABLE pending (
  model INTEGER NOT NULL, id TEXT NOT NULL, at REAL NOT NULL, features BLOB NOT NULL,
  PRIMARY KEY (model, id)
) WITHOUT ROWID;
CREATE INDEX pending_in_order ON pending (model, at);
"""


class Connection(apsw.Connection):
    """A connection to the database of a folder, which this process has for itself."""

    def begin(self) -> None:
        """Begin a transaction that will write."""
        self.execute("BEGIN IMMEDIATE")

    def commit(self) -> None:
        """End it durably."""
        self.execute("COMMIT")

    def roll_back(self) -> None:
        """End it without a trace."""
        if self.in_transaction:
            self.execute("ROLLBACK")

    def savepoint(self) -> None:
        """Mark a place to come back to."""
        self.execute("SAVEPOINT work")

    def back(self) -> None:
        """Undo what was done since that place."""
        self.execute("ROLLBACK TO work")

    def release(self) -> None:
        """Forget the place, and keep what was done."""
        self.execute("RELEASE work")

    def held(self, model: int) -> bool:
        """Whether a model is there."""
        found = self.execute("SELECT 1 FROM models WHERE number = ?", (model,)).fetchone()
        return found is not None

    def own(self, model: int) -> None:
        """Nobody else is there who could write about it."""


class Folder:
    """A folder with a database and files, of which this process is the only user."""

    shared = False

    def __init__(self, folder: str | os.PathLike[str], *, vfs: str | None = None) -> None:
        self.home, self._vfs = made_folder(folder), vfs
        self.where = str(self.home)
        self._lock = locked(self.home)
        try:
            self.writing = connected(self.home, vfs=vfs)
            self.reading = self.writing if vfs else connected(self.home)
        except BaseException:
            self._lock.close()
            raise

    def close(self) -> None:
        """Let go of the folder; everything that was committed is in it."""
        for connection in (self.reading, self.writing, self._lock):
            connection.close()

    @contextmanager
    def moment(self) -> Iterator[Connection]:
        """A connection that sees the store as it is now.

        Through `reading` they would hold back everybody who looks something up there: while one
        statement of a connection is under way, all others see what it sees, and an id that moved
        to its table meanwhile would not be found.
        """
        if self._vfs:
            # Such a file has one connection.
            yield self.reading
            return
        twin = connected(self.home)
        try:
            with twin:
                yield twin
        finally:
            twin.close()

    # ---- files ---------------------------------------------------------------------------

    def path(self, file: str) -> Path:
        """Where a file of a snapshot is."""
        return self.home / SNAPSHOTS / file

    @contextmanager
    def file(self, name: str) -> Iterator[Path]:
        """A file of a snapshot."""
        yield self.path(name)

    @contextmanager
    def new_file(self, name: str) -> Iterator[Path]:
        """Where to write a new one, which its owner alone can read."""
        path = self.path(name)
        yield path
        os.chmod(path, 0o600)

    def size(self, name: str) -> int:
        """How many bytes a file has; 0 if it is gone."""
        try:
            return self.path(name).stat().st_size
        except OSError:
            return 0

    def remove(self, names: Iterable[str]) -> None:
        """Remove files that no snapshot names any more."""
        for name in names:
            with suppress(OSError):
                self.path(name).unlink()

    def strays(self, named: set[str]) -> list[str]:
        """Files that no snapshot names."""
        return [path.name for path in self.path("").iterdir() if path.name not in named]

    # ---- health --------------------------------------------------------------------------

    def findings(self) -> Iterator[tuple[bool, str]]:
        """What SQLite says of its own pages."""
        for (told,) in self.reading.execute("PRAGMA integrity_check").fetchall():
            yield told == "ok", f"database: {told}"

    def bytes_used(self) -> int:
        """The size of the database."""
        return (self.home / DATABASE).stat().st_size

    def shrink(self) -> int:
        """Write the database anew, without holes."""
        self.writing.execute("VACUUM")
        self.writing.pragma("wal_checkpoint", "truncate")
        return self.bytes_used()

    def known_apart(self, model: int, ident: str) -> bool:
        """To look into a file of this machine costs little."""
        return True

    def remember(self, model: int, idents: Iterable[str]) -> None:
        """They are found in the table."""

    def recall(self, model: int) -> None:
        """Nothing is to be read before it is asked for."""


def made_folder(folder: str | os.PathLike[str]) -> Path:
    """The folder of a store, which its owner alone may enter, with the files that it begins with.

    Files that SQLite puts beside the database have its permissions.
    """
    home = Path(folder)
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        (home / SNAPSHOTS).mkdir(mode=0o700, exist_ok=True)
        for name in (DATABASE, LOCK):
            os.close(os.open(home / name, os.O_RDWR | os.O_CREAT, 0o600))
    except OSError as error:
        raise StoreError(
            f"{home}: this folder cannot hold a store ({error.strerror}).", path=str(home)
        ) from error
    return home


def locked(home: Path) -> apsw.Connection:
    """A lock on the store, held until the connection is closed or the process ends."""
    lock = apsw.Connection(str(home / LOCK))
    try:
        lock.execute("BEGIN EXCLUSIVE")
    except apsw.BusyError:
        lock.close()
        raise StoreError(
            f"{home}: another process serves this store.",
            "One process serves a store; stop the other one, or choose another folder.",
            code="store.locked",
            path=str(home),
        ) from None
    return lock


def connected(home: Path, *, vfs: str | None = None) -> Connection:
    """A connection that commits durably; a database that will not is refused."""
    connection = Connection(str(home / DATABASE), vfs=vfs)
    try:
        connection.set_busy_timeout(PATIENCE)
        if vfs is not None:
            # A file system of somebody's own has no memory to share.
            connection.pragma("locking_mode", "exclusive")
        mode = connection.pragma("journal_mode", "wal")
        connection.pragma("synchronous", "full")
        # Where fsync alone does not reach the device (macOS).
        connection.pragma("fullfsync", 1)
        connection.pragma("checkpoint_fullfsync", 1)
        connection.pragma("trusted_schema", 0)
        require_durable(home, mode, connection.pragma("synchronous"))
        _prepare(home, connection)
    except (apsw.NotADBError, apsw.CorruptError) as error:
        connection.close()
        raise StoreError(
            f"{home / DATABASE}: this is not the database of a store, or it is damaged ({error}).",
            "Restore the folder from a backup.",
            code="store.damaged",
            path=str(home),
        ) from error
    except BaseException:
        connection.close()
        raise
    return connection


def require_durable(home: Path, mode: Any, synchronous: Any) -> None:
    """Refuse a database that would acknowledge what it may lose."""
    if (mode, synchronous) != ("wal", SYNCED):
        raise StoreError(
            f"{home}: the database works with journal_mode={mode} and synchronous={synchronous}, "
            f"and only wal with synchronous={SYNCED} keeps what was acknowledged.",
            "Put the store on a local disk.",
            code="store.not_durable",
            path=str(home),
        )


def _prepare(home: Path, connection: apsw.Connection) -> None:
    """Make the tables of a new database, and refuse those of others."""
    application, version = (connection.pragma(name) for name in ("application_id", "user_version"))
    if application == 0 and not connection.execute("SELECT 1 FROM sqlite_schema").fetchone():
        with connection:
            connection.execute(SCHEMA)
            connection.pragma("application_id", APPLICATION)
            connection.pragma("user_version", VERSION)
        return
    if application != APPLICATION:
        raise StoreError(
            f"{home / DATABASE}: this database belongs to another program.",
            code="store.foreign",
            path=str(home),
        )
    if version != VERSION:
        raise StoreError(
            f"{home / DATABASE}: the store has format {version}, and this release has {VERSION}.",
            "Take the release that wrote it, or a later one.",
            code="store.version",
            path=str(home),
        )
