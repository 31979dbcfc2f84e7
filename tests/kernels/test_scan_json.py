"""The compiled scanner of JSON lines, compared with the slow twin."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kernels.json_texts import blocks
from tests.kernels.scans import table_for
from tests.reference import scan_json as slow
from tests.reference.lexicon import Columns
from tests.reference.name_counts import Counts
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.row_sink import RowSink
from thresher.kernels.scanning.scan_json import JsonScanner

Place = tuple[int, int, int]
label_fields = st.sampled_from(["label", "label", "label", "a", "features", "weight", "é"])
ignored_fields = st.sampled_from([(), (), ("a",), ("b", "id"), ("features",), ("a.b", "é")])


def scanner_for(
    columns: Columns, label_field: str = "label", ignored: tuple[str, ...] = ()
) -> JsonScanner:
    names = [name.encode() for name in ignored]
    return JsonScanner(Lexicon(table_for(columns)), label_field.encode(), names)


def as_rows(sink: RowSink) -> dict[int, slow.JsonRow]:
    """The rows of a scan by their lines, in the form of the twin's (without names)."""
    row_start, column, value, label, importance, line, start, stop = sink.arrays()
    labels = [*sink.label_names(), None]
    assert list(dict.fromkeys(k for k in label.tolist() if k >= 0)) == list(range(len(labels) - 1))
    weights = np.ones(sink.n_rows) if importance is None else importance
    pairs = [(c, float(v).hex()) for c, v in zip(column.tolist(), value.tolist(), strict=True)]
    rows = [pairs[a:b] for a, b in pairwise(row_start.tolist())]
    places = zip(line.tolist(), start.tolist(), stop.tolist(), strict=True)
    assert sorted(line.tolist()) == line.tolist()
    return {
        place[0]: slow.JsonRow(*place, rows[t], labels[label[t]], float(weights[t]).hex(), [])
        for t, place in enumerate(places)
    }


def undecided(block: bytes, n_features: int = 256) -> list[int]:
    sink = scanner_for(Columns(n_features)).scan(block, 1)
    return [line for line, *_ in sink.faults()]


@given(
    blocks, label_fields, ignored_fields, st.sampled_from([(256, False), (100, True), (8, True)])
)
def test_the_rows_of_lines_that_are_settled_are_those_of_the_slow_twin(
    block: bytes, label_field: str, ignored: tuple[str, ...], table: tuple[int, bool]
) -> None:
    columns = Columns(table[0], True, 3, table[1])
    sink = scanner_for(columns, label_field, ignored).scan(block, 5)
    expected = slow.scan(block, 5, columns, label_field, ignored)
    rows = as_rows(sink)
    left = [line for line, *_ in sink.faults()]
    for line, row in rows.items():
        twin = expected[line]
        assert twin is not None
        assert row == replace(twin, names=[])
    assert sorted([*rows, *left]) == list(expected)
    assert left == sorted(left)
    for line, start, stop, *_ in sink.faults():
        assert block[start:stop] == block.split(b"\n")[line - 5].rstrip(b"\r")
    assert sink.n_lines == len(block.removesuffix(b"\n").split(b"\n")) * bool(block)


@given(blocks, ignored_fields, st.sampled_from([1, 3, 100]))
def test_the_names_of_lines_that_are_settled_are_those_of_the_slow_twin(
    block: bytes, ignored: tuple[str, ...], limit: int
) -> None:
    columns = Columns(256)
    expected = slow.scan(block, 1, columns, "label", ignored)
    sound = [row for row in expected.values() if row is not None]
    start = np.array([row.start for row in sound], np.int64)
    stop = np.array([row.stop for row in sound], np.int64)
    scanner = scanner_for(columns, "label", ignored)
    left = {line for line, *_ in scanner.scan(block, 1).faults()}
    counts, twin = NameCounts(limit, 1000), Counts(limit, 1000)
    at = 0
    while at < len(sound):
        reached = scanner.count_names(block, start, stop, counts, at)
        assert reached == len(sound) or sound[reached].line in left
        for row in sound[at:reached]:
            assert row.line not in left
            twin.count_row([name for name in row.names if not is_column(name)])
        assert counts.names() == list(twin.rows)
        assert counts.arrays()[2].tolist() == list(twin.rows.values())
        assert counts.dropped == twin.dropped
        at = reached + 1


def is_column(name: bytes) -> bool:
    return name.isdigit() and (name == b"0" or name[:1] != b"0") and int(name) < 2**31


@pytest.mark.parametrize(
    "line",
    [
        '{"label": 1, "features": {"free": 1, "cash": 1}}',
        '{"label": 1, "features": ["free", "cash", ""]}',
        ' { "weight" : 2.5 , "features" : { } , "label" : null } ',
        '{"id": [1, {"x": [2]}, "y"], "label": "spam", "features": {"label": 1, "weight": 2}}',
        '{"label": true, "free": 1, "colour": "red", "a": false, "b": null, "c": ""}',
        '{"label": -1.5, "words": ["free", "", "cash"], "u": {"age": 1, "home": {"city": "Ulm"}}}',
        '{"features": 1, "weight": -1}',
        '{"7": 1e3, "é": -0.0, "日": "\\n\\"\\u00e9\\ud83d\\ude00", "\\u0041": 1}',
        '{"a": 0.1234567890123456789, "b": 12345678901234567890, "c": 5e-324}',
        '{"a": ' * 33 + "1" + "}" * 33,
        "{}",
    ],
)
def test_a_line_in_which_nothing_is_rare_is_settled(line: str) -> None:
    assert undecided(line.encode()) == []
    assert undecided(b"{}\n" + line.encode() + b"\r\n" + line.encode() + b"\n") == []


@pytest.mark.parametrize(
    "line",
    [
        '{"a": 1, "b": 2, "a": 3}',
        '{"a": 1, "\\u0061": 3}',
        '{"o": {"a": 1, "a": null}}',
        '{"label": 1, "label": 1}',
        '{"features": {}, "features": {}}',
        '{"features": 1, "features": {}}',
        '{"features": {}, "weight": 1, "weight": 1}',
        '{"features": {}, "weight": -0}',
        '{"features": {}, "weight": 1e300}',
        '{"label": "\\u0061"}',
        '{"label": 1.50}',
        '{"label": 1e0}',
        '{"label": -0}',
        '{"label": 0.00001}',
        '{"label": 1234567890123456.5}',
        '{"label": [1]}',
        '{"a": "\\ud800"}',
        '{"a": "\\udc00"}',
        '{"a": "\\ud800\\u0041"}',
        '{"a": 1' + "0" * 45 + "}",
        '{"a": 1e400}',
        '{"a": 01}',
        '{"a": 1.}',
        '{"a": [1]}',
        '{"features": ["a", 1]}',
        '{"256": 1}',
        '{"256": 0}',
        '{"a": 1e308, "o": {"a": 1e308}, "o.a": 1e308}',
        '{"a": ' * 34 + "1" + "}" * 34,
        '{"features": {}, "a": ' + "[" * 33 + "]" * 33 + "}",
        '{"a": 1,}',
        '{"a": 1} 2',
        '{"a" 1}',
        "{",
        "[]",
        '{"a": "\x01"}',
        '{"a": "\x1f"}',
        '{"a": "\\n\x1f"}',
        '{"a": nul}',
    ],
)
def test_a_line_with_something_rare_is_left_to_others(line: str) -> None:
    block = b'{"b": 1}\n' + line.encode() + b'\n{"b": 1}\n'
    assert undecided(block) == [2]
    assert undecided(line.encode()) == [1]


@pytest.mark.parametrize("raw", [b'{"a": "\xff"}', b'{"a\x00": 1}', b'{"a": "\xed\xa0\x80"}'])
def test_bytes_that_are_no_text_are_left_to_others(raw: bytes) -> None:
    assert undecided(b'{"b": 1}\n' + raw + b'\n{"b": "\xc3\xa9"}\n') == [2]


def test_values_of_one_column_that_have_no_finite_sum_are_left_to_others() -> None:
    assert undecided(b'{"a": 1e308, "b": 1e308}', n_features=1) == [1]
    assert undecided(b'{"a": 1e308, "b": -1e308}', n_features=1) == []


@given(st.text('"\\{}[]:, 0aen.-', max_size=20).map(str.encode))
def test_a_block_may_end_anywhere(block: bytes) -> None:
    """The bytes behind a block are not looked at: a NUL is all there is."""
    sink = scanner_for(Columns(256)).scan(block, 1)
    assert sink.n_rows + sink.n_faults == bool(block.strip())


def test_a_line_of_many_fields_after_a_short_one_finds_room() -> None:
    wide = "{" + ",".join(f'"n{k}":{k}' for k in range(5000)) + "}"
    again = wide[:-1] + ',"n17":1}'
    block = "\n".join(["{}", wide, '{"a":1}', again, wide]).encode()
    columns = Columns(2**31 - 1)
    sink = scanner_for(columns).scan(block, 1)
    assert [line for line, *_ in sink.faults()] == [4]
    twin = slow.scan(block, 1, columns, "label", ())
    for line, row in as_rows(sink).items():
        assert row.row == twin[line].row  # type: ignore[union-attr]


def test_a_line_of_names_that_were_chosen_to_meet_is_left_to_others() -> None:
    table = NameTable(1024, True)
    names = [name for name in map(str, range(-1, -60_000, -1)) if table.column_of(name) == 5]
    line = "{" + ",".join(f'"{name}":1' for name in names[:33]) + "}"
    assert len(names) > 33
    assert undecided(line.encode()) == []
    assert undecided(line.replace("}", f',"{names[33]}":1}}').encode()) == [1]


def test_a_vocabulary_is_refused() -> None:
    with pytest.raises(ValueError, match="vocabulary"):
        JsonScanner(Lexicon(NameTable(None, False)), b"label", [])
