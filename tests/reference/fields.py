"""The slow twin of `kernels/scanning/fields.pyx`: objects with named fields as rows."""

from __future__ import annotations

import math
from typing import Any

from tests.reference.lexicon import Columns, OutsideError
from tests.reference.scan_rows import row_of


class UnsoundError(Exception):
    """The place of a fault in an object."""


def features(prefix: str, found: Any, where: str) -> list[tuple[bytes, float]]:
    """The features of an object, or of a list of names, in order."""
    if isinstance(found, list):
        return [
            (prefix.encode() + _text(item, f"{where}[{k}]"), 1.0) for k, item in enumerate(found)
        ]
    taken: list[tuple[bytes, float]] = []
    for key, content in found.items():
        name, place = prefix + key, f"{where}.{key}"
        if content is None or content is False or content == "":
            continue
        if isinstance(content, str):
            taken.append((f"{name}={content}".encode(), 1.0))
        elif isinstance(content, list):
            items = [(item, _text(item, f"{place}[{k}]")) for k, item in enumerate(content)]
            taken += [(f"{name}={item}".encode(), 1.0) for item, _ in items if item]
        elif isinstance(content, dict):
            taken += features(f"{name}.", content, place)
        else:
            taken.append((name.encode(), _finite(content, place)))
    return taken


def _text(item: Any, where: str) -> bytes:
    if not isinstance(item, str):
        raise UnsoundError(where)
    return item.encode()


def _finite(number: float, where: str) -> float:
    try:
        value = float(number)
    except OverflowError:
        raise UnsoundError(where) from None
    if not math.isfinite(value):
        raise UnsoundError(where)
    return value


def pack(objects: list[Any], columns: Columns) -> tuple[list[list[tuple[int, float]]], list[int]]:
    """The rows of the objects that have one, and the places of those that have none."""
    rows, bad = [], []
    for place, found in enumerate(objects):
        known = len(columns.vocabulary)
        try:
            row = row_of(features("", found, "$"), columns)
            if not all(math.isfinite(value) for _, value in row):
                raise UnsoundError("$")
            rows.append(row)
        except (UnsoundError, UnicodeEncodeError, OutsideError):
            bad.append(place)
            for name in list(columns.vocabulary)[known:]:
                del columns.vocabulary[name]
    return rows, bad
