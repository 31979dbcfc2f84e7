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


def test_the_same_model_gives_the_same_bytes() -> None:
    assert to_onnx(trained(WEIGHED[0])) == to_onnx(trained(WEIGHED[0]))


def test_without_the_package_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(ExportError, match=r"pip install 'thresher\[onnx\]'"):
        to_onnx(Model(learner=th.Perceptron(3)))
