"""A model as an ONNX graph over columns and values, in double precision."""

from __future__ import annotations

import json
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError
from thresher.export.onnx_probabilities import Step, probability_steps
from thresher.export.probabilities import maps_of
from thresher.export.scorer import LinearScorer, linear_scorer
from thresher.models.model import Model

#: The oldest operator set with all that the graph needs, in double precision.
OPSET = 18
#: A protocol buffer ends at 2 GiB.
MOST_WEIGHTS = 2**27


def to_onnx(model: Model, top: int | None = None) -> bytes:
    """The model as the bytes of an ONNX file.

    Inputs: `column`, whole numbers, and `value`, doubles, both of shape (rows, longest row);
    a row that is shorter is filled up with any column of the model and the value 0. Outputs for
    each row: `score`, a double, and `label`, -1 or +1. With several classes `score` has a column
    for each class, and `label` is the name of the class. Where the model knows probabilities,
    `probability` has a column for each label, -1 first where there are two.

    The weights are the model's to the bit. A runtime may add up a row in another order, so
    that scores may differ in their last digits, and predictions where a score is that close
    to the threshold, or two scores to each other.
    """
    onnx, helper, numpy_helper = _packages()
    if model.recipe.pairs:
        raise ExportError(
            f"the model makes pairs of features ({'; '.join(model.recipe.pairs)}) before it scores "
            "a row, and a graph over columns would not: its scores would be others.",
            "Export it as C, JavaScript, JSON or SQL, which make the pairs.",
            code="export.pairs",
        )
    scorer = linear_scorer(model, top)
    size = max(scorer.sizes)
    if size * len(scorer.forms) > MOST_WEIGHTS:
        raise ExportError(
            f"an ONNX file holds at most {MOST_WEIGHTS} weights, and the model has "
            f"{size * len(scorer.forms)}. Export it as C or JSON, or train with fewer features."
        )
    constants, steps = _graph(scorer, np.arange(size))
    maps = maps_of(model)
    if maps:
        more, added = probability_steps(maps, scorer.several)
        constants |= more
        steps += added
    whole, double, text = (getattr(onnx.TensorProto, t) for t in ("INT64", "DOUBLE", "STRING"))
    row, per_class = ["rows"], ["rows", len(scorer.forms)]
    graph = helper.make_graph(
        [helper.make_node(kind, inputs, [made], **how) for kind, inputs, made, how in steps],
        "thresher",
        [
            helper.make_tensor_value_info("column", whole, ["rows", "longest"]),
            helper.make_tensor_value_info("value", double, ["rows", "longest"]),
        ],
        [
            helper.make_tensor_value_info("score", double, per_class if scorer.several else row),
            helper.make_tensor_value_info("label", text if scorer.several else whole, row),
            *(
                helper.make_tensor_value_info("probability", double, ["rows", len(scorer.labels)])
                for _ in maps[:1]
            ),
        ],
        [numpy_helper.from_array(array, name) for name, array in constants.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
    made.ir_version = 8
    made.producer_name = "thresher"
    facts = {"learner": model.learner.plain_name, "model_sha256": model.digest or ""}
    helper.set_model_props(made, facts | {"labels": json.dumps(scorer.labels)})
    content: bytes = made.SerializeToString()
    return content


def _packages() -> tuple[Any, Any, Any]:
    try:
        return tuple(import_module(f"onnx{part}") for part in ("", ".helper", ".numpy_helper"))  # type: ignore[return-value]
    except ImportError as error:
        raise ExportError(
            "writing ONNX needs the package onnx, which is not installed. "
            "Install it: pip install 'thresher[onnx]'."
        ) from error


def _graph(
    scorer: LinearScorer, columns: NDArray[np.int64]
) -> tuple[dict[str, NDArray[Any]], list[Step]]:
    """The numbers in the graph, and its steps; a row is (longest, scores) while it is scored."""
    constants: dict[str, NDArray[Any]] = {
        "weights": scorer.weights(columns),
        "along": np.array([1], np.int64),
        "last": np.array([2], np.int64),
    }
    for name in ("constant", "divisor", "minus"):
        constants[name] = np.array([getattr(form, name) for form in scorer.forms])
    steps: list[Step] = [("Unsqueeze", ["value", "last"], "given", {})]
    more, scaled = _SCALED[scorer.scaling]
    steps += more
    if scorer.scaling is not None:
        constants["nothing"], constants["one"] = np.array(0.0), np.array(1.0)
    if scorer.scaling == "online":
        constants["largest"] = scorer.largest(columns)
    steps += [
        ("Gather", ["weights", "column"], "weight", {}),
        ("Mul", ["weight", scaled], "term", {}),
        ("ReduceSum", ["term", "along"], "total", {"keepdims": 0}),
        ("Add", ["total", "constant"], "shifted", {}),
        ("Div", ["shifted", "divisor"], "divided", {}),
    ]
    if scorer.several:
        constants["names"] = np.array(scorer.labels, dtype=object)
        return constants, [
            *steps,
            ("Sub", ["divided", "minus"], "score", {}),
            ("ArgMax", ["score"], "number", {"axis": 1, "keepdims": 0}),
            ("Gather", ["names", "number"], "label", {}),
        ]
    constants["threshold"] = np.array(scorer.threshold)
    constants["signs"] = np.array([-1, 1], np.int64)
    return constants, [
        *steps,
        ("Sub", ["divided", "minus"], "lone", {}),
        ("Squeeze", ["lone", "along"], "score", {}),
        ("GreaterOrEqual", ["score", "threshold"], "reached", {}),
        ("Cast", ["reached"], "number", {"to": 7}),
        ("Gather", ["signs", "number"], "label", {}),
    ]


#: What is filled up has the value 0, and must not be divided by 0.
_LARGEST: list[Step] = [
    ("Abs", ["given"], "size", {}),
    ("ReduceMax", ["size", "along"], "most", {"keepdims": 1}),
    ("Greater", ["most", "nothing"], "any", {}),
    ("Where", ["any", "most", "one"], "over", {}),
    ("Div", ["given", "over"], "x", {}),
]
_SUMMED: list[Step] = [
    ("ReduceSum", ["part", "along"], "sum", {"keepdims": 1}),
    ("Where", ["any", "sum", "one"], "whole", {}),
]
#: By the scaling: the steps that scale a row, and what their result is called.
_SCALED: dict[str | None, tuple[list[Step], str]] = {
    None: ([], "given"),
    "max": (_LARGEST, "x"),
    "l1": (
        [*_LARGEST, ("Abs", ["x"], "part", {}), *_SUMMED, ("Div", ["x", "whole"], "scaled", {})],
        "scaled",
    ),
    "l2": (
        [
            *_LARGEST,
            ("Mul", ["x", "x"], "part", {}),
            *_SUMMED,
            ("Sqrt", ["whole"], "length", {}),
            ("Div", ["x", "length"], "scaled", {}),
        ],
        "scaled",
    ),
    "online": (
        [
            ("Abs", ["given"], "size", {}),
            ("Gather", ["largest", "column"], "known", {}),
            ("Max", ["known", "size"], "most", {}),
            ("Greater", ["most", "nothing"], "any", {}),
            ("Where", ["any", "most", "one"], "over", {}),
            ("Div", ["given", "over"], "scaled", {}),
        ],
        "scaled",
    ),
}
