from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference.lexicon import Columns, OutsideError
from thresher.errors import DimensionError, NameTableFullError, ParameterError
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.lexicon import Lexicon

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
digits = st.from_regex(r"[0-9]{1,11}", fullmatch=True)
names = st.lists((words | digits).map(str.encode), max_size=12)


@given(names, st.integers(1, 2**31 - 1), st.integers(0, 2**32 - 1), st.booleans())
def test_hashed_columns_are_those_of_the_slow_twin(
    names: list[bytes], n_features: int, seed: int, numbers: bool
) -> None:
    lexicon = Lexicon(NameTable(n_features, True, seed), True, numbers)
    twin = Columns(n_features, True, seed, numbers=numbers)
    for name in names:
        try:
            expected = twin.column_of(name)
        except OutsideError:
            with pytest.raises(DimensionError, match=f"feature index {int(name)} is outside"):
                lexicon.columns_of([name])
        else:
            assert lexicon.columns_of([name]) == [expected]


@given(st.lists(names, max_size=4), st.booleans())
def test_a_vocabulary_gives_the_next_free_column_and_numbers_are_names(
    batches: list[list[bytes]], add: bool
) -> None:
    table = NameTable(None, False)
    table_lexicon, twin = Lexicon(table, add), Columns(None, False, add=add)
    table.vocabulary["free"] = twin.vocabulary["free"] = 0
    for batch in batches:
        assert table_lexicon.columns_of(batch) == [twin.column_of(name) for name in batch]
        assert table.vocabulary == twin.vocabulary
        assert list(table.vocabulary) == list(twin.vocabulary)


def test_a_vocabulary_that_was_changed_elsewhere_is_seen() -> None:
    table = NameTable(None, False)
    lexicon = Lexicon(table)
    assert lexicon.columns_of([b"a", b"b", b"c"]) == [0, 1, 2]
    table.forget(1)
    table.vocabulary["x"] = 1
    table.vocabulary["b"] = 2
    assert lexicon.columns_of([b"c", b"b", b"x", b"a"]) == [3, 2, 1, 0]
    table.vocabulary["\ud800"] = 4
    assert lexicon.columns_of([b"d", b"c"]) == [5, 3]


def test_a_full_vocabulary_says_so_and_keeps_nothing_of_what_was_refused() -> None:
    table = NameTable(2, False)
    lexicon = Lexicon(table)
    with pytest.raises(NameTableFullError, match="'c' would be name number 3"):
        lexicon.columns_of([b"a", b"b", b"c"])
    assert table.vocabulary == {}
    assert lexicon.columns_of([b"b", b"c"]) == [0, 1]


def test_hashing_without_a_number_of_columns_is_refused() -> None:
    with pytest.raises(ParameterError, match="n_features must be stated"):
        Lexicon(NameTable(None, True))


def test_files_and_dicts_agree_on_columns() -> None:
    table = NameTable(2**18, True, 7)
    assert Lexicon(table).columns_of([b"free", "naïve".encode()]) == [
        table.column_of("free"),
        table.column_of("naïve"),
    ]
