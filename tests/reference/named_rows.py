"""The slow twin of `kernels/rows/named_rows.pyx`: dicts of features as sorted rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tests.reference.murmur3 import hash_bytes

Features = Mapping[str | int, float]


def column_of(
    key: str | int, vocabulary: dict[str, int], hashed_into: int | None, seed: int, add: bool
) -> int | None:
    """The column of a key; None for a name that the vocabulary lacks and may not take."""
    if isinstance(key, int):
        return key
    if hashed_into is not None:
        return hash_bytes(key.encode("utf-8"), seed) % hashed_into
    if add:
        return vocabulary.setdefault(key, len(vocabulary))
    return vocabulary.get(key)


def merged(values: Sequence[float], strongest: bool) -> float:
    """What one column holds when several keys fall on it, in the order of the dict."""
    if not strongest:
        total = values[0]
        for value in values[1:]:
            total += value
        return total
    # Between a value and its negative, the positive one.
    return max(values, key=lambda value: (abs(value), value))


def pack_one(
    features: Features,
    vocabulary: dict[str, int],
    *,
    hashed_into: int | None = None,
    seed: int = 0,
    strongest: bool = False,
    add: bool = True,
) -> list[tuple[int, float]]:
    """One row: increasing columns, one value each, no zeros."""
    found: dict[int, list[float]] = {}
    for key, value in features.items():
        column = column_of(key, vocabulary, hashed_into, seed, add)
        if column is not None and value != 0:
            found.setdefault(column, []).append(float(value))
    row = [(column, merged(values, strongest)) for column, values in sorted(found.items())]
    return [(column, value) for column, value in row if value != 0.0]
