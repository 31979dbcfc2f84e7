"""The grammar of svmlight lines, as `docs/certificates.md` states it, in plain Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isfinite

from tests.reference.decimal_number import read_decimal

MARK = b"\xef\xbb\xbf"
FEATURE = re.compile(rb"([0-9]+):(.*)", re.DOTALL)
WHOLE = re.compile(r"[+-]?[0-9]+")

#: The label as it is written, and the features that are not 0.
Row = tuple[str, dict[int, float]]


class BadLine(Exception):  # noqa: N818  (it is a finding, on its way out of a line)
    """A line that is not sound."""


def read_lines(text: bytes, n_columns: int, one_based: bool) -> Iterator[tuple[int, Row | None]]:
    """Number and row of each line that is not blank; None for one that is not sound."""
    for number, line in enumerate(text.removeprefix(MARK).split(b"\n"), 1):
        try:
            row = read_line(line, n_columns, one_based)
        except BadLine:
            yield number, None
        else:
            if row is not None:
                yield number, row


def read_line(line: bytes, n_columns: int, one_based: bool) -> Row | None:
    """The row of a line; None if it is blank."""
    line = line.removesuffix(b"\r")
    tokens = [token for token in re.split(rb"[ \t]", line.split(b"#")[0]) if token]
    if not tokens:
        return None
    label, *others = tokens
    if b":" in label or any(byte <= 32 or byte == 127 for byte in label):
        raise BadLine
    try:
        name = label.decode()
    except UnicodeDecodeError:
        raise BadLine from None
    features: dict[int, float] = {}
    for token in others:
        if token.startswith(b"qid:"):
            continue
        found = FEATURE.fullmatch(token)
        if found is None:
            raise BadLine
        # Twelve digits are too many whatever they are, and `int` takes no more than 4,300.
        column = int(found[1].lstrip(b"0")[:12] or b"0") - one_based
        value, length = read_decimal(found[2])
        if column in features or not 0 <= column < n_columns:
            raise BadLine
        if value is None or length < len(found[2]) or not isfinite(value):
            raise BadLine
        features[column] = value
    return name, {column: features[column] for column in sorted(features) if features[column]}


def name_of(label: str) -> str:
    """The spelling that stands for all those of a label."""
    value, length = read_decimal(label.encode())
    if value is None or length < len(label.encode()) or not isfinite(value):
        return label
    if WHOLE.fullmatch(label):
        digits = label.lstrip("+-0") or "0"
        return "-" + digits if label[0] == "-" and digits != "0" else digits
    if value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return repr(value)
