"""The slow twin of `kernels/scanning/scan_csv.pyx`: records of a table, character by character."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field

from tests.reference.lexicon import Columns, OutsideError
from tests.reference.scan_rows import first_odd_byte, row_of

IGNORED, NUMERIC, CATEGORICAL, LABEL = range(4)
NOT_TEXT, FIELD_COUNT, NOT_A_NUMBER, NOT_FINITE, AFTER_QUOTE = range(1, 6)
UNCLOSED, WRONG_INDEX, SUM = range(6, 9)
MISSING = (b"", b"NA", b"N/A", b"NaN", b"nan", b"null", b"NULL", b"?")
NUMBER = re.compile(rb"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


@dataclass
class Record:
    """The fields of a record, where it lies, and the first fault of its form."""

    start: int
    line: int
    fields: list[bytes] = field(default_factory=list)
    stop: int = 0
    after: int = 0
    fault: int = 0


def records(block: bytes, first_line: int, separator: bytes) -> list[Record]:
    """The records of a block, cut as RFC 4180 says."""
    found: list[Record] = []
    at, line = 0, first_line
    while at < len(block):
        if block.startswith((b"\n", b"\r\n"), at):
            at = block.index(b"\n", at) + 1
            line += 1
            continue
        record = _record(block, at, line, separator)
        found.append(record)
        at = record.after
        line += block.count(b"\n", record.start, at)
    return found


def _record(block: bytes, at: int, line: int, separator: bytes) -> Record:
    record = Record(at, line)
    while True:
        quoted = block[at : at + 1] == b'"'
        text, at, fault = _quoted(block, at + 1) if quoted else (b"", at, 0)
        rest = b""
        while at < len(block) and block[at : at + 1] not in (separator, b"\n"):
            rest += block[at : at + 1]
            at += 1
        if not quoted:
            text = rest.lstrip(b" \t").rstrip(b" \t\r")
        elif rest.strip(b" \r") and not fault:
            fault = AFTER_QUOTE
        record.fault = record.fault or fault
        record.fields.append(text)
        if at >= len(block) or block[at : at + 1] == b"\n":
            record.stop = at - (block[at - 1 : at] == b"\r" and at > record.start)
            record.after = at + 1
            return record
        at += 1


def _quoted(block: bytes, at: int) -> tuple[bytes, int, int]:
    """What stands in quotes, where they end, and whether they do not."""
    text = b""
    while at < len(block):
        if block.startswith(b'""', at):
            text += b'"'
            at += 2
        elif block[at : at + 1] == b'"':
            return text, at + 1, 0
        else:
            text += block[at : at + 1]
            at += 1
    return text, at, UNCLOSED


@dataclass
class Scan:
    """Rows with labels and places; faults with places."""

    rows: list[list[tuple[int, float]]] = field(default_factory=list)
    labels: list[str | None] = field(default_factory=list)
    places: list[tuple[int, int, int]] = field(default_factory=list)
    faults: list[tuple[int, int, int, int]] = field(default_factory=list)


def scan(
    block: bytes, first_line: int, kinds: list[int], names: list[bytes], separator: bytes,
    columns: Columns,
) -> Scan:  # fmt: skip
    """The rows of a block of whole records."""
    result = Scan()
    for record in records(block, first_line, separator):
        known = len(columns.vocabulary)
        place = (record.line, record.start, record.stop)
        row, label, fault = _row(block[record.start : record.stop], record, kinds, names, columns)
        if fault:
            result.faults.append((*place, fault))
            for name in list(columns.vocabulary)[known:]:
                del columns.vocabulary[name]
        else:
            result.rows.append(row)
            result.labels.append(label)
            result.places.append(place)
    return result


def _row(
    raw: bytes, record: Record, kinds: list[int], names: list[bytes], columns: Columns
) -> tuple[list[tuple[int, float]], str | None, int]:
    taken: list[tuple[bytes, float]] = []
    label, fault = b"", 0
    for kind, name, text in zip(kinds, names, record.fields, strict=False):
        if kind == LABEL:
            label = text
        feature, odd = _feature(kind, name, text)
        fault = fault or odd
        if feature is None:
            continue
        try:
            columns.column_of(feature[0])
            taken.append(feature)
        except OutsideError:
            fault = fault or WRONG_INDEX
        except UnicodeDecodeError:
            # The record as a whole is refused below.
            continue
    fault = _fault(raw, record, len(kinds), fault)
    if fault:
        return [], None, fault
    row = row_of(taken, columns)
    if not all(math.isfinite(value) for _, value in row):
        return [], None, SUM
    return row, label.decode() or None, 0


def _feature(kind: int, name: bytes, text: bytes) -> tuple[tuple[bytes, float] | None, int]:
    """The feature of a field, and what is wrong with it."""
    if kind == CATEGORICAL and text:
        return (name + b"=" + text, 1.0), 0
    if kind != NUMERIC or text in MISSING:
        return None, 0
    if not NUMBER.fullmatch(text):
        return None, NOT_A_NUMBER
    return (None, NOT_FINITE) if math.isinf(float(text)) else ((name, float(text)), 0)


def _fault(raw: bytes, record: Record, n_columns: int, fault: int) -> int:
    """What is wrong with a record, given what is wrong with its features; -1: one of the two."""
    if record.fault:
        return -1 if fault else record.fault
    if fault:
        return fault
    if len(record.fields) != n_columns:
        return FIELD_COUNT
    return 0 if first_odd_byte(raw) is None else NOT_TEXT
