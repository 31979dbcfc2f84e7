"""Names of features, whatever they look like, find in every export the column they had."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import thresher as th
from tests.export.runners import InC, InJavaScript
from thresher.export import to_json
from thresher.models.model import Model

ODD = [
    "7", "07", "-1", "+3", "1e3", "2147483647", "2147483648", "0", "", " ", "a b", "\n", "a\tb",
    "\r\n", 'say "x"', "it's", "back\\slash", "\\", "??/", "a??/", "*/", "/*", "//", "--", ";",
    "né", "日本", "😀", "\u2028", "\ufeff", "\0", "a\0b", "a", "</script>", "${x}", "`", "@P@",
    "@weights@", "PREFIX", "__proto__", "constructor", "toString", "int", "class", "function",
    "select", "order", "NULL", "x" * 5000, "x" * 4999 + "y", "é" * 3000, "=", "a=b", "a=b=c", "%s",
]  # fmt: skip
names = st.one_of(
    st.sampled_from(ODD),
    st.integers(0, 2**33).map(str),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=9),
)
values = st.sampled_from([1.0, -1.0, 0.5, 2.0, -0.0, 0.1, 1e-300, 1e90])
rows = st.lists(st.tuples(names, values), max_size=9, unique_by=lambda pair: pair[0])
LEARNERS = [
    lambda: th.Perceptron(16, names=th.Hashed(5)),
    lambda: th.Perceptron(37, bias=True),
    lambda: th.Perceptron(names=th.Vocabulary()),
    lambda: th.AROW(scaling="l2"),
    lambda: th.Committee(16),
    lambda: th.Committee(),
    lambda: th.OneVersusRest(th.PassiveAggressive(16)),
    lambda: th.OneVersusRest(th.Committee()),
    lambda: th.BalancedWinnow(16, threshold=1, names=th.Hashed(2**32 - 1)),
    lambda: th.BalancedWinnow(64, threshold=1, names=th.Vocabulary()),
]


@pytest.mark.parametrize("make", LEARNERS, ids=lambda make: repr(make()))
@given(stream=st.lists(rows, min_size=2, max_size=6), asked=st.lists(rows, min_size=1, max_size=6))
@example(stream=[[(name, 1.0) for name in ODD[:25]], [(name, -1.0) for name in ODD[20:50]]],
         asked=[[(name, 0.5)] for name in ODD])  # fmt: skip
@settings(max_examples=3, deadline=None)
def test_a_name_scores_as_it_does_in_the_model(make: Any, stream: Any, asked: Any) -> None:
    learner = make()
    if learner.domain.highest <= 1.0:
        stream, asked = ([[(n, max(-1.0, min(1.0, x))) for n, x in row] for row in part]
                         for part in (stream, asked))  # fmt: skip
    labels = (["a", "b", "c"] if learner.several else [1, -1]) * len(stream)
    learner.learn([{"start": 1.0} | dict(row) for row in stream], labels[: len(stream)])
    model = Model(learner=learner)
    expected = [list(learner.scores_one(dict(row)).values()) for row in asked]
    if not learner.several:
        expected = [[learner.scores([dict(row)])[0]] for row in asked]
    with TemporaryDirectory() as folder:
        for runner in (InC(model, Path(folder)), InJavaScript(model)):
            assert [runner.named(row)[0] for row in asked] == expected
    # What is for people and other programs has the names, too.
    document = json.loads(to_json(model))
    known = {name for feature in document["features"] for name in feature["names"]}
    assert known <= {*learner.name_table.vocabulary, *map(str, range(64))}
