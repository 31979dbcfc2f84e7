"""The verifier: its reader, its powers, what it says, and what it imports."""

from __future__ import annotations

import json
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array, csr_array

import thresher as th
from thresher.errors import CertificateError, LabelError, NotCertifiableError, UnsoundBatchError
from thresher.verifier import Finding, Verdict, read_rows
from thresher.verifier.replays.weight_base import WeightBase, primitive_root

X = [[1, 0, 2], [0, 0, 0], [0, 3, 0]]
y = [1, -1, 1]
SEPARABLE = [[1, 0, 2], [1, 1, 0], [0, 3, 0]], [-1, -1, -1]


def certificate_of(rows: Any, labels: Any) -> th.Certificate:
    learner = th.Perceptron(3)
    learner.learn(rows, labels)
    return th.certify(learner, rows, labels)


@pytest.mark.parametrize(
    "same",
    [
        np.array(X),
        csr_array(np.array(X, np.float64)),
        coo_array(np.array(X, np.float64)),
        [{0: 1, 2: 2}, {}, {1: 3}],
        [{2: 2, 0: 1, 1: 0}, {}, {1: 3}],
        th.Batch.of(X, y),
    ],
    ids=["array", "csr", "coo", "dicts", "dicts with zeros", "batch"],
)
def test_the_form_of_the_data_does_not_matter(same: Any) -> None:
    certificate = certificate_of(X, y)
    assert th.verify(certificate, same, y).holds
    assert th.verify(certificate, same, [1, 0, 1]).holds
    assert certificate_of(same, y) == certificate


@pytest.mark.parametrize(
    ("rows", "labels", "error", "says"),
    [
        (X, None, LabelError, "labels are missing"),
        (X, [1, 1], LabelError, "shape"),
        (X, [1, 2, 1], LabelError, "-1/\\+1 or 0/1"),
        (X, [-1, 0, 1], LabelError, "-1/\\+1 or 0/1"),
        ([[["a"]]], [1], UnsoundBatchError, "table of numbers"),
        ([{"name": 1}], [1], UnsoundBatchError, "column_of"),
        ([{-1: 1}], [1], UnsoundBatchError, "0 to 2"),
        (csr_array(([1.0, 2.0], [0, 0], [0, 2]), shape=(1, 2)), [1], UnsoundBatchError, "twice"),
    ],
)
def test_what_is_no_stream_is_refused(rows: Any, labels: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        read_rows(rows, labels)


def test_names_are_translated_when_certifying() -> None:
    learner = th.Perceptron()
    rows = [{"free": 1.0}, {"meeting": 1.0, "free": 1.0}]
    learner.learn(rows, [1, -1])
    certificate = th.certify(learner, rows, [1, -1])
    by_column = [{learner.column_of(name): v for name, v in row.items()} for row in rows]
    assert th.verify(certificate, by_column, [1, -1]).holds
    hashed = th.Perceptron(64, names=th.Hashed())
    hashed.learn(rows, [1, -1])
    with pytest.raises(NotCertifiableError, match="hashed names"):
        th.certify(hashed, rows, [1, -1])


def test_what_has_no_replay_is_not_certified() -> None:
    class Oracle:
        name = "oracle"

    with pytest.raises(NotCertifiableError, match="Oracle has no replay"):
        th.certify(Oracle(), [[1, -1]], [1])


def test_a_truncated_journal_still_allows_a_certificate_from_the_stream() -> None:
    learner = th.Perceptron(3, journal_bytes=0)
    learner.learn(X, [-1, -1, -1])
    assert th.verify(th.certify(learner, X, [-1, -1, -1]), X, [-1, -1, -1]).holds
    with pytest.raises(NotCertifiableError, match="journal is not complete"):
        th.certify(learner, claim=th.theory.Separator(margin=1))


def test_a_broken_bound_is_noticed() -> None:
    """No honest run breaks a bound, so the alarm is tested by hand."""
    certificate = certificate_of(*SEPARABLE)
    assert certificate.allowed is not None
    assert Verdict(certificate, (), certificate.allowed).holds
    assert not Verdict(certificate, (), certificate.allowed + 1).holds
    assert not Verdict(certificate, (Finding("x", 1, 2),), 0).holds
    assert not Verdict(certificate, (), 0, unchecked=("x",)).holds
    assert not Finding("x", 1, True).agrees
    assert not Finding("x", 1, Fraction(1)).agrees


def test_a_verdict_is_a_table_that_names_what_differs() -> None:
    certificate = certificate_of(*SEPARABLE)
    lines = str(th.verify(certificate, SEPARABLE[0], [-1, -1, 1])).splitlines()
    assert lines[0] == "data      DIFFERS"
    assert lines[1].startswith("counted   1 mistake; CLAIMED are 2")
    assert lines[2].startswith("claimed   at most")
    assert not any(line.startswith("proven") for line in lines)
    assert lines[-1] == "THE CLAIM DOES NOT HOLD"
    assert any(line.startswith("DIFFERS   data digest: claimed") for line in lines)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (("{", "["), "not JSON"),
        (('"version":2', '"version":5'), r"\$\.version must be 1, 2, 3 or 4"),
        (('"version":2', '"version":true'), r"\$\.version must be 1, 2, 3 or 4"),
        (('"version":2', '"version":1'), r"the field \$\.delta is unknown"),
        (('"rounds":3', '"rounds":3.0'), "numbers are whole, exact"),
        (('"rounds":3', '"rounds":NaN'), "numbers are whole, exact"),
        (('"rounds":3', '"rounds":true'), r"\$\.data\.rounds must be a whole number"),
        (('"bias":false', '"bias":0'), r"\$\.learner\.parameters\.bias must be true or false"),
        (('"seal"', '"zeal"'), r"the field \$\.seal is missing"),
        (('"seal"', '"scope":"all rounds","seal"'), "'scope' is given twice"),
        (('"name":"perceptron"', '"name":"oracle"'), r"\$\.learner\.name must be"),
        (('"radius_squared":"9"', '"radius_squared":"18/2"'), "lowest terms"),
        (('"columns":[', '"columns":[7,'), r"\$\.witness\.numerators must be as many"),
        (('"denominator":1', '"denominator":0'), r"\$\.witness\.denominator must be a whole"),
    ],
)
def test_a_document_that_is_no_certificate_is_refused_by_the_place(
    change: tuple[str, str], says: str
) -> None:
    text = certificate_of(*SEPARABLE).to_json()
    assert change[0] in text
    with pytest.raises(CertificateError, match=says):
        th.Certificate.from_json(text.replace(*change))


def test_certificates_are_saved_and_loaded_in_canonical_form(tmp_path: Any) -> None:
    certificate = certificate_of(X, y)
    certificate.save(tmp_path / "run.json")
    again = th.Certificate.load(tmp_path / "run.json")
    assert again == certificate
    assert again.to_json() == certificate.to_json()
    compact = json.dumps(json.loads(again.to_json()), sort_keys=True, separators=(",", ":"))
    assert again.to_json() == compact
    assert again.delta == Fraction(1, 20)


def exactly(base: Fraction, terms: list[tuple[int, int]]) -> int:
    total = sum(x * base**z for x, z in terms)
    return (total > 0) - (total < 0)


TERMS = st.lists(st.tuples(st.integers(-4, 4), st.integers(-30, 30)), max_size=6)


@given(st.sampled_from([Fraction(2), Fraction(3, 2), Fraction(4), Fraction(9, 8)]), TERMS)
def test_signs_of_whole_powers_are_those_of_fractions(
    base: Fraction, terms: list[tuple[int, int]]
) -> None:
    given = [(Fraction(x), Fraction(z)) for x, z in terms]
    assert WeightBase(base).sign(given) == exactly(base, terms)
    halves = [(x, 2 * z) for x, z in given]
    assert WeightBase(base, Fraction(1, 2)).sign(halves) == exactly(base, terms)
    far = [(x, z + 10**6) for x, z in given]
    assert WeightBase(base).sign(far) == exactly(base, terms)


@pytest.mark.parametrize(
    ("base", "terms", "sign"),
    [
        # sqrt(2) + sqrt(8) = 3 sqrt(2): a tie between irrational numbers.
        (WeightBase(Fraction(2), Fraction(1, 2)), [(1, 1), (1, 3), (-3, 1)], 0),
        (WeightBase(Fraction(4), Fraction(1, 4)), [(1, 2), (-2, 0)], 0),
        # 8^(1/3) = 2, although 1/3 is not a whole exponent.
        (WeightBase(Fraction(8), Fraction(1, 3)), [(1, 1), (-2, 0)], 0),
        (WeightBase(Fraction(2), Fraction(1, 2)), [(99, 1), (-140, 0)], 1),
        (WeightBase(Fraction(2), Fraction(1, 2)), [(665857, 0), (-470832, 1)], 1),
        (WeightBase(None), [(1, 1), (-2, 0)], 1),
        (WeightBase(None), [(1, 1), (-3, 0)], -1),
        (WeightBase(None), [(1, 5), (-1, 5)], 0),
        (WeightBase(None, Fraction(1, 10**30)), [(1, 1), (-1, 0)], 1),
        (WeightBase(1 + Fraction(1, 2**40)), [(1, 1), (-1, 0)], 1),
        (WeightBase(Fraction(2)), [(1, 300_000), (-1, 299_999), (-1, 299_999)], 0),
    ],
)
def test_ties_and_near_ties_of_powers(
    base: WeightBase, terms: list[tuple[int, int]], sign: int
) -> None:
    assert base.sign([(Fraction(x), Fraction(z)) for x, z in terms]) == sign


@settings(max_examples=50)
@given(st.integers(1, 50), st.integers(1, 50), st.integers(1, 9))
def test_primitive_roots_are_roots_and_have_none_themselves(a: int, b: int, k: int) -> None:
    value = Fraction(a, b) ** k
    root, power = primitive_root(value)
    assert root**power == value
    assert primitive_root(root) == (root, 1)
    assert value == 1 or power % k == 0


def test_importing_thresher_does_not_import_scipy() -> None:
    code = "import sys, thresher as th; th.certify, th.verify; print('scipy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
