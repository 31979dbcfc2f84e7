"""A file written as a whole: the old bytes or the new ones, never a mixture."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from contextlib import suppress

from thresher.streams.sources.machine import sync_directory


def atomic_write(path: str | os.PathLike[str], parts: Iterable[bytes | memoryview]) -> None:
    """Write the parts, one after another, to `path`, durably.

    Assumes: `fsync` returns only when the bytes are on the device; `rename` within a
    directory is atomic. (Network file systems may break both.)

    Promises: when this function returns, the new bytes survive power loss. If it raises, or
    the machine stops before it returns, `path` holds the old bytes, or the new ones if it
    was the last step that failed; a file that was not there may still not be there. A
    symbolic link stays one: the file it points to is replaced. The new file has the
    permissions of the old one, or those that the process gives to new files.

    Does not promise: anything about two writers (the last one wins), about owners, access
    lists and hard links of the old file, or about a target that is no regular file: bytes
    for a pipe or a device are simply written to it. A machine that stops may leave a
    ``.thresher-*.partial`` beside `path`, which is safe to delete.
    """
    target = os.path.realpath(path)
    try:
        mode = os.stat(target).st_mode
    except FileNotFoundError:
        mode = None
    if mode is not None and not stat.S_ISREG(mode):
        with open(target, "wb") as device:
            device.writelines(parts)
        return
    folder = os.path.dirname(target)
    partial = os.path.join(folder, f".thresher-{os.urandom(8).hex()}.partial")
    # Not tempfile: its files are for their owner alone, whatever the process gives others.
    try:
        with open(partial, "xb") as file:
            if mode is not None:
                os.chmod(partial, stat.S_IMODE(mode))
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, target)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(partial)
        raise
    sync_directory(folder)
