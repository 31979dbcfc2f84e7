from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import FormatError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.formats.detection import FORMATS, detected, opened
from thresher.streams.recipe import Recipe


@pytest.mark.parametrize(
    ("name", "format_"),
    [
        ("a.svm", "svmlight"),
        ("a.SVMLIGHT.gz", "svmlight"),
        ("a.libsvm.zst", "svmlight"),
        ("a.vw.xz", "vw"),
        ("a.jsonl", "json"),
        ("a.csv.bz2", "csv"),
        ("a.tsv", "csv"),
        ("a.parquet", "parquet"),
        ("a.thb", "binary"),
    ],
)
def test_the_name_of_a_file_comes_first(name: str, format_: str) -> None:
    assert detected(name, b"{}\n").name == format_


@pytest.mark.parametrize(
    ("head", "format_"),
    [
        (b"+1 3:1 11:1 \n-1 3:1\n", "svmlight"),
        (b"# made by hand\n\n1 qid:1 3:0.5 # x\n", "svmlight"),
        (b"0 1:1\r\n1\r\n", "svmlight"),
        (b"1 3:1", "svmlight"),
        (b"1 |w free cash\n", "vw"),
        (b"-1 0.5 'tag|a:2 x:1 y |b z\n", "vw"),
        (b"| free cash\n", "vw"),
        (b'{"label": 1, "features": {"free": 1}}\n', "json"),
        (b"\xef\xbb\xbf{}\n", "json"),
        (b"ham\tGo until jurong point, crazy..\nspam\tFree entry: 2 a wkly comp\n", "text"),
        (b"label,age,job\n1,3.5,cook\n0,2,baker\n", "csv"),
        (b'label;job\n1;"cook; and, baker"\n', "csv"),
        (b"a\tb\tc\n1\t2\t3\n", "csv"),
        (b"1,2,3\n4,5,6\n", "csv"),
        (b"PAR1\x15\x04", "parquet"),
        (b"ARROW1\0\0", "arrow"),
    ],
)
def test_content_tells_the_format_where_the_name_does_not(head: bytes, format_: str) -> None:
    assert detected("data.txt", head).name == format_


def test_a_last_line_that_is_cut_off_is_not_looked_at() -> None:
    assert detected("-", b"1 3:1 4:1\n1 5:1 6").name == "svmlight"


@pytest.mark.parametrize(
    ("head", "says"),
    [
        (b"Call me Ishmael. Some years ago\n", "such as 'Call me Ishmael. Some years ago'. Say"),
        (b"\n\n", "there are no lines in it"),
        (b"", "there are no lines in it"),
    ],
)
def test_what_cannot_be_told_is_an_error_that_lists_the_formats(head: bytes, says: str) -> None:
    with pytest.raises(FormatError, match=says):
        detected("novel.txt", head)


@given(st.binary(max_size=300))
def test_any_first_bytes_have_a_format_or_a_clear_error(head: bytes) -> None:
    said = ""
    try:
        assert detected("x", head) in FORMATS
    except FormatError as error:
        said = str(error)
    assert said == "" or said.startswith("x: ")


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_every_format_in_the_table_can_be_opened(known) -> None:  # type: ignore[no-untyped-def]
    format_ = opened(known, Recipe(format=known.name), NameTable(8, True), True)
    assert format_.name == known.name
