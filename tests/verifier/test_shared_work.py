"""Several workers: chunks of rows and ranges of rounds, checked apart with one verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from thresher.errors import CertificateError
from thresher.verifier import read_rows
from thresher.verifier.mistaken_rounds import decoded, encoded
from thresher.verifier.replayed_run import FEWEST_SHARED
from thresher.verifier.row_digests import CHUNK_ROWS, chunk_digests, tree_digest

RNG = np.random.default_rng(7)
ROWS = FEWEST_SHARED + CHUNK_ROWS + 17
X = (RNG.random((ROWS, 12)) < 0.3).astype(float)
Y = np.where((X[:, 2] + X[:, 5] > 0) ^ (RNG.random(ROWS) < 0.1), 1, -1)
LEARNERS: dict[str, Callable[[], Any]] = {
    "perceptron": lambda: th.Perceptron(12, bias=True),
    "winnow": lambda: th.Winnow(12),
    "balanced winnow": lambda: th.BalancedWinnow(12),
    "normalised winnow": lambda: th.NormalizedWinnow(12, eta=0.1),
    "signed winnow": lambda: th.SignedWinnow(12, eta=0.1, bias=True),
    "restarts": lambda: th.SignedWinnow(12, bias=True),
    "arow": lambda: th.AROW(12),
    "committee": lambda: th.Committee(12),
}


@pytest.fixture(scope="module", params=LEARNERS)
def certified(request: pytest.FixtureRequest) -> tuple[Any, th.Certificate]:
    learner = LEARNERS[request.param]()
    learner.learn(X, Y)
    return learner, th.certify(learner, X, Y)


def test_any_number_of_workers_gives_one_verdict(certified: tuple[Any, th.Certificate]) -> None:
    learner, certificate = certified
    alone = th.verify(certificate, X, Y, model=learner)
    assert alone.holds
    for workers in (2, 3, 7):
        assert th.verify(certificate, X, Y, model=learner, workers=workers) == alone


def test_a_list_of_mistakes_that_lies_deceives_no_number_of_workers(
    certified: tuple[Any, th.Certificate],
) -> None:
    _, certificate = certified
    told = decoded(str(certificate.mistaken_rounds), ROWS)
    lies = [
        told[:-1],
        told[1:],
        np.delete(told, len(told) // 2),
        np.union1d(told, np.setdiff1d(np.arange(ROWS), told)[:1]),
        np.setdiff1d(np.arange(ROWS), told),
        np.arange(0),
    ]
    for lie in lies:
        forged = replace(certificate, mistaken_rounds=encoded(lie, ROWS)).resealed()
        for workers in (1, 2, 5):
            verdict = th.verify(forged, X, Y, workers=workers)
            assert verdict.status == "does not hold"
            assert [f.what for f in verdict.differences] == ["mistaken rounds"]
            assert verdict.replayed == certificate.mistakes


def test_chunks_are_checked_apart_and_order_counts() -> None:
    stream = read_rows(X, Y)
    chunks = chunk_digests(stream)
    assert chunk_digests(stream, workers=3) == chunks
    assert chunks[1:] == chunk_digests(stream.part(CHUNK_ROWS, ROWS))
    assert len(set(chunks)) == len(chunks) == -(-ROWS // CHUNK_ROWS)
    root = tree_digest(chunks, ROWS, None)
    assert root != tree_digest(chunks[::-1], ROWS, None)
    assert root != tree_digest(chunks, ROWS - 1, None)
    assert root != tree_digest(chunks, ROWS, ["a", "b"])


@given(st.integers(1, 300), st.randoms(use_true_random=False))
def test_the_list_of_mistakes_survives_the_document(rounds: int, random: Any) -> None:
    mistaken = np.array(sorted(random.sample(range(rounds), random.randint(0, rounds))), np.int64)
    text = encoded(mistaken, rounds)
    assert text is not None
    assert decoded(text, rounds).tolist() == mistaken.tolist()


@settings(max_examples=50)
@given(st.text("ABCDEFabcdef0123+/=", max_size=40), st.integers(0, 100))
def test_what_is_no_list_of_so_many_rounds_is_refused(text: str, rounds: int) -> None:
    good = encoded(np.arange(0, rounds + 20, 3), rounds + 20)
    for other in (text, str(good)):
        with pytest.raises(CertificateError, match="mistaken_rounds"):
            decoded(other, rounds)


def test_a_list_that_swells_is_refused_before_it_does() -> None:
    bomb = encoded(np.arange(0), 10**8)
    assert bomb is not None
    with pytest.raises(CertificateError, match="a bit for each of 1000 rounds"):
        decoded(bomb, 1000)


def test_a_list_that_is_too_long_is_left_out_and_that_is_said(
    certified: tuple[Any, th.Certificate], monkeypatch: pytest.MonkeyPatch
) -> None:
    learner, certificate = certified
    monkeypatch.setattr("thresher.verifier.mistaken_rounds.MOST_CHARACTERS", 10)
    short = th.certify(learner, X, Y)
    assert short.mistaken_rounds is None
    assert "the list of mistaken rounds is left out" in str(short)
    assert "left out" not in str(certificate)
    for workers in (1, 3):
        assert th.verify(short, X, Y, workers=workers).holds
