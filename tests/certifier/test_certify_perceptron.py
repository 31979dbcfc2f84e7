"""The Perceptron: certify, then verify, and lies in between."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import thresher as th
from thresher.errors import RunMismatchError

X = [[1, 0, 1], [0, 1, 1], [1, 1, 0], [0, 0, 1]]
y = [1, -1, 1, -1]


def trained() -> th.Perceptron:
    learner = th.Perceptron(n_features=3)
    learner.learn(X, y)
    return learner


def test_a_certificate_of_an_honest_run_holds() -> None:
    certificate = th.certify(trained(), X, y)
    verdict = th.verify(th.Certificate.from_json(certificate.to_json()), X, y)
    assert verdict.holds, str(verdict)
    assert verdict.claimed == verdict.replayed == trained().mistakes


def test_a_stream_the_learner_has_not_seen_is_refused() -> None:
    with pytest.raises(RunMismatchError, match=r"played rounds: 4, a replay .* has 3"):
        th.certify(trained(), X[:3], y[:3])
    with pytest.raises(RunMismatchError, match=r"false negatives|false positives"):
        th.certify(trained(), X, [1, 1, 1, 1])


def test_another_row_is_noticed() -> None:
    certificate = th.certify(trained(), X, y)
    for i in range(4):
        for j in range(3):
            changed = np.array(X)
            changed[i, j] = 1 - changed[i, j]
            assert not th.verify(certificate, changed, y).holds


def test_another_count_is_noticed_even_under_a_fresh_seal() -> None:
    certificate = th.certify(trained(), X, y)
    lie = dataclasses.replace(certificate, false_positives=(certificate.false_positives or 0) + 1)
    assert not th.verify(lie, X, y).holds
    assert [f.what for f in th.verify(lie.resealed(), X, y).differences] == ["false positives"]
