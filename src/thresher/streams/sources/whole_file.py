"""Files that are written whole or not at all, and the unfinished ones that dead processes left."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from errno import EREMOTE
from hashlib import sha256
from io import BufferedWriter, FileIO
from typing import Any, BinaryIO, TypeVar

from thresher.addresses import is_remote, shown
from thresher.errors import OutputError
from thresher.streams.sources.machine import sync_directory, try_lock

T = TypeVar("T")

_BUFFER = 1 << 16
#: What is said of an output on another machine.
HERE_ALONE = "results are written to files of this machine"
#: Descriptors that were opened by others, by the names that systems have for them.
_DESCRIPTOR = re.compile(r"/(?:dev|proc/(?:self|thread-self))/fd/([0-9]{1,9})")
_NAMED_DESCRIPTORS = {"/dev/stdout": 1, "/dev/stderr": 2}


@contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to, which takes its name when the block ends well, durably.

    Assumes: `fsync` returns only when the bytes are on the device; `rename` within a
    directory is atomic. (Network file systems may break both.)

    Promises: when the block has ended, the new bytes survive power loss. If it raises, or
    the machine stops before, `path` holds the old bytes, or the new ones if it was the last
    step that failed; a file that was not there may still not be there. A symbolic link stays
    one: the file it points to is replaced. The new file has the permissions of the old one,
    or those that the process gives to new files. What a process that died left beside `path`
    is removed by the next one that writes to the same name; what belongs to one that lives is
    not touched.

    Does not promise: anything about two writers (the last one wins), about owners, access
    lists and hard links of the old file, or about a target that is no regular file: bytes
    for a pipe, a device or a descriptor (``/dev/stdout``) are simply written to it. Until the next
    writer comes there may be a ``.thresher-*.partial`` beside `path`, which is safe to delete if
    nobody writes; on a system without locks it stays.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "answers.txt"
    >>> with whole_file(path) as file:
    ...     _ = file.write(b"all of it")
    ...     path.exists()
    False
    >>> path.read_bytes(), [other.name for other in path.parent.iterdir()]
    (b'all of it', ['answers.txt'])
    """
    name = os.fspath(path)
    if is_remote(name):
        raise OutputError.of(shown(name), OSError(EREMOTE, HERE_ALONE))
    if (descriptor := _descriptor(name)) is not None:
        with _told(name, descriptor) as stream:
            yield stream
        return
    try:
        mode = os.stat(name).st_mode
    except FileNotFoundError:
        mode = None
    except OSError as error:
        raise OutputError.of(name, error) from error
    if mode is not None and not stat.S_ISREG(mode):
        with _told(name, name) as device:
            yield device
        return
    with _replaced(name, mode) as file:
        yield file


@contextmanager
def _replaced(name: str, mode: int | None) -> Iterator[BinaryIO]:
    """A new file in a folder, which in the end replaces the one of this name."""
    target = os.path.realpath(name)
    folder, own = os.path.split(target)
    prefix = f".thresher-{sha256(os.fsencode(own)).hexdigest()[:16]}-"
    _remove_stale(folder, prefix)
    partial, handle, locked = _new_file(name, folder, prefix)
    try:
        with _told(name, handle, new=True) as file:
            if mode is not None:
                os.chmod(partial, stat.S_IMODE(mode))
            yield file
            file.flush()
            _in_words(name, os.fsync, handle)
            if locked:
                # While it is open it is ours; once closed, others would take it for a dead one's.
                _in_words(name, os.replace, partial, target)
        if not locked:
            # Systems without such locks rename no file that is open.
            _in_words(name, os.replace, partial, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(partial)
        raise
    _in_words(name, sync_directory, folder)


def _new_file(name: str, folder: str, prefix: str) -> tuple[str, int, bool]:
    """A file that was not there, its descriptor, and whether it is locked."""
    while True:
        partial = os.path.join(folder, f"{prefix}{os.urandom(8).hex()}.partial")
        # Not tempfile: its files are for their owner alone, whatever the process gives others.
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        handle = _in_words(name, os.open, partial, flags, 0o666)
        locked = try_lock(handle)
        # Before it was locked another writer may have taken it for one without an owner.
        with suppress(OSError):
            if locked is None or (locked and os.path.samestat(os.fstat(handle), os.stat(partial))):
                return partial, handle, bool(locked)
        os.close(handle)


def _remove_stale(folder: str, prefix: str) -> None:
    """Remove what writers to the same name left unfinished, unless they still live."""
    with suppress(OSError):
        left = [name for name in os.listdir(folder) if name.startswith(prefix)]
        for name in left:
            _remove_if_dead(os.path.join(folder, name))


def _remove_if_dead(path: str) -> None:
    with suppress(OSError):
        if not stat.S_ISREG(os.lstat(path).st_mode):
            return
        handle = os.open(path, os.O_RDWR)
        try:
            if try_lock(handle):
                os.unlink(path)
        finally:
            os.close(handle)


def descriptor_number(name: str) -> int | None:
    """The number of the descriptor that a name stands for; None if it is a file's name.

    >>> descriptor_number("answers.txt")
    """
    plain = os.path.abspath(name)
    found = _DESCRIPTOR.fullmatch(plain)
    number = int(found[1]) if found else _NAMED_DESCRIPTORS.get(plain)
    return number if os.path.exists("/dev/fd") else None


def _descriptor(name: str) -> int | None:
    """The descriptor that a name stands for, as a new one; None if it is a file's name."""
    number = descriptor_number(name)
    if number is None:
        return None
    if number == 1 and sys.stdout is not None:
        sys.stdout.flush()
    return _in_words(name, os.dup, number)


class _Told(FileIO):
    """A file whose faults are told by the name that the user gave it."""

    said: str
    new: bool

    def write(self, data: Any, /) -> int:
        return _in_words(self.said, super().write, data)


def can_go_back(file: BinaryIO) -> bool:
    """Whether what was written of a file may be written again, at another place than its end.

    That is so of a new file; who knows where a descriptor of others stands.
    """
    return bool(getattr(getattr(file, "raw", None), "new", False))


@contextmanager
def _told(name: str, file: str | int, *, new: bool = False) -> Iterator[BinaryIO]:
    raw = _in_words(name, _Told, file, "wb")
    raw.said, raw.new = name, new
    with BufferedWriter(raw, _BUFFER) as buffered:
        try:
            yield buffered
            buffered.flush()
        except BaseException:
            # What is left in the buffer would be written once more, and fail once more.
            raw.close()
            raise


def _in_words(name: str, function: Callable[..., T], *args: Any) -> T:
    try:
        return function(*args)
    except BrokenPipeError:
        # A reader that went away is no fault of what it read.
        raise
    except OSError as error:
        raise OutputError.of(name, error) from error
