"""Backup: a copy of a store that may be at work."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import apsw

from thresher.errors import StoreError
from thresher.service.database import DATABASE, SNAPSHOTS, connected, made_folder
from thresher.service.store import Snapshot


def backed_up(db: apsw.Connection, folder: Path, target: Path) -> int:
    """Copy a store that may be at work; what is committed meanwhile is in the copy or is not."""
    home = made_folder(target)
    if (home / DATABASE).stat().st_size:
        raise StoreError(f"{home}: there is a store already.", code="store.exists", path=str(home))
    with apsw.Connection(str(home / DATABASE)) as copy, copy.backup("main", db, "main") as work:
        while not work.done:
            work.step()
    copy.close()
    # Snapshots that went away while the database was copied are not needed: older ones stay
    # until newer ones are durable, and the copy names those that were there when it was made.
    made = connected(home)
    missing = []
    rows: list[Any] = made.execute("SELECT files FROM snapshots").fetchall()
    for (packed,) in rows:
        for file in Snapshot.of(packed).files.values():
            try:
                data = (folder / SNAPSHOTS / file).read_bytes()
            except FileNotFoundError:
                missing.append(file)
                continue
            handle = os.open(home / SNAPSHOTS / file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with open(handle, "wb") as out:
                out.write(data)
                out.flush()
                os.fsync(handle)
    counted: Any = made.execute("SELECT count(*) FROM models").fetchone()
    made.close()
    if missing:
        raise StoreError(
            f"{home}: snapshots were replaced while the copy was made ({missing[0]}).",
            "Make it again, in another folder.",
            code="store.backup_overtaken",
        )
    return int(counted[0])
