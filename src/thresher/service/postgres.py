"""Postgres: a store in a schema of PostgreSQL, for several processes at once.

Promises: what was committed survives what the server survives; synchronous commits, synced writes
and UTF8 are asserted for every connection. Files of snapshots are rows, so that every instance can
read them. The tables are those of SQLite, in the same words, and more: who is at work, whose a
model is, and pieces of files.

Does not promise: anything behind a pooler that gives each transaction another session.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
from psycopg import sql

from thresher.errors import ServiceError, StoreError, ThresherError
from thresher.service.connection import Connection
from thresher.service.database import APPLICATION, SCHEMA, VERSION
from thresher.service.place import Place, place_of
from thresher.service.remembered_ids import RememberedIds
from thresher.service.session import Session, first_line
from thresher.service.tenant import Tenant

#: What SQLite says, and PostgreSQL.
WORDS = {
    "INTEGER PRIMARY KEY AUTOINCREMENT": "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
    "INTEGER": "BIGINT",
    "BLOB": "BYTEA",
    "REAL": "DOUBLE PRECISION",
    ") WITHOUT ROWID": ")",
}
MORE = """
CREATE TABLE format (version INT NOT NULL);
CREATE TABLE instances (
  number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, address TEXT NOT NULL, pid INT NOT NULL,
  transactions BIGINT NOT NULL, seen TIMESTAMPTZ NOT NULL
);
CREATE TABLE owners (
  model BIGINT PRIMARY KEY REFERENCES models ON DELETE CASCADE, instance BIGINT NOT NULL
);
CREATE TABLE files (
  name TEXT NOT NULL, piece INT NOT NULL, data BYTEA NOT NULL,
  at TIMESTAMPTZ NOT NULL DEFAULT now(), PRIMARY KEY (name, piece)
);
ALTER TABLE files ALTER COLUMN data SET STORAGE EXTERNAL;
"""
#: Bytes of a piece of a file.
PIECE = 1 << 20
#: Seconds for which the thread that answers requests waits for the database.
PATIENCE = 3.0
#: Ids that are remembered beyond those of the table before they are read anew.
SURPLUS = 1_000_000


class Postgres:
    """A store in PostgreSQL.

    Parameters
    ----------
    url
        Where it is; see `place_of`.
    address
        Where this process can be asked.
    """

    shared = True

    def __init__(self, url: str, address: str = "") -> None:
        self._place = place_of(url)
        self.where = self._place.shown
        self.ids = RememberedIds()
        self._surplus: dict[int, int] = {}
        self.reading = Session(self._place, PATIENCE)
        try:
            _prepare(self._place, self.reading)
            self.writing = Tenant(self._place, address, self.ids)
        except BaseException:
            self.reading.close()
            raise
        self._ended = threading.Event()
        threading.Thread(target=self._watch, name="thresher-watch", daemon=True).start()

    def close(self) -> None:
        """Let go: models that were this process's are anybody's."""
        self.writing.let_go()
        self._ended.set()
        for session in (self.reading, self.writing):
            session.close()

    def _watch(self) -> None:
        """End questions that nobody answers, and begin to look again."""
        while not self._ended.wait(0.25):
            for session in (self.reading, self.writing):
                session.give_up_if_late()
            if self.reading.lost and not self._ended.is_set():
                with suppress(ThresherError):
                    self.reading.reopen()
                if self._ended.is_set():
                    self.reading.close()

    @contextmanager
    def moment(self) -> Iterator[Connection]:
        """A session that sees the store as it is now."""
        with self._session() as session:
            session.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield session

    @contextmanager
    def _session(self) -> Iterator[Tenant]:
        """A session of its own, for whoever takes long."""
        try:
            session = Tenant(self._place, "", self.ids)
        except StoreError as error:
            raise ServiceError(error.what, error.remedy, code="service.unreachable") from error
        try:
            yield session
        finally:
            session.close()

    # ---- files ---------------------------------------------------------------------------

    @contextmanager
    def file(self, name: str) -> Iterator[Path]:
        """A file of a snapshot, fetched for the time of the block."""
        with TemporaryDirectory(prefix="thresher-snapshot-") as folder:
            path = Path(folder, name)
            with self._session() as session:
                query, piece = "SELECT data FROM files WHERE name = ? AND piece = ?", 0
                while (row := session.execute(query, (name, piece)).fetchone()) is not None:
                    with path.open("ab") as out:
                        out.write(row[0])
                    piece += 1
            yield path

    @contextmanager
    def new_file(self, name: str) -> Iterator[Path]:
        """Where to write a new one; it is in the database, as a whole, when the block ends."""
        with TemporaryDirectory(prefix="thresher-snapshot-") as folder:
            path = Path(folder, name)
            yield path
            with self._session() as session, path.open("rb") as data:
                session.execute("BEGIN")
                for piece, part in enumerate(iter(lambda: data.read(PIECE), b"")):
                    query = "INSERT INTO files VALUES (?, ?, ?)"
                    session.execute(query, (name, piece, part))
                session.execute("COMMIT")

    def size(self, name: str) -> int:
        """How many bytes a file has."""
        query = "SELECT coalesce(sum(length(data)), 0)::bigint FROM files WHERE name = ?"
        return int(self.reading.execute(query, (name,)).fetchone()[0])

    def remove(self, names: Iterable[str]) -> None:
        """Remove files that no snapshot names any more; if nobody answers, they are strays."""
        with suppress(ServiceError), self._session() as session:
            session.execute("DELETE FROM files WHERE name = ANY(?)", (list(names),))

    def strays(self, named: set[str]) -> list[str]:
        """Files that no snapshot names; those of today may be about to be named by others."""
        rows = self.reading.execute(
            "SELECT DISTINCT name FROM files WHERE at < now() - interval '1 day'"
        ).fetchall()
        return [name for (name,) in rows if name not in named]

    # ---- health --------------------------------------------------------------------------

    def findings(self) -> Iterator[tuple[bool, str]]:
        """What every connection asserts."""
        yield True, f"database: {self.where} commits durably"

    def bytes_used(self) -> int:
        """What the tables take, indexes included."""
        row = self.reading.execute(
            "SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c"
            " WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r'"
        ).fetchone()
        return int(row[0])

    def shrink(self) -> int:
        """Let the tables use again what is free in them, and give back what is at their ends."""
        with self._session() as session:
            for table in ("log", "snapshots", "ids", "pending", "files"):
                session.execute(f"VACUUM {table}")
        return self.bytes_used()

    # ---- ids -----------------------------------------------------------------------------

    def known_apart(self, model: int, ident: str) -> bool:
        """Whether an id may be in the table."""
        return self.ids.may_have(model, ident)

    def remember(self, model: int, idents: Iterable[str]) -> None:
        """Ids that have come to the table."""
        self.ids.add(model, idents)
        if self.ids.count(model) > self._surplus.get(model, SURPLUS):
            self.recall(model)

    def recall(self, model: int) -> None:
        """Read which ids are in the table."""
        with self._session() as session:
            session.execute("BEGIN")
            session.execute(
                f"DECLARE known NO SCROLL CURSOR FOR SELECT id FROM ids WHERE model = {model:d}"
            )

            def idents() -> Iterator[str]:
                while page := session.execute("FETCH 10000 FROM known").fetchall():
                    yield from (ident for (ident,) in page)

            self.ids.begin(model, idents())
        self._surplus[model] = self.ids.count(model) + SURPLUS


def _prepare(place: Place, session: Session) -> None:
    """Make the tables of a new schema, and refuse those of others."""
    try:
        session.execute("BEGIN")
        # Two that begin at once.
        session.execute(f"SELECT pg_advisory_xact_lock({APPLICATION}, 0)")
        if not _has(session, "SELECT 1 FROM pg_namespace WHERE nspname = ?", place.schema):
            name = sql.Identifier(place.schema).as_string()
            session.execute(f"CREATE SCHEMA {name}")
        tables = "SELECT 1 FROM pg_tables WHERE schemaname = ?"
        if not _has(session, tables, place.schema):
            text = SCHEMA
            for said, meant in WORDS.items():
                text = text.replace(said, meant)
            for statement in (text + MORE).split(";\n"):
                if statement.strip():
                    session.execute(statement)
            session.execute(f"INSERT INTO format VALUES ({VERSION})")
        if not _has(session, tables + " AND tablename = 'format'", place.schema):
            raise StoreError(
                f"{place.shown}: this schema belongs to another program.",
                "Name another in the address: ?schema=NAME.",
                code="store.foreign",
            )
        version = session.execute("SELECT max(version) FROM format").fetchone()[0]
        session.execute("COMMIT")
    except (ServiceError, psycopg.Error) as error:
        cause = error.__cause__ or error
        raise StoreError(
            f"{place.shown}: the tables of a store cannot be made or read there "
            f"({first_line(cause if isinstance(cause, Exception) else error)}).",
            f"The user needs a schema to make tables in: CREATE SCHEMA {place.schema} "
            "AUTHORIZATION user.",
            code="store.not_allowed",
        ) from None
    if version != VERSION:
        raise StoreError(
            f"{place.shown}: the store has format {version}, and this release has {VERSION}.",
            "Take the release that wrote it, or a later one.",
            code="store.version",
        )


def _has(session: Session, query: str, *values: str) -> bool:
    return session.execute(query, values).fetchone() is not None
