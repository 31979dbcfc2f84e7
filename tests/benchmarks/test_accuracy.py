from __future__ import annotations

import lzma
import zipfile
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from benchmarks import committee_speed
from benchmarks.accuracy import __main__ as accuracy
from benchmarks.accuracy.competitors import (
    as_text,
    by_scores,
    committee,
    member_errors,
    river,
    scikit_learn,
)
from benchmarks.accuracy.datasets import READERS, Dataset, words
from benchmarks.accuracy.table import BEST, Result, verdicts


def made(classes: int, rows: int = 60) -> Dataset:
    random = np.random.default_rng(classes)
    label = random.integers(0, classes, rows)
    table = (random.random((rows, 8)) < 0.3).astype(float)
    table[np.arange(rows), label] = 2.0
    return Dataset("made", csr_matrix(table), label.astype(np.int64))


def test_words_are_lower_case_and_pairs_come_after() -> None:
    assert words("Don't STOP, don't!") == ["don't", "stop", "don't"]
    assert words("a b c", 2) == ["a", "b", "c", "a b", "b c"]


def test_sets_are_read_from_their_original_files(tmp_path: Path) -> None:
    folder = tmp_path / "libsvm_adult"
    folder.mkdir()
    (folder / "a9a.xz").write_bytes(lzma.compress(b"-1 3:1 7:1 \n+1 2:1 7:0\n-1\n"))
    adult = READERS["a9a"](tmp_path)
    assert adult.classes.tolist() == [0, 1, 0]
    assert np.flatnonzero(adult.rows.toarray()[0]).tolist() == [3, 7]
    assert adult.rows.nnz == 3
    (tmp_path / "sms_spam").mkdir()
    (tmp_path / "sms_spam/SMSSpamCollection").write_bytes(b"ham\tgo now\r\nspam\tnow now\r\n")
    spam = READERS["sms_spam"](tmp_path)
    assert spam.classes.tolist() == [0, 1]
    assert spam.rows.toarray().tolist() == [[1, 1, 1, 0], [0, 2, 0, 1]]
    (tmp_path / "nltk_corpora").mkdir()
    with zipfile.ZipFile(tmp_path / "nltk_corpora/qc.zip", "w") as archive:
        archive.writestr("qc/train.txt", "DESC:manner How ?\nHUM:ind Who ?\n")
        archive.writestr("qc/test.txt", "DESC:def What ?\n")
    assert READERS["qc"](tmp_path).classes.tolist() == [0, 1, 0]


def test_an_order_belongs_to_its_seed() -> None:
    data = made(2)
    assert np.array_equal(data.shuffled(3).classes, data.shuffled(3).classes)
    assert not np.array_equal(data.shuffled(3).classes, data.shuffled(4).classes)
    assert sorted(data.shuffled(3).classes.tolist()) == sorted(data.classes.tolist())


def test_text_for_vowpal_wabbit_says_what_the_rows_say() -> None:
    rows = csr_matrix(np.array([[0.0, 1.5], [2.0, 0.0], [0.0, 0.0]]))
    two = Dataset("two", rows, np.array([0, 1, 0]))
    assert as_text(two) == "-1 | 1:1.5\n1 | 0:2\n-1 | \n"
    assert as_text(Dataset("three", rows, np.array([0, 1, 2]))).startswith("1 | 1:1.5\n2 | 0:2\n3")


@pytest.mark.parametrize("classes", [2, 3])
def test_predictions_are_made_before_the_label_is_seen(classes: int) -> None:
    """Other labels from row 40 on: predictions up to and including row 40 stay as they were."""
    data = made(classes)
    changed = data.classes.copy()
    changed[40:] = (changed[40:] + 1) % classes
    other = Dataset("other", data.rows, changed)
    for play in (committee, scikit_learn("Perceptron", random_state=0), river):
        assert np.array_equal(play(data)[:41], play(other)[:41])
    assert not np.array_equal(committee(data)[41:], committee(other)[41:])


def test_the_best_score_wins_among_several_classes() -> None:
    data = Dataset("three", csr_matrix(np.ones((2, 1))), np.array([0, 2]))
    first = {0: [0.5, -0.1], 1: [0.1, -0.2], 2: [0.2, -0.3]}
    calls = iter(first.values())
    assert by_scores(data, lambda y: np.array(next(calls))).tolist() == [0, 0]


@pytest.mark.parametrize("classes", [2, 3])
def test_every_member_has_an_error(classes: int) -> None:
    errors = member_errors(made(classes))
    assert errors.shape == (8,)
    assert np.all((errors >= 0) & (errors <= 1))


def test_the_page_counts_wins_and_names_the_worst() -> None:
    results = [
        Result("good", 10, 2, 2, {"Committee": [0.1], "VW logistic": [0.2]}, [[0.3, 0.1]]),
        Result("bad", 10, 2, 2, {"Committee": [0.3, 0.1], "VW logistic": [0.1]}, [[0.2, 0.4]]),
    ]
    assert results[1].cell("Committee") == "20.00 ± 10.00"
    assert results[0].mean(BEST) == 0.1
    first, last = verdicts(results)
    assert "on 1 of 2 sets; ratio of errors 1.250 on average, 2.000 at worst (bad)" in first
    assert "best member: at or below it on 2 of 2" in last


def test_the_whole_benchmark_writes_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(accuracy, "SLOW", {})
    monkeypatch.setitem(READERS, "made", lambda folder: made(2))
    monkeypatch.setattr(accuracy, "QUICK", {"Committee": committee})
    page, figures = tmp_path / "page.md", tmp_path / "figures.json"
    options = ["--data", str(tmp_path), "--sets", "made", "--orders", "2", "--json", str(figures)]
    accuracy.main([*options, "--page", str(page)])
    assert "| made | 60 | 8 |" in page.read_text("utf-8")
    before = figures.read_text("utf-8")
    # A second run finds everything there.
    monkeypatch.setattr(accuracy, "play", None)
    accuracy.main(options)
    assert figures.read_text("utf-8") == before
    assert "Committee" in capsys.readouterr().out


def test_the_speed_of_eight_members_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    committee_speed.main(["--rows", "200", "--repeat", "1"])
    printed = capsys.readouterr().out
    assert printed.count("Committee, 8 members: time next to AROW") == 2
