"""Lines of JSON come to the same, scanned by compiled code where possible or decoded one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.json_texts import blocks
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.streams.chunk import BadLine
from thresher.streams.formats.decoded_lines import decode, decoded, every_line, in_order
from thresher.streams.formats.format import Scanned
from thresher.streams.formats.json_lines import JsonLines
from thresher.streams.formats.objects import ObjectReader
from thresher.streams.recipe import Recipe

recipes = st.builds(
    Recipe,
    label_field=st.sampled_from(["label", "label", "label", "a", "features", "weight"]),
    ignored=st.sampled_from([(), (), ("a",), ("b", "id"), ("features", "7")]),
)
tables = st.sampled_from([(256, 0, False), (100, 3, True), (8, 0, True), (2**20, 0, False)])


def as_bits(scanned: Scanned) -> dict[str, Any]:
    """Everything, with arrays as bytes and types."""
    found = {field.name: getattr(scanned, field.name) for field in fields(scanned)}
    return {
        name: (part.dtype, part.shape, part.tobytes()) if isinstance(part, np.ndarray) else part
        for name, part in found.items()
    }


def one_by_one(
    block: bytes,
    first_line: int,
    recipe: Recipe,
    names: NameTable,
    only: tuple[str, ...] | None = None,
) -> Scanned:
    reader = ObjectReader(recipe, Lexicon(names), only)
    return decoded("f", block, every_line(block, first_line), reader)


def table(settings: tuple[int, int, bool]) -> NameTable:
    return NameTable(settings[0], True, settings[1], settings[2])


@given(blocks, recipes, tables, st.integers(1, 9))
def test_rows_labels_weights_and_faults_are_those_of_decoded_lines(
    block: bytes, recipe: Recipe, settings: tuple[int, int, bool], first_line: int
) -> None:
    names = table(settings)
    expected = one_by_one(block, first_line, recipe, names)
    assert as_bits(JsonLines(recipe, names).scan("f", block, first_line)) == as_bits(expected)


@given(
    blocks,
    recipes,
    tables,
    st.sampled_from([(), ("a",), ("a", "b", "id"), ("7", "é", "features"), tuple("abcdefghij")]),
)
def test_other_fields_are_passed_over_as_in_decoded_lines(
    block: bytes, recipe: Recipe, settings: tuple[int, int, bool], only: tuple[str, ...]
) -> None:
    names = table(settings)
    expected = one_by_one(block, 1, recipe, names, only)
    reader = JsonLines(recipe, names)
    reader.read_only(only)
    assert as_bits(reader.scan("f", block, 1)) == as_bits(expected)


@given(blocks, recipes)
def test_a_vocabulary_learns_the_same_names_in_the_same_order(block: bytes, recipe: Recipe) -> None:
    names, same = NameTable(None, False), NameTable(None, False)
    expected = one_by_one(block, 1, recipe, same)
    assert as_bits(JsonLines(recipe, names).scan("f", block, 1)) == as_bits(expected)
    assert list(names.vocabulary.items()) == list(same.vocabulary.items())


@given(blocks, recipes, st.booleans(), st.sampled_from([2, 100]))
def test_the_names_counted_are_those_of_decoded_lines(
    block: bytes, recipe: Recipe, hashed: bool, limit: int
) -> None:
    reader = JsonLines(recipe, NameTable(256 if hashed else None, hashed))
    rows = reader.scan("f", block, 1)
    counts, expected = NameCounts(limit, 10**6), NameCounts(limit, 10**6)
    reader.count_names(block, rows.start, rows.stop, counts)
    objects = [
        decode(block[a:b]) for a, b in zip(rows.start.tolist(), rows.stop.tolist(), strict=True)
    ]
    ObjectReader(recipe, Lexicon(NameTable(256, True))).count_names(objects, expected)
    assert counts.names() == expected.names()
    assert counts.arrays()[2].tolist() == expected.arrays()[2].tolist()
    assert counts.dropped == expected.dropped


@given(st.lists(blocks.map(lambda block: block.removesuffix(b"\n") + b"\n"), max_size=3), recipes)
def test_rows_do_not_depend_on_how_lines_are_cut_into_blocks(
    pieces: list[bytes], recipe: Recipe
) -> None:
    names = NameTable(256, True)
    reader = JsonLines(recipe, names)
    whole = reader.scan("f", b"".join(pieces), 1)
    first_line = 1
    found: list[tuple[Any, ...]] = []
    bad: list[BadLine] = []
    for piece in pieces:
        part = reader.scan("f", piece, first_line)
        found += rows_of(part)
        bad += part.bad
        first_line += part.n_lines
    assert found == rows_of(whole)
    assert bad == list(whole.bad)
    assert first_line - 1 == whole.n_lines


def rows_of(scanned: Scanned) -> list[tuple[Any, ...]]:
    weights = np.ones(len(scanned.line)) if scanned.importance is None else scanned.importance
    labels: Sequence[str | None] = [*scanned.label_names, None]
    cut = scanned.row_start[1:-1]
    columns, values = np.split(scanned.column, cut), np.split(scanned.value, cut)
    return [
        (line, labels[label], weight, column.tolist(), value.tolist())
        for line, label, weight, column, value in zip(
            scanned.line.tolist(), scanned.label, weights.tolist(), columns, values, strict=False
        )
    ]


@pytest.mark.parametrize("settled", [b'{"label":"x","weight":2,"features":{"1":1}}\n', b""])
def test_labels_are_numbered_in_the_order_of_the_lines(settled: bytes) -> None:
    other = b'{"label":"\\u0079","3":1}\n{"label":"z","4":2}\n{"label":"y","5":1}\n{"6":1,"6":2}\n'
    found = JsonLines(Recipe(), NameTable(256, True)).scan("", settled + other, 1)
    assert found.label_names == (["x", "y", "z"] if settled else ["y", "z"])
    assert found.label.tolist() == ([0, 1, 2, 1, -1] if settled else [0, 1, 0, -1])
    assert found.column.tolist() == ([1, 3, 4, 5, 6] if settled else [3, 4, 5, 6])
    assert found.value.tolist()[-4:] == [1.0, 2.0, 1.0, 2.0]
    assert (found.importance is None) == (not settled)


def test_nothing_put_in_order_with_nothing_is_nothing() -> None:
    nothing = one_by_one(b"", 1, Recipe(), NameTable(8, True))
    assert as_bits(in_order(nothing, nothing)) == as_bits(nothing)
