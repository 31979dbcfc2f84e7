"""Parameters that make no sense: every learner refuses each of them in words."""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import thresher as th
from thresher.errors import JournalTruncatedWarning, ParameterError, RequestError, ThresherError
from thresher.learners.registry import RECORDS, Record
from thresher.models.choice import LearnerChoice

#: What a careless caller, or a program in between, may hand over.
HOSTILE: list[Any] = [
    *("maybe", "", " 1 ", "yes", "no", "nan", "1e999", "1e-400", b"1", None, True, False, 0, -1),
    *(10**999, -(10**999), 10**5000, Fraction(1, 10**400), float("nan"), float("inf"), 1j),
    *([1], {}, (), object, np.array([1.0]), np.array([]), np.nan, np.True_, np.int64(1)),
]
OF_THE_DATA = ("n_features", "n_experts", "names")
ONE_OF_TWO = ("multiclass_normalized_winnow", "multiclass_signed_winnow")
FLAGS = ("bias", "average", "literals", "zeroing")


def parameters() -> Iterator[tuple[Record, str]]:
    for record in RECORDS:
        if not record.needs:
            for name in inspect.signature(record.load()).parameters:
                if name not in OF_THE_DATA:
                    yield record, name


def made(record: Record, **given: Any) -> th.Learner:
    cls = record.load()
    size = "n_experts" if "n_experts" in inspect.signature(cls).parameters else "n_features"
    # Some want one of two, whatever else they are given.
    needed = {"eta": 0.5} if record.name in ONE_OF_TWO and not given.keys() & {"margin"} else {}
    return cls(**{size: 4, **needed, **given})


@pytest.mark.parametrize(
    ("record", "name"),
    [pytest.param(*each, id=f"{each[0].name}-{each[1]}") for each in parameters()],
)
def test_it_is_taken_or_refused_in_words(record: Record, name: str) -> None:
    rows, labels = [[1, 0, 1, 0], [0, 1, 0, 1]], ["a", "b"] if record.several else [1, -1]
    for value in HOSTILE:
        said = refusal(record, name, value)
        if said is not None:
            assert name.removesuffix("s") in said
            assert len(said) < 250
            continue
        assert name not in FLAGS or value in (0, 1)
        learner = made(record, **{name: value})
        assert record.title in repr(learner)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", JournalTruncatedWarning)
            learner.learn(rows, labels)


def refusal(record: Record, name: str, value: Any) -> str | None:
    """What is said of a value; None where it is taken."""
    try:
        made(record, **{name: value})
    except ThresherError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", FLAGS)
def test_no_is_not_yes(name: str) -> None:
    takers = [record for record, parameter in parameters() if parameter == name]
    assert takers
    for record in takers:
        with pytest.raises(ParameterError, match=f"{name} must be True or False, found 'no'"):
            made(record, **{name: "no"})
        assert made(record, **{name: np.True_}) == made(record, **{name: 1})


def test_numbers_beyond_doubles_are_refused_wherever_they_are_written() -> None:
    for text in ("arow:r=1e999", "winnow:beta=1e999", "perceptron:margin=1e-999/3"):
        with pytest.raises((ParameterError, RequestError)):
            LearnerChoice.parse(text).create(n_features=4)
