"""A disk whose power can be cut: what was not synced is lost, kept or torn, sector by sector.

A file system for SQLite that remembers, for each file, what a sync has made certain, and the writes
since. A cut leaves files that hold the certain bytes and, of every sector written since, the old
content, the new one, or a torn mixture. `lies` makes a disk that says it has synced and has not.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import apsw

SECTOR = 512


class Disk(apsw.VFS):
    """The file system; files are also written for real, so that SQLite can go on."""

    def __init__(self, name: str, *, lies: bool = False) -> None:
        self.vfs_name, self.lies = name, lies
        #: The power goes after so many writes and syncs; None: not by itself.
        self.fuse: int | None = None
        #: What is certain to be on the disk, by path.
        self.certain: dict[str, bytes] = {}
        super().__init__(name, "")

    def xOpen(self, name: Any, flags: list[int]) -> File:  # noqa: N802
        return File(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self.certain.pop(filename, None)
        super().xDelete(filename, syncdir)

    def used(self) -> None:
        """A write or a sync; without power there is none."""
        if self.fuse is not None:
            if self.fuse == 0:
                raise apsw.IOError("the power has gone")
            self.fuse -= 1

    def cut(self, folder: Path, target: Path, dice: random.Random) -> None:
        """Write what is left of the files of a folder, after a cut now, into another one."""
        for path in sorted(folder.iterdir()):
            if path.is_dir():
                (target / path.name).mkdir(exist_ok=True)
                for inner in path.iterdir():
                    # Snapshots are synced before the database names them.
                    (target / path.name / inner.name).write_bytes(inner.read_bytes())
                continue
            now, certain = path.read_bytes(), self.certain.get(str(path), b"")
            if path.name.endswith("-shm") or path.name == "lock.db":
                continue
            (target / path.name).write_bytes(_left(certain, now, dice))


def _left(certain: bytes, now: bytes, dice: random.Random) -> bytes:
    """The certain bytes with some of the sectors of the present ones."""
    if dice.random() < 0.25:
        return certain
    size = max(len(certain), len(now))
    old, new = certain.ljust(size, b"\0"), now.ljust(size, b"\0")
    found = bytearray()
    for at in range(0, size, SECTOR):
        a, b = old[at : at + SECTOR], new[at : at + SECTOR]
        fate = dice.random()
        torn = dice.randrange(len(a) + 1)
        found += a if fate < 0.45 else b if fate < 0.9 else b[:torn] + a[torn:]
    length = dice.choice([len(certain), len(now), dice.randrange(size + 1) if size else 0])
    return bytes(found[: max(length, min(len(certain), len(now)))])


class File(apsw.VFSFile):
    """A file of that system."""

    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        self._disk = disk
        self._path = name.filename() if isinstance(name, apsw.URIFilename) else str(name)
        super().__init__("", name, flags)
        if self._path not in disk.certain:
            # What was there when the power came on.
            disk.certain[self._path] = Path(self._path).read_bytes()

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        self._disk.used()
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self._disk.used()
        super().xSync(flags)
        if not self._disk.lies:
            self._disk.certain[self._path] = Path(self._path).read_bytes()
