"""JSON lines: what objects hold, and what every odd line comes to."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.streams.examples import read_examples
from thresher.errors import BadLineError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.formats.json_lines import JsonLines
from thresher.streams.labelled_rows import read
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe

NAMES = NameTable(2**18, True)


def columns(*names: str) -> list[int]:
    return sorted(int(NAMES.column_of(name) or 0) for name in names)


def bad_lines(path: Path, **recipe: str) -> list[str]:
    policy = BadLinePolicy("skip")
    stream = read_stream(path, names=NAMES, recipe=Recipe(format="json", **recipe), bad=policy)  # type: ignore[arg-type]
    return [
        f"{bad.line}: {bad.found} / {bad.expected}"
        for chunk in stream.chunks()
        for bad in chunk.bad
    ]


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ('{"label": 1, "features": {"free": 1, "cash": 1}}', ["free", "cash"]),
        ('{"label": 1, "features": ["free", "cash"]}', ["free", "cash"]),
        ('{"label": 1, "free": 1, "colour": "red"}', ["free", "colour=red"]),
        ('{"label": 1, "a": true, "b": false, "c": null, "d": "", "e": 0}', ["a"]),
        ('{"label": 1, "words": ["free", "", "cash"]}', ["words=free", "words=cash"]),
        ('{"label": 1, "u": {"age": 1, "home": {"city": "Ulm"}}}', ["u.age", "u.home.city=Ulm"]),
        ('{"label": 1, "features": 1}', ["features"]),
        ('{"label": 1, "weight": 1, "free": 1}', ["weight", "free"]),
        ('{"label": 1, "features": {"ärger": 1}, "id": 7}', ["ärger"]),
        ('{"label": 1, "a": 2, "a": 1}', ["a"]),
    ],
)  # fmt: skip
def test_an_object_has_these_features(tmp_path: Path, line: str, names: list[str]) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(line + "\n")
    _, (row,), labels, _ = read_examples(path)
    assert sorted(row) == columns(*names)
    assert set(row.values()) == {1.0}
    assert labels == ["1"]


def test_a_name_that_is_a_number_is_that_column(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text('{"7": 0.5, "007": 1}\n')
    _, (row,), labels, _ = read_examples(path)
    assert row == {7: 0.5, columns("007")[0]: 1.0}
    assert labels == [None]


@pytest.mark.parametrize(
    ("label", "text"),
    [("1", "1"), ("1.0", "1"), ("true", "1"), ("false", "0"), ('"spam"', "spam"), ("null", None)],
)
def test_labels_are_numbers_names_or_truth_values(
    tmp_path: Path, label: str, text: str | None
) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(f'{{"class": {label}, "a": 1}}\n')
    assert read_examples(path, label_field="class")[2] == [text]


def test_a_weight_is_the_importance_of_an_object_with_features_apart(tmp_path: Path) -> None:
    path = tmp_path / "two.jsonl"
    path.write_text('{"label":1,"weight":2.5,"features":{}}\n{"label":1,"features":{"a":1}}\n')
    assert read_examples(path)[3] == [2.5, 1.0]


@pytest.mark.parametrize(
    "line",
    [
        '{"a": ' * 500 + "1" + "}" * 500,
        '{"a": "' + "[" * 3000 + '"}',
        '{"' + "{" * 501 + '\\"[": 1}',
    ],
)
def test_what_is_500_deep_is_read_and_signs_in_strings_do_not_count(
    tmp_path: Path, line: str
) -> None:
    path = tmp_path / "deep.jsonl"
    path.write_text(line + "\n")
    assert len(read_examples(path)[1]) == 1


@pytest.mark.parametrize(
    ("line", "found", "expected"),
    [
        ("{", "a line that is not JSON: Input data was truncated", "a JSON object"),
        ("[1]", "[1]", "an object with named fields"),
        ("1 3:1", "a line that is not JSON", "a JSON object"),
        ('{"a": 1e400}', "a line that is not JSON: Number out of range", "a JSON object"),
        ('{"a": NaN}', "a line that is not JSON", "a JSON object"),
        ('{"a": 1' + "0" * 400 + "}", "", "a"),
        ('{"a": {"b": [1]}}', "1 at $.a.b[0]", "a string"),
        ('{"label": [1]}', "the label [1]", "a label that is a number or a string"),
        ('{"label": 1e40}', "the label 1e+40", "a label that is a number or a string"),
        ('{"features": {}, "weight": -1}', "the weight -1", "a weight that is a number, 0 or more"),
        ('{"300000": 1}', "index 300000 at $.300000", "an index below 262144"),
        ('{"a": ' * 3000 + "1" + "}" * 3000, "objects or lists in each other", "a JSON object"),
        ('{"a": ' * 501 + "1" + "}" * 501, "objects or lists in each other", "a JSON object"),
        ('{"a\\ud800": 1}', "", "a"),
        ('{"a": 1} {"a": 1}', "a line that is not JSON", "a JSON object"),
        ('{"a": "\x01"}', "a line that is not JSON", "a JSON object"),
    ],
)
def test_a_bad_line_says_what_is_wrong(
    tmp_path: Path, line: str, found: str, expected: str
) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text('{"a": 1}\n\n' + line + "\n")
    (bad,) = bad_lines(path)
    what, _, wanted = bad.partition(" / ")
    assert what.startswith(f"3: {found}")
    assert wanted.startswith(expected)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('[{"label": 1, "a": 1}, {"label": 0}]\n', "jq -c '.[]' writes them so."),
        ('[\n  {"label": 1}\n]\n', "jq -c '.[]' writes them so."),
        ('{\n  "label": 1\n}\n', "jq -c . writes them so."),
        ("[1, 2\n", "jq -c '.[]' writes them so."),
    ],
)
def test_a_list_of_objects_or_an_object_of_several_lines_is_told_how_to_become_lines(
    tmp_path: Path, text: str, told: str
) -> None:
    (tmp_path / "a.json").write_text(text)
    with pytest.raises(BadLineError, match=r"a\.json:1: .* Every line must be .*: jq") as caught:
        list(read(tmp_path / "a.json"))
    assert caught.value.remedy.endswith(told)


def test_bytes_that_are_no_text_make_a_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_bytes(b'{"a": "\xff"}\n{"a\x00": 1}\n{"a": 1}')
    assert [bad[:2] for bad in bad_lines(path)] == ["1:", "2:"]


def test_line_ends_blank_lines_and_a_byte_order_mark_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"7": 1}\r\n\r\n  \n {"8": 1}')
    stream, rows, _, _ = read_examples(path)
    assert rows == [{7: 1.0}, {8: 1.0}]
    assert [line for chunk in stream.chunks() for line in chunk.line] == [1, 4]


@given(chunk_bytes=st.integers(1, 60))
def test_rows_do_not_depend_on_the_size_of_chunks(
    tmp_path_factory: pytest.TempPathFactory, chunk_bytes: int
) -> None:
    path = tmp_path_factory.mktemp("json") / "some.jsonl"
    path.write_text("".join(f'{{"label":"{t % 3}","{t}":{t}.5,"c":"{t}"}}\n' for t in range(9)))
    for names in (NameTable(2**18, True), NameTable(None, False)):
        fresh = NameTable(None if names.growing else 2**18, names.hashed)
        whole = read_examples(path, fresh)[1:]
        assert read_examples(path, names, chunk_bytes=chunk_bytes)[1:] == whole
        assert names.vocabulary == fresh.vocabulary


def test_the_names_of_a_line_have_the_columns_of_its_row(tmp_path: Path) -> None:
    line = b'{"label":1,"a":2,"c":"red","l":["x","y"],"o":{"p":1},"7":1,"z":0,"t":true,"n":null}'
    reader = JsonLines(Recipe(), NAMES)
    names = reader.names(b"...." + line, 4, 4 + len(line))
    assert {name for _, name in names} == {"a", "c=red", "l=x", "l=y", "o.p", "7", "t"}
    assert sorted(column for column, _ in names) == reader.scan("", line, 1).column.tolist()


def test_fields_can_be_left_out(tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text('{"label":1,"id":"x17","a":1}\n{"label":1,"features":{"id":2,"a":1}}\n')
    assert read_examples(path, ignored=("id",))[1] == [{columns("a")[0]: 1.0}] * 2
