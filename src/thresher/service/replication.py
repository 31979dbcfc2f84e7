"""Replication: what a leader tells those who follow it, and how it is written on the wire.

A follower begins with a snapshot and asks for the log behind it, again and again. It shows the
digest of its last entry, so that two logs that only have the same length are told apart.
"""

from __future__ import annotations

from hashlib import blake2b

import msgspec

from thresher.errors import ServiceError
from thresher.service.served_model import ServedModel
from thresher.service.store import Entry, Store, entries, first_of, last_sequence, require_kept

#: Bytes of a log that are sent at a time, about, and the seconds for which news are waited for.
SENT = 4 << 20
WAIT = 20.0
MSGPACK = "application/x-msgpack"
#: The header that says which process answers, so that nobody follows themselves.
INSTANCE = "thresher-instance"


class LogPage(msgspec.Struct, array_like=True):
    """A piece of the log of a leader."""

    #: The number of the model in its store: another one is another model of the same name.
    number: int
    #: How far the leader is.
    last: int
    #: Each: last, size, kind, body, ids.
    entries: list[tuple[int, int, str, bytes, list[str | None] | None]]


class Beginning(msgspec.Struct, array_like=True):
    """A snapshot of a leader, with its files."""

    number: int
    sequence: int
    settings: bytes
    refuted_at: int | None
    files: dict[str, bytes]


def fingerprint(entry: Entry) -> str:
    """What tells an entry from another one with the same numbers."""
    text = f"{entry.last} {entry.size} {entry.kind} ".encode() + entry.body
    return blake2b(text, digest_size=16).hexdigest()


def page_behind(store: Store, served: ServedModel, after: int, digest: str, until: int) -> LogPage:
    """The log behind a number, as much as is sent at a time."""
    number, name = served.stored.number, served.stored.name
    with store.at_this_moment() as then:
        db = then.reading
        if after > last_sequence(db, number):
            raise _diverged(name, after)
        require_kept(db, name, number, after)
        if digest:
            # The entry itself may have gone with the log before the oldest snapshot.
            before = first_of(
                db, "SELECT max(last) FROM log WHERE model = ? AND last < ?", number, after
            )
            own = list(entries(db, number, before or 0, after))
            if own and (own[-1].last != after or fingerprint(own[-1]) != digest):
                raise _diverged(name, after)
        found, size = [], 0
        for entry in entries(db, number, after, until):
            found.append((entry.last, entry.size, entry.kind, entry.body, entry.ids))
            size += len(entry.body)
            if size > SENT:
                break
    return LogPage(number, until, found)


def beginning(store: Store, served: ServedModel) -> Beginning:
    """The newest snapshot of a model."""
    stored = served.stored
    with store.at_this_moment() as then:
        sequence, snapshot = list(then.snapshots(stored.number).items())[-1]
        files = {}
        for what, file in snapshot.files.items():
            with store.base.file(file) as path:
                files[what] = path.read_bytes()
    return Beginning(stored.number, sequence, stored.settings, snapshot.refuted_at, files)


def _diverged(name: str, after: int) -> ServiceError:
    return ServiceError(
        f"the log of {name!r} is not the one that was followed up to number {after}.",
        "Begin again with its newest snapshot.",
        code="service.diverged",
    )
