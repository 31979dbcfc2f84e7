from __future__ import annotations

import pytest

from benchmarks import memory, scan


def test_without_rivals_the_scanner_is_measured_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(scan, "optional", lambda module: None)
    scan.main(["--rows", "50", "--repeat", "1"])
    printed = capsys.readouterr().out
    assert printed.count("scanner, one core") == printed.count("stream, 2 threads") == 2
    assert "scikit-learn  " not in printed


def test_the_reader_whose_memory_is_measured_reads_everything() -> None:
    text = b"1 1:1\n" * 1000
    rows, size, most, _ = memory.feed(text, megabytes=1)
    assert (rows, size) == (167_000, 167 * len(text))
    assert most > 1
