"""Lies in every field of every kind of certificate, each sealed again: none is believed."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import inf, nextafter
from typing import Any

import pytest

from tests.attacks.forgeries import MAKERS, changed, honest

WORDS = {
    "kind": ("hindsight", "a priori", "refutation", "expectation", "count"),
    "arithmetic": ("exact", "float64", "float32"),
    "scope": ("all rounds", "mistake rounds"),
    "theorem": ("Novikoff", "NovikoffBySum", "HalvingClass", "MeanRiskKl", "StreakRisk"),
    "concept": ("Disjunction", "Conjunction", "Separator", "Experts"),
    "name": ("perceptron", "winnow", "elimination", "arow"),
}


def places(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Every list and every single value of a document, with its path."""
    if isinstance(part, dict):
        for key, inner in part.items():
            yield from places(inner, (*path, key))
        return
    yield path, part
    if isinstance(part, list):
        for at, inner in enumerate(part[:3]):
            yield from places(inner, (*path, at))


def lies(key: Any, value: Any) -> list[Any]:
    """Other values of the same form, and some of another."""
    if isinstance(value, bool):
        return [not value]
    if value is None:
        return [1, "1/2", []]
    if isinstance(value, int):
        return [value + 1, max(value - 1, 0), None]
    if isinstance(value, list):
        return [value[::-1], [*value, *value[-1:]], value[1:]]
    if key in WORDS:
        return [word for word in WORDS[key] if word != value]
    if value.startswith("0x"):
        number = float.fromhex(value)
        return [nextafter(number, 0.0).hex(), nextafter(number, inf).hex()]
    if len(value) == 64:
        return [value[::-1], "0" * 64]
    try:
        exact = Fraction(value)
    except ValueError:
        return [value + "x", value[:-4]]
    return [str(exact * (1 + Fraction(1, 10**30))), str(exact / 2), str(-exact)]


@pytest.mark.parametrize("name", MAKERS)
def test_no_lie_in_any_field_is_believed(name: str) -> None:
    run = honest(name)
    document = run.document
    assert run.verdict(document) == "holds"
    tried = 0
    for path, value in places(document):
        # With other parameters it may be another learner whose run is truly the same.
        if path[0] in ("seal", "signatures") or path[:2] == ("learner", "parameters"):
            continue
        for number, lie in enumerate(lies(path[-1], value)):
            if lie == value and type(lie) is type(value):
                continue
            tried += 1
            found = run.verdict(changed(document, path, lie), workers=1 + number % 2)
            # The same bound holds of separators with and without negative weights.
            if path[-1] != "signed":
                refused = ("refused", "could not tell") if path[0] == "claim" else ("refused",)
                assert found in ("does not hold", *refused), (path, lie)
    assert tried >= 40


@pytest.mark.parametrize("name", MAKERS)
def test_nothing_can_be_left_out_or_added(name: str) -> None:
    run = honest(name)
    document = run.document
    for part in (document, document["data"], document["run"], document["learner"]):
        for key in [*part]:
            if key == "seal":
                continue
            kept = part.pop(key)
            assert run.verdict(document) == "refused", key
            part[key] = kept
        part["remark"] = "trust me"
        assert run.verdict(document) == "refused"
        del part["remark"]


def test_a_count_has_no_claim_and_no_witness_that_nobody_looked_at() -> None:
    claims = [
        {"concept": "Disjunction", "quantities": {"k": k, "n": n, "errors": 0}}
        for k, n in ((0, 0), (3, 4), (3, 0), (4, 4), (2, 4))
    ]
    separator = {"margin": "1/2", "norm": 2, "radius": "2", "signed": 1}
    claims.append({"concept": "Separator", "quantities": separator})
    empty: dict[str, Any] = {"level": None, "rho": None, "errors": None}
    witnesses = [
        {"columns": [c], "numerators": [k], "bias": b, "denominator": d, **empty}
        for c, k, b, d in ((0, 1, 0, 1), (3, -5, 2, 7), (0, 0, 0, 1), (900, 1, 0, 1))
    ]
    for name in ("arow", "adagrad", "sparse network", "one versus rest", "averaged perceptron"):
        run = honest(name)
        for field, forged in (("claim", claims), ("witness", witnesses)):
            for each in forged:
                found = run.verdict(changed(run.document, (field,), each))
                assert found in ("does not hold", "refused"), (name, each)
