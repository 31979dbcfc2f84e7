"""Whether files are read as svmlight: by the name of the first, or by its first lines."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from os.path import splitext
from pathlib import Path

from thresher.errors import SourceError
from thresher.verifier.readers.unpacked import shown_name, unpacked

_OURS = (".svm", ".svmlight", ".libsvm")
_OTHERS = (
    *(".parquet", ".arrow", ".feather", ".arrows", ".thb"),
    *(".json", ".jsonl", ".ndjson", ".vw", ".csv", ".tsv"),
)
_PACKED = (".gz", ".zst", ".xz", ".bz2")
_BINARY = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"\x89THB")
_LINE = re.compile(rb"[^\s:|#]+(?:\s+(?:qid:\S+|[0-9]+:\S+))*\s*(?:#.*)?")
_BYTES, _LINES = 1 << 16, 20


def reads_as_svmlight(paths: Sequence[str]) -> bool:
    """Whether thresher's commands read these files as svmlight if nobody says what they are.

    The name of the first decides, or the first lines of the first that is not empty. Files that
    the verifier's own reader cannot open, and standard input, are left to others.
    """
    if not paths or not all(Path(path).is_file() or "://" in path for path in paths):
        return False
    stem, suffix = splitext(shown_name(paths[0]))
    suffix = (splitext(stem)[1] if suffix in _PACKED else suffix).lower()
    try:
        heads = [_head(path) for path in paths]
    except SourceError:
        return False
    if suffix in _OURS + _OTHERS:
        return suffix in _OURS
    return looks_like_svmlight(next(filter(None, heads), b""))


def _head(path: str) -> bytes:
    head = b""
    with closing(unpacked(path)) as pieces:
        while len(head) < _BYTES and (piece := next(pieces, b"")):
            head += piece
    return head[:_BYTES]


def looks_like_svmlight(head: bytes) -> bool:
    """Whether the first lines of a file are those of an svmlight file.

    >>> looks_like_svmlight(b"+1 3:1 7:0.5 # x"), looks_like_svmlight(b"1 | free cash")
    (True, False)
    """
    lines = head[:_BYTES].removeprefix(b"\xef\xbb\xbf").split(b"\n")
    # The last line may have been cut.
    whole = [line.rstrip(b"\r") for line in (lines[:-1] or lines)[:_LINES]]
    found = [line for line in whole if line.strip() and not line.startswith(b"#")]
    if head.startswith(_BINARY) or all(line.lstrip().startswith(b"{") for line in found):
        return False
    return b":" in b"".join(found) and all(map(_LINE.fullmatch, found))
