from __future__ import annotations

import gzip
import io
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from thresher.errors import LabelError, UnsoundBatchError
from thresher.verifier import read_rows
from thresher.verifier.readers import svmlight as verify_svmlight
from thresher.verifier.readers.svmlight import PlainRows, looks_like_svmlight, read_svmlight


def test_the_reader_trusts_nothing_but_the_errors() -> None:
    source = Path(verify_svmlight.__file__).read_text("utf-8")
    assert re.findall(r"(?:from|import) (thresher[\w.]*)", source) == ["thresher.errors"]


def read(path: Path, text: bytes, **options: object) -> PlainRows:
    path.write_bytes(text)
    return read_svmlight([str(path)], **options)  # type: ignore[arg-type]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "some.svm"


def test_lines_become_rows(file: Path) -> None:
    text = b"\xef\xbb\xbf+1 3:1 qid:7 0:-2.5e-1 # why\r\n\n# nothing\n-1\t7:0.1 2:0 \n1"
    stream = read_rows(read(file, text))
    assert stream.row_start.tolist() == [0, 2, 3, 3]
    assert stream.column.tolist() == [0, 3, 7]
    assert stream.value.tolist() == [-0.25, 1.0, 0.1]
    assert stream.label.tolist() == [1, -1, 1]


def test_an_index_may_count_from_one(file: Path) -> None:
    assert read(file, b"1 1:1 5:2\n-1 2:1\n", one_based=True).column.tolist() == [0, 4, 1]
    with pytest.raises(UnsoundBatchError, match=r"some\.svm:1: found index 0, expected 1 or more"):
        read(file, b"1 0:1\n", one_based=True)


@pytest.mark.parametrize(
    ("labels", "signs"),
    [
        ("-1 +1 1.0", [-1, 1, 1]),
        ("0 1 +1", [-1, 1, 1]),
        ("2 1 2.0", [1, -1, 1]),
        ("1 1", [1, 1]),
    ],
)
def test_known_pairs_of_labels_need_no_word(file: Path, labels: str, signs: list[int]) -> None:
    text = "".join(f"{label} 3:1\n" for label in labels.split())
    assert read(file, text.encode()).label.tolist() == signs


def test_other_labels_need_one(file: Path) -> None:
    text = b"spam 3:1\nham 4:1\neggs 1:1\n"
    assert read(file, text, positive="spam").label.tolist() == [1, -1, -1]
    with pytest.raises(LabelError, match=r"eggs, ham, spam. Say which one counts as"):
        read(file, text)


@pytest.mark.parametrize(
    "pair",
    ["3", "3:", ":1", "-3:1", "a:1", "3:x", "3:1:2", "3:nan", "3:1e400", "3:1_0", "99999999999:1"],
)
def test_what_is_no_pair_is_named_with_its_place(file: Path, pair: str) -> None:
    with pytest.raises(UnsoundBatchError, match=r"some\.svm:2: found .*, expected index:value"):
        read(file, f"1 1:1\n-1 {pair}\n".encode())


def test_a_line_begins_with_a_label(file: Path) -> None:
    with pytest.raises(UnsoundBatchError, match="expected a label first"):
        read(file, b"3:1 4:1\n")


def test_files_are_read_in_order_compressed_or_not(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_bytes(b"1 1:1\n")
    (tmp_path / "b.svm.gz").write_bytes(gzip.compress(b"-1 2:1\n"))
    found = read_svmlight([str(tmp_path / "a.svm"), str(tmp_path / "b.svm.gz")])
    assert (found.column.tolist(), found.label.tolist()) == ([1, 2], [1, -1])


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"1 1:1\n")))
    assert read_svmlight(["-"]).label.tolist() == [1]


@pytest.mark.parametrize(
    ("head", "is_one"),
    [
        (b"1 3:1\n-1 4:1\n", True),
        (b"# made by hand\n1 3:1\n", True),
        (b"spam\n1 3:1\n", True),
        (b"1 3:1\n-1 4:0.", True),
        (b"1\n-1\n1\n", False),
        (b"1 | a b\n", False),
        (b'{"label": 1}\n', False),
        (b"label,a\n1,2\n", False),
        (b"spam\tfree cash\n", False),
        (b"", False),
    ],
)
def test_an_svmlight_file_is_recognised(head: bytes, is_one: bool) -> None:
    assert looks_like_svmlight(head) is is_one
