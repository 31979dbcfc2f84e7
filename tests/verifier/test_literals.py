"""Winnow and normalised Winnow over literals: 2n weights, and memory that goes by the data."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.errors import CertificateError, NotCertifiableError
from thresher.theory import Disjunction, Separator
from thresher.verifier import ALGORITHMS, read_rows
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.literals import as_kept_with_opposites, as_seen, spelled_out

N = 8
RNG = np.random.default_rng(4)
X = (RNG.random((300, N)) < 0.4).astype(float)
#: x1 or not x3: literals 1 and N + 3.
Y = np.where((X[:, 1] > 0) | (X[:, 3] == 0), 1, -1)


def learned(learner: Any) -> Any:
    learner.learn(X, Y)
    return learner


def test_a_disjunction_with_a_negation_is_found_and_allowed_for_by_2n_weights() -> None:
    learner = learned(th.Winnow(N, literals=True))
    certificate = th.certify(learner, X, Y)
    assert certificate.witness is not None
    assert certificate.witness.comparator.columns == (1, N + 3)
    assert certificate.witness.errors == 0
    assert certificate.theorem == "WinnowDisjunction"
    assert certificate.bounds[0].quantities["n_features"] == 2 * N
    assert certificate.parameters["threshold"] == 2 * N
    verdict = th.verify(certificate, X, Y, learner.journal, model=learner, workers=2)
    assert verdict.holds
    assert th.verify(certificate, journal=learner.journal).consistent


def test_the_same_rows_without_negations_have_another_certificate() -> None:
    learner = learned(th.Winnow(N, literals=True))
    certificate = th.certify(learner, X, Y)
    document = json.loads(certificate.to_json())
    document["learner"]["parameters"]["literals"] = False
    lie = th.Certificate.from_json(json.dumps(document)).resealed()
    assert not th.verify(lie, X, Y).holds


@pytest.mark.parametrize("bias", [False, True])
def test_opposites_make_the_comparator_of_normalised_winnow_positive(bias: bool) -> None:
    votes, labels = 2 * X - 1, np.where(X[:, 1] + X[:, 4] > X[:, 6], 1, -1)
    learner = th.NormalizedWinnow(N, margin=Fraction(1, 5), bias=bias, literals=True)
    learner.learn(votes, labels)
    certificate = th.certify(learner, votes, labels)
    assert certificate.theorem == "NormalizedWinnowRate"
    assert certificate.bounds[0].quantities["n_features"] == 2 * N + bias
    assert certificate.witness is not None
    assert N + 6 in certificate.witness.comparator.columns
    assert min(certificate.witness.comparator.numerators) > 0
    assert th.verify(certificate, votes, labels, learner.journal, model=learner).holds


def test_a_declared_disjunction_allows_what_2n_weights_need() -> None:
    learner = learned(th.Winnow(N, literals=True))
    certificate = th.certify(learner, X, Y, claim=Disjunction(k=2, n=N))
    assert certificate.kind == "a priori"
    assert certificate.bounds[0].quantities["n_features"] == 2 * N
    assert th.verify(certificate, X, Y).holds


def test_a_declared_separator_may_have_weights_of_both_signs() -> None:
    votes, labels = 2 * X - 1, np.where(X[:, 1] + X[:, 4] > X[:, 6], 1, -1)
    learner = th.NormalizedWinnow(N, margin=Fraction(1, 3), literals=True)
    learner.learn(votes, labels)
    claim = Separator(Fraction(1, 3), norm=1, signed=1)
    certificate = th.certify(learner, votes, labels, claim=claim)
    assert certificate.bounds[0].quantities["n_features"] == 2 * N
    assert th.verify(certificate, votes, labels).holds
    # Without opposites no theorem speaks of such a target.
    plain = th.NormalizedWinnow(N, margin=Fraction(1, 3))
    plain.learn(votes, labels)
    with pytest.raises(NotCertifiableError):
        th.certify(plain, votes, labels, claim=claim)


def test_values_other_than_0_and_1_are_beyond_a_learner_of_literals() -> None:
    algorithm = ALGORITHMS["winnow"]
    parameters = th.certify(learned(th.Winnow(N, literals=True)), X, Y).parameters
    assert algorithm.fault(parameters, read_rows(X, Y)) is None
    assert algorithm.fault(parameters, read_rows(X / 2, Y)) is not None


@pytest.mark.parametrize("name", ["winnow", "normalized_winnow"])
def test_literals_and_scaling_do_not_go_together(name: str) -> None:
    learner: Any = {"winnow": th.Winnow, "normalized_winnow": th.NormalizedWinnow}[name](
        N, literals=True
    )
    document = json.loads(th.certify(learned(learner), X, Y).to_json())
    document["learner"]["parameters"]["scaling"] = "l2"
    with pytest.raises(CertificateError, match="null with literals"):
        th.Certificate.from_json(json.dumps(document))


def test_few_rows_cannot_ask_for_much_room() -> None:
    few = read_rows([{0: 1}], [1])
    assert len(spelled_out(few, 2**22).column) == 2**22
    with pytest.raises(NotCertifiableError, match="a check holds at most"):
        spelled_out(few, 2**24)


def test_rows_with_opposites_are_the_rows_again() -> None:
    stream = read_rows(X - 0.5 * X[::-1], Y)
    given = {"literals": True, "n_features": N}
    kept = as_kept_with_opposites(stream, given)
    dense = np.zeros((len(stream), 2 * N))
    dense[kept.row, kept.column] = kept.value
    assert np.array_equal(dense[:, :N], -dense[:, N:])
    again: LabelledRows = as_seen(kept, given)
    for name in ("row_start", "column", "value", "label"):
        assert np.array_equal(getattr(again, name), getattr(stream, name))
    assert np.all(np.diff(kept.column)[kept.row[1:] == kept.row[:-1]] > 0)
