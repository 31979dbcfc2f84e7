from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.named_rows import pack_one
from thresher.errors import DimensionError, NameTableFullError, RowError, UnsoundBatchError
from thresher.kernels.rows.named_rows import NameTable, pack

Features = dict[str | int, float]
names = st.text(max_size=3) | st.sampled_from(["free", "cash", "naïve", "消息", "🌾"])
values = st.sampled_from([1.0, 0.0, -0.0, 2.5, -1.0, 1e-300, -2.5, True, 3]) | st.floats(-9, 9)
dicts = st.lists(st.dictionaries(names | st.integers(0, 30), values, max_size=20), max_size=3)


def unpacked(arrays: tuple[Any, Any, Any]) -> list[list[tuple[int, str]]]:
    start, column, value = arrays
    pairs = [(int(c), float(v).hex()) for c, v in zip(column, value, strict=True)]
    return [pairs[a:b] for a, b in pairwise(start)]


def in_hex(rows: list[list[tuple[int, float]]]) -> list[list[tuple[int, str]]]:
    return [[(column, value.hex()) for column, value in row] for row in rows]


@given(dicts, st.integers(1, 31), st.integers(0, 2**32 - 1), st.booleans())
def test_hashed_rows_are_those_of_the_slow_twin(
    rows: list[Features], n_features: int, seed: int, strongest: bool
) -> None:
    rows = [{k: v for k, v in row.items() if isinstance(k, str)} for row in rows]
    table = NameTable(n_features, True, seed, strongest)
    expected = [
        pack_one(row, {}, hashed_into=n_features, seed=seed, strongest=strongest) for row in rows
    ]
    assert unpacked(pack(rows, table, True)) == in_hex(expected)
    assert table.vocabulary == {}


@given(dicts, st.booleans(), st.booleans())
def test_rows_with_a_vocabulary_are_those_of_the_slow_twin(
    rows: list[Features], strongest: bool, add: bool
) -> None:
    table, vocabulary = NameTable(None, False, 0, strongest), dict[str, int]()
    expected = [pack_one(row, vocabulary, strongest=strongest, add=add) for row in rows]
    assert unpacked(pack(rows, table, add)) == in_hex(expected)
    assert table.vocabulary == vocabulary
    assert list(table.vocabulary) == list(vocabulary)


class Loud(str):
    """A name that is equal to itself in capitals, too."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and str(self).upper() == other.upper()

    def __hash__(self) -> int:
        return hash(str(self))


#: Names of each width that Python stores, alike but for one character or for their length.
alike = st.sampled_from(
    [
        f"{head}{n}{tail}"
        for head in ("", "naïve", "消息", "🌾")
        for n in range(40)
        for tail in ("", "_")
    ]
)
odd_keys = st.sampled_from([Loud("7"), Loud("NEW"), np.str_("7"), 3, "\ud800"])
whole_rows = st.dictionaries(alike, st.sampled_from([1.0, 0.0, 1, True, -2.5]), max_size=90)
odd_rows = st.dictionaries(alike | odd_keys, st.sampled_from([1.0, np.float32(0.5)]), max_size=9)


@given(st.lists(st.tuples(whole_rows | odd_rows, st.sampled_from(["add", "look", "bad", "file"]))))
def test_a_vocabulary_finds_names_as_a_dict_does_whatever_happened_before(
    steps: list[tuple[dict[Any, Any], str]],
) -> None:
    table, vocabulary = NameTable(None, False), dict[str, int]()
    for row, how in steps:
        # Strings of their own, as if each row were read anew.
        row = {"".join(list(key)) if type(key) is str else key: row[key] for key in row}
        if how == "bad":
            with pytest.raises(RowError, match="must be finite"):
                pack([row, {**row, "last": float("nan")}], table, True)
        elif how == "file":
            for name in [key for key in row if type(key) is str and key not in vocabulary]:
                table.vocabulary[name] = vocabulary[name] = len(vocabulary)
        else:
            expected = pack_one(row, vocabulary, add=how == "add")
            assert unpacked(pack([row], table, how == "add")) == in_hex([expected])
        assert list(table.vocabulary.items()) == list(vocabulary.items())


def test_many_names_are_found_again_after_others_were_dropped() -> None:
    table = NameTable(None, False)
    names = [f"name{n}" for n in range(5000)]
    pack([{name: 1.0 for name in names}], table, True)
    for first in range(0, 5000, 500):
        with pytest.raises(RowError):
            pack([{f"new{n}": 1.0 for n in range(first)}, {"last": None}], table, True)
    _, column, _ = pack([{f"{name[:4]}{name[4:]}": 1.0} for name in names], table, False)
    assert column.tolist() == list(range(5000))
    assert len(pack([{f"new{n}": 1.0 for n in range(5000)}], table, False)[1]) == 0


def test_columns_do_not_depend_on_how_python_hashes() -> None:
    code = (
        "from thresher.kernels.rows.named_rows import NameTable, pack\n"
        "table = NameTable(None, False)\n"
        "rows = [{f'{n * n % 97}': 1.0, f'{n}ß': 2.0} for n in range(300)]\n"
        "print([array.tolist() for array in pack(rows, table, True)], table.vocabulary)\n"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1")
    }
    assert len(said) == 1


def test_long_rows_come_out_sorted() -> None:
    for n in (1, 11, 12, 13, 24, 25, 100, 1000):
        keys = np.random.default_rng(n).permutation(n).tolist()
        _, column, value = pack([{k: float(k + 1) for k in keys}], NameTable(None, False), True)
        assert column.tolist() == list(range(n))
        assert value.tolist() == [k + 1.0 for k in range(n)]


@pytest.mark.parametrize(
    ("features", "error", "message"),
    [
        ({"a": float("nan")}, RowError, "row 1, feature 'a': found nan"),
        ({"a": float("-inf")}, RowError, "row 1, feature 'a': found -inf"),
        ({"a": "red"}, RowError, "row 1, feature 'a': found 'red'.*must be a number"),
        ({"a": None}, RowError, "row 1, feature 'a': found None"),
        ({"a": 10**400}, RowError, "row 1, feature 'a'.*must be a number"),
        ({-1: 1.0}, RowError, "row 1, feature -1.*negative"),
        ({-1: 0.0}, RowError, "row 1, feature -1.*negative"),
        ({3: 1.0}, DimensionError, "row 1: feature index 3"),
        ({2**70: 1.0}, UnsoundBatchError, "too large"),
        ({1.5: 1.0}, UnsoundBatchError, "1.5 of type float"),
        ({"b": 1, "d": 1}, NameTableFullError, "'d' would be name number 4"),
        (7, UnsoundBatchError, "row 1: a row is a dict.*int"),
    ],
)
def test_a_refused_row_is_named_and_leaves_no_names(
    features: Any, error: type[Exception], message: str
) -> None:
    table = NameTable(3, False)
    pack([{"known": 1}], table, True)
    with pytest.raises(error, match=message):
        pack([{"new": 1}, features], table, True)
    assert table.vocabulary == {"known": 0}


def test_without_n_features_a_stray_index_does_not_take_the_memory() -> None:
    with pytest.raises(RowError, match=r"feature 134217728.*Give n_features"):
        pack([{134217728: 1.0}], NameTable(None, False), True)


def test_a_name_without_bytes_cannot_be_hashed() -> None:
    with pytest.raises(UnsoundBatchError, match="no UTF-8 form"):
        pack([{"\ud800": 1.0}], NameTable(3, True), True)


@pytest.mark.parametrize(
    ("values", "summed", "strongest"),
    [
        ([0.5, 1.0], 1.5, 1.0),
        ([-1.0, 0.5], -0.5, -1.0),
        ([-1.0, 1.0], None, 1.0),
        ([1.0, -1.0], None, 1.0),
    ],
)
def test_names_that_collide_are_added_up_or_the_strongest_counts(
    values: list[float], summed: float | None, strongest: float
) -> None:
    row = dict(zip(["a", "b"], values, strict=True))
    for rule, expected in ((False, summed), (True, strongest)):
        _, column, value = pack([row], NameTable(1, True, 0, rule), True)
        assert value.tolist() == ([] if expected is None else [expected])
        assert column.tolist() == [0] * len(value)


@pytest.mark.parametrize("n", [2, 12, 13, 75, 127, 128, 129, 500])
@pytest.mark.parametrize("crowd", [1, 40, 3000, 2**20])
def test_rows_of_any_length_come_out_sorted_however_their_columns_crowd(n: int, crowd: int) -> None:
    rng = np.random.default_rng(n + crowd)
    near = rng.permutation(max(crowd, n))[: n // 2]
    far = rng.integers(2**20, 2**27, n - n // 2)
    columns = rng.permutation(np.unique(np.append(near, far)))
    row = {int(column): float(column + 1) for column in columns}
    start, column, value = pack([row, {}, row], NameTable(None, False), True)
    assert start.tolist() == [0, len(row), len(row), 2 * len(row)]
    assert column.tolist() == 2 * sorted(row)
    assert value.tolist() == [index + 1.0 for index in column.tolist()]


def test_a_list_may_hold_other_things_than_dicts_and_change_on_the_way() -> None:
    rows: list[Any] = [{0: 1.0}, [(1, 2.0)], {2: 1.0}]

    class Number:
        def __float__(self) -> float:
            rows.clear()
            return 4.0

    rows[0][3] = Number()
    assert unpacked(pack(rows, NameTable(None, False), True)) == in_hex([[(0, 1.0), (3, 4.0)]])
