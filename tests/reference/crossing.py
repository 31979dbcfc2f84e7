"""The slow twin of `kernels/scanning/crossing.pyx`: which features of a row make pairs."""

from __future__ import annotations

from itertools import combinations

JOINT = " ∧ ".encode()
Groups = list[tuple[bytes, bytes]]


def is_in(name: bytes, group: bytes) -> bool:
    """Whether a feature has the name of a group, or one that goes on behind it."""
    return name == group or name.startswith((group + b"=", group + b"^"))


def are_a_pair(one: bytes, other: bytes, groups: Groups) -> bool:
    """Whether two features make a pair; without groups, any two do."""
    return not groups or any(
        (is_in(one, left) and is_in(other, right)) or (is_in(other, left) and is_in(one, right))
        for left, right in groups
    )


def name_of_pair(one: bytes, other: bytes) -> bytes:
    return JOINT.join(sorted((one, other)))


def column_of_pair(one: int, other: int, n_features: int) -> int:
    """The finalizer of MurmurHash3 on 64 bits, of the smaller column and the larger."""
    h = min(one, other) << 32 | max(one, other)
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        h = (h ^ h >> 33) * factor % 2**64
    return (h ^ h >> 33) % 2**32 % n_features


def joined(names: list[bytes], groups: Groups) -> list[bytes]:
    """The names of the pairs of a row."""
    unlike = list(dict.fromkeys(names))
    return [
        name_of_pair(one, other)
        for one, other in combinations(unlike, 2)
        if are_a_pair(one, other, groups)
    ]


def crossed(
    row: dict[bytes, float], columns: dict[bytes, int], groups: Groups, n_features: int
) -> dict[int, float]:
    """A row by columns with its pairs, where no two names share a column."""
    found = {columns[name]: value for name, value in row.items() if value}
    for one, other in combinations([name for name in row if row[name]], 2):
        if are_a_pair(one, other, groups):
            column = column_of_pair(columns[one], columns[other], n_features)
            found[column] = found.get(column, 0.0) + row[one] * row[other]
    return found
