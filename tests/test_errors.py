"""Errors: a code for each kind, details for programs, and one message out of two parts."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable

import numpy as np
import pytest

import thresher as th
from thresher import errors
from thresher.errors import (
    BadLineError,
    DimensionError,
    FeatureRangeError,
    HeavyRowError,
    Hint,
    HypothesisError,
    ImportanceError,
    ModelFileError,
    NameTableFullError,
    ParameterError,
    RowError,
    RunMismatchError,
    SourceError,
    StreamFaultError,
    ThresherError,
    UnknownLearnerError,
    VariableRangeError,
)
from thresher.streams.chunk import BadLine

KINDS = [
    kind
    for kind in vars(errors).values()
    if isinstance(kind, type) and issubclass(kind, ThresherError)
]
SOME = [
    ParameterError("Winnow", "beta", "a number", np.float64(-1.0)),
    RowError(3, "free", float("nan"), "feature values must be finite", "Clean the table."),
    DimensionError(3, 70, 64),
    HeavyRowError(3, 1e10),
    VariableRangeError("Halving", 1, 9, 1.0, 4),
    FeatureRangeError("Winnow", 1, 9, 1.5, "[0, 1]"),
    ImportanceError.useless("Halving", 2, 0.5),
    NameTableFullError("cash", 2),
    UnknownLearnerError("winow", ["winnow"]),
    HypothesisError("Novikoff", "margin > 0", "0"),
    RunMismatchError("mistakes", 3, 4),
    ModelFileError.foreign("m.thr", "it is empty"),
    SourceError("a.svm", "there is no such file"),
    StreamFaultError.at("a.svm", 7, RowError(3, 1, 2.0, "it must be 1")),
    BadLine("a.svm", 3, "'x'", "index:value", b"x", Hint("line.column", "Do.", {"n": 1})).error(),
]


def test_every_kind_has_a_code_of_its_own() -> None:
    codes = [kind.code for kind in KINDS]
    assert len(KINDS) > 30
    assert len(set(codes)) == len(codes)
    assert all(code.replace("_", "").replace(".", "").isalpha() for code in codes)


@pytest.mark.parametrize("error", SOME, ids=lambda error: type(error).__name__)
def test_an_error_survives_pickling_and_its_fields_are_json(error: ThresherError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert (str(back), back.hint, back.what) == (str(error), error.hint, error.what)
    assert json.loads(json.dumps(error.fields, allow_nan=False)).keys() == error.fields.keys()
    assert str(error).startswith(error.what)
    assert str(error).endswith(error.remedy)


def test_fields_are_attributes() -> None:
    error = DimensionError(3, 70, 64)
    assert error.fields == {"row": 3, "index": 70, "n_features": 64}
    assert error.row == 3
    # A NumPy number is none that JSON knows.
    assert type(ThresherError("so.", row=np.int64(3)).fields["row"]) is int
    # Of one class with several cases, the case is in the code.
    assert ModelFileError.newer("m.thr", 9, 3).code == "model.newer"
    assert ModelFileError.code == "model"


def test_an_error_about_a_row_keeps_its_code_where_the_line_is_known() -> None:
    error = StreamFaultError.at("a.svm", 7, DimensionError(3, 70, 64))
    assert error.code == "dimension"
    assert error.fields == {"row": 3, "index": 70, "n_features": 64, "file": "a.svm", "line": 7}
    assert str(error).startswith("a.svm:7: feature index 70 is outside the learner's 64 weights")


def test_a_bad_line_becomes_an_error_with_its_hint() -> None:
    plain = BadLine("a.svm", 3, "'x'", "index:value", b"x")
    assert str(plain.error()) == str(plain) == "a.svm:3: found 'x', expected index:value"
    assert (plain.error().code, plain.error().fields) == ("line", {"file": "a.svm", "line": 3})
    hinted = BadLine("a.svm", 3, "'x'", "index:value", b"x", Hint("line.column", "Do this."))
    assert str(hinted) == "a.svm:3: found 'x', expected index:value. Do this."
    error = hinted.error("It is the second.")
    assert isinstance(error, BadLineError)
    assert str(error) == "a.svm:3: found 'x', expected index:value. It is the second. Do this."


def test_errors_are_called_by_where_they_are_imported_from() -> None:
    assert {kind.__module__ for kind in KINDS} == {"thresher.errors"}


def test_rows_that_nobody_wanted_to_learn_are_not_said_to_be_unlearned() -> None:
    halving = th.Halving(th.concepts.Disjunctions(3))
    table = th.Halving(th.concepts.TruthTable([[1, 0]], points=[[0, 0], [1, 1]]))
    asked: list[Callable[[], object]] = [
        lambda: th.Conjunctions(3, 2).rows([{0: 0.5}]),
        lambda: halving.predict([{5: 1}]),
        lambda: th.Model(learner=halving).explain({0: 2.0}),
        lambda: table.predict([{0: 1}]),
    ]
    for ask in asked:
        with pytest.raises(ThresherError) as refused:
            ask()
        assert "learned" not in str(refused.value)
        assert "0" in str(refused.value)
