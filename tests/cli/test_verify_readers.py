"""`thresher verify` says the same whoever reads the data."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from pathlib import Path
from typing import Any

import pytest

import thresher as th
from tests.cli.running import run

ROWS = [{0: 1.0, 3: 0.1}, {2: 1.0}, {0: -2.5, 2: 1.0}, {}, {3: 1e-3}] * 8
SIGNS = [1, -1, -1, 1, 1] * 8
LINES = [
    b"1 0:1 3:0.1", b"-1 2:1", b"-1 0:-2.5 2:1", b"1", b"1 3:1e-3",
]  # fmt: skip
TEXT = b"\n".join(LINES * 8) + b"\n"


def with_line(line: bytes) -> bytes:
    """The stream with another line in the place of the first."""
    return TEXT.replace(LINES[0], line, 1)


#: Other ways to write the same stream.
SAME = {
    "as it is": TEXT,
    "a mark": b"\xef\xbb\xbf" + TEXT,
    "CRLF": TEXT.replace(b"\n", b"\r\n"),
    "no last end": TEXT[:-1],
    "comments": TEXT.replace(b"\n", b" # 1:1 \0\xff\n#\n\n"),
    "queries": TEXT.replace(b" 2:1", b" qid:7 2:1"),
    "order": TEXT.replace(b"0:1 3:0.1", b"3:0.1 0:1"),
    "zeros": TEXT.replace(b" 2:1", b" 1:0 2:1 9:-0 8:1e-400"),
    "digits": TEXT.replace(b"0.1", b"0.1000000000000000055511151231257827021181583404541015625"),
    "labels": TEXT.replace(b"\n1 ", b"\n+1.0 ").replace(b"\n-1 ", b"\n-01e0 "),
    "signs": with_line(b"+1 00:+1.0 0003:1.e-1"),
    "gzip": gzip.compress(TEXT),
    "xz": lzma.compress(TEXT),
    "bzip2": bz2.compress(TEXT),
}
#: Streams that are others.
OTHER = {
    "a value": with_line(b"1 0:1 3:0.10000000000000002"),
    "a label": with_line(b"-1 0:1 3:0.1"),
    "a row less": TEXT.removeprefix(LINES[0] + b"\n"),
    "a row more": TEXT + b"1\n",
    "nothing": b"",
    "empty rows": b"1\n-1\n" * 20,
}
#: What is refused.
REFUSED = {
    name: with_line(line)
    for name, line in {
        "full width": "\uff11 0:1 3:0.1".encode(),
        "a third label": b"2 0:1 3:0.1",
        "a float label": b"1.0000000000000002 0:1 3:0.1",
        "underscore": b"1 0:1_0",
        "twice": b"1 0:1 0:1",
        "infinite": b"1 0:1e999",
        "form feed": b"1 0:1\x0c3:0.1",
        "lone CR": b"1 0:1\r3:0.1",
        "not UTF-8": b"\xff 0:1",
        "NUL": b"1\0 0:1",
        "no label": b"0:1 3:0.1",
        "index": b"1 2147483648:1",
    }.items()
} | {"cut": gzip.compress(TEXT)[:-5], "damaged": gzip.compress(TEXT)[:-5] + b"12345"}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("readers") / "run.json"
    learner = th.Perceptron(10)
    learner.learn(ROWS, SIGNS)
    th.certify(learner, ROWS, SIGNS).save(file)
    return file


def told(certificate: Path, file: Path, reader: str) -> tuple[int, dict[str, Any] | None]:
    """The exit status, and the verdict if there is one."""
    options = ("--format", "svmlight", "--json", "--reader", reader)
    result = run("verify", certificate, file, *options)
    if result.exit_code == 2:
        return 2, None
    document = json.loads(result.stdout)
    del document["read_by"]
    return result.exit_code, document


#: What `verify` ends with, and the streams for which it does.
STATUS = {0: SAME, 1: OTHER, 2: REFUSED}
CASES = [(status, name) for status, texts in STATUS.items() for name in texts]


@pytest.mark.parametrize(("status", "name"), CASES, ids=[name for _, name in CASES])
def test_the_verdict_does_not_depend_on_the_reader(
    status: int, name: str, certificate: Path, tmp_path: Path
) -> None:
    file = tmp_path / "data.svm"
    file.write_bytes(STATUS[status][name])
    own, streams = (told(certificate, file, reader) for reader in ("own", "streams"))
    assert own == streams
    assert own[0] == status


@pytest.mark.parametrize("reader", ["own", "streams"])
@pytest.mark.parametrize(
    ("positive", "negative"),
    [("9007199254740993", "9007199254740992"), ("1", "\uff11"), ("10", "1_0"), ("16", "0x10")],
)
def test_labels_that_look_alike_do_not_hide_mistakes(
    positive: str, negative: str, reader: str, certificate: Path, tmp_path: Path
) -> None:
    """To a reader that took the two for one label, every row is +1 and no learner is ever wrong."""
    forged, learner = tmp_path / "forged.json", th.Perceptron(10)
    assert learner.learn(ROWS, [1] * len(ROWS)).mistakes == 0
    th.certify(learner, ROWS, [1] * len(ROWS)).save(forged)
    file = tmp_path / "data.svm"
    lines = (b"\n" + TEXT).replace(b"\n1", f"\n{positive}".encode())
    file.write_bytes(lines.replace(b"\n-1", f"\n{negative}".encode())[1:])
    words = (file, "--positive", positive, "--format", "svmlight", "--reader", reader)
    assert run("verify", forged, *words).exit_code == 1
    assert run("verify", certificate, *words).exit_code == 0
