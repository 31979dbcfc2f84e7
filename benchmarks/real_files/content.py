"""What a file says, read without our own readers, so that Vowpal Wabbit gets the same.

A row is its label, and what comes after the bar in a line for Vowpal Wabbit: words as often as they
occur, or names with a number.
"""

from __future__ import annotations

import csv
import gzip
import io
import lzma
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from benchmarks.accuracy.datasets import words

#: What has a meaning in a line for Vowpal Wabbit may not be in a name.
FORBIDDEN = str.maketrans({":": "_", "|": "_", " ": "_", "\t": "_"})
Row = tuple[str, str]


def text_of(path: Path) -> str:
    """The text of a file, unpacked where its name says that it is packed."""
    unpack = {".xz": lzma.decompress, ".gz": gzip.decompress}.get(path.suffix, bytes)
    return unpack(path.read_bytes()).decode("utf-8", errors="replace")


def svmlight(text: str) -> Iterator[Row]:
    """``label index:value ...`` is nearly what Vowpal Wabbit reads."""
    for line in text.splitlines():
        label, space, features = line.partition(" ")
        yield label, space + features


def vowpal_wabbit(text: str) -> Iterator[Row]:
    """``label |namespace name:value ...``, as it comes."""
    for line in text.splitlines():
        label, _, features = line.partition("|")
        yield label.strip(), features


def texts(text: str) -> Iterator[Row]:
    """``label<TAB>text``, each word as often as it occurs and in the same order."""
    for line in text.splitlines():
        label, _, message = line.partition("\t")
        yield label, " " + " ".join(words(message))


def table(label: str) -> Callable[[str], Iterator[Row]]:
    """Reader of a table with a header: numbers by the name of their column, categories as names."""

    def read(text: str) -> Iterator[Row]:
        for record in csv.DictReader(io.StringIO(text)):
            features = [feature(name, cell) for name, cell in record.items() if name != label]
            yield record[label], " " + " ".join(features)

    return read


def feature(name: str, cell: str) -> str:
    """A number under the name of its column, or a name made of both."""
    try:
        return f"{name.translate(FORBIDDEN)}:{float(cell)!r}"
    except ValueError:
        return f"{name}={cell}".translate(FORBIDDEN)


def for_vowpal_wabbit(rows: Sequence[Row]) -> tuple[str, list[int], int]:
    """The lines, the label that stands in each, and how many classes there are.

    Two labels are -1 and +1, the last in sorted order being +1; more are counted from 1.
    """
    names = sorted({label for label, _ in rows}, key=in_order)
    numbers = [-1, 1] if len(names) == 2 else range(1, len(names) + 1)
    number = dict(zip(names, numbers, strict=True))
    labels = [number[label] for label, _ in rows]
    lines = [f"{label} |{row[1]}\n" for label, row in zip(labels, rows, strict=True)]
    return "".join(lines), labels, len(names)


def in_order(label: str) -> tuple[float, str]:
    """Numbers by their size, then names by their letters."""
    try:
        return float(label), ""
    except ValueError:
        return float("inf"), label
