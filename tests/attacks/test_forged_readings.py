"""The same bytes, read by certify and by verify: in every guise the same rows, or a refusal."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from tests.cli.running import run
from thresher.errors import LabelError
from thresher.verifier import read_svmlight

rng = np.random.default_rng(2)
ROWS = [
    " ".join(["1" if 0 in chosen else "-1", *(f"{k}:1" for k in sorted(chosen))])
    for chosen in (set(rng.permutation(9)[:3].tolist()) for _ in range(40))
]
TEXT = "\n".join(ROWS) + "\n"
GUISES: dict[str, tuple[str, bytes]] = {
    "plain": ("rows.svm", TEXT.encode()),
    "without a suffix": ("rows", TEXT.encode()),
    "ends of lines": ("rows.svm", TEXT.replace("\n", "\r\n").encode()),
    "no last end": ("rows.svm", TEXT[:-1].encode()),
    "a mark at the start": ("rows.svm", b"\xef\xbb\xbf" + TEXT.encode()),
    "packed": ("rows.svm.gz", gzip.compress(TEXT.encode())),
    "packed in two": ("rows.svm.gz", gzip.compress(TEXT.encode()) * 2),
    "packed under another name": ("rows.svm", lzma.compress(TEXT.encode())),
    "comments and blanks": ("rows.svm", TEXT.replace("\n", " # 9:9\n\n \t\n").encode()),
    "spellings": ("rows.svm", TEXT.replace("\n1 ", "\n+1.0e0 ").replace(":1", ":10e-1").encode()),
    "other orders": ("rows.svm", "".join(
        " ".join([line.split()[0], *line.split()[:0:-1]]) + "\n" for line in ROWS).encode()),
    "one label": ("rows.svm", TEXT.replace("-1 ", "1 ").encode()),
    "zeros and ones": ("rows.svm", TEXT.replace("-1 ", "0 ").encode()),
    "ones and twos": ("rows.svm", TEXT.replace("1 ", "2 ").replace("-2 ", "1 ").encode()),
    "empty rows": ("rows.svm", b"1\n-1\n1 0:0\n-1 3:1\n"),
    "vw": ("rows.vw", "".join(
        f"{line.split()[0]} | {' '.join('f' + part for part in line.split()[1:])}\n"
        for line in ROWS).encode()),
    "csv": ("rows.csv", ("label,a,b\n" + "".join(
        f"{line.split()[0]},{at % 3},{at % 5}\n" for at, line in enumerate(ROWS))).encode()),
    "jsonl": ("rows.jsonl", "".join(
        f'{{"label": {line.split()[0]}, "a": {at % 3}}}\n'
        for at, line in enumerate(ROWS)).encode()),
}  # fmt: skip


@pytest.mark.parametrize("guise", GUISES)
def test_verify_reads_what_certify_read(guise: str, tmp_path: Path) -> None:
    name, content = GUISES[guise]
    data, certificate = tmp_path / name, tmp_path / "run.json"
    data.write_bytes(content)
    made = run("certify", data, "--learner", "perceptron", "-o", certificate)
    assert made.exit_code == 0, made.output
    found = run("verify", certificate, data)
    assert (found.exit_code, found.output.splitlines()[-1]) == (0, "the claim holds")


@pytest.mark.parametrize("content", [b"", b"\n# nothing\n\n"])
def test_nothing_is_nothing_to_certify(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "rows.svm").write_bytes(content)
    made = run("certify", tmp_path / "rows.svm", "--learner", "perceptron", "-o", tmp_path / "c")
    assert made.exit_code == 2
    assert "not a single row" in made.stderr
    assert not (tmp_path / "c").exists()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"\n1 ", b"\n-1 "), (b":1", b":2"), (b":1", b":1.0000000000000002"), (b"0:1", b""),
        (b"\n", b"\n1\n"), (b"1 ", b"1 30:1 "), (b"-1 ", b"1 "), (b"8:1", b"9:1"),
        (b"8:1", b"8:-1"), (b":1", b":5e-324"),
    ],
)  # fmt: skip
def test_other_rows_are_other_rows(old: bytes, new: bytes, tmp_path: Path) -> None:
    data, certificate = tmp_path / "rows.svm", tmp_path / "run.json"
    data.write_bytes(TEXT.encode())
    run("certify", data, "--learner", "perceptron", "-o", certificate)
    data.write_bytes(TEXT.encode().replace(old, new, 1))
    found = run("verify", certificate, data)
    assert found.exit_code == 1
    assert "data      DIFFERS" in found.output


@pytest.mark.parametrize(
    "options", [["--one-based"], ["--positive", "-1"], ["--positive", "7"], ["--reader", "own"]]
)
def test_other_words_for_reading_do_not_make_another_truth(
    options: list[str], tmp_path: Path
) -> None:
    data, certificate = tmp_path / "rows.svm", tmp_path / "run.json"
    data.write_bytes(TEXT.encode())
    run("certify", data, "--learner", "perceptron", "-o", certificate)
    found = run("verify", certificate, data, *options)
    assert (found.exit_code == 0) == (options == ["--reader", "own"])


def test_several_classes_are_read_by_their_names(tmp_path: Path) -> None:
    data, certificate = tmp_path / "rows.svm", tmp_path / "run.json"
    named = TEXT.replace("-1 ", "ham ").replace("\n1 ", "\nspam ").replace("\nham", "\neggs", 1)
    data.write_text(named)
    for learner in ("perceptron", "multiclass_perceptron", "sparse_network"):
        made = run("certify", data, "--learner", learner, "-o", certificate)
        assert made.exit_code == 0, made.output
        assert run("verify", certificate, data).exit_code == 0
        data.write_text(named.replace("eggs", "Eggs"))
        assert run("verify", certificate, data).exit_code == 2
        data.write_text(named)


def test_rows_that_are_read_twice_tell_nothing_of_new_ones(tmp_path: Path) -> None:
    data, model, certificate = (tmp_path / name for name in ("rows.svm", "model.thr", "run.json"))
    data.write_text(TEXT)
    run("train", data, "--learner", "perceptron", "--passes", "3", "-o", model)
    for words in ([data], [data, data], [model, data]):
        learner = [] if words[0] == model else ["--learner", "perceptron"]
        made = run("certify", *words, *learner, "-o", certificate)
        assert made.exit_code == 0, made.output
        assert ('"risks":[]' in certificate.read_text()) == (words != [data])


def test_two_classes_that_a_file_cannot_tell_apart_are_refused(tmp_path: Path) -> None:
    # With the rows of the file counted for "01", a learner that knows both names is wrong at first.
    file = tmp_path / "ones.svm"
    file.write_text("1 0:1\n" * 4 + "2 1:1\n" * 4)
    learner = th.MulticlassPerceptron(classes=["1", "01", "2"])
    X, y = np.array([[1, 0]] * 4 + [[0, 1]] * 4), ["01"] * 4 + ["2"] * 4
    assert learner.learn(X, y).mistakes == 2
    certificate = th.certify(learner, X, y)
    assert th.verify(certificate, X, y).holds
    with pytest.raises(LabelError, match="'1' and '01' are one label in a file"):
        th.verify(certificate, read_svmlight([str(file)]))
