"""Objects with named fields as rows, compared with the slow twin."""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import fields as slow
from tests.reference.lexicon import Columns
from tests.reference.scan_rows import row_of
from thresher.errors import NameTableFullError
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.fields import Fields, pack_entries
from thresher.kernels.scanning.lexicon import Lexicon

names = st.text(max_size=3) | st.sampled_from(["7", "07", "300", "a", "a=b", "\ud800", "é"])
numbers = st.integers() | st.floats() | st.sampled_from([0, -0.0, 10**400, 1e308, 1.0])
scalars = st.none() | st.booleans() | numbers | names
contents = st.recursive(
    scalars | st.lists(names | numbers, max_size=3),
    lambda inner: st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
objects = st.lists(st.dictionaries(names, contents, max_size=5) | st.lists(names, max_size=4))


def packed(
    found: list[Any], table: NameTable, add: bool = True
) -> tuple[list[list[tuple[int, float]]], list[int]]:
    start, column, value, faults = Fields(Lexicon(table, add)).pack(found)
    rows = [
        list(zip(column[a:b].tolist(), value[a:b].tolist(), strict=True))
        for a, b in zip(start[:-1].tolist(), start[1:].tolist(), strict=True)
    ]
    return rows, [place for place, *_ in faults]


@given(objects, st.sampled_from([16, 100, 256]), st.booleans())
def test_hashed_rows_are_those_of_the_slow_twin(
    found: list[Any], n_features: int, strongest: bool
) -> None:
    columns = Columns(n_features, True, 3, strongest)
    assert packed(found, NameTable(n_features, True, 3, strongest)) == slow.pack(found, columns)


@given(objects)
def test_rows_of_a_vocabulary_are_those_of_the_slow_twin(found: list[Any]) -> None:
    table, columns = NameTable(None, False), Columns(None, False)
    assert packed(found, table) == slow.pack(found, columns)
    assert dict(table.vocabulary) == columns.vocabulary
    columns.add = False
    again = [*found, {"a new name": 1, "a": 2}]
    assert packed(again, table, add=False) == slow.pack(again, columns)


@pytest.mark.parametrize(
    ("found", "where", "what", "expected"),
    [
        ({"a": {"b": [1]}}, "$.a.b[0]", "1", "a string"),
        ({"a": 10**400}, "$.a", "a whole number of more than 308 digits", "a finite number"),
        ({"a": float("inf")}, "$.a", "inf", "a finite number"),
        (["x", 2], "$[1]", "2", "the name of a feature"),
        ({"16": 1}, "$.16", "index 16", "an index below 16"),
        ({"\ud800": 1}, "$", "the name '\\ud800'", "a name that has a UTF-8 form"),
    ],
)
def test_a_fault_says_where_it_is(found: Any, where: str, what: str, expected: str) -> None:
    faults = Fields(Lexicon(NameTable(16, True))).pack([{}, found])[3]
    assert [fault[:4] for fault in faults] == [(1, where, what, expected)]
    # One more says that an index has no column.
    assert len(faults[0]) == 4 + ("index" in what)


def test_a_full_vocabulary_is_an_error_and_no_bad_line() -> None:
    fields = Fields(Lexicon(NameTable(1, False)))
    with pytest.raises(NameTableFullError, match="'b' would be name number 2"):
        fields.pack([{"a": 1, "b": 1}])


@given(
    st.lists(
        st.lists(st.tuples(st.integers(-1, 9), st.sampled_from([0.0, 1.0, -1.0, 0.1, 1e308])))
    ),
    st.booleans(),
)
def test_entries_in_any_order_are_sorted_and_merged(
    found: list[list[tuple[int, float]]], strongest: bool
) -> None:
    start = np.cumsum([0, *map(len, found)])
    place = np.array([p for row in found for p, _ in row], np.int32)
    value = np.array([v for row in found for _, v in row], np.float64)
    columns = Columns(10, True, 0, strongest)
    expected = [row_of([(str(p).encode(), v) for p, v in row if p >= 0], columns) for row in found]
    lexicon = Lexicon(NameTable(10, True, 0, strongest))
    packed = pack_entries(start, place, value, lexicon)
    if any(not isfinite(v) for row in expected for _, v in row):
        assert packed is None
        return
    assert packed is not None
    rows = zip(packed[1].tolist(), packed[2].tolist(), strict=True)
    assert list(rows) == [entry for row in expected for entry in row]
    assert packed[0].tolist() == np.cumsum([0, *map(len, expected)]).tolist()


@pytest.mark.parametrize("value", [float("inf"), float("nan")])
def test_entries_that_are_not_finite_are_for_others_to_explain(value: float) -> None:
    arrays = np.array([0, 2]), np.array([3, -1], np.int32), np.array([1.0, value])
    assert pack_entries(*arrays, Lexicon(NameTable(10, True))) is None
