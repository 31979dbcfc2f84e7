from __future__ import annotations

from collections.abc import Callable

import pytest

from benchmarks import memory, scan, scan_json
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.scan_json import JsonScanner


def test_without_rivals_the_scanner_is_measured_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(scan, "optional", lambda module: None)
    scan.main(["--rows", "50", "--repeat", "1"])
    printed = capsys.readouterr().out
    assert printed.count("scanner, one core") == printed.count("stream, 2 threads") == 2
    assert "scikit-learn  " not in printed


def test_json_lines_are_measured_scanned_and_decoded(capsys: pytest.CaptureFixture[str]) -> None:
    scan_json.main(["--rows", "30", "--repeat", "1"])
    printed = capsys.readouterr().out
    assert printed.count("scanned  ") == printed.count("decoded, line by line") == 2


@pytest.mark.parametrize("make", [scan_json.with_features_apart, scan_json.flat])
def test_no_line_of_json_that_is_measured_has_something_rare(make: Callable[[int], bytes]) -> None:
    text = make(30)
    scanner = JsonScanner(Lexicon(NameTable(64, True)), b"label", [])
    assert scanner.scan(text, 1).n_rows == text.count(b"\n") == 30


def test_the_reader_whose_memory_is_measured_reads_everything() -> None:
    text = b"1 1:1\n" * 1000
    rows, size, most, _ = memory.feed(text, megabytes=1)
    assert (rows, size) == (167_000, 167 * len(text))
    assert most > 1
