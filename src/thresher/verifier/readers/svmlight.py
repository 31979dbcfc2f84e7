"""The verifier's own reader of svmlight files: plain Python, so that no stream code is trusted.

A line is ``label index:value ... # comment``; `qid:` is skipped, blank lines are. It is slow,
a few megabytes a second, and reads the whole file.
"""

from __future__ import annotations

import gzip
import re
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thresher.errors import LabelError, UnsoundBatchError

PAIR = re.compile(rb"(\d+):([^\s:]+)")
LINE = re.compile(rb"\s*[^\s:|{\[,\"]+(\s+(qid:\S+|\d+:[^\s:]+))*\s*(#.*)?")
#: Pairs of labels that need no word: the second is +1.
SCHEMES = (("-1", "1"), ("0", "1"), ("1", "2"))


@dataclass(frozen=True, slots=True, eq=False)
class PlainRows:
    """The rows of files, as they were written, and the label of each."""

    row_start: NDArray[np.int64]
    column: NDArray[np.int64]
    value: NDArray[np.float64]
    label: NDArray[np.int8]


def looks_like_svmlight(head: bytes) -> bool:
    """Whether the first lines of a file are those of an svmlight file.

    >>> looks_like_svmlight(b"+1 3:1 7:0.5 # x"), looks_like_svmlight(b"1 | free cash")
    (True, False)
    """
    lines = head.removeprefix(b"\xef\xbb\xbf").splitlines()
    # The last line may have been cut.
    whole = lines if len(lines) < 2 or head.endswith(b"\n") else lines[:-1]
    found = [line for line in whole if line.strip() and not line.lstrip().startswith(b"#")]
    return any(PAIR.search(line) for line in found) and all(map(LINE.fullmatch, found))


def read_svmlight(
    paths: Sequence[str], positive: str | None = None, *, one_based: bool = False
) -> PlainRows:
    """The rows of svmlight files, one file after another.

    Parameters
    ----------
    paths
        Files, ``.gz`` among them; ``-`` is standard input.
    positive
        The label that counts as +1; every other one is -1. Not needed for -1/+1, 0/1 and 1/2.
    one_based
        Whether index 1 is column 0.
    """
    start, column, value = array("q", [0]), array("q"), array("d")
    labels: list[str] = []
    for path in paths:
        for number, line in enumerate(_lines(path), 1):
            words = line.split(b"#", 1)[0].split()
            if not words:
                continue
            where = f"{'<stdin>' if path == '-' else path}:{number}"
            labels.append(_label(words[0], where))
            for word in words[1:]:
                if word.startswith(b"qid:"):
                    continue
                index, number_ = _pair(word, where)
                if index < one_based:
                    raise UnsoundBatchError(f"{where}: found index 0, expected 1 or more.")
                column.append(index - one_based)
                value.append(number_)
            start.append(len(column))
    return PlainRows(
        np.array(start, np.int64),
        np.array(column, np.int64),
        np.array(value, np.float64),
        signs(labels, positive),
    )


def _lines(path: str) -> Iterator[bytes]:
    """The lines of a file, without a byte order mark."""
    if path == "-":
        yield from _unmarked(sys.stdin.buffer)
    else:
        with gzip.open(path) if path.endswith(".gz") else Path(path).open("rb") as file:
            yield from _unmarked(file)


def _unmarked(lines: Iterable[bytes]) -> Iterator[bytes]:
    for number, line in enumerate(lines):
        yield line if number else line.removeprefix(b"\xef\xbb\xbf")


def _pair(word: bytes, where: str) -> tuple[int, float]:
    found = PAIR.fullmatch(word)
    try:
        index, value = (int(found[1]), float(found[2])) if found else (-1, 0.0)
    except ValueError:
        index, value = -1, 0.0
    # Python's float also reads "1_0" and "infinity", which nobody means in a file.
    if index < 0 or index >= 2**31 or not np.isfinite(value) or b"_" in word:
        shown = word[:40].decode("utf-8", "backslashreplace")
        raise UnsoundBatchError(f"{where}: found {shown!r}, expected index:value.")
    return index, value


def _label(word: bytes, where: str) -> str:
    if b":" in word:
        shown = word[:40].decode("utf-8", "backslashreplace")
        raise UnsoundBatchError(f"{where}: found {shown!r}, expected a label first.")
    return same_label(word.decode("utf-8", "backslashreplace"))


def same_label(text: str) -> str:
    """One spelling for labels that are one: "1", "+1" and "1.0".

    >>> same_label("+1"), same_label("1.0"), same_label("spam")
    ('1', '1', 'spam')
    """
    try:
        number = float(text)
    except ValueError:
        return text
    return str(int(number)) if number.is_integer() else repr(number)


def signs(labels: Sequence[str], positive: str | None) -> NDArray[np.int8]:
    """Labels as -1/+1."""
    if positive is None:
        found = set(labels)
        scheme = next((pair for pair in SCHEMES if found <= {*pair}), None)
        if scheme is None:
            shown = ", ".join(sorted(found)[:5])
            raise LabelError(f"found the labels {shown}. Say which one counts as +1.")
        positive = scheme[1]
    wanted = same_label(positive)
    return np.array([1 if label == wanted else -1 for label in labels], np.int8)
