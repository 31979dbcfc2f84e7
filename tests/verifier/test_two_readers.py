"""The reader of streams and the verifier's own are one grammar, written down twice."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

import scripts.fuzz_readers
from scripts.fuzz_readers import Refused, fuzz, own_file, streams_file
from thresher.errors import BadLineError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.batch import Batch
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.reading import read_stream
from thresher.verifier import read_svmlight

#: What the grammar says of a line: its row as written, or that it is refused, or blank.
SOUND = [
    b"1 3:1", b" 1\t3:1 ", b"1 3:1\r", b"1 3:1#c", b"1#c", b"1 qid:3 3:1", b"1 qid:\xff\0 3:1",
    b"+1.0 3:1e5", b"1 3:.5", b"1 3:5.", b"1 3:+3", b"1 3:-0", b"1 3:0", b"1 3:1e-400",
    b"1 3:5e-324", b"1 3:0.1000000000000000055511151231257827", b"1 7:1 3:1", b"1 003:1",
    b"1 262143:1", b"1 # \0\xff\r x", b"1 3:1 #",
]  # fmt: skip
REFUSED = [
    b"1 3:0x10", b"1 3:inf", b"1 3:nan", b"1 3:1_0", b"1 3:\xef\xbc\x91", b"1 3:1e400", b"1 3:",
    b"1 3:1e", b"1 :1", b"1 3", b"1 3:1 3:2", b"1 3:1 3:0", b"1 262144:1", b"1 -1:1", b"1 3:1\r\r",
    b"1\x0c3:1", b"1\x0b 3:1", b"1\0 3:1", b"\xff 3:1", b"3:1", b"qid:3 3:1", b"1\r3:1", b"1 3:1\0",
    b"1 qid", b"\xef\xbb\xbf\xef\xbb\xbf1\0", b"\r1", b"\x0c",
]  # fmt: skip
BLANK = [b"", b" ", b"\t\t", b"\r", b" \r", b"#", b" # 3:1", b"#\0\xff"]


def both(tmp_path: Path, text: bytes, positive: str | None = None) -> tuple[object, object]:
    file = tmp_path / "lines.svm"
    file.write_bytes(text)
    theirs = streams_file(file, positive, one_based=False)
    ours = own_file(file, positive, one_based=False, workers=2)
    return theirs, ours


@pytest.mark.parametrize("line", SOUND, ids=repr)
def test_sound_lines_are_one_row_to_both(line: bytes, tmp_path: Path) -> None:
    for end in (b"", b"\n"):
        theirs, ours = both(tmp_path, b"-1 0:1\n" + line + end)
        assert ours == theirs
        assert isinstance(ours, tuple)
        assert len(ours[3]) == 2


@pytest.mark.parametrize("line", REFUSED, ids=repr)
def test_other_lines_are_refused_by_both(line: bytes, tmp_path: Path) -> None:
    assert both(tmp_path, b"-1 0:1\n\n" + line + b"\n1\n", "1") == (Refused(3), Refused(3))


@pytest.mark.parametrize("line", BLANK, ids=repr)
def test_blank_lines_are_no_rows_to_both(line: bytes, tmp_path: Path) -> None:
    theirs, ours = both(tmp_path, line + b"\n1 3:1\n" + line)
    assert ours == theirs
    assert isinstance(ours, tuple)
    assert len(ours[3]) == 1


@pytest.mark.parametrize("first", [b"1", b"-1", b"0", b"2", b"3"])
@pytest.mark.parametrize("late", [b"1", b"-1", b"0", b"2", b"3", b"0\n-1", b"-1\n0"])
@pytest.mark.parametrize("rows", [1, 999, 1000])
def test_labels_that_come_late_mean_the_same_to_both(
    first: bytes, late: bytes, rows: int, tmp_path: Path
) -> None:
    theirs, ours = both(tmp_path, (first + b" 1:1\n") * rows + late + b"\n")
    assert ours == theirs


@pytest.mark.parametrize("extra", [0, 1])
def test_too_many_labels_are_too_many_for_both(extra: int, tmp_path: Path) -> None:
    text = b"".join(b"%d\n" % k for k in range((1 << 16) + extra))
    theirs, ours = both(tmp_path, text, "7")
    assert ours == theirs
    assert isinstance(ours, Refused) is bool(extra)


@pytest.mark.parametrize("extra", [0, 1])
def test_too_long_a_line_is_too_long_for_both(extra: int, tmp_path: Path) -> None:
    line = b"1 3:1 #".ljust((32 << 20) + extra, b"x")
    for text in (b"-1\n" + line, b"-1\n" + line + b"\n1\n"):
        theirs, ours = both(tmp_path, text)
        assert ours == theirs
        assert isinstance(ours, Refused) is bool(extra)


def test_several_files_are_one_stream_to_both(tmp_path: Path) -> None:
    texts = (
        b"1 3:1",
        b"",
        b"\xef\xbb\xbf0 4:1\r",
        gzip.compress(b"\xef\xbb\xbf# x\n1 5:2"),
        b"\n\n0",
    )
    files = [tmp_path / f"{k}.svm" for k in range(len(texts))]
    for file, text in zip(files, texts, strict=True):
        file.write_bytes(text)
    theirs = Batch.joined(list(read_stream(files, names=NameTable(10, True), scheme=LabelScheme())))
    ours = read_svmlight([str(file) for file in files])
    assert ours.label.tolist() == theirs.label.tolist() == [1, -1, 1, -1]
    assert ours.row_start.tolist() == theirs.row_start.tolist()
    assert ours.column.tolist() == theirs.column.tolist() == [3, 4, 5]
    files[3].write_bytes(b"\n1 5:x")
    with pytest.raises(BadLineError, match=r"3\.svm:2: "):
        list(read_stream(files, names=NameTable(10, True), scheme=LabelScheme()))
    with pytest.raises(BadLineError, match=r"3\.svm:2: "):
        read_svmlight([str(file) for file in files])


def test_twenty_thousand_odd_lines_are_read_alike() -> None:
    found = fuzz(20_000, seed=3, say=lambda text: None)
    assert found.disagreements == []
    assert found.accepted > 5_000
    assert found.refused > 5_000
    assert found.files - found.files_refused > 10


@pytest.mark.parametrize(
    "broken",
    [
        lambda label: str(float(label)) if re.fullmatch(r"[0-9_]+", label) else label,
        lambda label: label,
    ],
    ids=["labels through float", "labels as they are"],
)
def test_a_reader_with_another_grammar_would_be_noticed(
    broken: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scripts.fuzz_readers, "one_spelling", broken)
    assert fuzz(150, seed=3, say=lambda text: None).disagreements
