"""No file, however it came about, does more than be refused."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.learners.makers import MAKERS, Maker, stream
from tests.models.forging import Tensors, places, put_together, replaced, taken_apart
from thresher.errors import ModelFileError
from thresher.models.file import load_model

FOLDER = Path(tempfile.mkdtemp(prefix="thresher-tests-"))
every_learner = pytest.mark.parametrize("maker", MAKERS, ids=str)


@cache
def model(maker: Maker) -> bytes:
    learner = maker.make()
    table, labels = stream(maker)
    learner.learn(table, labels)
    learner.save(FOLDER / f"{maker}.thr")
    return (FOLDER / f"{maker}.thr").read_bytes()


@cache
def parts(maker: Maker) -> tuple[dict[str, Any], Tensors]:
    model(maker)
    return taken_apart(FOLDER / f"{maker}.thr")


def survives(path: Path, maker: Maker) -> bool:
    """Load a file; if it is taken for a model, use it in every way there is."""
    try:
        learner = load_model(path).learner
    except ModelFileError:
        return False
    table, labels = stream(maker)
    with suppress(th.errors.ThresherError), catch_warnings():
        simplefilter("ignore", th.errors.JournalTruncatedWarning)
        learner.scores(table)
        learner.learn(table, labels)
        learner.save(FOLDER / "again.thr")
    assert learner.journal is not None
    assert repr(learner)
    return True


@given(st.binary(max_size=400))
@settings(max_examples=200)
def test_random_bytes_are_refused(content: bytes) -> None:
    path = FOLDER / "random.thr"
    path.write_bytes(content)
    assert not survives(path, MAKERS[0])


@every_learner
@given(data=st.data())
@settings(max_examples=15)
def test_flipped_bits_cut_and_repeated_pieces_are_refused(
    maker: Maker, data: st.DataObject
) -> None:
    whole = bytearray(model(maker))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(whole) - 1))
        length = data.draw(st.integers(1, 64))
        damage = data.draw(st.sampled_from(["flip", "cut", "repeat"]))
        if damage == "flip":
            whole[place] ^= 1 << data.draw(st.integers(0, 7))
        elif damage == "cut":
            del whole[place : place + length]
        else:
            whole[place:place] = whole[place : place + length]
    path = FOLDER / "damaged.thr"
    path.write_bytes(whole)
    if bytes(whole) != model(maker):
        assert not survives(path, maker)


ODD: st.SearchStrategy[Any] = st.sampled_from(
    [
        None, True, -1, 0, 1, 2, 2**31, 2**53, 2**64, 10**400, "", "x", "1/0", "1e9", "9" * 5000,
        [], [1], [[]], {}, {"a": 1}, {"float": "nan"}, {"float": "inf"}, {"float": "0x1p-1074"},
        {"float": "-0x1p+1023"}, {"fraction": "1/3"}, {"fraction": "1e999999999"}, {"dict": {}},
        {"array": ["state.0", "f8"]}, {"array": ["state.0", "i8"]}, {"array": ["state.0", "b1"]},
        {"array": ["none", "f8"]}, {"array": [[], {}]}, {"vocabulary": None}, {"hashed": 3},
        {"concepts": {"class": "Disjunctions", "n_variables": 10**9}}, {"journal": {}},
        {"names": {}}, {"learner": {}}, {"list": []}, {"python": "import os"},
    ]
)  # fmt: skip


@every_learner
@given(data=st.data())
@settings(max_examples=25)
def test_fields_that_say_something_else_crash_nothing(maker: Maker, data: st.DataObject) -> None:
    description, tensors = parts(maker)
    at = data.draw(st.sampled_from(list(places(description))))
    path = FOLDER / "forged.thr"
    put_together(path, replaced(description, at, data.draw(ODD)), tensors)
    survives(path, maker)


def cast(array: Any, dtype: str) -> Any:
    with np.errstate(invalid="ignore"):
        return array.astype(dtype)


NUMBERS = st.sampled_from([0, 1, -1, 2, 7, 100, 127, -128, 2**15, 2**31 - 1, -(2**31), 2**62])
REALS = st.sampled_from([np.nan, np.inf, -np.inf, 1e308, -1e-320, 0.5, -0.0, 2.0**31])


@every_learner
@given(data=st.data())
@settings(max_examples=25)
def test_arrays_that_hold_something_else_crash_nothing(maker: Maker, data: st.DataObject) -> None:
    description, tensors = parts(maker)
    name = data.draw(st.sampled_from(sorted(tensors)))
    array = tensors[name]
    change = data.draw(st.sampled_from(["type", "shape", "length", "whole", "real"]))
    if change == "type":
        new: Any = cast(array, data.draw(st.sampled_from(["i1", "i8", "f8", "f4", "u1", "b1"])))
    elif change == "shape":
        new = array.reshape(-1, 1) if data.draw(st.booleans()) else array.reshape(1, -1)
    elif change == "length":
        new = np.resize(array, data.draw(st.integers(0, array.size + 3)))
    else:
        new = cast(array, "i8" if change == "whole" else "f8")
        if new.size:
            new.flat[data.draw(st.integers(0, new.size - 1))] = data.draw(
                NUMBERS if change == "whole" else REALS
            )
    path = FOLDER / "forged.thr"
    put_together(path, description, tensors | {name: new})
    survives(path, maker)


@every_learner
def test_what_was_put_together_again_unchanged_is_taken(maker: Maker) -> None:
    path = FOLDER / "same.thr"
    put_together(path, *parts(maker))
    assert survives(path, maker)


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("state.0", lambda a: a[:-1], "n_features is 6, but no array has more than"),
        ("state.3.label", lambda a: a * 0, "row 0: label must be -1"),
        ("state.3.column", lambda a: a[::-1].copy(), "row"),
        ("state.3.column", lambda a: a + 90, "a feature that the learner has no weight for"),
        ("state.3.round_number", lambda a: a[::-1].copy(), "the rounds of a journal must increase"),
        ("state.3.round_number", lambda a: a.astype("i8") + 60, "an update after the last round"),
        ("state.3.row_start", lambda a: a * 2, "row_start"),
    ],
)
def test_what_cannot_be_is_said(name: str, change: Any, says: str) -> None:
    maker = next(m for m in MAKERS if m.title == "winnow")
    description, tensors = parts(maker)
    path = FOLDER / "forged.thr"
    put_together(path, description, tensors | {name: change(tensors[name])})
    with pytest.raises(ModelFileError, match=says):
        load_model(path)


@pytest.mark.parametrize("one", [1.0, np.nan])
def test_values_that_are_all_1_may_be_written_out(one: float) -> None:
    maker = next(m for m in MAKERS if m.title == "winnow")
    description, tensors = parts(maker)
    at = ("learner", "state", 3, "journal", "ones")
    assert "state.3.value" not in tensors
    value = np.full(len(tensors["state.3.column"]), one)
    path = FOLDER / "written out.thr"
    put_together(path, replaced(description, at, False), tensors | {"state.3.value": value})
    if one == 1.0:
        assert survives(path, maker)
        return
    with pytest.raises(ModelFileError, match="must be finite"):
        load_model(path)


@pytest.mark.parametrize(
    ("at", "by", "says"),
    [
        ((2, 0), -1, "cannot be counted as"),
        ((2, 1), 10**6, "cannot be counted as"),
        ((1, 1), {"float": "0x0.0p+0"}, "belongs to another one"),
        ((1, 2), {"float": "0x1.0p+90"}, "is not the sum of these weights"),
        ((5, 0), 10**6, "the phase must be a whole number"),
        ((5, 0), None, "is not in phase None"),
        ((5, 1), -3, "the mistakes of the phase"),
        ((4,), None, "table of names"),
        ((3,), None, "journal"),
    ],
)
def test_numbers_that_cannot_be_are_said(at: tuple[int, ...], by: Any, says: str) -> None:
    maker = next(m for m in MAKERS if m.title == "signed-restarts")
    description, tensors = parts(maker)
    path = FOLDER / "forged.thr"
    put_together(path, replaced(description, ("learner", "state", *at), by), tensors)
    with pytest.raises(ModelFileError, match=says):
        load_model(path)


@pytest.mark.parametrize(
    ("at", "by", "says"),
    [
        (("recipe", "text", "words"), [1], r"recipe: .*\$\.text\.words"),
        (("recipe", "numeric"), [3], r"\$\.numeric"),
        (("labels", "rest"), "yes", r"labels: .*\$\.rest"),
        (("history",), [{"version": "1", "sources": [{"name": "a", "rows": -1}]}], r"\$\[0\]\."),
        (("history",), [{"sources": []}], "history: .*version"),
        (("format",), "thresher.certificate", "this is not a thresher model"),
        (("version",), True, "this is not a thresher model"),
    ],
)
def test_what_goes_with_the_learner_is_checked_too(at: tuple[Any, ...], by: Any, says: str) -> None:
    description, tensors = parts(MAKERS[0])
    path = FOLDER / "forged.thr"
    put_together(path, replaced(description, at, by), tensors)
    with pytest.raises(ModelFileError, match=says):
        load_model(path)


@pytest.mark.parametrize(
    "concepts",
    [
        {"class": "Disjunctions", "n_variables": 10**12, "k": None, "negations": False},
        {"class": "Conjunctions", "n_variables": 10**9, "k": 10**8, "negations": False},
        {"class": "Disjunctions", "n_variables": 10**9, "k": 10**9, "negations": True},
        {"class": "CountingThresholds", "n_variables": 10**7, "r": 10**6, "at_least": None},
        {"class": "DecisionLists", "n_variables": 10**9, "k": None},
        {"class": "Disjunctions", "n_variables": 3, "k": 4, "negations": False},
        {"class": "Disjunctions", "n_variables": -3, "k": None, "negations": False},
    ],
    ids=lambda concepts: f"{concepts['class']} of {concepts['n_variables']}",
)
def test_classes_that_nobody_could_hold_are_not_counted(concepts: dict[str, Any]) -> None:
    maker = next(m for m in MAKERS if m.title == "halving")
    description, tensors = parts(maker)
    at = ("learner", "parameters", "dict", "concepts", "concepts")
    path = FOLDER / "forged.thr"
    put_together(path, replaced(description, at, concepts), tensors)
    with pytest.raises(ModelFileError, match="learner: "):
        load_model(path)
