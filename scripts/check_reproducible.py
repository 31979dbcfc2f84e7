"""Build a wheel from a source archive, elsewhere and offline: it has the bytes of the one at hand.

Called with the archive and the wheel, by `make check-reproducible`. The archive is unpacked into a
folder of another name and depth than the tree, and nothing compiled earlier is used.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path


def built(archive: Path, folder: Path) -> Path:
    """The wheel that pip makes of the archive in this folder, without asking an index."""
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    (source,) = folder.iterdir()
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet"]
    command += ["--no-index", "--no-build-isolation", "--no-deps", "--wheel-dir", "made", "."]
    # A cache would give what was compiled in the tree.
    subprocess.run(command, cwd=source, check=True, env={**os.environ, "CCACHE_DISABLE": "1"})
    (wheel,) = (source / "made").iterdir()
    return wheel


def differences(one: Path, other: Path) -> list[str]:
    """What tells two wheels apart, in words; nothing if they have the same bytes."""
    if one.name != other.name:
        return [f"{one.name} is not {other.name}"]
    if one.read_bytes() == other.read_bytes():
        return []
    with zipfile.ZipFile(one) as ours, zipfile.ZipFile(other) as theirs:
        mine, its = ({f.filename: f.CRC for f in wheel.infolist()} for wheel in (ours, theirs))
    found = [f"{name} is in one of them" for name in sorted(mine.keys() ^ its.keys())]
    found += [f"{name} differs" for name in sorted(mine.keys() & its) if mine[name] != its[name]]
    return found or ["the files are the same, their order, times or permissions are not"]


if __name__ == "__main__":
    archive, wheel = Path(sys.argv[1]), Path(sys.argv[2])
    with tempfile.TemporaryDirectory(prefix="a longer path ") as folder:
        wrong = differences(wheel, built(archive, Path(folder)))
    for fault in wrong:
        print(f"{wheel.name}, built from {archive.name}: {fault}", file=sys.stderr)
    print(f"{wheel.name}: {'differs' if wrong else 'the same bytes when built from source'}")
    sys.exit(bool(wrong))
