"""CSV and TSV: headers, types of columns, quotes, and what every odd record comes to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.streams.examples import read_examples
from thresher.errors import FormatError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.formats.csv_table import CsvTable
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe

NAMES = NameTable(2**18, True)


def column(name: str) -> int:
    return int(NAMES.column_of(name) or 0)


def table(folder: Path, text: str | bytes, name: str = "some.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def bad_lines(path: Path, **recipe: Any) -> list[str]:
    policy = BadLinePolicy("skip")
    stream = read_stream(path, names=NAMES, recipe=Recipe(**recipe), bad=policy)
    return [
        f"{bad.line}: {bad.found} / {bad.expected}"
        for chunk in stream.chunks()
        for bad in chunk.bad
    ]


def test_numbers_are_values_and_words_are_categories(tmp_path: Path) -> None:
    path = table(tmp_path, "label,age,colour,7\nyes,31,red,0.5\nno,0,blue,\n")
    stream, rows, labels, _ = read_examples(path)
    assert rows == [
        {column("age"): 31.0, column("colour=red"): 1.0, 7: 0.5},
        {column("colour=blue"): 1.0},
    ]
    assert labels == ["yes", "no"]
    recipe = stream.recipe
    assert (recipe.numeric, recipe.categorical, recipe.separator) == (
        ("age", "7"),
        ("colour",),
        ",",
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("label;a;b\n1;2;x\n", "some.csv"),
        ("label\ta\tb\n1\t2\tx\n", "some.tsv"),
        ("label\ta\tb\n1\t2\tx\n", "some.csv"),
        ("label|a|b\n1|2|x\n", "some.csv"),
        ("\ufefflabel,a,b\r\n1,2,x\r\n", "some.csv"),
        ("label, a , b\n1, 2 , x", "some.csv"),
        ('"label","a","b"\n"1","2","x"\n', "some.csv"),
        ("b,label,a\nx,1,2\n", "some.csv"),
        ("label,a,b,\n1,2,x,99\n", "some.csv"),
        ("label,a,b\n\n1,2,x\n\n", "some.csv"),
    ],
)
def test_the_same_table_in_other_clothes(tmp_path: Path, text: str, name: str) -> None:
    _, rows, labels, _ = read_examples(table(tmp_path, text, name))
    assert rows == [{column("a"): 2.0, column("b=x"): 1.0}]
    assert labels == ["1"]


def test_quotes_hold_separators_line_ends_and_quotes(tmp_path: Path) -> None:
    path = table(tmp_path, 'label,note\n"a ""b""","x, ""y""\nz"\nc,plain\n')
    stream, rows, labels, _ = read_examples(path)
    assert rows == [{column('note=x, "y"\nz'): 1.0}, {column("note=plain"): 1.0}]
    assert labels == ['a "b"', "c"]
    assert [line for chunk in stream.chunks() for line in chunk.line] == [2, 4]


@pytest.mark.parametrize("missing", ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"])
def test_a_missing_number_has_no_feature_and_makes_no_category(
    tmp_path: Path, missing: str
) -> None:
    path = table(tmp_path, f"label,a,b\n1,{missing},{missing}\n1,2,x\n")
    stream, rows, _, _ = read_examples(path)
    assert stream.recipe.numeric == ("a",)
    assert column("a") not in rows[0]
    assert (column(f"b={missing}") in rows[0]) == bool(missing)


@pytest.mark.parametrize(
    ("record", "found", "expected"),
    [
        ("1,x,red", "'x'", "a number in column age"),
        ("1,1e400,red", "'1e400'", "a number below 1.8e308 in column age"),
        ("1,0x10,red", "'0x10'", "a number in column age"),
        ("1,2", "2 fields", "3, as the header has"),
        ("1,2,red,4", "4 fields", "3, as the header has"),
        ('1,2,"red" x', "'\"red\"'", "a separator or a line end after the closing quote"),
        ('1,2,"red', "'\"red'", "a closing quote"),
        ("1,2,r\0d", "'\\x00'", "UTF-8 text without NUL"),
    ],
)
def test_a_bad_record_says_what_is_wrong(
    tmp_path: Path, record: str, found: str, expected: str
) -> None:
    good = "label,age,colour\n" + "1,2,red\n" * 3
    recipe = {"numeric": ("age",), "categorical": ("colour",)}
    (bad,) = bad_lines(table(tmp_path, good + record), **recipe)
    what, _, wanted = bad.partition(" / ")
    assert what == f"5: {found}"
    assert wanted.startswith(expected)


def test_bytes_that_are_no_text_make_a_bad_line(tmp_path: Path) -> None:
    path = table(tmp_path, b"label,colour\n1,red\n1,r\xffd\n1,blue\n")
    assert bad_lines(path) == ["3: '\\\\xff' / UTF-8 text without NUL"]


def test_types_come_from_the_first_thousand_records_alone(tmp_path: Path) -> None:
    head = "label,a\n" + "1,2\n" * 999
    assert read_examples(table(tmp_path, head + "1,x\n"))[0].recipe.categorical == ("a",)
    late = table(tmp_path, head + "1,2\n1,x\n")
    assert bad_lines(late) == ["1002: 'x' / a number in column a"]
    assert len(read_examples(late, categorical=("a",))[1]) == 1001


def test_stated_types_win(tmp_path: Path) -> None:
    path = table(tmp_path, "label,zip,size\n1,89073,big\n")
    stream, rows, _, _ = read_examples(path, categorical=("zip",), ignored=("size",))
    assert rows == [{column("zip=89073"): 1.0}]
    # What was found out is enough to read another file alike.
    other = table(tmp_path, "label,zip,size\n1,ulm,big\n", "other.csv")
    assert read_examples(other, **stream.recipe.to_dict() | {"text": stream.recipe.text})[1] == [
        {column("zip=ulm"): 1.0}
    ]


@pytest.mark.parametrize(
    ("text", "recipe", "what"),
    [
        ("1,2,3\n4,5,6\n", {}, "looks like data"),
        ("a,a\n1,2\n", {}, "two columns are called 'a'"),
        ("label,a\n1,2\n", {"numeric": ("b",)}, "no column 'b', which is to be read as numbers"),
        ('"label,a\n1,2\n', {}, "the header cannot be read"),
        (b"label,\xff\n1,2\n", {}, "the header is not UTF-8"),
    ],
)  # fmt: skip
def test_a_bad_header_is_refused(
    tmp_path: Path, text: str | bytes, recipe: dict[str, Any], what: str
) -> None:
    with pytest.raises(FormatError, match=what):
        read_examples(table(tmp_path, text), format="csv", **recipe)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0,1,2\n-1,0.5,7\n+1,2,0\n-1,3,1\n", "is the label: Recipe(label_field='0')?"),
        ("1,2\n0.5,a\n0.25,b\n2,a\n", "is the label: Recipe(label_field='2')?"),
        # A line that does not count is more likely a row, and its numbers call nothing.
        ("1,0.5,7\n-1,2,0\n-1,3,1\n1,4,2\n", "is the label: Recipe(label_field=...)."),
    ],
)
def test_of_column_numbers_the_likely_label_is_suggested(
    tmp_path: Path, text: str, told: str
) -> None:
    with pytest.raises(FormatError, match="looks like data") as e:
        read_examples(table(tmp_path, text), format="csv")
    assert str(e.value).endswith(told)


def test_column_numbers_are_a_header_if_the_label_is_in_one_of_them(tmp_path: Path) -> None:
    path = table(tmp_path, "0,1,2\n-1,0.5,7\n+1,2,0\n")
    _, rows, labels, _ = read_examples(path, label_field="0")
    assert rows == [{1: 0.5, 2: 7.0}, {1: 2.0}]
    assert labels == ["-1", "1"]


def test_a_table_without_its_label_can_be_predicted(tmp_path: Path) -> None:
    assert read_examples(table(tmp_path, "a,b\n1,x\n"))[2] == [None]


def test_files_of_one_stream_have_one_header(tmp_path: Path) -> None:
    one = table(tmp_path, "label,a\n1,2\n", "one.csv")
    two = table(tmp_path, "label,a\n1,3\n", "two.csv")
    odd = table(tmp_path, "a,label\n1,3\n", "odd.csv")
    stream = read_stream([one, two], names=NAMES)
    assert [list(chunk.rows) for chunk in stream.chunks()] == [
        [], [{column("a"): 2.0}], [], [{column("a"): 3.0}]
    ]  # fmt: skip
    with pytest.raises(FormatError, match=r"odd\.csv: its header differs"):
        list(read_stream([one, odd], names=NAMES).chunks())


@pytest.mark.parametrize("text", ["", "\n\n", "label,a\n"])
def test_a_table_without_records_has_no_rows(tmp_path: Path, text: str) -> None:
    assert read_examples(table(tmp_path, text), format="csv")[1] == []


@given(chunk_bytes=st.integers(1, 60))
def test_rows_do_not_depend_on_the_size_of_chunks(
    tmp_path_factory: pytest.TempPathFactory, chunk_bytes: int
) -> None:
    text = "label,a,b\n" + "".join(f'{t % 3},{t}.5,"x\n{t % 5}"\r\n' for t in range(9))
    path = table(tmp_path_factory.mktemp("csv"), text)
    for hashed in (True, False):
        small, large = (NameTable(2**18 if hashed else None, hashed) for _ in range(2))
        whole = read_examples(path, large)[1:]
        assert read_examples(path, small, chunk_bytes=chunk_bytes)[1:] == whole
        assert small.vocabulary == large.vocabulary


def test_the_names_of_a_record_have_the_columns_of_its_row() -> None:
    reader = CsvTable(Recipe(), NAMES)
    head = b"label,a,b,7,c\n"
    record = b'1,2,"x ""y""",3,\n'
    assert reader.begin("some.csv", head + record) == len(head)
    names = reader.names(b"...." + record, 4, 3 + len(record))
    assert {name for _, name in names} == {"a", 'b=x "y"', "7"}
    assert sorted(c for c, _ in names) == reader.scan("", record, 1).column.tolist()


def test_a_record_that_the_first_bytes_cut_off_does_not_decide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "label,a\n1,2\n1,x2\n"
    monkeypatch.setattr(CsvTable, "head_bytes", len("label,a\n1,2\n1,x"))
    policy = BadLinePolicy("skip")
    stream = read_stream(table(tmp_path, text), names=NAMES, bad=policy)
    assert sum(len(chunk.rows) for chunk in stream.chunks()) == 1
    assert stream.recipe.numeric == ("a",)
    assert policy.count == 1
    # In a file of just these bytes it is a record like any other.
    whole = table(tmp_path, text[: CsvTable.head_bytes - 1] + "y", "whole.csv")
    monkeypatch.setattr(CsvTable, "head_bytes", 100)
    assert read_examples(whole)[0].recipe.categorical == ("a",)
