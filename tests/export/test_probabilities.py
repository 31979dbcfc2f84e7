"""Probabilities in exports are those of the model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest

import thresher as th
from tests.export.databases import DuckDb, Postgres, Sqlite
from tests.export.runners import InC, InJavaScript, InJson
from tests.export.test_onnx import padded
from thresher.export import to_c, to_js, to_json, to_onnx, to_sql
from thresher.learners.base.learner import Learner
from thresher.learners.calibration.calibrator import bin_edges
from thresher.models.model import Model
from thresher.models.one_class import model_of_class
from thresher.streams import Rows

LINEAR: list[Learner] = [
    *(th.Calibrated(th.AROW(6, bias=True), method) for method in ("isotonic", "platt")),
    *(th.Calibrated(th.Winnow(6, threshold=3), method) for method in ("isotonic", "platt")),
    *(th.OneVersusRest(th.Calibrated(th.AROW(6), method)) for method in ("isotonic", "platt")),
    th.OneVersusRest(th.Calibrated(th.Winnow(6, threshold=2))),
]
COMMITTEES: list[Learner] = [
    th.Committee(6),
    th.Calibrated(th.Committee(6)),
    th.OneVersusRest(th.Committee(6)),
]


def made(learner: Any) -> tuple[Model, list[dict[int, float]], Any]:
    """A model that has learned, rows that it has not seen, and their probabilities."""
    learner = learner.copy()
    random = np.random.default_rng(4)
    rows: list[dict[int, float]] = [
        {int(c): float(random.choice([0.25, 0.7, 1.0])) for c in random.choice(6, k, replace=False)}
        for k in random.integers(0, 7, 240)
    ]
    noise = random.random(240) < 0.15
    labels = [(len(row) + (0 in row) + z) % 3 for row, z in zip(rows, noise, strict=True)]
    names = [f"it's {y}" for y in labels] if learner.several else [1 if y else -1 for y in labels]
    learner.learn(rows[:180], names[:180])
    return Model(learner=learner), rows[180:], learner.predict_proba(rows[180:])


@pytest.mark.parametrize("learner", LINEAR + COMMITTEES, ids=repr)
def test_c_javascript_and_json_give_the_probabilities(learner: Any, tmp_path: Path) -> None:
    model, rows, expected = made(learner)
    # An exponential is the machine's own; all else is to the bit, but for the order of sums.
    close = 1e-15 if model.learner.several or model.learner.calibration == "platt" else 0.0
    for runner in (InC(model, tmp_path), InJavaScript(model), InJson(to_json(model))):
        found = [runner.probabilities(row) for row in rows]
        np.testing.assert_allclose(found, expected, rtol=close, atol=close)


@pytest.mark.parametrize("learner", LINEAR, ids=repr)
def test_the_runtime_gives_the_probabilities(learner: Any) -> None:
    model, rows, expected = made(learner)
    session = onnxruntime.InferenceSession(to_onnx(model))
    (found,) = session.run(["probability"], padded(Rows.of(rows)))
    # Scores may differ in their last digits, and then fall on the next step.
    assert np.mean(np.isclose(found, expected, rtol=1e-12, atol=1e-13)) > 0.97


@pytest.mark.parametrize("learner", LINEAR, ids=repr)
def test_a_database_gives_the_probabilities(
    learner: Any, databases: list[Sqlite | DuckDb | Postgres]
) -> None:
    model, rows, expected = made(learner)
    names = [str(i) for i in range(6)]
    table = [[float(t), *(row.get(i) for i in range(6))] for t, row in enumerate(rows)]
    for base in databases:
        real, _ = base.types
        answers = base.found(to_sql(model), {"id": real, **dict.fromkeys(names, real)}, table)
        found = [[x for name, x in row.items() if name.startswith("prob")] for row in answers]
        asked = expected if model.learner.several else expected[:, 1:]
        assert np.mean(np.isclose(found, asked, rtol=1e-12, atol=1e-13)) > 0.97


@pytest.mark.parametrize("form", [to_c, to_js, to_json])
def test_what_knows_scores_alone_says_nothing_of_probabilities(form: Any) -> None:
    assert "probab" not in form(Model(learner=th.AROW(3)))


def test_every_bin_ends_where_the_next_begins(tmp_path: Path) -> None:
    """Steps of all bins, asked at every edge and just below it."""
    learner = th.Calibrated(th.Perceptron(1))
    learner.learn([[-1.0]], [-1])
    assert learner.scores([[0.5]]).tolist() == [0.5]
    edges = bin_edges()
    scores = np.concatenate((edges, np.nextafter(edges, -np.inf), [0.0, -0.0, 5e-324, -5e-324]))
    steps = np.linspace(0.001, 0.999, len(edges) + 1)
    learner._calibrator.steps = steps  # type: ignore[attr-defined]
    known = learner.probability_map()
    expected = learner._calibrator.probabilities(scores)
    assert known.probabilities(scores).tolist() == expected.tolist()
    model = Model(learner=learner)
    some = [*range(0, len(scores), 97), *range(len(scores) - 4, len(scores))]
    for runner in (InC(model, tmp_path), InJavaScript(model), InJson(to_json(model))):
        found = [runner.probabilities({0: float(scores[k])})[1] for k in some]
        assert found == expected[some].tolist()
    rows = Rows.of([{0: float(scores[k])} for k in some])
    (found,) = onnxruntime.InferenceSession(to_onnx(model)).run(["probability"], padded(rows))
    assert found[:, 1].tolist() == expected[some].tolist()


def test_one_class_of_several_keeps_its_own_probability(tmp_path: Path) -> None:
    model, rows, _ = made(LINEAR[4])
    one = model_of_class(model, "it's 1")
    member = model.learner.learner_of("it's 1")
    expected = member.predict_proba(rows).tolist()
    assert [InC(one, tmp_path).probabilities(row) for row in rows[:3]] == expected[:3]
