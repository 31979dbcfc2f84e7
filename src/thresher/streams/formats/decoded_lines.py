"""Lines of JSON decoded to objects, one after another, with words for those that are bad.

This defines what a line is. The compiled scanner (`kernels/scanning/scan_json.pyx`) is for the many
lines in which nothing is rare, and leaves the others to this.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import msgspec
import numpy as np

from thresher.errors import Hint
from thresher.streams.bad_lines import ENCODINGS
from thresher.streams.chunk import BadLine
from thresher.streams.formats.format import Scanned
from thresher.streams.formats.mending import is_text
from thresher.streams.formats.objects import ObjectReader

decode = msgspec.json.Decoder().decode

#: How deep objects and lists may lie in each other. Without a number of ours it would be that of
#: the interpreter, which differs from release to release.
DEEPEST = 500
STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')


class Place(NamedTuple):
    """A line that is not blank: its number, and where in the block it begins and ends."""

    line: int
    start: int
    stop: int


def every_line(block: bytes, first_line: int) -> list[Place]:
    """The lines of a block, but for blank ones.

    >>> every_line(b'{"a": 1}\\r\\n\\n {}', 1)
    [Place(line=1, start=0, stop=8), Place(line=3, start=11, stop=14)]
    """
    places: list[Place] = []
    at = 0
    for number, line in enumerate(block.split(b"\n"), first_line):
        start, at = at, at + len(line) + 1
        line = line.rstrip(b"\r")
        if line and not line.isspace():
            places.append(Place(number, start, start + len(line)))
    return places


def is_too_deep(line: bytes) -> bool:
    """Whether objects and lists lie in each other beyond what is read.

    >>> is_too_deep(b"[" * 501), is_too_deep(b"[" * 500), is_too_deep(b"[{}]" * 501)
    (True, False, False)
    """
    if line.count(b"{") + line.count(b"[") <= DEEPEST:
        return False
    depth = deepest = 0
    for sign in re.findall(rb"[\[\]{}]", STRING.sub(b"", line)):
        depth += 1 if sign in b"[{" else -1
        deepest = max(deepest, depth)
    return deepest > DEEPEST


def _one_a_line(line: bytes) -> Hint | None:
    """What to do about a list of objects, or one object over several lines."""
    start = line.strip()
    if start != b"{" and not start.startswith(b"["):
        return None
    program = "jq -c ." if start == b"{" else "jq -c '.[]'"
    return Hint("line.list", f"Every line must be an object of its own: {program} writes them so.")


def decoded(file: str, block: bytes, places: list[Place], reader: ObjectReader) -> Scanned:
    """The rows of some lines of a block."""
    objects: list[Any] = []
    where: list[Place] = []
    bad: list[BadLine] = []
    for place in places:
        line = block[place.start : place.stop]
        if is_too_deep(line):
            found = f"objects or lists in each other, more than {DEEPEST} deep"
            bad.append(BadLine(file, place.line, found, "a JSON object", line, None))
            continue
        try:
            objects.append(decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            found = f"a line that is not JSON: {error}"
            hint = _one_a_line(line) if is_text(line) else ENCODINGS
            bad.append(BadLine(file, place.line, found, "a JSON object", line, hint))
        else:
            where.append(place)
    read = reader.read(objects)
    for fault in read.faults:
        number, start, stop = where[fault.place]
        raw = block[start:stop]
        hint = fault.hint or _one_a_line(raw)
        bad.append(BadLine(file, number, fault.found, fault.expected, raw, hint))
    bad.sort(key=lambda line: line.line)
    place_of = np.array(where, np.int64).reshape(-1, 3)[read.kept]
    row_start, column, value = read.arrays
    return Scanned(
        row_start=row_start,
        column=column,
        value=value,
        label=read.label,
        label_names=read.label_names,
        importance=read.importance,
        line=np.ascontiguousarray(place_of[:, 0]),
        start=np.ascontiguousarray(place_of[:, 1]),
        stop=np.ascontiguousarray(place_of[:, 2]),
        bad=bad,
        n_lines=block.count(b"\n") + (not block.endswith(b"\n") and bool(block)),
    )


def in_order(one: Scanned, other: Scanned) -> Scanned:
    """The rows of different lines of one block, in the order of the lines."""
    order = np.argsort(np.concatenate([one.line, other.line]))
    sizes = np.concatenate([np.diff(one.row_start), np.diff(other.row_start)])[order]
    begin = np.concatenate([one.row_start[:-1], other.row_start[:-1] + len(one.column)])[order]
    row_start = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
    entries = np.repeat(begin - row_start[:-1], sizes) + np.arange(row_start[-1])
    importance = None
    if one.importance is not None or other.importance is not None:
        weights = [
            np.ones(len(part.line)) if part.importance is None else part.importance
            for part in (one, other)
        ]
        importance = np.concatenate(weights)[order]
    texts = [*one.label_names, *other.label_names]
    offset = len(one.label_names)
    shifted = np.where(other.label < 0, -1, other.label + offset)
    label = np.concatenate([one.label, shifted])[order]
    found, first = np.unique(label, return_index=True)
    number: dict[str, int] = {}
    for k in found[np.argsort(first)].tolist():
        if k >= 0:
            number.setdefault(texts[k], len(number))
    # The last is for rows without a label, whose number is -1.
    numbers = np.array([*(number[text] for text in texts), -1], np.int32)
    return Scanned(
        row_start=row_start,
        column=np.concatenate([one.column, other.column])[entries],
        value=np.concatenate([one.value, other.value])[entries],
        label=numbers[label],
        label_names=list(number),
        importance=importance,
        line=np.concatenate([one.line, other.line])[order],
        start=np.concatenate([one.start, other.start])[order],
        stop=np.concatenate([one.stop, other.stop])[order],
        bad=[*one.bad, *other.bad],
        n_lines=one.n_lines,
    )
