"""Labels numbered in order of appearance: a dict."""

from __future__ import annotations

from collections.abc import Iterable


def numbered(labels: Iterable[bytes]) -> tuple[list[int], list[str]]:
    """The number of each label (-2 for what is not UTF-8), and the labels by number."""
    number: dict[str, int] = {}
    numbers = []
    for label in labels:
        try:
            numbers.append(number.setdefault(label.decode("utf-8"), len(number)))
        except UnicodeDecodeError:
            numbers.append(-2)
    return numbers, list(number)
