"""Session: a connection to PostgreSQL that takes the words of a store, and does not wait for ever.

Assumes: the address leads to one server, without a pooler that gives each transaction another
session: locks belong to sessions.

Promises: an error of the database is told in words, without a password. A question that is not
answered in time ends the connection, so that whoever asked goes on.
"""

from __future__ import annotations

import logging
import os
import re
import socket
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from time import monotonic
from typing import Any

import psycopg
from psycopg import errors, sql

from thresher.errors import ServiceError, StoreError
from thresher.service.place import Place

#: What is asked of libpq where the address says nothing.
MANNERS: dict[str, Any] = {
    "application_name": "thresher",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
# A connection that is lost in the middle of something is told by an error; that is enough.
logging.getLogger("psycopg").setLevel(logging.ERROR)

#: Seconds until a lock that another session has is given up.
LOCK_SECONDS = 10


@cache
def translated(query: str) -> bytes:
    """A query with the placeholders of PostgreSQL.

    >>> translated("SELECT last FROM log WHERE model = ? AND last > ?")
    b'SELECT last FROM log WHERE model = $1 AND last > $2'
    >>> translated("SELECT ?2 + ?1")
    b'SELECT $2 + $1'
    """
    numbers = count(1)
    return re.sub(r"\?(\d*)", lambda at: f"${at[1] or next(numbers)}", query).encode()


class Session:
    """A connection for one thread at a time.

    Parameters
    ----------
    place
        Where the database is.
    patience
        Seconds after which a question is given up by whoever watches; None: never.
    """

    def __init__(self, place: Place, patience: float | None = None) -> None:
        self._place, self._patience = place, patience
        self._since: float | None = None
        #: What is sent with the next question, for its answer says nothing.
        self._along: list[bytes] = []
        self._raw = opened(place)

    @property
    def lost(self) -> bool:
        """Whether there is nobody at the other end any more."""
        return self._raw.closed

    def execute(self, query: str, values: Sequence[Any] = ()) -> Any:
        """Ask in the words of a store."""
        with self._asking():
            if not self._along:
                return self._raw.cursor(binary=True).execute(translated(query), values)
            # One way there and back for all of them: most of the time of a small commit.
            along, self._along = self._along, []
            with self._raw.pipeline():
                for text in along:
                    self._raw.cursor().execute(text)
                return self._raw.cursor(binary=True).execute(translated(query), values)

    def executemany(self, query: str, rows: Iterable[Sequence[Any]]) -> None:
        """Ask the same with many values, without waiting for each answer."""
        with self._asking():
            along, self._along = self._along, []
            for text in along:
                self._raw.cursor().execute(text)
            self._raw.cursor().executemany(translated(query), rows)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        self._since = monotonic()
        try:
            yield
        except psycopg.Error as error:
            raise in_words(error, lost=self.lost) from error
        finally:
            self._since = None

    def close(self) -> None:
        """End it."""
        with suppress(psycopg.Error):
            self._raw.close()

    def reopen(self) -> None:
        """Begin a new session."""
        self.close()
        self._raw = opened(self._place)

    def give_up_if_late(self) -> None:
        """From another thread: end a question that takes too long."""
        since = self._since
        if self._patience is None or since is None or monotonic() - since < self._patience:
            return
        with (
            suppress(psycopg.Error, OSError),
            socket.socket(fileno=os.dup(self._raw.fileno())) as wire,
        ):
            wire.shutdown(socket.SHUT_RDWR)


def opened(place: Place) -> psycopg.Connection[Any]:
    """A connection whose commits are durable; a server that will not is refused."""
    try:
        given = psycopg.conninfo.conninfo_to_dict(place.conninfo)
    except psycopg.Error:
        # Its words may repeat a part of the address.
        raise StoreError(
            f"{place.shown}: this is not an address that libpq understands.",
            "It has the form postgresql://USER@HOST:PORT/DATABASE?schema=NAME.",
            code="store.address",
        ) from None
    try:
        raw: psycopg.Connection[Any] = psycopg.connect(
            **{**MANNERS, **given}, autocommit=True, cursor_factory=psycopg.RawCursor
        )
    except psycopg.Error as error:
        raise StoreError(
            f"{place.shown}: the database cannot be reached ({first_line(error)}).",
            "Is it running, and are user and password right? PGPASSWORD and ~/.pgpass are read.",
            code="store.unreachable",
        ) from None
    try:
        _require_durable(place, raw)
        raw.execute(
            sql.SQL("SET search_path TO {}").format(sql.Identifier(place.schema)).as_bytes()
        )
        raw.execute(f"SET lock_timeout = {LOCK_SECONDS * 1000}".encode())
        raw.execute(b"SET default_transaction_isolation = 'read committed'")
    except psycopg.Error as error:
        raw.close()
        raise StoreError(f"{place.shown}: {first_line(error)}.", code="store.unreachable") from None
    except BaseException:
        raw.close()
        raise
    return raw


def _require_durable(place: Place, raw: psycopg.Connection[Any]) -> None:
    """Refuse a server that would acknowledge what it may lose, or that cannot be written."""
    if raw.info.server_version < 130000:
        raise StoreError(
            f"{place.shown}: this is PostgreSQL {raw.info.server_version // 10000}, and 13 or "
            "newer is needed.",
            code="store.version",
        )
    if _shown(raw, "synchronous_commit") == "off":
        raw.execute(b"SET synchronous_commit = on")
    wanted = {"fsync": "on", "full_page_writes": "on", "server_encoding": "UTF8"}
    wanted |= {"transaction_read_only": "off"}
    found = {name: _shown(raw, name) for name in wanted}
    if found != wanted or _shown(raw, "synchronous_commit") == "off":
        wrong = ", ".join(f"{name}={found[name]}" for name in wanted if found[name] != wanted[name])
        raise StoreError(
            f"{place.shown}: the server works with {wrong or 'synchronous_commit=off'}, and would "
            "lose or refuse what it is given.",
            "It needs fsync, full_page_writes and synchronous_commit on, UTF8, and to be no "
            "standby.",
            code="store.not_durable",
        )


def _shown(raw: psycopg.Connection[Any], name: str) -> str:
    row = raw.execute(b"SELECT current_setting($1)", (name,)).fetchone()
    assert row is not None
    return str(row[0])


def first_line(error: Exception) -> str:
    """What a database says, on one line, without a full stop."""
    text = str(error).strip()
    return text.splitlines()[0].rstrip(".") if text else type(error).__name__


def in_words(error: psycopg.Error, *, lost: bool) -> Exception:
    """What PostgreSQL says, as an answer to whoever wanted something of it."""
    if lost or isinstance(error, errors.AdminShutdown | errors.CannotConnectNow):
        return unreachable()
    if isinstance(error, errors.DiskFull | errors.OutOfMemory):
        return ServiceError(
            "the disk or the memory of the database is full: nothing was learned, and nothing is "
            "lost.",
            "Make room; learning goes on by itself. Predictions are made as ever.",
            code="service.full",
        )
    if isinstance(error, psycopg.DataError):
        return ServiceError(f"the database cannot keep this text ({first_line(error)}).")
    if isinstance(error, errors.ReadOnlySqlTransaction | errors.InsufficientPrivilege):
        return ServiceError(
            f"the database cannot be written ({first_line(error)}): nothing was learned, and "
            "nothing is lost.",
            "Predictions are made as ever.",
            code="service.read_only",
        )
    if isinstance(error, psycopg.OperationalError | psycopg.IntegrityError):
        return ServiceError(
            f"the database has no time for this ({first_line(error)}): nothing was learned, and "
            "nothing is lost.",
            "Send it again later.",
            code="service.busy",
        )
    return error


def unreachable() -> ServiceError:
    """Nobody is there to write it down."""
    return ServiceError(
        "the database of the store cannot be reached: nothing was learned, and nothing is lost.",
        "Send it again later; the service reconnects by itself. Predictions are made as ever.",
        code="service.unreachable",
    )
