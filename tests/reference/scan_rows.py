"""The slow twin of `kernels/scanning/row_sink.pyx`: what a scan makes of features and faults."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from tests.reference.lexicon import Columns
from tests.reference.named_rows import merged

Feature = tuple[bytes, float]


class FaultError(Exception):
    """What is wrong with a line: a number, and the bytes it is about."""

    def __init__(self, code: int, found: bytes) -> None:
        super().__init__(code, found)
        self.code, self.found = code, found


@dataclass
class ParsedLine:
    """A line taken apart, before names have columns."""

    features: list[Feature]
    label: bytes = b""
    importance: float = 1.0


@dataclass
class Scan:
    """Rows with their labels, importances and lines; faults with their lines; names row by row."""

    rows: list[list[tuple[int, str]]] = field(default_factory=list)
    labels: list[str | None] = field(default_factory=list)
    importances: list[float] = field(default_factory=list)
    lines: list[tuple[int, bytes]] = field(default_factory=list)
    faults: list[tuple[int, bytes, int, bytes]] = field(default_factory=list)
    n_lines: int = 0


def lines_of(block: bytes) -> Iterator[bytes]:
    """The lines without their ends."""
    lines = block.split(b"\n")
    if lines[-1] == b"":
        lines.pop()
    for line in lines:
        yield line.removesuffix(b"\r")


def first_odd_byte(line: bytes) -> int | None:
    """Where the first byte is that no text has."""
    nul = line.find(b"\0")
    try:
        line.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start if nul < 0 else min(nul, error.start)
    return None if nul < 0 else nul


def row_of(features: list[Feature], columns: Columns) -> list[tuple[int, float]]:
    """Features to a row: increasing columns, one value each, no zeros."""
    found: dict[int, list[float]] = {}
    for name, value in features:
        column = columns.column_of(name)
        if column is not None and value != 0.0:
            found.setdefault(column, []).append(value)
    row = [(column, merged(values, columns.strongest)) for column, values in sorted(found.items())]
    return [(column, value) for column, value in row if value != 0.0]


def scan_rows(
    block: bytes,
    first_line: int,
    columns: Columns,
    parse: Callable[[bytes, Columns], ParsedLine | None],
    overflow: Callable[[bytes], FaultError],
) -> Scan:
    """Every line to a row, a fault, or nothing."""
    scan = Scan()
    for number, line in enumerate(lines_of(block), first_line):
        scan.n_lines += 1
        known = len(columns.vocabulary)
        try:
            odd = first_odd_byte(line)
            if odd is not None:
                raise FaultError(0, line[odd : odd + 1])
            parsed = parse(line, columns)
            if parsed is None:
                continue
            row = row_of(parsed.features, columns)
            if not all(math.isfinite(value) for _, value in row):
                raise overflow(line)
        except FaultError as fault:
            scan.faults.append((number, line, fault.code, fault.found))
            for name in list(columns.vocabulary)[known:]:
                del columns.vocabulary[name]
            continue
        scan.rows.append([(column, value.hex()) for column, value in row])
        scan.labels.append(parsed.label.decode("utf-8") or None)
        scan.importances.append(parsed.importance)
        scan.lines.append((number, line))
    return scan
