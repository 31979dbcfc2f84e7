"""Streams of small examples, with names, for tests of the service."""

from __future__ import annotations

import json
import random
from typing import Any


def examples(count: int, seed: int, prefix: str = "e") -> list[dict[str, Any]]:
    """Rows in which two words decide, with some noise."""
    dice = random.Random(seed)
    words = [f"w{k}" for k in range(30)]
    rows = []
    for k in range(count):
        chosen = dice.sample(words, dice.randint(0, 8))
        up = ("w3" in chosen or "w7" in chosen) != (dice.random() < 0.1)
        features = {word: dice.choice([1, 1, 2, 0.5]) for word in chosen}
        row = {"id": f"{prefix}-{k}", "features": features, "label": 1 if up else -1}
        rows.append(row)
    return rows


def as_lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()
