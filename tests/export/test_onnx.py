"""The ONNX graph, run by ONNX Runtime."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import onnx
import onnxruntime
import pytest

import thresher as th
from tests.export.models import WEIGHED, asked, too_close, trained
from tests.learners.makers import Maker
from thresher.errors import ExportError
from thresher.export import form_of, to_onnx
from thresher.learners.base.learner import Learner
from thresher.models.model import Model
from thresher.streams import Rows


def padded(rows: Rows) -> dict[str, Any]:
    longest = int(np.diff(rows.row_start).max(initial=0))
    column = np.zeros((len(rows), longest), np.int64)
    value = np.zeros((len(rows), longest))
    for t, row in enumerate(rows):
        column[t, : len(row)] = list(row)
        value[t, : len(row)] = list(row.values())
    return {"column": column, "value": value}


@pytest.mark.parametrize("maker", WEIGHED, ids=str)
def test_the_runtime_agrees_with_the_model(maker: Maker) -> None:
    model, rows = trained(maker), asked(maker)
    content = to_onnx(model)
    onnx.checker.check_model(onnx.load_from_string(content), full_check=True)
    session = onnxruntime.InferenceSession(content)
    scores, labels = session.run(["score", "label"], padded(rows))
    expected = form_of(model.learner).scores(rows)
    assert scores.dtype == np.float64
    np.testing.assert_allclose(scores, expected, rtol=1e-13, atol=1e-13)
    clear = ~too_close(model.learner, expected)
    assert np.count_nonzero(clear) > 60
    assert labels[clear].tolist() == model.learner.predict(rows)[clear].tolist()
    assert session.get_modelmeta().custom_metadata_map["learner"] == model.learner.name


SCALED: list[Learner] = [
    th.AROW(9, bias=True, scaling=scaling) for scaling in ("l2", "l1", "max", "online")
]
SEVERAL: list[Learner] = [
    th.MulticlassPerceptron(9, bias=True),
    th.OneVersusRest(th.AROW(9, bias=True)),
    th.OneVersusRest(th.Winnow(9, threshold=2)),
    th.OneVersusRest(th.AdaGrad(9, scaling="online")),
]


@pytest.mark.parametrize("learner", SCALED + SEVERAL, ids=repr)
def test_scaled_rows_and_several_classes_are_whole(learner: Any) -> None:
    learner = learner.copy()
    random = np.random.default_rng(2)
    rows = [{int(c): float(random.choice([0.3, 1.0])) for c in random.choice(9, k, replace=False)}
            for k in random.integers(1, 9, 80)]  # fmt: skip
    labels = [f"it's {sum(row) % 3}" if learner.several else 1 - 2 * (len(row) % 2) for row in rows]
    learner.learn(rows, labels)
    content = to_onnx(Model(learner=learner))
    onnx.checker.check_model(onnx.load_from_string(content), full_check=True)
    session = onnxruntime.InferenceSession(content)
    asked = Rows.of([*rows[:50], {}])
    scores, found = session.run(["score", "label"], padded(asked))
    expected = learner.scores(asked)
    np.testing.assert_allclose(scores, expected, rtol=1e-12, atol=1e-13)
    assert list(found) == learner.predict(asked).tolist()


def test_the_same_model_gives_the_same_bytes() -> None:
    assert to_onnx(trained(WEIGHED[0])) == to_onnx(trained(WEIGHED[0]))


def test_without_the_package_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ExportError, match=r"pip install 'thresher\[onnx\]'"):
        to_onnx(Model(learner=th.Perceptron(3)))
