"""Connection: what a store asks of a database, whichever it is.

Queries are written once, in words that SQLite and PostgreSQL both understand, with `?` or `?1`
where a value stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol


class Connection(Protocol):
    """A way into a database, for one thread at a time."""

    def execute(self, query: str, values: Sequence[Any] = (), /) -> Any:
        """Ask; the answer has `fetchone` and `fetchall`, and is iterated over."""

    def executemany(self, query: str, rows: Iterable[Sequence[Any]], /) -> Any:
        """Ask the same with many values."""

    def begin(self) -> None:
        """Begin a transaction that will write."""

    def commit(self) -> None:
        """End it: when this returns, everything is durable; if it raises, nothing is there.

        The one exception is an error with the code `service.unknown`.
        """

    def roll_back(self) -> None:
        """End a transaction, if one is under way and can be ended, without a trace."""

    def savepoint(self) -> None:
        """Mark a place to come back to."""

    def back(self) -> None:
        """Undo what was done since that place."""

    def release(self) -> None:
        """Forget the place, and keep what was done."""

    def held(self, model: int) -> bool:
        """Whether a model is there; refused if somebody else is the one to write about it."""

    def own(self, model: int) -> None:
        """Be the one who writes about a model that is being made."""

    def close(self) -> None:
        """Let go."""


class Database(Protocol):
    """Where a store keeps what it keeps: rows in tables, and files of snapshots."""

    #: What it is called in messages; never with a password.
    where: str
    #: Whether other processes may be at work on the same store.
    shared: bool
    #: For the one thread that writes, and for those who only look.
    writing: Any
    reading: Any

    def moment(self) -> AbstractContextManager[Connection]:
        """A connection that sees the store as it is now, however long it looks."""

    def file(self, name: str) -> AbstractContextManager[Path]:
        """A file of a snapshot, to be read inside the block."""

    def new_file(self, name: str) -> AbstractContextManager[Path]:
        """Where to write a new file of a snapshot; it is durable when the block ends."""

    def size(self, name: str) -> int:
        """How many bytes a file has; 0 if it is gone."""

    def remove(self, names: Iterable[str]) -> None:
        """Remove files that no snapshot names any more."""

    def strays(self, named: set[str]) -> list[str]:
        """Files that no snapshot names, and that nobody is about to name."""

    def findings(self) -> Iterator[tuple[bool, str]]:
        """What the database itself has to say of its health."""

    def shrink(self) -> int:
        """Give back room that is not used; how many bytes are used now."""

    def bytes_used(self) -> int:
        """How many bytes the tables take."""

    def known_apart(self, model: int, ident: str) -> bool:
        """Whether an id may be in the table of ids; False is certain, and costs no question."""

    def remember(self, model: int, idents: Iterable[str]) -> None:
        """Ids that have come to the table of ids."""

    def recall(self, model: int) -> None:
        """Read which ids are in the table, for one who begins to write about a model."""

    def close(self) -> None:
        """Let go; everything that was committed stays."""
