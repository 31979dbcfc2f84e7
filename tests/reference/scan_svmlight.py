"""svmlight text line by line, token by token: what a line means."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import isfinite

from tests.reference.number import read_number

(NO_LABEL, LABEL_BYTES, NOT_A_FEATURE, INDEX_RANGE, NOT_A_NUMBER, NOT_FINITE, TWICE) = range(1, 8)
INDEX = re.compile(rb"([0-9]+):")


@dataclass
class Row:
    line: int
    start: int
    stop: int
    label: str
    features: dict[int, float]


@dataclass
class Fault(Exception):  # noqa: N818  (it is a finding, on its way out of a line)
    kind: int
    detail: int


@dataclass
class Scan:
    rows: list[Row] = field(default_factory=list)
    #: Line, start, stop, kind, detail.
    faults: list[tuple[int, int, int, int, int]] = field(default_factory=list)
    n_lines: int = 0


def scan(block: bytes, n_columns: int, one_based: bool) -> Scan:
    """The rows of a block of whole lines, and the faults of the others."""
    found = Scan()
    start = 0
    while start < len(block):
        found.n_lines += 1
        end = block.find(b"\n", start)
        end = len(block) if end < 0 else end
        stop = end - 1 if end > start and block[end - 1 : end] == b"\r" else end
        place = (found.n_lines, start, stop)
        try:
            row = read_line(block[start:stop], n_columns, one_based)
        except Fault as fault:
            at = 0 if fault.kind == TWICE else start
            found.faults.append((*place, fault.kind, at + fault.detail))
        else:
            if row is not None:
                found.rows.append(Row(*place, *row))
        start = end + 1
    return found


def read_line(line: bytes, n_columns: int, one_based: bool) -> tuple[str, dict[int, float]] | None:
    """Label and features of a line; None if it is blank."""
    tokens = list(re.finditer(rb"[^ \t]+", line.partition(b"#")[0]))
    if not tokens:
        return None
    label = tokens[0].group()
    if b":" in label:
        # Control characters before the colon do not matter: a feature is what it is.
        raise Fault(NO_LABEL, tokens[0].start())
    if any(byte <= 32 or byte == 127 for byte in label):
        raise Fault(LABEL_BYTES, tokens[0].start())
    try:
        name = label.decode("utf-8")
    except UnicodeDecodeError:
        raise Fault(LABEL_BYTES, tokens[0].start()) from None
    pairs = [read_feature(t.group(), t.start(), n_columns, one_based) for t in tokens[1:]]
    features: dict[int, float] = {}
    for column, value in sorted(pair for pair in pairs if pair is not None):
        if column in features:
            raise Fault(TWICE, column + one_based)
        features[column] = value
    return name, {column: value for column, value in features.items() if value != 0.0}


def read_feature(
    token: bytes, at: int, n_columns: int, one_based: bool
) -> tuple[int, float] | None:
    """Column and value of a token; None for a query number."""
    index = INDEX.match(token)
    if index is None:
        if token.startswith(b"qid:"):
            return None
        raise Fault(NOT_A_FEATURE, at)
    column = int(index.group(1)) - one_based
    if not 0 <= column < n_columns:
        raise Fault(INDEX_RANGE, at)
    value, length = read_number(token[index.end() :])
    if value is None or length < len(token) - index.end():
        raise Fault(NOT_A_NUMBER, at)
    if not isfinite(value):
        raise Fault(NOT_FINITE, at)
    return column, value
