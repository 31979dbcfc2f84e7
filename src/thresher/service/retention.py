"""Retention: what a store lets go of when a snapshot has been taken."""

from __future__ import annotations

from collections.abc import Iterable
from time import time

from thresher.service.connection import Connection
from thresher.service.store import ROLLBACK, Kept, Snapshot, all_of, first_of


def add_snapshot(
    db: Connection,
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
    if not db.held(model):
        # Deleted while the snapshot was written.
        return list(snapshot.files.values())
    query = "DELETE FROM snapshots WHERE model = ? AND sequence = ? RETURNING files"
    gone = all_of(db, query, model, sequence)
    db.execute("INSERT INTO snapshots VALUES (?, ?, ?)", (model, sequence, snapshot.packed()))
    db.executemany(
        "INSERT INTO ids VALUES (?, ?, ?, ?) ON CONFLICT (model, id) DO UPDATE SET"
        " sequence = excluded.sequence, answer = excluded.answer",
        [(model, *one) for one in known],
    )
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
    gone += all_of(db, query, model, oldest)
    db.execute("DELETE FROM log WHERE model = ? AND last <= ?", (model, oldest))
    return [file for (packed,) in gone for file in Snapshot.of(packed).files.values()]


def _oldest_needed(db: Connection, model: int, count: int) -> int:
    """The oldest snapshot to keep: so many, and the one that a later rollback goes back to."""
    nth = "SELECT sequence FROM snapshots WHERE model = ? ORDER BY sequence DESC LIMIT ?"
    oldest = int(all_of(db, nth, model, count)[-1][0])
    backwards = "SELECT body FROM log WHERE model = ? AND kind = ? AND last > ?"
    before = "SELECT max(sequence) FROM snapshots WHERE model = ? AND sequence <= ?"
    while True:
        targets = [int(bytes(body)) for (body,) in all_of(db, backwards, model, ROLLBACK, oldest)]
        found = first_of(db, before, model, min([oldest, *targets]))
        if found is None or found == oldest:
            return oldest
        oldest = int(found)
