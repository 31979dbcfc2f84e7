"""The shape of a concept class in a certificate: one that exists, and can be written out."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, cast

from thresher.errors import CertificateError
from thresher.verifier.replays.concept_classes import class_cells
from thresher.verifier.shapes import BITS, COUNT, Whole, check

#: The most numbers that name the concepts of a class, and the most bits of a table.
LARGEST_CLASS, LARGEST_TABLE = 2**24, 2**22
#: The most variables: what a concept says of a row takes room for each of them.
MOST_VARIABLES = 2**20
TABLE = "TruthTable"
LITERAL_SETS = {"n_variables": Whole(1), "k": (COUNT, None), "negations": bool}
CLASSES: dict[str, dict[str, Any]] = {
    "Disjunctions": LITERAL_SETS,
    "Conjunctions": LITERAL_SETS,
    "CountingThresholds": {"n_variables": Whole(1), "r": Whole(1), "at_least": (Whole(1), None)},
    TABLE: {"n_variables": Whole(1), "points": ([[COUNT]], None), "rows": [BITS]},
}


def check_any_class(parameters: Mapping[str, Any], path: str) -> None:
    """A class of any kind, as Halving learns it."""
    _check_class(parameters["concepts"], tuple(CLASSES), f"{path}.concepts")


def check_table(parameters: Mapping[str, Any], path: str) -> None:
    """A class as a table, which the standard optimal algorithm needs."""
    _check_class(parameters["concepts"], (TABLE,), f"{path}.concepts")


def _check_class(data: dict[str, Any], known: tuple[str, ...], path: str) -> None:
    """A class of a known kind, in its only form, and not too large to be written out."""
    name = data.get("class")
    check(name, known, f"{path}.class")
    check(data, CLASSES[cast(str, name)] | {"class": name}, path)
    most = LARGEST_TABLE if name == TABLE else LARGEST_CLASS
    if name == TABLE:
        _check_rows(data, path)
    else:
        _check_named(data, path)
    if class_cells(data) > most:
        raise CertificateError.must_be(path, f"at most {most} numbers", class_cells(data))


def _check_named(data: dict[str, Any], path: str) -> None:
    n = data["n_variables"]
    for inner, limit in (("k", n), ("r", n), ("at_least", data.get("r"))):
        if (data.get(inner) or 0) > (limit or 0):
            raise CertificateError.must_be(f"{path}.{inner}", f"at most {limit}", data[inner])
    # Before the size is worked out: with large numbers that takes as long as it likes.
    chosen = data.get("k", data.get("r"))
    if n > MOST_VARIABLES:
        raise CertificateError.must_be(f"{path}.n_variables", f"at most {MOST_VARIABLES}", n)
    if chosen is None and n > 64:
        raise CertificateError.must_be(f"{path}.n_variables", "at most 64 without k", n)
    least = 0 if chosen is None else min(chosen, n - chosen)
    if least > 24 or (data.get("negations") and (chosen or 0) > 24):
        raise CertificateError.must_be(path, f"at most {LARGEST_CLASS} numbers", "at least 2**25")


def _check_rows(data: dict[str, Any], path: str) -> None:
    n, points, rows = data["n_variables"], data["points"], data["rows"]
    if points is None and n > 22:
        raise CertificateError.must_be(f"{path}.n_variables", "at most 22 without points", n)
    for p, point in enumerate(points or ()):
        if any(a >= b for a, b in pairwise([*point, n])):
            must = f"strictly increasing and below {n}"
            raise CertificateError.must_be(f"{path}.points[{p}]", must, point)
    if points is not None and len({tuple(point) for point in points}) < max(1, len(points)):
        raise CertificateError.must_be(f"{path}.points", "different points", points)
    n_points = 2**n if points is None else len(points)
    if not rows:
        raise CertificateError.must_be(f"{path}.rows", "at least one concept", rows)
    for f, row in enumerate(rows):
        spare = -n_points % 8
        if 4 * len(row) != n_points + spare or int(row[-2:], 16) & ((1 << spare) - 1):
            must = f"{n_points} bits, filled up with zeros to whole bytes"
            raise CertificateError.must_be(f"{path}.rows[{f}]", must, row)
