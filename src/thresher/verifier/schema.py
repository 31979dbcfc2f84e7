"""The shape of a certificate document: which fields there are, and what depends on what."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, cast

from thresher.errors import CertificateError
from thresher.verifier.algorithms import ALGORITHMS
from thresher.verifier.shapes import COUNT, DIGEST, EXACT, HEX, LINE, NAME, WHOLE, Whole, check
from thresher.verifier.witness import LARGEST_NUMERATOR

FORMAT = "thresher.certificate"
VERSION = 1
CONVENTIONS = 1

QUANTITY = (COUNT, EXACT, [EXACT])
STATEMENT = {"theorem": NAME, "version": Whole(1), "quantities": dict}
SHAPE: dict[str, Any] = {
    "format": FORMAT,
    "version": VERSION,
    "conventions": CONVENTIONS,
    "kind": ("hindsight", "a priori", "refutation", "expectation", "count"),
    "learner": {"name": tuple(sorted(ALGORITHMS)), "parameters": dict},
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
    ALGORITHMS[learner["name"]].check(learner["parameters"], "$.learner.parameters")
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
