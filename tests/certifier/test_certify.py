"""From runs to certificates: every learner, every kind of stream."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.verifier.strategies import LEARNERS, WIDTH, streams


@pytest.mark.parametrize("name", LEARNERS)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_what_is_certified_can_be_verified(name: str, data: st.DataObject) -> None:
    make, values = LEARNERS[name]
    X, y = data.draw(streams(values))
    table = np.array(X).reshape(-1, WIDTH)
    learner = make()
    learner.learn(table, y)
    certificate = th.certify(learner, table, y)
    verdict = th.verify(th.Certificate.from_json(certificate.to_json()), table, y)
    assert verdict.holds, str(verdict)
    assert certificate.mistakes == verdict.replayed == learner.mistakes
    if certificate.expected is not None:
        assert (certificate.kind, certificate.allowed) == ("expectation", None)
    else:
        assert certificate.kind == ("count" if certificate.allowed is None else "hindsight")
    emptied = getattr(learner, "emptied_in_round", None)
    assert certificate.emptied_in_round == emptied
    if hasattr(learner, "concepts"):
        assert (certificate.kind == "count") == (emptied is not None)
