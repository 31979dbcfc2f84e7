"""Whether a table has the columns of which pairs are to be made."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from thresher.errors import FormatError
from thresher.streams.pairs import ALL


def check_pairs(
    file: str, header: Sequence[str], without: Collection[str], pairs: Sequence[str]
) -> None:
    """Refuse what can make no pairs: nobody would notice that none are made.

    Parameters
    ----------
    file
        The table, as messages call it.
    header
        Its columns.
    without
        Those that have no features, such as that of the label.
    pairs
        What is to be paired.
    """
    for pair in pairs if tuple(pairs) != (ALL,) else ():
        groups = [group.strip() for group in pair.split(",")]
        one, other = (_columns_of(file, header, without, group) for group in groups)
        if one == other and len(one) == 1:
            raise FormatError(
                f"{file}: a row has one feature of the column {one[0]!r}, and {pair!r} is to "
                "make pairs of two. Name two columns."
            )


def _columns_of(
    file: str, header: Sequence[str], without: Collection[str], group: str
) -> list[str]:
    """The columns whose features are of a group."""
    named = [name for name in header if group == name or group.startswith(f"{name}=")]
    found = [name for name in named if name not in without]
    if not found:
        what = f"the column {group!r} has no features" if named else f"there is no column {group!r}"
        columns = ", ".join(name for name in header if name not in without)
        raise FormatError(f"{file}: {what}, of which pairs are to be made. Columns are: {columns}.")
    return found
