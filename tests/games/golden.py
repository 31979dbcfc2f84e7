"""Rows and counts that were computed independently, read from `golden_streams.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA: dict[str, Any] = json.loads(
    Path(__file__).with_name("golden_streams.json").read_text("utf-8")
)


def features(text: str) -> frozenset[int]:
    """The features of '1,4-7', counted from 0."""
    found: set[int] = set()
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        found.update(range(int(first) - 1, int(last or first)))
    return frozenset(found)
