"""Inputs without an end to hold on to: memory stays within stated limits, in any format."""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

import thresher as th
from tests.cli.running import PLAIN
from thresher.errors import FormatError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.label_scheme import LabelScheme, canonical
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe

MB = 1 << 20

#: Name of the format and how the file begins, then what is repeated.
ENDLESS = {
    "CSV, a quote that is never closed": ("csv", b'label,a\n1,"', b"x,1\n"),
    "CSV, nothing but quotes": ("csv", b'label,a\n1,"', b'"'),
    "CSV, a row of separators": ("csv", b"label,a\n1,", b","),
    "CSV, a header without an end": ("csv", b"label,", b"a"),
    "CSV, a quoted header without an end": ("csv", b'label,"', b"a,\n"),
    "CSV, blank lines": ("csv", b"label,a\n", b"\n"),
    "CSV, blank lines before the header": ("csv", b"", b"\n"),
    "svmlight, one line": ("svmlight", b"1 ", b"1:1 "),
    "svmlight, blanks": ("svmlight", b"", b" "),
    "svmlight, blank lines": ("svmlight", b"", b"\n"),
    "svmlight, comments": ("svmlight", b"1 1:1\n", b"# nothing\n"),
    "VW, one name": ("vw", b"1 | ", b"a"),
    "VW, bad lines": ("vw", b"", b"1 |a:x\n"),
    "JSON, brackets": ("json", b'{"label": 1, "a": ', b"["),
    "JSON, a string": ("json", b'{"label": 1, "a": "', b"\\u0041"),
    "text, one word": ("text", b"spam\t", b"a"),
    "text, bytes that are no text": ("text", b"", b"\xff\n"),
}

#: Runs a command and says how much memory it took; a process of its own, for maxima stay.
MEASURED = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], capture_output=True, timeout=100)
print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
sys.stdout.write(done.stderr.decode())
"""


def _packed(begin: bytes, piece: bytes, size: int) -> bytes:
    """Both as a gzip file; a file of several packed parts, one behind the other, is one."""
    block = piece * (MB // len(piece))
    return gzip.compress(begin, 1) + size // len(block) * gzip.compress(block, 1)


def _train(path: Path, format_: str) -> tuple[int, int, str]:
    words = [sys.executable, "-m", "thresher", "train", "-q", str(path), "--format", format_]
    words += ["--on-bad", "skip", "-o", str(path.with_name("m.thr"))]
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *words],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | PLAIN,
    )
    first, _, said = done.stdout.partition("\n")
    status, megabytes = first.split()
    return int(status), int(megabytes), said


@pytest.mark.long  # files of up to 200 MB, for a smaller one proves nothing about memory
@pytest.mark.parametrize("name", ENDLESS)
def test_memory_is_bounded_by_the_longest_line(name: str, tmp_path: Path) -> None:
    format_, begin, piece = ENDLESS[name]
    path = tmp_path / "endless.gz"
    # Bad lines take longer than blank ones, and blank lines would be held back all together.
    slow = any(word in name for word in ("bad", "no text", "quoted header"))
    size = (2 if slow else 200 if "blank lines" in name else 48) * MB
    path.write_bytes(_packed(begin, piece, size))
    status, megabytes, said = _train(path, format_)
    assert status == (0 if "comments" in name else 2)
    assert said.count("\n") <= 2
    assert "Traceback" not in said
    assert "internal error" not in said
    assert megabytes < (220 if "blank lines" in name else 400)


@pytest.mark.parametrize("n_blank", [0, 10])
def test_a_header_that_is_too_long_is_refused_with_the_limit(n_blank: int, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    names = ",".join(f"n{k}" for k in range(400_000))
    path.write_text("\n" * n_blank + f"label,{names}\n1,2\n")
    with pytest.raises(FormatError, match=r"wide.csv: the header does not end in the first"):
        list(th.read(path))


def test_many_short_names_in_a_header_take_no_time_that_is_squared(tmp_path: Path) -> None:
    # Some 140,000 columns: compared two by two they would take minutes.
    path = tmp_path / "wide.csv"
    names = [f"{k:x}" for k in range(140_000)]
    path.write_text(f"label,{','.join(names)}\n1,{','.join('1' for _ in names)}\n")
    (batch,) = th.read(path, n_features=2**20)
    ((features, _),) = batch.examples()
    assert len(features) > 100_000


def test_a_label_of_thousands_of_zeros_is_a_label(tmp_path: Path) -> None:
    zeros = "0" * 5000
    assert canonical(f"+{zeros}1") == "1"
    assert (canonical(f"-{zeros}"), canonical("-007")) == ("0", "-7")
    path = tmp_path / "zeros.svm"
    path.write_text(f"1 1:1\n-1 2:1\n{zeros}1 1:1\n")
    assert sum(len(batch) for batch in th.read(path)) == 3


@pytest.mark.parametrize("chunk_bytes", [64, 1000, 1 << 20])
def test_what_labels_mean_is_decided_by_the_same_bytes_wherever_chunks_end(
    tmp_path: Path, chunk_bytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.streams.labelling.BYTES_TO_DECIDE", 5000)
    path = tmp_path / "long.svm"
    # Within the first 5,000 bytes there are only 0 and 1; then comes a 2, which is one too many.
    long = " ".join(f"{k}:1" for k in range(1, 80))
    path.write_text("\n\n" + f"1 {long}\n0 {long}\n" * 10 + f"2 {long}\n")
    policy = BadLinePolicy("skip")
    stream = read_stream(
        path,
        names=NameTable(2**10, True),
        recipe=Recipe(format="svmlight"),
        scheme=LabelScheme(),
        bad=policy,
        settings=ReadSettings(threads=1, chunk_bytes=chunk_bytes),
    )
    assert sum(len(batch) for batch in stream) == 20
    assert policy.count == 1
