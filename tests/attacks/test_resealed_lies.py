"""A certificate in which anything was changed, with a seal that fits, is not believed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.attacks.certificates import (
    Document,
    Honest,
    at,
    honest,
    inside,
    leaves,
    put,
    sealed,
)
from thresher.errors import ThresherError
from thresher.learners.registry import LEARNERS, learner_class
from thresher.verifier.state import state_digest

#: What was changed, and how to make the document that has it; few of them are made.
Lie = tuple[str, Callable[[], Document]]
#: Lies of each sort that are tried on one certificate.
EACH = 16
#: What stands in a field in place of what belongs there.
OTHERS: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 7, 10**12, "", "0", "1", "2", "1/2", "3/7", "-1", "x", [], {},
    "0x1.0000000000000p+0", "0x0.0p+0", "exact", "float64", "count", "hindsight", "0" * 64, [0],
    ["1"], [1, 2], {"x": 1},
)  # fmt: skip


def other_values(value: Any) -> Iterator[Any]:
    """Values of the same type, near and far, and of others."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield from (value + 1, value - 1, 2 * value + 1, -value - 1)
    elif isinstance(value, str):
        yield from (value[::-1], value[:-1], value + "0", value.upper())
        if value.replace("/", "").lstrip("-").isdecimal():
            number = Fraction(value)
            yield from map(str, (number + 1, number / 2, 2 * number, -number))
    for other in OTHERS:
        if type(other) is not type(value) or other != value:
            yield other


def replaced(document: Document) -> Iterator[Lie]:
    """Every field with other values in it."""
    for path in leaves(document):
        for value in other_values(at(document, path)):
            if value != at(document, path) or type(value) is not type(at(document, path)):
                yield f"{path} = {value!r}", partial(put, document, path, value)


def rearranged(document: Document) -> Iterator[Lie]:
    """Fields left out and added, lists that are longer, shorter, in another order."""
    for path in inside(document):
        part = at(document, path)
        if isinstance(part, list):
            for name, changed in (
                ("shorter", part[:-1]),
                ("without the first", part[1:]),
                ("empty", []),
                ("backwards", part[::-1]),
                ("twice the last", [*part, *part[-1:]]),
                ("with a null", [*part, None]),
            ):
                if changed != part:
                    yield f"{path} {name}", partial(put, document, path, changed)
            continue
        for key in part:
            left = {name: value for name, value in part.items() if name != key}
            if path:
                yield f"{path} without {key}", partial(put, document, path, left)
            else:
                yield f"without {key}", partial(dict, left)
        if path:
            yield f"{path} with more", partial(put, document, path, part | {"more": 1})
            yield f"{path} null", partial(put, document, path, None)


def swapped(document: Document, others: list[Document]) -> Iterator[Lie]:
    """Fields, and whole parts, from other certificates."""
    for number, other in enumerate(others):
        for path in sorted({*inside(document), *leaves(document)} - {()}, key=str):
            try:
                value = at(other, path)
            except (KeyError, IndexError, TypeError):
                continue
            if value != at(document, path):
                yield f"{path} of {number}", partial(put, document, path, value)


def is_true(document: Document, X: Any, y: Any) -> bool:
    """Whether a learner with the stated parameters does what is stated, without the verifier.

    It says nothing of theorems: their quantities were true of this stream before, and must not
    have been touched.
    """
    name, stated = document["learner"]["name"], document["learner"]["parameters"]
    learner = learner_of(name, stated)
    results = learner.learn(X, y)
    run = document["run"]
    return bool(
        results.mistakes == run["mistakes"]
        and state_digest(learner.learned_state()) == run["state_digest"]
    )


def is_another_expert(changed: Document, case: Honest) -> bool:
    """Whether nothing but the expert was changed, and the other one errs as often."""
    witness = changed["witness"]
    if changed | {"witness": None} != case.document | {"witness": None}:
        return False
    if not witness or "majority" not in changed["learner"]["name"]:
        return False
    before = case.document["witness"]
    if witness | {"columns": before["columns"]} != before or len(witness["columns"]) != 1:
        return False
    votes = np.asarray(case.X)[:, witness["columns"][0]]
    return bool(np.count_nonzero(votes * np.asarray(case.y) < 0) == witness["errors"])


def learner_of(name: str, stated: Document) -> Any:
    """A learner from its parameters as a certificate states them."""
    given = {key: _plain(value) for key, value in stated.items()}
    if "class_weight" in given and isinstance(given["class_weight"], dict):
        weights = given["class_weight"]
        given["class_weight"] = (weights["negative"], weights["positive"])
    if "members" in given:
        members = given["members"]
        given["members"] = [(m["rule"], float(m["setting"]), m["rows"]) for m in members]
    if "learner" in given:
        inner = stated["learner"]
        given["learner"] = learner_of(inner["name"], inner["parameters"])
    return learner_class(name)(**given)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, str) and value.replace("/", "").lstrip("-").isdecimal():
        return Fraction(value)
    return value


def believed(lie: Document, X: Any, y: Any) -> bool:
    """Whether the verifier says that a lie holds; anything raised must be ours."""
    try:
        certificate = th.Certificate.from_json(json.dumps(sealed(lie)))
        return th.verify(certificate, X, y).holds
    except ThresherError:
        return False


def says_less(changed: Document, document: Document) -> bool:
    """Whether the list of mistaken rounds, which nobody needs, was left out, and nothing else."""
    run = {**document["run"], "mistaken_rounds": None}
    return changed == {**document, "run": run}


def believed_lies(case: Honest, lies: Iterator[Lie]) -> list[str]:
    """The lies, of a sample with a fixed seed, that were taken for true and are not."""
    everything = list(lies)
    chosen = random.Random(case.title).sample(everything, min(EACH, len(everything)))
    found = []
    for what, made in chosen:
        lie = made()
        if not believed(lie, case.X, case.y):
            continue
        rest = {name: value for name, value in lie.items() if name != "learner"}
        untouched = rest == {k: v for k, v in case.document.items() if k != "learner"}
        if says_less(lie, case.document) or is_another_expert(lie, case):
            continue
        if untouched and is_true(lie, case.X, case.y):
            continue
        found.append(what)
    return found


CASES = honest()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_an_honest_certificate_holds_and_no_lie_about_it_does(case: Honest) -> None:
    document = {name: v for name, v in case.document.items() if name not in ("seal", "signatures")}
    document["signatures"] = []
    assert believed(document, case.X, case.y)
    others = [other.document for other in random.Random(case.title).sample(CASES, 4)]
    case = Honest(case.title, document, case.X, case.y)
    assert believed_lies(case, replaced(document)) == []
    assert believed_lies(case, rearranged(document)) == []
    assert believed_lies(case, swapped(document, others)) == []


def test_there_is_a_certificate_for_every_learner_and_of_every_kind() -> None:
    assert {case.document["learner"]["name"] for case in CASES} == {*LEARNERS}
    kinds = {"hindsight", "a priori", "refutation", "expectation", "count"}
    assert {case.document["kind"] for case in CASES} == kinds


def test_thousands_of_lies_are_tried(record_property: Callable[[str, object], None]) -> None:
    possible = [
        len(list(lies))
        for case in CASES
        for lies in (replaced(case.document), rearranged(case.document))
    ]
    tried = sum(min(EACH, many) for many in possible)
    record_property("lies that are possible", sum(possible))
    record_property("lies that are tried", tried)
    assert tried > 2000
