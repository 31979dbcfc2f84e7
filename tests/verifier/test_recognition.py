from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from scripts.odd_svmlight import a_line
from thresher.errors import FormatError
from thresher.streams.formats.detection import detected
from thresher.verifier import looks_like_svmlight, reads_as_svmlight


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
        (b"{a 3:1\n", False),
        (b"label,a\n1,2\n", False),
        (b"spam\tfree cash\n", False),
        (b"PAR1 3:1\n", False),
        (b"", False),
    ],
)
def test_an_svmlight_file_is_recognised(head: bytes, is_one: bool) -> None:
    assert looks_like_svmlight(head) is is_one


def as_streams_read(name: str, head: bytes) -> bool:
    try:
        return detected(name, head).name == "svmlight"
    except FormatError:
        return False


@pytest.mark.parametrize("seed", range(300))
def test_files_are_recognised_as_the_reader_of_streams_recognises_them(
    seed: int, tmp_path: Path
) -> None:
    chance = random.Random(seed)
    ends = ("", "", "", ".txt", ".svm", ".SVM", ".libsvm", ".csv", ".json", ".svm.gz", ".csv.gz")
    file = tmp_path / f"rows{chance.choice(ends)}"
    good = (b"1 3:1\n", b"-1 4:1 # x\r\n", b"\n", b"# x\n", b"spam 7:0.5\n", b"\xef\xbb\xbf1 1:1\n")
    lines = [chance.choice(good) for _ in range(chance.randint(0, 25))]
    lines += [a_line(chance) for _ in range(chance.randint(0, 2))]
    chance.shuffle(lines)
    text = b"".join(lines)
    file.write_bytes(gzip.compress(text) if file.suffix == ".gz" else text)
    assert reads_as_svmlight([str(file)]) is as_streams_read(str(file), text[: 1 << 16])


def test_the_first_file_that_is_not_empty_decides(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "rows").write_bytes(b"1 3:1\n")
    (tmp_path / "table.csv").write_bytes(b"label,a\n1,2\n")
    empty, rows, table = (str(tmp_path / name) for name in ("empty", "rows", "table.csv"))
    assert reads_as_svmlight([empty, rows])
    assert reads_as_svmlight([rows, table])
    assert not reads_as_svmlight([table, rows])
    assert not reads_as_svmlight([empty])


@pytest.mark.parametrize("name", ["-", "none.svm", "*.svm", "folder.svm", "packed.svm"])
def test_what_the_own_reader_cannot_open_is_left_to_others(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder.svm").mkdir()
    (tmp_path / "packed.svm").write_bytes(b"\x28\xb5\x2f\xfd123456")
    assert not reads_as_svmlight([name if name == "-" else str(tmp_path / name)])
    assert not reads_as_svmlight([])
