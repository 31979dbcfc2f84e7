from __future__ import annotations

from pathlib import Path

import pytest

from thresher.errors import FormatError
from thresher.streams.first_look import FirstLook, contradicting
from thresher.streams.labelled_rows import read
from thresher.streams.recipe import Recipe

SMS = "ham\tGo until jurong point\nspam\tFree entry, win cash\nham\tOk lar\nham\tLater\n"


@pytest.mark.parametrize(
    ("lines", "format_"),
    [
        (SMS, "text"),
        ("spam\tfree\nham\tlunch at 12\n", "text"),
        ("1\tgood film\n0\tbad film\n", "text"),
        ("only\tone line\n", "text"),
        ("label\ttext\nham\tsee you\nspam\tfree cash\n", "text"),
        ("Class\tMessage\nham\tsee you\nspam\tfree cash\nham\tok\n", "text"),
        ("label\ttext\nham\tred\nspam\tblue\nham\tred\n", "csv"),
        ("label\ttext\nham\tno one\nspam\tno one\nham\tno one\n", "csv"),
        ("label\ttext\n", "csv"),
        ("text\tlabel\nsee you\tham\nfree cash\tspam\n", "text"),
        ("kind\tmessage\nham\tsee you\nspam\tfree cash\nham\tno\n", "text"),
        ("kind\twords\nham\tsee you\nspam\tfree cash\nham\tno\n", "csv"),
        ("city\tland\n" + "".join(f"New York {k}\tUS\n" for k in range(9)), "csv"),
        ("label\tx\n1\t2.5\n0\t3\n", "csv"),
        ("species\tlength\na\t2.5\nb\t3\nc\t4\n", "csv"),
        ("label\tx\ty\n1\t2\t3\n", "csv"),
        ("", "csv"),
    ],
)
@pytest.mark.parametrize("name", ["mail.tsv", "mail.TSV"])
def test_lines_of_a_tsv_say_whether_it_is_a_table(
    tmp_path: Path, lines: str, format_: str, name: str
) -> None:
    file = tmp_path / name
    file.write_text(lines)
    assert FirstLook([str(file)], Recipe()).format == format_


def test_the_field_of_the_label_makes_a_table(tmp_path: Path) -> None:
    file = tmp_path / "mail.tsv"
    file.write_text("ham\tfirst words\nham\tsee you\nspam\tfree cash\n")
    assert FirstLook([str(file)], Recipe()).format == "text"
    assert FirstLook([str(file)], Recipe(label_field="ham")).format == "csv"


def test_who_says_what_a_column_is_speaks_of_a_table(tmp_path: Path) -> None:
    file = tmp_path / "mail.tsv"
    file.write_text("label\ttext\nham\tsee you\nspam\tfree cash\n")
    assert FirstLook([str(file)], Recipe(categorical=("text",))).format == "csv"


def test_texts_in_a_tsv_are_read_without_a_word(tmp_path: Path) -> None:
    file = tmp_path / "sms.tsv"
    file.write_text(SMS)
    stream = read(file)
    assert [batch.label.tolist() for batch in stream] == [[-1, 1, -1, -1]]
    assert stream.format == "text"


def test_a_pipe_is_looked_at_once_and_read_from_its_beginning(tmp_path: Path) -> None:
    file = tmp_path / "mail"
    file.write_text(SMS)
    look = FirstLook([str(file)], Recipe())
    source = look.source()
    assert source.read(10**6).decode() == SMS
    source.close()
    again = look.source()
    assert again.read(10**6).decode() == SMS
    again.close()


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        ('{"label": 1, "a": 2}\n{"label": 0}\n', "json"),
        ("1 3:1 7:0.5\n-1 2:1\n", "svmlight"),
        ("1 |w free cash\n-1 |w lunch\n", "vw"),
        ("| free cash\n| lunch\n", "vw"),
        ("meet at 12:30\nfree | cash\n", None),
        ("{sic}\n", None),
        ("7 12:30 lunch\n", None),
        (SMS, None),
        ("", None),
    ],
)
def test_lines_that_are_surely_no_texts_contradict_a_model_of_texts(
    tmp_path: Path, lines: str, named: str | None
) -> None:
    file = tmp_path / "new"
    file.write_text(lines)
    assert contradicting(str(file), Recipe(format="text")) == named
    assert contradicting(str(file), Recipe(format="vw")) is None


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (
            b"PK\x03\x04\x14\0\0\0",
            "a ZIP archive or a workbook of Excel, which is not read. Unpack",
        ),
        (b"MATLAB 5.0 MAT-file, Platform: GLNX86\n", "a file of MATLAB, which is not read. Save"),
        (b"SQLite format 3\0", "a database of SQLite"),
        (b"mail/".ljust(257, b"\0") + b"ustar\x0000".ljust(255, b"\0"), "a tar archive"),
        (b"% 1. Title\r\n% 2. Rows\r\n" * 200, "a table in ARFF, which is not read. Write it"),
        (b"@Relation mail\n@attribute x numeric\n@data\n1\n", "a table in ARFF"),
        (b"label,x\r1,2\r-1,3\r", "lines end with a carriage return alone. Let them"),
    ],
)
@pytest.mark.parametrize("name", ["rows.csv", "rows.svm", "rows", "rows.tsv"])
def test_files_of_others_are_called_by_their_names(
    tmp_path: Path, content: bytes, what: str, name: str
) -> None:
    file = tmp_path / (f"{name}.arff" if content.startswith(b"%") else name)
    file.write_bytes(content)
    with pytest.raises(FormatError, match=what):
        FirstLook([str(file)], Recipe())


def test_lines_that_only_seem_to_be_of_others_are_read(tmp_path: Path) -> None:
    file = tmp_path / "mail.csv"
    for content in ("label,PK\r\n1,2\r\n", "@relation,label\n1,2\n"[1:], "label,a\rb\n1,2\n"):
        file.write_text(content, newline="")
        assert FirstLook([str(file)], Recipe()).format == "csv"
