"""A model as an ONNX graph over columns and values, in double precision."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from thresher.errors import ExportError
from thresher.models.linear_form import form_of
from thresher.models.model import Model

#: The oldest operator set with all that the graph needs, in double precision.
OPSET = 18
#: A protocol buffer ends at 2 GiB.
MOST_FEATURES = 2**27


def to_onnx(model: Model, top: int | None = None) -> bytes:
    """The model as the bytes of an ONNX file.

    Inputs: `column`, whole numbers, and `value`, doubles, both of shape (rows, longest row);
    a row that is shorter is filled up with any column and the value 0. Outputs: `score`, a
    double, and `label`, -1 or +1, for each row.

    The weights are the model's to the bit. A runtime may add up a row in another order, so
    that scores may differ in their last digits, and predictions where a score is that close
    to the threshold.
    """
    try:
        onnx = import_module("onnx")
        helper = import_module("onnx.helper")
        numpy_helper = import_module("onnx.numpy_helper")
    except ImportError as error:
        raise ExportError(
            "writing ONNX needs the package onnx, which is not installed. "
            "Install it: pip install 'thresher[onnx]'."
        ) from error
    form = form_of(model.learner)
    if top is not None:
        form = form.top(top)
    if len(form.weights) > MOST_FEATURES:
        raise ExportError(
            f"an ONNX file holds at most {MOST_FEATURES} weights, and the model has "
            f"{len(form.weights)}. Export it as C or JSON, or train with fewer features."
        )
    constants = {
        "weights": form.weights,
        "constant": np.array(form.constant),
        "divisor": np.array(form.divisor),
        "threshold": np.array(form.threshold),
        "along": np.array([1], np.int64),
        "plus": np.array(1, np.int64),
        "minus": np.array(-1, np.int64),
    }
    steps = [
        ("Gather", ["weights", "column"], "weight"),
        ("Mul", ["weight", "value"], "term"),
        ("ReduceSum", ["term", "along"], "total"),
        ("Add", ["total", "constant"], "shifted"),
        ("Div", ["shifted", "divisor"], "score"),
        ("GreaterOrEqual", ["score", "threshold"], "reached"),
        ("Where", ["reached", "plus", "minus"], "label"),
    ]
    nodes = [
        helper.make_node(kind, inputs, [output], **({"keepdims": 0} if kind == "ReduceSum" else {}))
        for kind, inputs, output in steps
    ]
    whole, double = onnx.TensorProto.INT64, onnx.TensorProto.DOUBLE
    graph = helper.make_graph(
        nodes,
        "thresher",
        [
            helper.make_tensor_value_info("column", whole, ["rows", "longest"]),
            helper.make_tensor_value_info("value", double, ["rows", "longest"]),
        ],
        [
            helper.make_tensor_value_info("score", double, ["rows"]),
            helper.make_tensor_value_info("label", whole, ["rows"]),
        ],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    made.ir_version = 8
    made.producer_name = "thresher"
    _describe(helper, made, model)
    content: bytes = made.SerializeToString()
    return content


def _describe(helper: Any, made: Any, model: Model) -> None:
    negative, positive = model.label_names
    helper.set_model_props(
        made,
        {
            "learner": model.learner.name,
            "positive": positive,
            "negative": negative,
            "model_sha256": model.digest or "",
        },
    )
