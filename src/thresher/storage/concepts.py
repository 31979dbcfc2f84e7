"""Concept classes in a model file: by name and parameters, or as a table of bits."""

from __future__ import annotations

from dataclasses import fields
from math import lgamma, log
from typing import Any

import numpy as np

from thresher.concepts import (
    ConceptClass,
    Conjunctions,
    CountingThresholds,
    DecisionLists,
    Disjunctions,
    TruthTable,
)
from thresher.errors import NotStorableError
from thresher.storage.packing import (
    Kind,
    Packer,
    Unpacker,
    packed_texts,
    unpacked_texts,
)

#: Nobody holds 2^40 concepts.
MOST_DIGITS = 40
NAMED = {
    cls.__name__: cls for cls in (Conjunctions, CountingThresholds, DecisionLists, Disjunctions)
}


def _pack_class(packer: Packer, concepts: ConceptClass, place: str) -> dict[str, Any]:
    name = type(concepts).__name__
    if isinstance(concepts, TruthTable):
        return {"class": "TruthTable", **_pack_table(packer, concepts, place)}
    if NAMED.get(name) is not type(concepts):
        raise NotStorableError(
            f"{concepts!r} is made of Python functions, which a model file does not hold. "
            "Give the learner TruthTable.of(...) of it."
        )
    return {"class": name} | {f.name: getattr(concepts, f.name) for f in fields(concepts)}


def _unpack_class(unpacker: Unpacker, content: dict[str, Any]) -> ConceptClass:
    parameters = dict(content)
    name = parameters.pop("class")
    if name == "TruthTable":
        return _unpack_table(unpacker, **parameters)
    if not all(value is None or type(value) in (int, bool) for value in parameters.values()):
        raise ValueError("the parameters of a concept class are whole numbers")
    _check_size(**parameters)
    found: ConceptClass = NAMED[name](**parameters)
    return found


def _check_size(n_variables: int, **rest: int | None) -> None:
    """Refuse a class too large to have been enumerated, before anybody counts it exactly."""
    k = rest.get("r", rest.get("k"))
    chosen = n_variables if k is None else k
    if not 0 <= chosen <= n_variables:
        raise ValueError("a concept has more variables than there are")
    # The sets of variables, twice as many for each that may be negated: too many to list?
    digits = chosen if k is None or rest.get("negations") else 0
    if k is not None:
        sets = lgamma(n_variables + 1) - lgamma(k + 1) - lgamma(n_variables - k + 1)
        digits += int(sets / log(2.0))
    if digits > MOST_DIGITS:
        raise ValueError(f"a class of 2^{digits} concepts does not fit into memory")


def _pack_table(packer: Packer, table: TruthTable, place: str) -> dict[str, Any]:
    packer.put(np.packbits(table.table(), axis=1), f"{place}.bits")
    packed_texts(packer, [concept.name for concept in table], f"{place}.names")
    listed = table.lists_all_rows
    if not listed:
        points = np.zeros((table.n_points, table.n_variables), bool)
        for p in range(table.n_points):
            points[p, table.point(p)] = True
        packer.put(np.packbits(points, axis=1), f"{place}.points")
    return {
        "place": place,
        "n_points": table.n_points,
        "n_variables": None if listed else table.n_variables,
    }


def _unpack_table(
    unpacker: Unpacker, place: str, n_points: int, n_variables: int | None
) -> TruthTable:
    def bits(name: str, count: int) -> np.ndarray[Any, Any]:
        packed = unpacker.take(f"{place}.{name}", "u1")
        if type(count) is not int or packed.ndim != 2 or packed.shape[1] != -(-count // 8):
            raise ValueError("a table of bits is wider or narrower than it says")
        return np.unpackbits(packed, axis=1, count=count)

    points = None if n_variables is None else bits("points", n_variables)
    return TruthTable(bits("bits", n_points), points, unpacked_texts(unpacker, f"{place}.names"))


CONCEPTS = (Kind("concepts", (ConceptClass,), _pack_class, _unpack_class),)
