"""Where bytes come from: files, globs, pipes, other machines; counted and hashed as stored."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable
from functools import partial
from glob import glob, has_magic
from importlib import import_module
from io import FileIO
from typing import TYPE_CHECKING, Any, BinaryIO

from blake3 import blake3

from thresher.addresses import is_remote, on_the_web, plain, shown
from thresher.errors import SourceError
from thresher.kernels.scanning.read_lines import LineReader
from thresher.streams.sources.machine import has_more, widen_pipe
from thresher.streams.sources.packed import unpacker_for
from thresher.streams.sources.part_of_file import PartOfFile
from thresher.streams.sources.transcoding import Transcoder

if TYPE_CHECKING:
    from thresher.streams.sources.remote import RemoteFile
    from thresher.streams.sources.unpacking import Unpacker

#: What people write for standard input, and what messages call it.
STDIN, STDIN_NAME = "-", "<stdin>"
#: How many stored bytes are read at a time.
PIECE = 1 << 20
_FULL_MAGIC = 6


def expanded(paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> list[str]:
    """The files that paths and patterns name, in order; a pattern's own files are sorted.

    >>> expanded(["-"])
    ['-']
    >>> expanded("no such folder/*.svm")
    Traceback (most recent call last):
    thresher.errors.SourceError: no such folder/*.svm: no file matches this pattern.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    found: list[str] = []
    for path in [plain(os.fspath(path)) for path in given]:
        if path == STDIN:
            found.append(path)
        elif is_remote(path):
            found += _remote(path)
        elif os.path.lexists(path) or not has_magic(path):
            found.append(_checked(path))
        elif matches := sorted(glob(path, recursive=True)):
            found += [match for match in matches if not os.path.isdir(match)]
        else:
            raise SourceError(path, "no file matches this pattern")
    if not found:
        raise SourceError("no input", "there is nothing to read", "Name a file, or - for stdin.")
    if found.count(STDIN) > 1:
        raise SourceError(STDIN_NAME, "standard input can be read only once", "Give - once.")
    return found


def _remote(path: str) -> list[str]:
    """The files that an address or a pattern names on another machine.

    On the web a ``?`` begins what is asked for, and nobody lists what is there.
    """
    if on_the_web(path) or not has_magic(path):
        return [path]
    matches: list[str] = _elsewhere().matching(path)
    if matches:
        return matches
    raise SourceError(path, "no file matches this pattern")


def is_kept(path: str) -> bool:
    """Whether a path names something that stays as it is when it is read, unlike a pipe."""
    return is_remote(path) or os.path.isfile(path)


def stored_size(path: str) -> int | None:
    """How many bytes a file has, here or elsewhere; None where nobody knows, as of a pipe."""
    if is_remote(path):
        size: int | None = _elsewhere().remote_size(path)
        return size
    return os.path.getsize(path) if os.path.isfile(path) else None


def opened_anywhere(path: str) -> BinaryIO:
    """A file, here or elsewhere, in which one may go back."""
    if not is_remote(path):
        return open(path, "rb")
    file: BinaryIO = _elsewhere().remote_file(path)
    return file


def _elsewhere() -> Any:
    """What reads from other machines; imported for those who do."""
    return import_module("thresher.streams.sources.remote")


def is_one_of(path: str | os.PathLike[str], paths: Iterable[str]) -> bool:
    """Whether a file is one of those that paths and patterns name, under whatever name."""
    if not os.path.isfile(path):
        return False
    named = (name for name in paths for name in ([name] if os.path.exists(name) else glob(name)))
    return any(os.path.samefile(path, name) for name in named)


def _checked(path: str) -> str:
    """The path of what can be read, as far as one can tell without opening it."""
    try:
        mode = os.stat(path).st_mode
    except OSError as error:
        raise SourceError(path, _reason(error)) from error
    if stat.S_ISDIR(mode):
        raise SourceError(
            path, "is a directory", f"Name the files in it: {os.path.join(path, '*')}"
        )
    return path


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "there is no such file"
    return f"cannot be read: {error.strerror}"


class ByteSource:
    """One input, opened: its bytes are unpacked, counted and hashed on their way.

    Bytes are counted and hashed as stored, so `digest` is what `b3sum FILE` says; it is known
    when the whole input has been read. Text in another `encoding` comes out as UTF-8. Of a file
    there may be a `part`, from one byte to another, which is then the whole input.
    """

    def __init__(
        self, path: str, encoding: str | None = None, part: tuple[int, int] | None = None
    ) -> None:
        self.path = path
        self.name = STDIN_NAME if path == STDIN else shown(path)
        self._file: FileIO | RemoteFile | None = None
        self._copy: Any = None
        self._file = _opened(path, part)
        #: Stored bytes in all; None for what has no size: a pipe, a terminal.
        self.size = _size(self._file)
        #: Stored bytes that have been read so far.
        self.n_bytes = 0
        self._has_more = None
        if self.size is None and isinstance(self._file, FileIO):
            self._has_more = partial(has_more, self._file.fileno())
        #: Whether the last line was found to have no line end: perhaps there should be more.
        self.unended = False
        self._hash = blake3()
        self._declared: str | None = None
        self._unpacker: Unpacker | None = None
        self._transcoder = None if encoding is None else Transcoder(encoding, self.name)
        self._lines: LineReader | None = None
        self._ahead = b""
        self._begun = self._ended = False

    @property
    def digest(self) -> str | None:
        """Digest of the stored bytes, or the one they bring along; None until all were read.

        It begins with the name of its algorithm: ``blake3:`` or, where a format has one in the
        file, ``sha256:``.
        """
        if self._declared is not None:
            return f"sha256:{self._declared}"
        return f"blake3:{self._hash.hexdigest()}" if self._ended else None

    @property
    def packed(self) -> bool:
        """Whether the input is compressed; known once something has been read."""
        return self._unpacker is not None

    def head(self, n: int) -> bytes:
        """The first `n` bytes, unpacked (fewer only if there are no more); they are read again."""
        self._begin()
        while len(self._ahead) < n and (more := self._next(n - len(self._ahead))):
            self._ahead += more
        return self._ahead[:n]

    def read(self, n: int) -> bytes:
        """Up to `n` bytes, unpacked; nothing at the end.

        A pipe that has nothing more to say at the moment is not waited for, unless nothing
        has been read yet: whoever is at the other end may be waiting for an answer.
        """
        self._begin()
        parts: list[bytes] = []
        while n and not (parts and not self._ahead and self._silent()):
            data, self._ahead = self._ahead or self._next(n), b""
            if not data:
                break
            part, self._ahead = data[:n], data[n:]
            parts.append(part)
            n -= len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def lines(self, begun: bytes, size: int) -> tuple[bytes, bytes, bool]:
        """Whole lines of about `size` bytes, what there is of the next, and whether that is all.

        The first of them has been `begun`; that part has no line end.
        """
        self._begin()
        converted = self._unpacker is not None or self._transcoder is not None
        if converted or self._ahead or self._file is None:
            data = self.read(max(size - len(begun), 1))
            block = begun + data
            cut = block.rfind(b"\n") + 1
            return block[:cut], block[cut:], not data
        try:
            if self._lines is None:
                self._lines = LineReader(self._file.readinto, self._has_more)
            whole, rest, ended = self._lines.read(begun, size)
        except OSError as error:
            raise SourceError(self.name, _reason(error)) from error
        parts = (whole, rest) if whole else (rest, b"")
        self.absorb(memoryview(parts[0])[len(begun) :])
        self.absorb(parts[1], last=ended)
        return whole, rest, ended

    def put_back(self, data: bytes) -> None:
        """Let these bytes be read next."""
        self._ahead = data + self._ahead

    def absorb(self, stored: bytes | memoryview, *, last: bool = False) -> None:
        """Count and hash bytes that a format has read by itself."""
        self._hash.update(stored)
        self.n_bytes += len(stored)
        self._ended = self._ended or last

    def declare(self, digest: str) -> None:
        """Take the SHA-256 that a format found in the input, all of which has been read."""
        self._declared = digest
        if self.size is not None:
            self.n_bytes = self.size

    def fileno(self) -> int:
        """The descriptor, for formats that read by themselves: files have one."""
        if not isinstance(self._file, FileIO):
            raise SourceError(self.name, "is not a file")
        return self._file.fileno()

    @property
    def can_be_mapped(self) -> bool:
        """Whether it is a file of this machine, as it is: not a pipe, not compressed."""
        return isinstance(self._file, FileIO) and self.size is not None and not self.packed

    def local_path(self) -> str:
        """Where a package finds the file that reads by itself; of what has no path there is a copy.

        The copy goes when the source is closed, and what was copied is read, counted and hashed.
        """
        if not is_remote(self.path) and self.path != STDIN:
            return self.path
        if self._copy is None:
            self._copy = import_module("tempfile").NamedTemporaryFile(prefix="thresher-")
            while data := self.read(PIECE):
                self._copy.write(data)
            self._copy.flush()
        return str(self._copy.name)

    def close(self) -> None:
        """Let go of the file; standard input stays open."""
        file, self._file, self._lines = self._file, None, None
        copy, self._copy = self._copy, None
        for opened in (file, copy):
            if opened is not None:
                opened.close()

    def __del__(self) -> None:
        # A stream that was opened and never read still holds its file.
        self.close()

    def _silent(self) -> bool:
        """Whether one would have to wait for more."""
        return self._has_more is not None and not self._has_more(0)

    def _next(self, n: int) -> bytes:
        """Some bytes, unpacked and in UTF-8, about `n`; nothing at the end."""
        if self._transcoder is None:
            return self._unpacked(n)
        while stored := self._unpacked(n):
            if text := self._transcoder.take(stored):
                return text
        return self._transcoder.take(b"")

    def _unpacked(self, n: int) -> bytes:
        """Some bytes, unpacked, about `n`; nothing at the end."""
        if self._unpacker is None:
            return self._take(n)
        while not self._ended or self._unpacker.pending:
            stored = b"" if self._unpacker.pending else self._take(PIECE)
            if data := self._unpacker.unpack(stored, n):
                return data
        self._unpacker.finish()
        return b""

    def _begin(self) -> None:
        """Find out from the first bytes whether the input is compressed."""
        if self._begun:
            return
        self._begun = True
        magic = b""
        while len(magic) < _FULL_MAGIC and (more := self._take(_FULL_MAGIC)):
            magic += more
        self._unpacker = unpacker_for(magic, self.name)
        first = magic if self._unpacker is None else self._unpacker.unpack(magic, PIECE)
        if first and self._transcoder is not None:
            first = self._transcoder.take(first)
        self._ahead += first

    def _take(self, n: int) -> bytes:
        """Some stored bytes, counted and hashed."""
        if self._ended:
            return b""
        try:
            stored = (sys.stdin.buffer if self._file is None else self._file).read(n) or b""
        except OSError as error:
            raise SourceError(self.name, _reason(error)) from error
        self.absorb(stored, last=not stored)
        return stored


def _opened(path: str, part: tuple[int, int] | None) -> FileIO | RemoteFile | None:
    """The file, or a part of it; None for a standard input that has no descriptor, as in a test."""
    if is_remote(path):
        opened: RemoteFile = _elsewhere().RemoteFile(path, *(part or ()))
        return opened
    if path != STDIN:
        try:
            return FileIO(path) if part is None else PartOfFile(path, *part)
        except OSError as error:
            raise SourceError(path, _reason(error)) from error
    if sys.stdin is None:
        raise SourceError(STDIN_NAME, "standard input is closed")
    try:
        file = FileIO(sys.stdin.fileno(), closefd=False)
    except (OSError, ValueError):
        return None
    # The largest that needs no privilege on Linux.
    widen_pipe(file.fileno(), PIECE)
    return file


def _size(file: FileIO | RemoteFile | None) -> int | None:
    if isinstance(file, PartOfFile) or not isinstance(file, FileIO):
        return None if file is None else file.size
    found = os.fstat(file.fileno())
    return found.st_size if stat.S_ISREG(found.st_mode) else None
