"""Snapshots while a model learns on: a copy is made between two events, and written meanwhile."""

from __future__ import annotations

import asyncio
from time import perf_counter
from typing import TYPE_CHECKING

from thresher.errors import ServiceError
from thresher.service.recovery import written
from thresher.service.retention import add_snapshot
from thresher.service.store import removed

if TYPE_CHECKING:
    from thresher.service.live_models import LiveModels
    from thresher.service.served_model import ServedModel


async def snapshot_in_time(models: LiveModels, served: ServedModel) -> None:
    """Take a snapshot that is due; if there is no room for it, later."""
    try:
        await take_snapshot(models, served)
    except ServiceError as error:
        # The log goes on, and is tried again when it has grown by as much as it has now.
        served.snapshot_due = 2 * served.log_bytes
        models.remark(f"no snapshot of {served.stored.name!r} was taken: {error}")


async def take_snapshot(models: LiveModels, served: ServedModel) -> int:
    """Write the model down, and let go of the log that it replaces; its number.

    Ids of the events in it move to their table in the same transaction.
    """
    # A model that failed between two events is not worth keeping: its log is.
    served.require_learning()
    if served.snapshot_running:
        raise ServiceError("a snapshot is being taken.", code="service.busy")
    served.snapshot_running, began = True, perf_counter()
    try:
        store, number = models.store, served.stored.number
        frozen, sequence = served.live.frozen(), served.live.sequence
        known = [(ident, one.sequence, one.packed()) for ident, one in served.known.items()]
        behind = served.log_bytes
        snapshot = await asyncio.to_thread(lambda: written(store, frozen()))
        try:
            gone = await models.commit(
                lambda db: add_snapshot(db, number, sequence, snapshot, known, models.keep),
                own=True,
            )
        except Exception:
            await asyncio.to_thread(removed, store, snapshot.files.values())
            raise
        await asyncio.to_thread(store.base.remember, number, [ident for ident, _, _ in known])
        for ident, own, _ in known:
            found = served.known.get(ident)
            if found is not None and found.sequence == own:
                del served.known[ident]
        served.log_bytes -= behind
        served.snapshot_due = sum(map(store.size, snapshot.files.values()))
        await asyncio.to_thread(removed, store, gone)
    finally:
        served.snapshot_running = False
    models.tally.checkpoint(perf_counter() - began)
    return sequence
