from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.kernels.rows.named_rows import NameTable
from thresher.names.collisions import Collisions, SharedColumn, collisions
from thresher.names.kept import KeptNames

NAMES = [f"w{k}" for k in range(40)]


@given(
    st.lists(st.sampled_from(NAMES), unique=True),
    st.lists(st.sampled_from([0.0, 1.0, -2.0, 0.5]), min_size=16, max_size=16),
)
def test_sharing_is_counted_over_all_names_and_weighed_by_their_columns(
    names: list[str], weights: list[float]
) -> None:
    table = NameTable(16, True)
    kept = KeptNames(table)
    kept.add([names])
    found = collisions(kept, np.array(weights), n_worst=16)
    columns = [table.column_of(name) or 0 for name in names]
    names_in = Counter(columns)
    shared = {column for column, n in names_in.items() if n > 1}
    assert found.named == len(names)
    assert found.sharing == sum(names_in[column] for column in shared)
    whole = sum(abs(weights[column]) for column in names_in)
    assert found.weight_share == (
        sum(abs(weights[column]) for column in shared) / whole if whole else 0.0
    )
    assert {one.column for one in found.worst} == shared
    assert not found.at_least


def test_the_worst_columns_come_first_with_all_their_names() -> None:
    kept = KeptNames(NameTable(2, True))
    kept.add([["a", "b"], ["b", "c", "d"]])
    by_column = kept.columns()
    found = collisions(kept, np.array([1.0, -3.0]))
    assert found.worst == tuple(
        SharedColumn(column, weight, tuple(by_column[column]))
        for column, weight in ((1, -3.0), (0, 1.0))
        if len(by_column[column]) > 1
    )
    assert collisions(kept, np.array([1.0, -3.0]), n_worst=1).worst == found.worst[:1]


def test_dropped_names_make_the_counts_lower_limits() -> None:
    kept = KeptNames(NameTable(4, True), limit=8)
    kept.add([[name] for name in NAMES])
    found = collisions(kept, np.ones(4))
    assert found.at_least
    assert str(found).startswith("at least ")


def test_a_vocabulary_has_no_collisions() -> None:
    table = NameTable(None, False)
    table.vocabulary.update({"a": 0, "b": 1})
    found = collisions(KeptNames(table), np.array([1.0, 2.0]))
    assert (found.named, found.sharing, found.weight_share) == (2, 0, 0.0)


@pytest.mark.parametrize(("names", "columns"), [(0, 3), (1, 3), (2, 1), (3, 2), (4, 3), (3, 5)])
def test_the_expected_number_is_the_mean_over_all_ways_to_fall(names: int, columns: int) -> None:
    ways = list(product(range(columns), repeat=names))
    sharing = sum(n for way in ways for n in Counter(way).values() if n > 1)
    mean = Fraction(sharing, len(ways))
    found = Collisions(columns, names, 0, 0.0, (), False).expected_sharing
    assert found == pytest.approx(float(mean), rel=1e-12)
