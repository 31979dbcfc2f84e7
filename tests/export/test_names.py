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
from thresher.export import to_json, to_text
from thresher.models.input_data import InputData
from thresher.models.model import Model
from thresher.models.opening import open_for_model

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
    listed = {name: f["column"] for f in document["features"] for name in f["names"]}
    assert listed.items() <= learner.name_table.vocabulary.items()
    if document["kind"] == "linear":
        lines = [line for line in to_text(model).split("\n") if line and line[0] != "#"]
        assert len(lines) == len(document["features"])


FILES = {
    "csv": 'label,7,07,"a ""b""",x=y,kind\n1,2,0.5,1,3,7\n-1,1,2,-1,0.5,it\'s\n1,-1,0,2,1,\n',
    "json": '{"label":1,"7":2,"07":0.5,"a\\n":1,"kind":"7"}\n{"label":-1,"7":1,"x=y":-2,"":3}\n'
    '{"label":1,"kind":"it\'s","7.5":1}\n',
    "vw": "1 | 7:2 07:0.5 a |ns 7 b:3\n-1 | 7 x=y:-1 |ns 07\n1 |ns c |7 7:4\n",
    "svmlight": "1 7:2 9:0.5\n-1 7:1 3:-2\n1 3:1\n",
}


@pytest.mark.parametrize("format_", FILES)
@pytest.mark.parametrize("hashed", [True, False])
@pytest.mark.parametrize("learner", ["arow", "committee"])
def test_names_in_files_are_names_in_exports(
    format_: str, hashed: bool, learner: str, tmp_path: Path
) -> None:
    path = tmp_path / f"rows.{format_}"
    path.write_text(FILES[format_])
    size = {"n_features": 64} if hashed else {"vocabulary": True}
    if format_ == "svmlight":
        size = {"n_features": 64}
    model = th.train(path, learner, format=format_, **size)
    stream = open_for_model(model, InputData.described(path), labels=False)
    scores = [model.learner.scores(chunk.rows).tolist() for chunk in stream.chunks()]
    expected = [[score] for part in scores for score in part]
    for runner in (InC(model, tmp_path), InJavaScript(model)):
        assert [runner.named(row)[0] for row in AS_NAMES[format_]] == expected


AS_NAMES: dict[str, list[list[tuple[str, float]]]] = {
    "csv": [
        [("7", 2.0), ("07", 0.5), ('a "b"', 1.0), ("x=y", 3.0), ("kind=7", 1.0)],
        [("7", 1.0), ("07", 2.0), ('a "b"', -1.0), ("x=y", 0.5), ("kind=it's", 1.0)],
        [("7", -1.0), ('a "b"', 2.0), ("x=y", 1.0)],
    ],
    "json": [
        [("7", 2.0), ("07", 0.5), ("a\n", 1.0), ("kind=7", 1.0)],
        [("7", 1.0), ("x=y", -2.0), ("", 3.0)],
        [("kind=it's", 1.0), ("7.5", 1.0)],
    ],
    "vw": [
        [("7", 2.0), ("07", 0.5), ("a", 1.0), ("ns^7", 1.0), ("ns^b", 3.0)],
        [("7", 1.0), ("x=y", -1.0), ("ns^07", 1.0)],
        [("ns^c", 1.0), ("7^7", 4.0)],
    ],
    "svmlight": [
        [("7", 2.0), ("9", 0.5)],
        [("3", -2.0), ("7", 1.0)],
        [("3", 1.0)],
    ],
}
