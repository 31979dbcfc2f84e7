"""The shape of a certificate document: which fields there are, and what depends on what."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from math import lcm
from typing import Any, cast

from thresher.errors import CertificateError
from thresher.verifier.algorithms import ALGORITHMS
from thresher.verifier.mistaken_rounds import ENCODED
from thresher.verifier.mixed_runs.mixing import MOST_LISTED, check_mixing
from thresher.verifier.mixed_runs.mixing import SHAPE as MIXING
from thresher.verifier.shapes import (
    COUNT,
    DIGEST,
    EXACT,
    HEX,
    LABEL,
    LINE,
    MOST_DIGITS,
    NAME,
    NUMBER,
    SIGNED_HEX,
    WHOLE,
    Text,
    Whole,
    check,
)
from thresher.verifier.signature import SHAPE as SIGNATURE
from thresher.verifier.witness import LARGEST_NUMERATOR

FORMAT = "thresher.certificate"
#: The version of the format that is written, and those of runs of shards that were combined: of two
#: classes, and of several.
VERSION = 2
MIXED_VERSION, MIXED_CLASSES_VERSION = 3, 4
CONVENTIONS = 1

#: Statements of one kind, and names of what was measured for one of them or for the run; those
#: that are written have fewer than twenty.
MOST_STATEMENTS = MOST_NAMES = 32
#: Statements about risks: each takes seconds at worst, and nothing is known to have six.
MOST_RISKS = 8
QUANTITY = (COUNT, EXACT, [EXACT])
FACT = [(WHOLE, HEX)]
#: Columns of a comparator and numbers of rows: far more than there are, and fewer than 64 bits.
PLACE, EVERY = Whole(0, below=2**62), Whole(2, below=2**62)
DELTA = Text(
    "an exact number above 0 and below 1 such as '1/20'",
    NUMBER,
    lambda text: 0 < Fraction(text) < 1,
    exact=True,
)
STATEMENT = {"theorem": NAME, "version": Whole(1), "quantities": dict}
WITNESS = {
    "columns": [PLACE],
    "numerators": [WHOLE],
    "bias": WHOLE,
    "denominator": Whole(1),
    "level": (EXACT, None),
    "rho": (EXACT, None),
    "errors": (COUNT, None),
}
BOTH: dict[str, Any] = {
    "format": FORMAT,
    "conventions": CONVENTIONS,
    "kind": ("hindsight", "a priori", "refutation", "expectation", "count"),
    "learner": {"name": tuple(sorted(ALGORITHMS)), "parameters": dict},
    "scope": ("all rounds", "mistake rounds"),
    "claim": ({"concept": NAME, "quantities": dict}, None),
    "bounds": [STATEMENT | {"max_mistakes": COUNT}],
    "expectations": [STATEMENT | {"max_expected": HEX}],
    # A difference of risks may be below 0.
    "risks": [STATEMENT | {"max_risk": SIGNED_HEX}],
    "seal": DIGEST,
}
RUN = {
    "updates": COUNT,
    "journal_digest": DIGEST,
    "emptied_in_round": (Whole(1), None),
}


def _without(shape: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: inner for name, inner in shape.items() if name not in names}


SHAPES: dict[int, dict[str, Any]] = {
    1: BOTH
    | {
        "version": 1,
        "data": {"digest": DIGEST, "rounds": COUNT, "positives": COUNT, "width": COUNT},
        "run": RUN
        | {
            "false_negatives": COUNT,
            "false_positives": COUNT,
            "arithmetic": ("exact", "float64"),
        },
        "witness": (WITNESS | {"origin": LINE}, None),
    },
    2: BOTH
    | {
        "version": 2,
        "data": {
            "digest": DIGEST,
            "chunks": [DIGEST],
            "rounds": COUNT,
            "values": COUNT,
            "positives": (COUNT, None),
            "width": COUNT,
            "classes": ([LABEL], None),
            "held_out_every": (EVERY, None),
        },
        "run": RUN
        | {
            "mistakes": COUNT,
            "false_negatives": (COUNT, None),
            "false_positives": (COUNT, None),
            "arithmetic": ("exact", "float64", "float32"),
            "mistaken_rounds": (ENCODED, None),
            "held_out_mistakes": (COUNT, None),
            "state_digest": DIGEST,
            "facts": dict,
        },
        "witness": (WITNESS, None),
        "delta": (DELTA, None),
        "signatures": [SIGNATURE],
    },
    3: {name: BOTH[name] for name in ("format", "conventions", "learner", "seal")}
    | {
        "version": 3,
        "kind": ("hindsight", "count"),
        "data": {
            "digest": DIGEST,
            "rounds": COUNT,
            "values": COUNT,
            "positives": COUNT,
            "width": COUNT,
        },
        "run": {
            "mistakes": COUNT,
            "false_negatives": COUNT,
            "false_positives": COUNT,
            "updates": COUNT,
            "mistaken_rounds": (ENCODED, None),
            "state_digest": DIGEST,
        },
        "mixing": MIXING,
        "witness": (WITNESS, None),
        "bounds": [STATEMENT | {"sequential": NAME, "max_mistakes": COUNT}],
        "signatures": [SIGNATURE],
    },
}
SHAPES[MIXED_CLASSES_VERSION] = SHAPES[MIXED_VERSION] | {
    "version": 4,
    "data": _without(SHAPES[3]["data"], "positives") | {"classes": [LABEL]},
    "run": _without(SHAPES[3]["run"], "false_negatives", "false_positives"),
}


def check_document(document: object) -> dict[str, Any]:
    """The document, if it has the shape of a certificate.

    >>> check_document({"format": "thresher.certificate", "version": 2})
    Traceback (most recent call last):
    thresher.errors.CertificateError: certificate: the field $.bounds is missing.
    """
    version = document.get("version") if isinstance(document, dict) else None
    # True is 1 for a dict, and no version.
    known = isinstance(version, int) and not isinstance(version, bool) and version in SHAPES
    if isinstance(document, dict) and "version" in document and not known:
        raise CertificateError.must_be("$.version", "1, 2, 3 or 4", version)
    check(document, SHAPES[version if isinstance(version, int) else VERSION], "$")
    return _check_within(cast(dict[str, Any], document))


def _check_within(document: dict[str, Any]) -> dict[str, Any]:
    """What depends on other fields."""
    learner = document["learner"]
    algorithm = ALGORITHMS[learner["name"]]
    if algorithm.several and document["version"] == 1:
        raise CertificateError.must_be("$.version", "2 for a learner of several classes", 1)
    algorithm.check(learner["parameters"], "$.learner.parameters")
    _check_statements(document)
    if document["witness"] is not None:
        _check_witness(document["witness"])
    if document["version"] >= MIXED_VERSION:
        rule = algorithm.mixing_rule(algorithm.parsed(learner["parameters"]))
        _check_mixed(document, rule, algorithm.several)
    elif document["version"] > 1:
        _check_names(document["run"]["facts"], "$.run.facts")
        for name, value in document["run"]["facts"].items():
            check(value, FACT, f"$.run.facts.{name}")
        _check_classes(document, algorithm.several)
        _check_held_out(document, algorithm.draws)
        if bool(document["risks"]) != (document["delta"] is not None):
            raise CertificateError.must_be(
                "$.delta", "there where there are $.risks, and null elsewhere", document["delta"]
            )
    return document


def _check_mixed(document: dict[str, Any], rule: str | None, several: bool) -> None:
    """Shards are combined as their learner's are, and no list is longer than can be held."""
    mixing, version = document["mixing"], document["version"]
    if several != (version == MIXED_CLASSES_VERSION):
        must = "4 for a learner of several classes" if several else "3 for a learner of two classes"
        raise CertificateError.must_be("$.version", must, version)
    if several:
        _check_different(document["data"]["classes"])
    if rule is None:
        must = "a learner whose shards can be combined"
        raise CertificateError.must_be("$.learner", must, document["learner"]["name"])
    if mixing["rule"] != rule:
        raise CertificateError.must_be("$.mixing.rule", f"{rule!r} for it", mixing["rule"])
    check_mixing(mixing)
    rounds = document["data"]["rounds"] * len(mixing["mistakes"])
    if document["run"]["mistaken_rounds"] is not None and rounds > MOST_LISTED:
        must = f"null for more than {MOST_LISTED:,} rounds"
        raise CertificateError.must_be("$.run.mistaken_rounds", must, "a list")


def _check_statements(document: dict[str, Any]) -> None:
    """Statements are few, and their numbers can be added up."""
    kinds = [kind for kind in ("bounds", "expectations", "risks") if kind in document]
    for kind in kinds:
        most = MOST_RISKS if kind == "risks" else MOST_STATEMENTS
        if len(document[kind]) > most:
            must = f"at most {most} statements"
            raise CertificateError.must_be(f"$.{kind}", must, len(document[kind]))
    statements = [
        (f"$.{kind}[{i}]", statement)
        for kind in kinds
        for i, statement in enumerate(document[kind])
    ]
    if document.get("claim") is not None:
        statements.append(("$.claim", document["claim"]))
    for path, statement in statements:
        _check_names(statement["quantities"], f"{path}.quantities")
        for name, value in statement["quantities"].items():
            check(value, QUANTITY, f"{path}.quantities.{name}")
            if isinstance(value, list):
                _check_denominators(value, f"{path}.quantities.{name}")


def _check_names(named: dict[str, Any], path: str) -> None:
    """Names stand in the verdict: they are few, and nothing but names."""
    if len(named) > MOST_NAMES:
        raise CertificateError.must_be(path, f"at most {MOST_NAMES} names", len(named))
    for name in named:
        check(name, NAME, f"the name of a field of {path}")


def _check_denominators(numbers: list[str], path: str) -> None:
    """Numbers that are added up: their common denominator has no more digits than one of them."""
    common = 1
    for number in numbers:
        common = lcm(common, Fraction(number).denominator)
        if common >= 10**MOST_DIGITS:
            must = f"numbers with a common denominator of at most {MOST_DIGITS} digits"
            raise CertificateError.must_be(path, must, numbers[:3])


def _check_classes(document: dict[str, Any], several: bool) -> None:
    """Several classes have names, two have kinds of mistakes."""
    data, run = document["data"], document["run"]
    classes = data["classes"]
    if (classes is not None) != several:
        must = "a list of names" if several else "null for a learner of two classes"
        raise CertificateError.must_be("$.data.classes", must, classes)
    if classes is not None:
        _check_different(classes)
    for path, value in (
        ("$.data.positives", data["positives"]),
        ("$.run.false_negatives", run["false_negatives"]),
        ("$.run.false_positives", run["false_positives"]),
    ):
        if (value is None) != several:
            raise CertificateError.must_be(
                path, "null with several classes" if several else "a count", value
            )


def _check_different(classes: list[str]) -> None:
    if len(set(classes)) < len(classes):
        raise CertificateError.must_be("$.data.classes", "names that differ", classes)


def _check_held_out(document: dict[str, Any], draws: bool) -> None:
    """Rows are held out of a stream, not of a journal, and of predictions that are not drawn."""
    every, mistakes = document["data"]["held_out_every"], document["run"]["held_out_mistakes"]
    if every is not None and (draws or document["scope"] != "all rounds"):
        must = "null where predictions are drawn, or where the data is a journal"
        raise CertificateError.must_be("$.data.held_out_every", must, every)
    if (every is None) != (mistakes is None):
        must = "a count where rows are held out, and null elsewhere"
        raise CertificateError.must_be("$.run.held_out_mistakes", must, mistakes)


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
