"""Concept classes as a certificate states them, written out by the verifier's own few lines."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import chain, combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.readers.labelled_rows import LabelledRows

#: A class as plain data: the schema of a certificate has checked its shape.
ClassData = Mapping[str, Any]
Members = NDArray[Any]


def class_size(data: ClassData) -> int:
    """How many concepts the class has.

    >>> class_size({"class": "Disjunctions", "n_variables": 3, "k": 2, "negations": True})
    12
    """
    if data["class"] == "TruthTable":
        return len(data["rows"])
    n = data["n_variables"]
    if data["class"] == "CountingThresholds":
        return comb(n, data["r"]) * (data["r"] if data["at_least"] is None else 1)
    if data["k"] is None:
        return int((3 if data["negations"] else 2) ** n)
    return comb(n, data["k"]) * (2 ** data["k"] if data["negations"] else 1)


def class_cells(data: ClassData) -> int:
    """How much there is to hold: bits of a table, or small numbers that name the concepts."""
    if data["class"] == "TruthTable":
        points = data["points"]
        return len(data["rows"]) * (2 ** data["n_variables"] if points is None else len(points))
    width = data["r"] + 1 if data["class"] == "CountingThresholds" else data["k"] or 1
    return class_size(data) * int(width)


@dataclass(frozen=True)
class WrittenClass:
    """All concepts of a class, one row of `members` each, and what they say about a point."""

    members: Members
    says: Callable[[Members, NDArray[np.int32]], NDArray[np.bool_]]


def written_out(data: ClassData) -> WrittenClass:
    """The class with all its concepts.

    >>> pairs = written_out({"class": "Disjunctions", "n_variables": 3, "k": 2, "negations": False})
    >>> pairs.members.tolist(), pairs.says(pairs.members, np.array([0], np.int32)).tolist()
    ([[0, 1], [0, 2], [1, 2]], [True, True, False])
    """
    if data["class"] == "TruthTable":
        return _table(data)
    if data["class"] == "CountingThresholds":
        return _counting(data)
    return _sets(data) if data["k"] is not None else _subsets(data)


def _chosen(n: int, k: int) -> NDArray[np.int64]:
    count = comb(n, k)
    flat = np.fromiter(chain.from_iterable(combinations(range(n), k)), np.int64, count * k)
    return flat.reshape(count, k)


def _sets(data: ClassData) -> WrittenClass:
    """Sets of k literals: literal i is variable i, literal n + i its negation."""
    n, k = data["n_variables"], data["k"]
    members = _chosen(n, k)
    if data["negations"]:
        signs = np.arange(2**k)[:, None] >> np.arange(k) & 1
        members = (members[:, None, :] + n * signs).reshape(-1, k)
    fold = np.any if data["class"] == "Disjunctions" else np.all

    def says(sets: Members, on: NDArray[np.int32]) -> NDArray[np.bool_]:
        truth = np.zeros(n, bool)
        truth[on] = True
        return np.asarray(fold(np.concatenate((truth, ~truth))[sets], axis=1))

    return WrittenClass(members, says)


def _subsets(data: ClassData) -> WrittenClass:
    """Sets of any number of literals, as bits: bit i is variable i, bit n + i its negation."""
    n = data["n_variables"]
    members = np.zeros(1, np.int64)
    for i in range(n):
        literals = (0, 1 << i, 1 << n + i) if data["negations"] else (0, 1 << i)
        members = np.concatenate([members | literal for literal in literals])
    disjunction = data["class"] == "Disjunctions"

    def says(sets: Members, on: NDArray[np.int32]) -> NDArray[np.bool_]:
        lit = sum(1 << int(i) for i in on)
        off = (1 << n) - 1 - lit
        if disjunction:
            return np.asarray(sets & (lit | off << n) != 0)
        return np.asarray(sets & (off | lit << n) == 0)

    return WrittenClass(members, says)


def _counting(data: ClassData) -> WrittenClass:
    """Sets of r variables, followed by how many of them must be on."""
    n, r, least = data["n_variables"], data["r"], data["at_least"]
    chosen = _chosen(n, r)
    thresholds = np.arange(1, r + 1) if least is None else np.array([least])
    needed = np.tile(thresholds, len(chosen))[:, None]
    members = np.hstack((np.repeat(chosen, len(thresholds), axis=0), needed))

    def says(rules: Members, on: NDArray[np.int32]) -> NDArray[np.bool_]:
        truth = np.zeros(n, np.int64)
        truth[on] = 1
        return np.asarray(truth[rules[:, :-1]].sum(axis=1) >= rules[:, -1])

    return WrittenClass(members, says)


def _table(data: ClassData) -> WrittenClass:
    bits, place = table_bits(data), places(data)

    def says(numbers: Members, on: NDArray[np.int32]) -> NDArray[np.bool_]:
        p = sum(1 << int(i) for i in on) if place is None else place[tuple(on.tolist())]
        return np.asarray(bits[numbers, p])

    return WrittenClass(np.arange(len(bits)), says)


def table_bits(data: ClassData) -> NDArray[np.bool_]:
    """The table: one row per concept, one column per point."""
    n_points = 2 ** data["n_variables"] if data["points"] is None else len(data["points"])
    packed = np.frombuffer(bytes.fromhex("".join(data["rows"])), np.uint8)
    rows = packed.reshape(len(data["rows"]), -1)
    return np.unpackbits(rows, axis=1, count=n_points).astype(bool)


def places(data: ClassData) -> dict[tuple[int, ...], int] | None:
    """The column of each point, by the features that are on; None: their bits are the column."""
    if data["points"] is None:
        return None
    return {tuple(point): p for p, point in enumerate(data["points"])}


def unknown_point(stream: LabelledRows, parameters: Mapping[str, Any]) -> str | None:
    """The first row a table has no column for; None if there is none."""
    data = parameters["concepts"]
    place = places(data) if data["class"] == "TruthTable" else None
    for t in range(len(stream) if place is not None else 0):
        on = stream.column[stream.inside(t, t + 1)].tolist()
        if place is not None and tuple(on) not in place:
            return f"the features {on} in row {t}, which is none of its {len(place)} points"
    return None
