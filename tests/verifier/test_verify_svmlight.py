from __future__ import annotations

import bz2
import gzip
import io
import lzma
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from thresher.errors import BadLineError, LabelError, SourceError
from thresher.streams.label_scheme import canonical
from thresher.verifier import read_rows
from thresher.verifier.readers.label_names import one_spelling
from thresher.verifier.readers.plain_rows import PlainRows, named, numbered, signs
from thresher.verifier.readers.svmlight import Limits, read_svmlight


def read(path: Path, text: bytes, **options: Any) -> PlainRows:
    path.write_bytes(text)
    return read_svmlight([str(path)], **options)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "some.svm"


def test_lines_become_rows(file: Path) -> None:
    text = b"\xef\xbb\xbf+1 3:1 qid:7 0:-2.5e-1 # why\r\n\n# nothing\n-1\t7:0.1 2:0 \n1"
    for stream in (read(file, text), read_rows(read(file, text))):
        assert stream.row_start.tolist() == [0, 2, 3, 3]
        assert stream.column.tolist() == [0, 3, 7]
        assert stream.value.tolist() == [-0.25, 1.0, 0.1]
        assert stream.label.tolist() == [1, -1, 1]
        assert stream.column.dtype == np.int32


def test_an_index_may_count_from_one(file: Path) -> None:
    assert read(file, b"1 1:1 5:2\n-1 2:1\n", one_based=True).column.tolist() == [0, 4, 1]
    with pytest.raises(BadLineError, match=r"some\.svm:1: found '0:1', expected an index from 1"):
        read(file, b"1 0:1\n", one_based=True)


@pytest.mark.parametrize(
    ("labels", "signs"),
    [
        ("-1 +1 1.0", [-1, 1, 1]),
        ("0 1 +1", [-1, 1, 1]),
        ("2 1 2.0", [1, -1, 1]),
        ("1 1", [1, 1]),
        ("2 2", [1, 1]),
        ("0 -0", [-1, -1]),
        ("", []),
    ],
)
def test_known_pairs_of_labels_need_no_word(file: Path, labels: str, signs: list[int]) -> None:
    text = "".join(f"{label} 3:1\n" for label in labels.split())
    assert read(file, text.encode()).label.tolist() == signs


def test_other_labels_need_one(file: Path) -> None:
    text = b"spam 3:1\nham 4:1\neggs 1:1\n"
    assert read(file, text, positive="spam").label.tolist() == [1, -1, -1]
    with pytest.raises(LabelError, match=r"eggs, ham, spam.*positive=LABEL"):
        _ = read(file, text).label


@pytest.mark.parametrize(
    ("first", "late", "message"),
    [
        (b"1", b"2", r":1001: found the label 2, expected the label -1 or 1"),
        (b"2", b"0", r":1001: found the label 0, expected the label 1 or 2"),
        (b"-1", b"0", r":1001: found the label 0, expected the label -1 or 1"),
        (b"1", b"0\n-1", r":1002: found the label -1, expected the label 0 or 1"),
    ],
)
def test_what_labels_mean_is_settled_by_the_first_thousand(
    file: Path, first: bytes, late: bytes, message: str
) -> None:
    assert len(read(file, (first + b"\n") * 1000).label) == 1000
    with pytest.raises(BadLineError, match=message):
        _ = read(file, (first + b"\n") * 1000 + late + b"\n").label


def test_one_label_alone_waits_for_the_other(file: Path) -> None:
    found = read(file, b"1\n" * 1000 + b"0\n1\n")
    assert found.label.tolist() == [1] * 1000 + [-1, 1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("9007199254740993", "9007199254740992"),
        ("1", "\uff11"),
        ("10", "1_0"),
        ("1", "\u0661"),
        ("1", "1\xa0"),
        ("1e400", "1e401"),
        ("inf", "Infinity"),
        ("16", "0x10"),
        ("10000000000000000", "1e16"),
    ],
)
def test_labels_that_are_not_one_stay_apart(file: Path, one: str, other: str) -> None:
    found = read(file, f"{one} 1:1\n{other} 2:1\n".encode(), positive=one)
    assert len(found.label_names) == 2
    assert found.label.tolist() == [1, -1]
    assert found.label_names == (canonical(one), canonical(other))


@pytest.mark.parametrize(
    ("spellings", "name"),
    [
        ("1 +1 01 1.0 1. 1e0 10e-1 0.1e+1 1.00000000000000001", "1"),
        ("0 -0 +0 0.0 -.0 0e5 1e-400 -1e-400", "0"),
        ("0.5 .5 +.50 5e-1", "0.5"),
        ("-3 -03 -3.0 -30e-1", "-3"),
        ("9007199254740993 +9007199254740993 09007199254740993", "9007199254740993"),
        ("1e16 1.0e16 10000000000000000.", "1e+16"),
        (f"7 {'0' * 5000}7", "7"),
    ],
)
def test_spellings_that_are_one_label_become_one(file: Path, spellings: str, name: str) -> None:
    found = read(file, "".join(f"{text}\n" for text in spellings.split()).encode())
    assert found.label_names == (name,)
    assert [canonical(text) for text in spellings.split()] == [name] * len(spellings.split())
    assert found.label_number.tolist() == [0] * len(spellings.split())


def test_labels_can_be_had_by_name_and_by_class(file: Path) -> None:
    found = read(file, b"law 1:1\nart 2:1\nlaw 3:1\n")
    assert named(found).tolist() == ["law", "art", "law"]
    assert numbered(found, ["art", "sport", "law"]).tolist() == [2, 0, 2]
    assert signs(found, "art").tolist() == [-1, 1, -1]
    with pytest.raises(LabelError, match=r"some\.svm:2: found the label 'art', which is no class"):
        numbered(found, ["law"])


@pytest.mark.parametrize(
    ("pair", "expected"),
    [
        *((pair, "a feature such as") for pair in ("3", ":1", "-3:1", "a:1", "3\u00a0:1")),
        *((pair, "a decimal number") for pair in ("3:", "3:x", "3:1:2", "3:nan", "3:1_0", "3:0x1")),
        ("3:1e400", "a number that is finite"),
        ("99999999999:1", "an index from 0 to 2147483646"),
        ("2147483647:1", "an index from 0 to 2147483646"),
        ("4:1 4:0", "each index once"),
    ],
)
def test_what_is_no_feature_is_named_with_its_place(file: Path, pair: str, expected: str) -> None:
    with pytest.raises(BadLineError, match=rf"some\.svm:2: found .*, expected {expected}") as error:
        read(file, f"1 1:1\n-1 {pair}\n".encode())
    assert error.value.fields == {"file": str(file), "line": 2}


def test_a_line_begins_with_a_label(file: Path) -> None:
    with pytest.raises(BadLineError, match="expected a label at the start"):
        read(file, b"3:1 4:1\n")
    for label in (b"\xff", b"a\0", b"\x0c1", b"1\x7f", b"1\r"):
        with pytest.raises(BadLineError, match="expected a label in UTF-8"):
            read(file, label + b" 4:1\n")


def test_files_are_read_in_order_packed_or_not_whatever_they_are_called(tmp_path: Path) -> None:
    packed: list[Callable[[bytes], bytes]] = [gzip.compress, lzma.compress, bz2.compress, bytes]
    twice = gzip.compress(b"1 8:1\n") + gzip.compress(b"1 9:1\n") + b"\0\0"
    paths = [tmp_path / f"{k}.gz" for k in range(5)]
    for k, (path, pack) in enumerate(zip(paths, packed, strict=False)):
        path.write_bytes(pack(b"\xef\xbb\xbf-1 %d:1" % k))
    paths[4].write_bytes(twice)
    found = read_svmlight([str(path) for path in paths])
    assert found.column.tolist() == [0, 1, 2, 3, 8, 9]
    assert found.label.tolist() == [-1] * 4 + [1, 1]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(b"1 1:1\n" * 99)[:-4], "the gzip data ends in the middle"),
        (gzip.compress(b"1 1:1\n") + b"more", "the gzip data is damaged"),
        (bz2.compress(b"1 1:1\n") + b"more", "the bzip2 data is damaged"),
        (lzma.compress(b"1 1:1\n") + b"more", "the xz data ends in the middle"),
        (b"\x28\xb5\x2f\xfd123456", "Zstandard is not unpacked"),
    ],
    ids=["cut", "gzip", "bzip2", "xz", "zstandard"],
)
def test_what_cannot_be_unpacked_is_refused(file: Path, content: bytes, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        read(file, content)


def test_what_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="there is no such file"):
        read_svmlight([str(tmp_path / "none.svm")])
    with pytest.raises(SourceError, match="cannot be read"):
        read_svmlight([str(tmp_path)])


def test_a_dash_is_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"1 1:1\n")))
    assert read_svmlight(["-"]).label.tolist() == [1]


def many_rows(n: int) -> bytes:
    rng = np.random.default_rng(5)
    lines = []
    for _ in range(n):
        columns = rng.permutation(50)[: rng.integers(0, 8)].tolist()
        features = " ".join(f"{c}:{rng.normal()!r}" for c in columns)
        lines.append(f"{rng.integers(0, 40)} {features}")
    return "\n".join(lines).replace("np.float64(", "").replace(")", "").encode()


def test_the_rows_do_not_depend_on_the_number_of_threads(file: Path) -> None:
    text = many_rows(300) * 250
    assert len(text) > 5 << 20
    one, two = read(file, text), read(file, text, workers=2)
    for name in ("row_start", "column", "value", "label_number"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
    assert one.label_names == two.label_names
    assert one.label_places == two.label_places
    assert len(one.label_number) == 250 * 300 - 249


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("before", [500, 9000, 13000])
def test_the_first_fault_is_the_one_that_is_named(file: Path, before: int, workers: int) -> None:
    good = b"1 1:1 # " + b"x" * 1000 + b"\n"
    text = good * before + b"1 y\n" + good * (13_500 - before) + b"1 z\n" + b"z" * 99_999
    assert len(text) > 12 << 20
    with pytest.raises(BadLineError, match=rf":{before + 1}: found 'y'"):
        read(file, text, workers=workers, limits=Limits(line_bytes=50_000))


@pytest.mark.parametrize("end", [b"\n", b""])
def test_a_line_of_the_largest_size_is_read_and_a_longer_one_is_not(file: Path, end: bytes) -> None:
    limits = Limits(line_bytes=3 << 20)
    line = b"1 7:1 #".ljust(3 << 20, b"x")
    assert read(file, b"1\n" + line + end, limits=limits).column.tolist() == [7]
    with pytest.raises(BadLineError, match=r":2: found a line of more than 3145728 bytes"):
        read(file, b"1\n" + line + b"x" + end, limits=limits)


def test_a_line_within_a_piece_has_the_same_limit(file: Path) -> None:
    limits = Limits(line_bytes=100)
    assert len(read(file, b"1\n" + b"#" * 100 + b"\n1\n", limits=limits).label) == 2
    for text in (b"1\n1\n" + b"#" * 101 + b"\n1\n", b"1\n1\n" + b"#" * 101):
        with pytest.raises(BadLineError, match=r":3: found a line of more than 100 bytes"):
            read(file, text, limits=limits)
        with pytest.raises(BadLineError, match=r":1: found 'x'"):
            read(file, b"1 x\n" + text, limits=limits)


def test_there_are_not_more_labels_than_allowed(file: Path) -> None:
    text = b"".join(b"%d\n" % k for k in range(20))
    assert len(read(file, text, limits=Limits(labels=20)).label_names) == 20
    with pytest.raises(BadLineError, match=r":20: found label number 20, expected at most 19"):
        read(file, text, limits=Limits(labels=19))


def test_rows_that_do_not_fit_into_memory_are_refused(file: Path) -> None:
    text = b"1 1:1\n" * 1000
    # A row takes 12 bytes and so does a value.
    assert len(read(file, text, limits=Limits(memory=24_100)).label_number) == 1000
    with pytest.raises(SourceError, match="more memory than may be used"):
        read(file, text, limits=Limits(memory=23_000))


def test_columns_can_be_limited(file: Path) -> None:
    assert read(file, b"1 9:1\n", n_columns=10).column.tolist() == [9]
    with pytest.raises(BadLineError, match=r"expected an index from 0 to 9\. A larger n_columns"):
        read(file, b"1 10:1\n", n_columns=10)


#: Reads a file in little memory, and says what came of it.
IN_LITTLE = """
import resource, sys
from thresher.errors import ThresherError
from thresher.verifier import read_svmlight
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    read_svmlight([sys.argv[1]])
    print("read")
except ThresherError as error:
    print(type(error).__name__)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


@pytest.mark.parametrize(
    ("line", "outcome"),
    [(b" ", "BadLineError"), (b"\n", "read"), (b"1 1:1 # " + b"x" * 100, "BadLineError")],
    ids=["blanks", "empty lines", "a comment"],
)
def test_a_small_file_that_unpacks_to_much_takes_little_memory(
    file: Path, line: bytes, outcome: str
) -> None:
    # Packed once: a file of several packed parts, one behind the other, is packed, too.
    file.write_bytes(200 * gzip.compress((line * (1 << 20))[: 1 << 20], 1))
    command = [sys.executable, "-c", IN_LITTLE, str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    said, kilobytes = done.stdout.split()
    assert said == outcome
    unit = 1 if sys.platform != "darwin" else 1024
    assert int(kilobytes) < 150_000 * unit


def test_an_unsorted_line_of_a_million_features_takes_no_long_time(file: Path) -> None:
    columns = np.random.default_rng(1).permutation(1 << 20)
    text = b"1 " + b" ".join(b"%d:1" % c for c in columns.tolist()) + b"\n"
    began = time.process_time()
    assert read(file, text).column.tolist() == list(range(1 << 20))
    assert time.process_time() - began < 5


@pytest.mark.parametrize("text", ["1", "-0", "1e5", ".5", "5e-324", "x", "0x1", "", "+", "1_0"])
def test_both_readers_have_one_spelling_for_a_label(text: str) -> None:
    assert one_spelling(text) == canonical(text)
