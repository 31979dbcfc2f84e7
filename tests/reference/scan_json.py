"""The slow twin of `kernels/scanning/scan_json.pyx`: lines of JSON through `json`, as rows."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Any, Never

from tests.reference import fields
from tests.reference.lexicon import Columns, OutsideError
from tests.reference.scan_rows import row_of


@dataclass
class JsonRow:
    """A line that is sound: where it lies, and what is in it."""

    line: int
    start: int
    stop: int
    row: list[tuple[int, str]]
    label: str | None
    importance: str
    names: list[bytes]


class BadLineError(ValueError):
    """A line that has no row."""


def scan(
    block: bytes, first_line: int, columns: Columns, label_field: str, ignored: tuple[str, ...]
) -> dict[int, JsonRow | None]:
    """The row, or None, of each line that is not blank."""
    found: dict[int, JsonRow | None] = {}
    start = 0
    for number, line in enumerate(block.split(b"\n"), first_line):
        text = line.rstrip(b"\r")
        if text.strip():
            try:
                features, label, weight = _parts(_loaded(text), label_field, ignored)
                taken = fields.features("", features, "$")
                row = row_of(taken, columns)
            except (ValueError, RecursionError, fields.UnsoundError, OutsideError):
                found[number] = None
            else:
                found[number] = JsonRow(
                    number,
                    start,
                    start + len(text),
                    [(column, value.hex()) for column, value in row],
                    label,
                    weight.hex(),
                    [name for name, value in taken if value != 0.0],
                )
                if not all(math.isfinite(value) for _, value in row):
                    found[number] = None
        start += len(line) + 1
    return found


def _loaded(line: bytes) -> Any:
    return json.loads(line.decode(), parse_float=_finite, parse_constant=_no_constant)


def _finite(text: str) -> float:
    if math.isinf(float(text)):
        raise BadLineError(text)
    return float(text)


def _no_constant(name: str) -> Never:
    raise BadLineError(name)


def _parts(found: Any, label_field: str, ignored: tuple[str, ...]) -> tuple[Any, str | None, float]:
    """Features, label and importance."""
    if not isinstance(found, dict):
        raise BadLineError(found)
    label = _label(found.pop(label_field, None))
    features, weight = found, 1.0
    if isinstance(found.get("features"), dict | list):
        features, weight = found["features"], _weight(found.get("weight"))
    if isinstance(features, dict):
        features = {name: content for name, content in features.items() if name not in ignored}
    return features, label, weight


def _label(found: Any) -> str | None:
    if isinstance(found, dict | list) or (isinstance(found, int | float) and abs(found) >= 10**30):
        raise BadLineError(found)
    if found is None or found == "":
        return None
    return str(int(found)) if isinstance(found, bool) else str(found)


def _weight(found: Any) -> float:
    if found is None:
        return 1.0
    if isinstance(found, bool | str | list | dict) or not 0 <= found < 1e300:
        raise BadLineError(found)
    return float(found)
