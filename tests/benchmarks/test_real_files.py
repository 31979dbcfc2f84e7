from __future__ import annotations

import json
import lzma
import zipfile
from pathlib import Path

import pytest

from benchmarks.processes import Run
from benchmarks.real_files import __main__ as real_files
from benchmarks.real_files import content, contestants
from benchmarks.real_files.readings import reading_of, sorted_by_class
from benchmarks.real_files.unpacked import shuffled, write_table, write_texts


def test_rows_are_written_for_vowpal_wabbit_as_its_users_write_them() -> None:
    texts = list(content.texts("ham\tGo now, go!\nspam\tWin 1:2|3\n"))
    lines, labels, classes = content.for_vowpal_wabbit(texts)
    assert lines == "-1 | go now go\n1 | win 1 2 3\n"
    assert (labels, classes) == ([-1, 1], 2)
    table = list(content.table("risk")("a b,risk,colour\n1.5,low,red:ish\n2,high,blue\n,mid,x\n"))
    lines, labels, classes = content.for_vowpal_wabbit(table)
    assert lines == "2 | a_b:1.5 colour=red_ish\n1 | a_b:2.0 colour=blue\n3 | a_b= colour=x\n"
    assert classes == 3
    assert (
        content.for_vowpal_wabbit(list(content.svmlight("+1 3:1\n-1 \n")))[0] == "1 | 3:1\n-1 | \n"
    )
    assert content.for_vowpal_wabbit(list(content.vowpal_wabbit("10 |f 3:1\n9 |f\n")))[1] == [1, -1]


def test_packed_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.xz"
    path.write_bytes(lzma.compress(b"+1 3:1\n"))
    assert content.text_of(path) == "+1 3:1\n"


def test_archives_and_arff_become_files_that_we_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "qc.zip", "w") as archive:
        archive.writestr("qc/train.txt", "DESC:manner How ?\nHUM:ind Who\t?\n")
        archive.writestr("qc/test.txt", "DESC:def What ?\n")
    lines = write_texts(tmp_path / "qc.zip", tmp_path).read_text().splitlines()
    assert sorted(lines) == ["DESC\tHow ?", "DESC\tWhat ?", "HUM\tWho ?"]
    arff = (
        "% zoo\n@ATTRIBUTE animal {a, b}\n@attribute 'legs' real\n@attribute type {1, 2}\n@DATA\n"
    )
    (tmp_path / "zoo.arff").write_text(arff + "a, 4,'1'\n%\nb,2,2\n")
    head, *rows = write_table(tmp_path / "zoo.arff", tmp_path).read_text().splitlines()
    assert head == "legs,label"
    assert sorted(rows) == ["2,2", "4,1"]


def test_rows_sorted_by_class_are_shuffled_below_their_header(tmp_path: Path) -> None:
    path = tmp_path / "sorted.csv"
    path.write_text("x,label\n" + "".join(f"{i},{i // 200}\n" for i in range(400)))
    assert sorted_by_class(reading_of(path).rows_of(path))
    (tmp_path / "new").mkdir()
    other = shuffled(path, tmp_path / "new", has_header=True)
    assert other.read_text().startswith("x,label\n")
    assert sorted(other.read_text()) == sorted(path.read_text())
    assert not sorted_by_class(reading_of(other).rows_of(other))


def test_a_file_that_needs_an_option_is_listed_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Vowpal Wabbit is played by a line of Python that foresees +1 for ever."""
    read = "import sys; n = len(open(sys.argv[2]).readlines())"
    monkeypatch.setattr(contestants, "DRIVER", f"{read}; open(sys.argv[4], 'w').write('1\\n' * n)")
    (tmp_path / "rows.svm").write_text("+1 0:1\n-1 1:1\n" * 4)
    (tmp_path / "phishing.csv").write_text("long,is_phishing\n" + "1,1\n0,0\n" * 4)
    real_files.main([str(tmp_path), "--repeat", "1"])
    printed = capsys.readouterr().out
    assert "| `rows.svm` | 8 | 2 |" in printed
    assert "| `phishing.csv` with `--label-field is_phishing` | 8 | 2 |" in printed
    assert printed.count("| 50.00% | - |") == 2
    assert "Vowpal Wabbit without an option: at or below on 2 of 2 files; ratio" in printed
    assert "* `phishing.csv`: phishing.csv:" in printed


def test_the_error_is_that_of_the_report() -> None:
    assert contestants.said_error(json.dumps({"rounds": 8, "mistakes": 1})) == 0.125
    assert real_files.cost(Run(2.0, 1.0, 0.25, 3 * 2**20)) == ("1.25", "3")
