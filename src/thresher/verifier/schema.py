"""The shape of a certificate document, and refusals that name the place.

The shape is a value: a dict has exactly these keys, a list any number of the one item, a
tuple is a choice, and a `Text` is a string of a certain form.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, cast

from thresher.errors import CertificateError
from thresher.verifier.concepts import class_cells
from thresher.verifier.measure import LARGEST_NUMERATOR

FORMAT = "thresher.certificate"
VERSION = 1
CONVENTIONS = 1


@dataclass(frozen=True)
class Text:
    """A string that matches a pattern as a whole."""

    must: str
    pattern: str


@dataclass(frozen=True)
class Whole:
    """A whole number within limits."""

    least: int | None = None


COUNT = Whole(0)
WHOLE = Whole()
EXACT = Text("an exact number such as '3/8'", r"-?(0|[1-9]\d*)(/[1-9]\d*)?")
HEX = Text("a float in hexadecimal such as '0x1.8p-1'", r"0x[01]\.[0-9a-f]+p[+-]\d+")
DIGEST = Text("64 hexadecimal digits", r"[0-9a-f]{64}")
NAME = Text("a name", r"[A-Za-z]\w*")
BITS = Text("bytes in hexadecimal", r"([0-9a-f]{2})+")
LINE = Text("a line of text", r"[^\n]*")

#: The most numbers that name the concepts of a class, and the most bits of a table.
LARGEST_CLASS, LARGEST_TABLE = 2**24, 2**22
LITERAL_SETS = {"n_variables": Whole(1), "k": (COUNT, None), "negations": bool}
CLASSES: dict[str, dict[str, Any]] = {
    "Disjunctions": LITERAL_SETS,
    "Conjunctions": LITERAL_SETS,
    "CountingThresholds": {"n_variables": Whole(1), "r": Whole(1), "at_least": (Whole(1), None)},
    "TruthTable": {"n_variables": Whole(1), "points": ([[COUNT]], None), "rows": [BITS]},
}

PARAMETERS: dict[str, dict[str, Any]] = {
    "perceptron": {"n_features": (Whole(1), None), "bias": bool},
    "winnow": {"n_features": Whole(1), "beta": EXACT, "threshold": EXACT, "zeroing": bool},
    "balanced_winnow": {"n_features": Whole(1), "beta": EXACT, "threshold": EXACT},
    "normalized_winnow": {
        "n_features": Whole(1),
        "eta": (EXACT, None),
        "margin": (EXACT, None),
        "radius": EXACT,
        "bias": bool,
    },
    "elimination": {"n_features": Whole(1), "literals": bool},
    "conjunction": {"n_features": Whole(1), "literals": bool},
    "weighted_majority": {"n_experts": Whole(1), "beta": EXACT},
    "randomized_weighted_majority": {"n_experts": Whole(1), "beta": EXACT, "seed": COUNT},
    "halving": {"concepts": dict},
    "standard_optimal": {"concepts": dict},
}
PARAMETERS["signed_winnow"] = PARAMETERS["normalized_winnow"]

QUANTITY = (COUNT, EXACT, [EXACT])
STATEMENT = {"theorem": NAME, "version": Whole(1), "quantities": dict}
SHAPE: dict[str, Any] = {
    "format": FORMAT,
    "version": VERSION,
    "conventions": CONVENTIONS,
    "kind": ("hindsight", "a priori", "refutation", "expectation", "count"),
    "learner": {"name": tuple(sorted(PARAMETERS)), "parameters": dict},
    "data": {"digest": DIGEST, "rounds": COUNT, "positives": COUNT, "width": COUNT},
    "run": {
        "false_negatives": COUNT,
        "false_positives": COUNT,
        "arithmetic": ("exact", "float64"),
        "updates": COUNT,
        "journal_digest": DIGEST,
        "emptied_in_round": (Whole(1), None),
    },
    "scope": ("all rounds", "mistake rounds"),
    "claim": ({"concept": NAME, "quantities": dict}, None),
    "witness": (
        {
            "columns": [COUNT],
            "numerators": [WHOLE],
            "bias": WHOLE,
            "denominator": Whole(1),
            "level": (EXACT, None),
            "rho": (EXACT, None),
            "errors": (COUNT, None),
            "origin": LINE,
        },
        None,
    ),
    "bounds": [STATEMENT | {"max_mistakes": COUNT}],
    "expectations": [STATEMENT | {"max_expected": HEX}],
    "risks": [STATEMENT | {"max_risk": HEX}],
    "seal": DIGEST,
}


def check_document(document: object) -> dict[str, Any]:
    """The document, if it has the shape of a certificate.

    >>> check_document({"format": "thresher.certificate"})
    Traceback (most recent call last):
    thresher.errors.CertificateError: certificate: the field $.bounds is missing.
    """
    check(document, SHAPE, "$")
    return _check_within(cast(dict[str, Any], document))


def _check_within(document: dict[str, Any]) -> dict[str, Any]:
    """What depends on other fields."""
    learner = document["learner"]
    check(learner["parameters"], PARAMETERS[learner["name"]], "$.learner.parameters")
    _check_parameters(learner["name"], learner["parameters"])
    statements = [
        (f"$.{kind}[{i}]", statement)
        for kind in ("bounds", "expectations", "risks")
        for i, statement in enumerate(document[kind])
    ]
    if document["claim"] is not None:
        statements.append(("$.claim", document["claim"]))
    for path, statement in statements:
        for name, value in statement["quantities"].items():
            check(value, QUANTITY, f"{path}.quantities.{name}")
    if document["witness"] is not None:
        _check_witness(document["witness"])
    return document


def _check_parameters(learner: str, parameters: dict[str, Any]) -> None:
    """Numbers that a learner of this name can have."""
    exact = {name: Fraction(value) for name, value in parameters.items() if isinstance(value, str)}
    margin, radius = exact.get("margin"), exact.get("radius")
    if "concepts" in parameters:
        _check_class(learner, parameters["concepts"])
    if parameters.get("seed", 0) >= 2**64:
        raise CertificateError.must_be(
            "$.learner.parameters.seed", "below 2**64", parameters["seed"]
        )
    for name, value in exact.items():
        if "n_experts" in parameters:
            must, sound = "at least 0 and below 1", 0 <= value < 1
        else:
            must, sound = "above 0", value > 0
        if name == "margin" and margin is not None and radius is not None and margin > radius:
            must, sound = "at most the radius", False
        if not sound:
            raise CertificateError.must_be(f"$.learner.parameters.{name}", must, str(value))


def _check_class(learner: str, data: dict[str, Any]) -> None:
    """A class that exists, in its only form, and not too large to be written out."""
    path, name = "$.learner.parameters.concepts", data.get("class")
    known = ("TruthTable",) if learner == "standard_optimal" else tuple(CLASSES)
    check(name, known, f"{path}.class")
    check(data, CLASSES[cast(str, name)] | {"class": name}, path)
    n, most = data["n_variables"], LARGEST_CLASS
    if name == "TruthTable":
        most = LARGEST_TABLE
        _check_table(data, path)
    else:
        for inner, limit in (("k", n), ("r", n), ("at_least", data.get("r"))):
            if (data.get(inner) or 0) > (limit or 0):
                raise CertificateError.must_be(f"{path}.{inner}", f"at most {limit}", data[inner])
        # Before the size is worked out: with large numbers that takes as long as it likes.
        chosen = data.get("k", data.get("r"))
        if n > LARGEST_CLASS:
            raise CertificateError.must_be(f"{path}.n_variables", f"at most {LARGEST_CLASS}", n)
        if chosen is None and n > 64:
            raise CertificateError.must_be(f"{path}.n_variables", "at most 64 without k", n)
        least = 0 if chosen is None else min(chosen, n - chosen)
        if least > 24 or (data.get("negations") and (chosen or 0) > 24):
            raise CertificateError.must_be(path, f"at most {most} numbers", "at least 2**25")
    if class_cells(data) > most:
        raise CertificateError.must_be(path, f"at most {most} numbers", class_cells(data))


def _check_table(data: dict[str, Any], path: str) -> None:
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


def _check_witness(witness: dict[str, Any]) -> None:
    columns, numerators = witness["columns"], witness["numerators"]
    if len(columns) != len(numerators):
        raise CertificateError.must_be(
            "$.witness.numerators", "as many as $.witness.columns", len(numerators)
        )
    if any(a >= b for a, b in pairwise(columns)):
        raise CertificateError.must_be("$.witness.columns", "strictly increasing", columns)
    for numerator in (*numerators, witness["bias"]):
        if abs(numerator) > LARGEST_NUMERATOR:
            raise CertificateError.must_be(
                "$.witness.numerators", f"at most {LARGEST_NUMERATOR} in size", numerator
            )


def check(value: object, shape: Any, path: str) -> None:
    """Refuse a value that does not have the shape, by its path."""
    if isinstance(shape, dict):
        _check_keys(value, shape, path)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            raise CertificateError.must_be(path, "a list", value)
        for i, item in enumerate(value):
            check(item, shape[0], f"{path}[{i}]")
    elif isinstance(shape, tuple):
        _check_choice(value, shape, path)
    elif not _is(value, shape):
        raise CertificateError.must_be(path, _words(shape), value)


def _check_keys(value: object, shape: dict[str, Any], path: str) -> None:
    if not isinstance(value, dict):
        raise CertificateError.must_be(path, "an object", value)
    for name in sorted(shape.keys() - value.keys()):
        raise CertificateError(f"certificate: the field {path}.{name} is missing.")
    for name in sorted(value.keys() - shape.keys()):
        raise CertificateError(f"certificate: the field {path}.{name} is unknown.")
    for name, inner in shape.items():
        check(value[name], inner, f"{path}.{name}")


def _check_choice(value: object, shape: tuple[Any, ...], path: str) -> None:
    refusal = None
    for choice in shape:
        try:
            check(value, choice, path)
            return
        except CertificateError as error:
            # Of several refusals the one from inside the object says more.
            refusal = error if refusal is None or isinstance(choice, dict) else refusal
    if any(isinstance(choice, dict) for choice in shape) and refusal is not None:
        raise refusal
    raise CertificateError.must_be(path, " or ".join(map(_words, shape)), value)


def _is(value: object, shape: Any) -> bool:
    if isinstance(shape, Text):
        return isinstance(value, str) and re.fullmatch(shape.pattern, value) is not None
    if isinstance(shape, Whole):
        whole = isinstance(value, int) and not isinstance(value, bool)
        return whole and (shape.least is None or value >= shape.least)  # type: ignore[operator]
    if isinstance(shape, type):
        return isinstance(value, shape)
    return type(value) is type(shape) and value == shape


def _words(shape: Any) -> str:
    if isinstance(shape, Text):
        return shape.must
    if isinstance(shape, Whole):
        return "a whole number" + ("" if shape.least is None else f" from {shape.least} on")
    if isinstance(shape, type):
        return {bool: "true or false", dict: "an object"}[shape]
    if isinstance(shape, list):
        return "a list"
    return "null" if shape is None else repr(shape)
