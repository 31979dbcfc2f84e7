"""Files on other machines: ``s3://``, ``gs://``, ``az://``, ``hdfs://``, ``https://``.

fsspec knows the protocols, and a package for each of them speaks it. Credentials are found where
that package looks for them (its environment variables, its files); none are taken from an address.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from importlib import import_module
from io import BufferedReader, RawIOBase
from threading import Thread
from time import sleep
from typing import Any, BinaryIO, TypeVar

from thresher.addresses import ADDRESS, is_remote, on_the_web, shown
from thresher.errors import MissingPackageError, SourceError

T = TypeVar("T")

#: Bytes that are asked for at a time, and how many such blocks are under way or wait to be read.
BLOCK, AHEAD = 4 << 20, 4
#: Seconds to wait before a question that failed is asked again; then it has failed.
PAUSES = (0.1, 0.5, 2.0, 5.0)
#: Seconds that a server of the web may be silent in the middle of an answer.
SILENCE = 60.0

_WHOLE_ALONE = "the server does not hand out parts of files"
#: What the answer to a question may hold that is nobody's business: what stands behind a ``?``.
_QUERY = re.compile(r"\?[^\s'\")>]*")
#: Somebody's name in an address behind another: ``zip://a.svm::https://name:word@host/a.zip``.
_BEHIND = re.compile(r"::[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*@")
#: Which package speaks a protocol, and the extra that brings it.
_PACKAGES = {
    "s3": ("s3fs", "s3"),
    "s3a": ("s3fs", "s3"),
    "gs": ("gcsfs", "gcs"),
    "gcs": ("gcsfs", "gcs"),
    "az": ("adlfs", "azure"),
    "abfs": ("adlfs", "azure"),
    "abfss": ("adlfs", "azure"),
    "hdfs": ("pyarrow", "parquet"),
    "http": ("aiohttp", "http"),
    "https": ("aiohttp", "http"),
}
#: Faults that no second try cures.
_FINAL = (FileNotFoundError, PermissionError, NotADirectoryError, IsADirectoryError,
          ImportError, SourceError)  # fmt: skip


def matching(pattern: str) -> list[str]:
    """The addresses that a pattern stands for, sorted; a file of that very name comes first."""
    system, place = _system(pattern)
    if _asked(pattern, lambda: system.exists(place)):
        return [pattern]
    found = _asked(pattern, lambda: system.glob(place))
    return sorted(_in_full(pattern, system, name) for name in found if name != place)


def remote_size(path: str) -> int | None:
    """How many bytes a file has; None where the other side does not say."""
    system, place = _system(path)
    size = _asked(path, lambda: system.info(place)).get("size")
    return None if size is None else int(size)


def remote_file(path: str) -> BinaryIO:
    """A file in which one may go back; every large step asks the other side."""
    system, place = _system(path)
    # Small steps near each other are one question.
    opened = _asked(path, lambda: system.open(place, "rb", cache_type="none"))
    return BufferedReader(_Asked(path, opened), 1 << 14)


class _Asked(RawIOBase):
    """A file of another package, of which every part is asked for again if that fails."""

    def __init__(self, path: str, opened: Any) -> None:
        self._path, self._opened = path, opened

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, place: int, whence: int = 0, /) -> int:
        return int(self._opened.seek(place, whence))

    def tell(self) -> int:
        return int(self._opened.tell())

    def readinto(self, buffer: Any, /) -> int:
        data = _asked(self._path, lambda: self._part(len(buffer)))
        memoryview(buffer).cast("B")[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            self._opened.close()
        super().close()

    def _part(self, size: int) -> bytes:
        place = self._opened.tell()
        try:
            return bytes(self._opened.read(size))
        except ValueError:
            # fsspec's word for a server that sends more than it was asked for.
            raise SourceError(shown(self._path), _WHOLE_ALONE) from None
        except Exception:
            self._opened.seek(place)
            raise


def _in_full(pattern: str, system: Any, name: str) -> str:
    """What a file system calls a file, as an address: on the machine that the pattern names.

    Where a machine has been named, packages leave it out of what they call a file.
    """
    if is_remote(name):
        return name
    found = ADDRESS.match(pattern)
    assert found is not None
    machine = pattern[found.end() :].partition("/")[0]
    if name.startswith("/"):
        return f"{found[0]}{machine}{name}"
    if found[2] is not None:
        # Of Azure: ``abfs://container@account/name``.
        return f"{found[0]}{machine}/{name.partition('/')[2]}"
    return str(system.unstrip_protocol(name))


def _system(path: str) -> tuple[Any, str]:
    """The file system that has a file, and what it calls it there."""
    found = ADDRESS.match(path)
    assert found is not None
    protocol = found[1].lower()
    # A container of Azure is written as a name is elsewhere; a password is one anywhere.
    named = found[2] is not None and protocol not in ("az", "abfs", "abfss")
    if named or (found[2] is not None and ":" in found[2]) or _BEHIND.search(path):
        rest = path[path.rindex("@") + 1 :] if "@" in path else path[found.end() :]
        raise SourceError(
            f"{protocol}://...@{shown(rest).partition('?')[0]}",
            "an address with a name or a password is not read: it would end up in logs",
            "Put credentials where the package for this protocol looks for them, such as its "
            "environment variables.",
        )
    package, extra = _PACKAGES.get(protocol, ("fsspec", "s3"))
    reading = f"Reading {protocol}://"
    try:
        fsspec = import_module("fsspec.core")
    except ImportError:
        raise MissingPackageError(reading, "fsspec", extra) from None
    try:
        # Packages know their protocols in small letters.
        system, place = fsspec.url_to_fs(protocol + path[len(protocol) :], **_web_options(protocol))
    except ImportError:
        raise MissingPackageError(reading, package, extra) from None
    except Exception as error:
        # What is wrong with an address, with a setting, or with what is behind another address.
        raise _in_words(path, error) from error
    return system, place


def _web_options(protocol: str) -> dict[str, Any]:
    """How to ask a server of the web; what somebody has configured for fsspec comes first.

    By itself aiohttp gives a file five minutes in all, however long it is, looks for no proxy
    and for no ~/.netrc.
    """
    if protocol not in ("http", "https"):
        return {}
    waiting = import_module("aiohttp").ClientTimeout(total=None, sock_connect=30, sock_read=SILENCE)
    configured = import_module("fsspec.config").conf.get(protocol, {}).get("client_kwargs", {})
    return {"client_kwargs": {"timeout": waiting, "trust_env": True, **configured}}


def _asked(path: str, question: Callable[[], T]) -> T:
    """The answer to a question, which is asked again if the network or the other side fails."""
    for pause in (*PAUSES, None):
        try:
            return question()
        except Exception as error:
            # Packages have errors of their own, and no common class for them.
            if pause is None or _is_final(error):
                raise _in_words(path, error) from error
            sleep(pause)
    raise AssertionError


def _is_final(error: Exception) -> bool:
    """Whether asking again would be answered in the same way."""
    if isinstance(error, FileNotFoundError) and not _is_missing(error):
        return _status(error.__cause__) in (400, 401, 403)
    return isinstance(error, _FINAL)


def _status(error: BaseException | None) -> int | None:
    """The status that an HTTP server answered with, if it is that."""
    return getattr(error, "status", None)


def _is_missing(error: FileNotFoundError) -> bool:
    """Whether a file is not there; fsspec says so too where an HTTP server could not be asked."""
    return error.__cause__ is None or _status(error.__cause__) in (404, 410)


def _cause(error: Exception) -> Exception:
    inner = error.__cause__
    return inner if isinstance(error, FileNotFoundError) and isinstance(inner, Exception) else error


def _in_words(path: str, error: Exception) -> Exception:
    if isinstance(error, SourceError):
        return error
    if isinstance(error, FileNotFoundError) and _is_missing(error):
        return SourceError(shown(path), "there is no such file")
    error = _cause(error)
    said = _QUERY.sub("", " ".join(str(error).replace(path, shown(path)).split()))[:300]
    if isinstance(error, PermissionError) or _status(error) in (401, 403):
        hint = (
            "Credentials are looked for where the package for this protocol finds them: its "
            "environment variables and files."
        )
        return SourceError(shown(path), f"may not be read: {said or 'access denied'}", hint)
    return SourceError(shown(path), f"cannot be read: {said or type(error).__name__}".rstrip("."))


class RemoteFile(RawIOBase):
    """A file on another machine, or a stretch of it, read from its beginning to its end.

    Blocks are fetched ahead of the reader, several at a time, and fetched again when that fails.
    A file that is another one at the end than at the beginning is refused.
    """

    def __init__(self, path: str, start: int = 0, stop: int | None = None) -> None:
        self.path = path
        self._blocks: deque[Future[bytes]] = deque()
        self._block, self._at = b"", 0
        self._stream: Any = None
        self._system, self._place = _system(path)
        self._seen = self._looked_at()
        size = self._seen[0]
        #: Bytes in all; None where the other side does not say.
        self.size: int | None = None
        if size is None or not self._gives_stretches(size):
            if start or stop is not None:
                raise SourceError(shown(path), _WHOLE_ALONE)
            opened = _asked(path, lambda: self._system.open(self._place, "rb", block_size=0))
            self.size, self._stream = size, opened
            return
        self._told, self._next = size, start
        self._stop = size if stop is None else min(stop, size)
        self.size = max(0, self._stop - start)
        self._fetch_ahead()

    def readable(self) -> bool:
        """Yes."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Fill a buffer as far as the present block reaches; 0 at the end."""
        target = memoryview(buffer).cast("B")
        if not len(target):
            return 0
        if self._at == len(self._block):
            self._block, self._at = self._next_block(len(target)), 0
        part = self._block[self._at : self._at + len(target)]
        target[: len(part)] = part
        self._at += len(part)
        return len(part)

    def close(self) -> None:
        """Let go of what is under way."""
        if not self.closed:
            self._blocks.clear()
            if self._stream is not None:
                self._stream.close()
        super().close()

    def _next_block(self, most: int) -> bytes:
        if self._stream is not None:
            # What came in one piece cannot be asked for again from its middle.
            try:
                return bytes(self._stream.read(min(most, BLOCK)))
            except Exception as error:
                raise _in_words(self.path, error) from error
        if not self._blocks:
            self._require_unchanged()
            return b""
        block = self._blocks.popleft().result()
        self._fetch_ahead()
        return block

    def _fetch_ahead(self) -> None:
        while len(self._blocks) < AHEAD and self._next < self._stop:
            stop = min(self._next + BLOCK, self._stop)
            block: Future[bytes] = Future()
            # Not a pool: Python waits for the threads of one at its end, and a server may be slow.
            Thread(target=self._fetch, args=(block, self._next, stop), daemon=True).start()
            self._blocks.append(block)
            self._next = stop

    def _fetch(self, block: Future[bytes], start: int, stop: int) -> None:
        try:
            block.set_result(_asked(self.path, lambda: self._stretch(start, stop)))
        except BaseException as error:
            block.set_exception(error)

    def _stretch(self, start: int, stop: int) -> bytes:
        # At the end one byte more is asked for: nobody has it unless too small a size was told.
        more = int(stop == self._told)
        data = bytes(self._system.cat_file(self._place, start=start, end=stop + more))
        if len(data) > stop - start:
            self._require_unchanged()
            raise SourceError(
                shown(self.path),
                f"the other side says that it has {self._told:,} bytes, and has {self._length():,}",
                "Ask whoever serves it, or fetch it first.",
            )
        if len(data) != stop - start:
            self._require_unchanged()
            raise OSError(f"{len(data)} bytes came where {stop - start} were asked for")
        return data

    def _length(self) -> int:
        """How many bytes can be had, where that is more than was told."""
        low, step = self._told + 1, 1
        while self._has(low + step):
            low, step = low + step, 2 * step
        high = low + step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._has(middle) else (low, middle)
        return low

    def _has(self, length: int) -> bool:
        """Whether there are so many bytes."""
        try:
            return bool(self._system.cat_file(self._place, start=length - 1, end=length))
        except Exception:
            # Behind the end, each package has another word for it.
            return False

    def _gives_stretches(self, size: int) -> bool:
        """Whether the other side hands out parts; a plain HTTP server may send all of it."""
        if size < 2 or not self.path.lower().startswith("http"):
            return True
        return _asked(self.path, lambda: self._gives_one_byte(size))

    def _gives_one_byte(self, size: int) -> bool:
        with self._system.open(self._place, "rb", cache_type="none", size=size) as opened:
            opened.seek(1)
            try:
                return len(opened.read(1)) == 1
            except ValueError:
                # fsspec's word for a server that sends more than it was asked for.
                return False

    def _looked_at(self) -> tuple[int | None, str]:
        """Size, and what tells this content from a later one."""
        self._system.invalidate_cache(self._place)
        found = _asked(self.path, lambda: self._system.info(self._place))
        if found.get("type") == "directory":
            folder = self.path.rstrip("/")
            raise SourceError(shown(self.path), "is a directory", f"Name its files: {folder}/*")
        marks = [
            found.get(key)
            for key in ("ETag", "etag", "md5Hash", "LastModified", "Last-Modified", "mtime",
                        "last_modified", "modificationTime")
        ]  # fmt: skip
        size = found.get("size")
        if not size and on_the_web(self.path):
            # Servers that answer a HEAD by a routine for all pages say 0 of every file.
            size = None
        return None if size is None else int(size), repr(marks)

    def _require_unchanged(self) -> None:
        if self._looked_at() != self._seen:
            raise SourceError(
                shown(self.path), "was changed while it was read", "Read it again from the start."
            )
