from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.cli.running import loaded, noisy_rows, process, run
from thresher.cli.progress import ProgressTable
from thresher.models.events import Progressed
from thresher.models.file import load_model

ROWS = "1 0:1 2:1\n-1 1:1\n1 0:1\n-1 1:1 2:1\n"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    (tmp_path / "a.svm").write_text(noisy_rows(700))
    return tmp_path / "a.svm"


def trained(data: Path, *words: str | Path) -> dict[str, Any]:
    result = run("train", data, "-o", data.parent / "m.thr", "--json", *words)
    assert result.exit_code in (0, 1), result.stderr
    report: dict[str, Any] = json.loads(result.stdout)
    return report


def test_the_model_is_what_the_library_learns_from_the_same_file(data: Path) -> None:
    report = trained(data, "--learner", "winnow", "--beta", "1/2", "--features", "30")
    learner = th.Winnow(n_features=30, beta=Fraction(1, 2))
    for batch in th.read(data, n_features=30):
        learner.learn(batch)
    assert loaded(data.parent / "m.thr") == learner
    assert (report["rounds"], report["mistakes"]) == (700, learner.mistakes)
    assert report["false_negatives"] == learner.false_negatives


@pytest.mark.parametrize(
    "words",
    [
        ["--learner", "winnow:beta=1/2"],
        ["--learner", "winnow", "--set", "beta=0.5"],
        ["--learner", "winnow", "--beta", "1/2"],
    ],
)
def test_a_parameter_may_be_written_in_three_ways_and_is_exact(
    data: Path, words: list[str]
) -> None:
    trained(data, *words)
    assert loaded(data.parent / "m.thr").beta == Fraction(1, 2)


def test_a_tenth_is_a_tenth_and_not_the_float_next_to_it(data: Path) -> None:
    trained(data, "--learner", "winnow", "--beta", "0.1")
    assert loaded(data.parent / "m.thr").beta == Fraction(1, 10)


def test_the_table_has_a_line_at_every_power_of_two_whatever_the_chunks_are(data: Path) -> None:
    whole = trained(data)["progress"]
    assert [point["rounds"] for point in whole] == [2**k for k in range(10)]
    for size in ("1", "100", "1000"):
        assert trained(data, "--chunk-bytes", size, "--threads", "2")["progress"] == whole


def test_the_table_counts_what_a_slow_count_counts(data: Path) -> None:
    learner = th.Committee(n_features=2**18)
    (batch,) = th.read(data)
    wrong, label, said = [], [], []
    for row, y in batch.examples():
        said.append(learner.learn_one(row, y))
        label.append(y)
        wrong.append(said[-1] != y)
    last = 0
    for point in trained(data)["progress"]:
        t = point["rounds"]
        assert point["mistakes"] == sum(wrong[:t])
        assert point["error"] == sum(wrong[:t]) / t
        assert point["recent_error"] == sum(wrong[last:t]) / (t - last)
        assert (int(point["label"]), int(point["prediction"])) == (label[t - 1], said[t - 1])
        assert point["features"] == batch.row_start[t] - batch.row_start[t - 1]
        last = t


def test_progress_goes_to_standard_error_and_the_result_to_standard_output(data: Path) -> None:
    result = run("train", data, "-o", data.parent / "m.thr")
    assert result.exit_code == 0
    assert "512" in result.stderr
    assert "262,144 features (--bits 18), names hashed with seed 0" in result.stderr
    assert "a.svm; svmlight" in result.stderr
    assert result.stderr.count("labels -1/1: 1 counts as +1") == 1
    assert result.stdout.splitlines()[0] == "rounds    700"
    assert "\x1b" not in result.output


def test_quiet_says_nothing_but_the_result(data: Path) -> None:
    result = run("train", data, "-o", data.parent / "m.thr", "--quiet")
    assert result.stderr == ""
    assert result.stdout.startswith("rounds    700\n")


@pytest.mark.parametrize("columns", [40, 60, 80, 200])
def test_the_table_fits_the_terminal(data: Path, columns: int) -> None:
    result = run("train", data, "-o", data.parent / "m.thr", columns=columns)
    table = result.stderr.split("counts as +1\n")[1].splitlines()
    assert len(table) == 11
    assert max(map(len, table)) <= columns
    assert table[0].split()[:3] == ["rounds", "mistakes", "error"]
    assert ("predicted" in table[0]) == (columns >= 80)


def test_a_claim_that_stands_leaves_with_0_and_one_that_falls_with_1(data: Path) -> None:
    words = ["train", str(data), "-o", str(data.parent / "m.thr")]
    words += ["--learner", "winnow", "--features", "30"]
    stands = run(*words, "--claim", "disjunction:k=2,errors=100000")
    assert stands.exit_code == 0
    assert "stands; it allows" in stands.stdout
    falls = run(*words, "--claim", "disjunction:k=2", "--chunk-bytes", "1000")
    assert falls.exit_code == 1
    learner = th.Winnow(n_features=30)
    (batch,) = th.read(data, n_features=30)
    at = learner.learn(batch, claim=th.theory.Disjunction(k=2, n=30)).refuted_at
    assert at is not None
    assert falls.stderr.count(f"is refuted in round {at + 1}:") == 1
    assert f"was refuted in round {at + 1}; it allows 26 mistakes" in falls.stdout
    assert loaded(data.parent / "m.thr") == learner


def test_the_alarm_is_raised_in_its_place_in_the_table(data: Path) -> None:
    words = ["--learner", "winnow", "--features", "30", "--claim", "disjunction:k=2"]
    result = run("train", data, "-o", data.parent / "m.thr", *words, "--chunk-bytes", "500")
    lines = result.stderr.splitlines()
    (alarm,) = (n for n, line in enumerate(lines) if "refuted" in line)
    fell = int(lines[alarm].split("in round ")[1].split(":")[0])
    assert int(lines[alarm - 1].split()[0]) <= fell
    assert int(lines[alarm + 1].split()[0]) >= fell


def test_passes_are_learned_one_after_the_other(data: Path) -> None:
    report = trained(data, "--passes", "3")
    learner = th.Committee(n_features=2**18)
    for _ in range(3):
        for batch in th.read(data):
            learner.learn(batch)
    assert loaded(data.parent / "m.thr") == learner
    assert (report["rounds"], report["rows"], report["passes"]) == (2100, 2100, 3)


def test_the_way_that_is_left_is_counted_over_all_passes(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Progressed] = []
    monkeypatch.setattr(ProgressTable, "live", lambda _, event: told.append(event))
    trained(data, "--passes", "3", "--chunk-bytes", "3000")
    size = data.stat().st_size
    positions = [event.position for event in told]
    assert positions == sorted({*positions})
    assert told[-1] == Progressed(2100, 3 * size, 3 * size)


def test_rows_held_out_are_never_learned_and_their_error_does_not_depend_on_chunks(
    data: Path,
) -> None:
    report = trained(data, "--passes", "2", "--holdout", "10")
    learner = th.Committee(n_features=2**18)
    (batch,) = th.read(data)
    rows = [row for row, _ in batch.examples()]
    held = np.arange(700) % 10 == 9
    wrong, learners = [], []
    for _ in range(2):
        learner.learn([x for x, h in zip(rows, held, strict=True) if not h], batch.label[~held])
        wrong.append(
            sum(learner.predict_one(rows[t]) != batch.label[t] for t in np.flatnonzero(held)) / 70
        )
        learners.append(learner.copy())
    best = wrong.index(min(wrong))
    assert loaded(data.parent / "m.thr") == learners[best]
    assert report["rounds"] == (best + 1) * 630
    assert report["holdout"] == {"every": 10, "errors": wrong, "best_pass": best + 1}
    for size in ("1", "777"):
        again = trained(data, "--passes", "2", "--holdout", "10", "--chunk-bytes", size)
        assert again["holdout"] == report["holdout"]


def test_the_column_of_rows_held_out_is_empty_in_the_first_pass(data: Path) -> None:
    points = trained(data, "--passes", "3", "--holdout", "10")["progress"]
    assert [point["holdout_error"] is None for point in points] == [True] * 10 + [False]
    result = run("train", data, "-o", data.parent / "m.thr", "--passes", "3", "--holdout", "10")
    assert "held out" in result.stderr
    assert "pass by pass" in result.stdout


@pytest.mark.parametrize(
    ("text", "positive", "names"),
    [
        ("spam 0:1\nham 1:1\n", "spam", ("ham", "spam")),
        ("a 0:1\nb 1:1\nc 1:1\n", "b", ("not b", "b")),
        ("0 0:1\n1 1:1\n", None, ("0", "1")),
        ("1 0:1\n2 1:1\n", None, ("1", "2")),
        ("+1 0:1\n-1 1:1\n", None, ("-1", "1")),
    ],
)
def test_labels_keep_their_names(
    tmp_path: Path, text: str, positive: str | None, names: tuple[str, str]
) -> None:
    (tmp_path / "l.svm").write_text(text)
    trained(tmp_path / "l.svm", *(() if positive is None else ("--positive", positive)))
    assert load_model(tmp_path / "m.thr").label_names == names


def test_the_history_says_what_was_learned_from(data: Path) -> None:
    run("train", data, data, "-o", data.parent / "m.thr", "--passes", "2")
    (training,) = load_model(data.parent / "m.thr").history
    assert training.command == f"thresher train {data} {data} -o {data.parent}/m.thr --passes 2"
    assert training.finished
    (source,) = training.sources
    assert (source.rows, source.passes, source.n_bytes) == (2800, 2, data.stat().st_size)


@pytest.mark.parametrize(
    ("text", "words", "says"),
    [
        ("", [], "there is not a single row to learn from"),
        ("x 0:1\nx 1:1\n", [], "Choose the label that counts as +1"),
        ("1 0:1\n0 1:z\n", [], "a.svm:2: found"),
        (ROWS, ["--features", "2"], "a.svm:1: found '2:1'"),
        (
            "1 0:1\n0 1:1\n1 1:0.5 2:3\n",
            ["--learner", "winnow"],
            "a.svm:3: found the value 3.0 of feature 2, expected values in [0, 1], which",
        ),
        (ROWS, ["--learner", "winow"], "there is no learner called 'winow'"),
        (ROWS, ["--learner", "halving"], "only a program can give it"),
        (ROWS, ["--learner", "winnow", "--beta", "-1"], "beta must be"),
        (ROWS, ["--beta", "1"], "the default, committee, has no parameter beta"),
        (ROWS, ["--beta", "1"], "beta is a parameter of balanced_winnow"),
        (ROWS, ["--bias"], "committee has a constant feature already: leave --bias out"),
        (ROWS, ["--learner", "winnow", "--set", "bta=1"], "Did you mean 'beta'?"),
        (ROWS, ["--learner", "percepton"], "Did you mean 'perceptron'?"),
        (ROWS, ["--class-weight", "2:3"], "--class-weight names the label 2, and the data has"),
        (ROWS, ["--class-weight", "1"], "is not a label, a colon and a weight"),
        (ROWS, ["--learner", "elimination", "--class-weight", "1:2"], "gives every class the same"),
        (ROWS, ["--set", "n_features=3"], "say --features or --bits instead"),
        (ROWS, ["--learner", "winnow:beta=1", "--beta", "1"], "beta is given twice"),
        (ROWS, ["--set", "beta"], "is not of the form name=value"),
        (ROWS, ["--bits", "4", "--features", "16"], "both say how many features there are"),
        (ROWS, ["--vocabulary", "--seed", "1"], "--vocabulary does not hash"),
        (ROWS, ["--learner", "weighted_majority", "--vocabulary"], "takes no names"),
        (ROWS, ["--max-bad", "1"], "--max-bad goes with"),
        (ROWS, ["--claim", "disjunction"], "--claim disjunction"),
        (ROWS, ["--claim", "riddle:k=1"], "is none of committee, conjunction"),
        (ROWS, ["--claim", "disjunction:k=x"], "k=x is not one of"),
        (ROWS, ["--claim", "disjunction:k=1"], "no theorem says what Perceptron"),
        (ROWS, ["--skip-rows", "5"], "there are 4 rows, and 5 are to be skipped"),
        (ROWS, ["--format", "xml"], "'xml' is not one of"),
        (ROWS, ["--words", "3-1"], "not a length such as 2"),
        (ROWS, ["--on-bad", "quarantine"], "quarantine needs the file"),
        (ROWS, ["--on-bad", "weep"], "is none of stop, skip and quarantine FILE"),
    ],
)
def test_what_cannot_be_done_is_said_clearly_and_nothing_is_written(
    tmp_path: Path, text: str, words: list[str], says: str
) -> None:
    (tmp_path / "a.svm").write_text(text)
    result = run("train", tmp_path / "a.svm", "-o", tmp_path / "m.thr", *words, columns=200)
    assert result.exit_code == 2
    assert says in result.stderr
    assert result.stdout == ""
    assert not (tmp_path / "m.thr").exists()


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("no/m.thr", "there is no folder"),
        (".", "this is a folder"),
        ("a.svm", "this is one of the inputs"),
        ("-", "not to standard output"),
    ],
)
def test_an_output_that_cannot_be_is_refused_before_any_work(
    data: Path, monkeypatch: pytest.MonkeyPatch, output: str, says: str
) -> None:
    monkeypatch.chdir(data.parent)
    before = data.read_bytes()
    result = run("train", data, "-o", output)
    assert result.exit_code == 2
    assert says in result.stderr
    assert "rounds" not in result.stderr
    assert data.read_bytes() == before


def test_bad_lines_are_skipped_counted_and_quarantined(tmp_path: Path) -> None:
    bad = tmp_path / "bad.txt"
    (tmp_path / "a.svm").write_text("1 0:1\n0 1:z\n0 1:1\n1 :\n")
    skipped = run("train", tmp_path / "a.svm", "-o", tmp_path / "m.thr", "--on-bad", "skip")
    assert skipped.exit_code == 0
    assert "bad       2 lines left out" in skipped.stdout
    assert "warning: 2 bad lines were skipped" in skipped.stderr
    words = ["train", str(tmp_path / "a.svm"), "-o", str(tmp_path / "m.thr")]
    words += ["--json", "--on-bad"]
    quarantined = run(*words, "quarantine", bad)
    assert json.loads(quarantined.stdout)["bad_lines"] == 2
    assert [line for line in bad.read_text().splitlines() if line[0] != "#"] == ["0 1:z", "1 :"]
    assert run(*words, "skip", "--max-bad", "1").exit_code == 2


def test_bad_lines_are_counted_once_in_several_passes(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_text("1 0:1\n0 1:z\n0 1:1\n")
    report = trained(tmp_path / "a.svm", "--on-bad", "skip", "--passes", "3")
    assert (report["bad_lines"], report["rounds"]) == (1, 6)


def test_an_importance_that_the_learner_ignores_must_be_ignored_by_name(tmp_path: Path) -> None:
    (tmp_path / "a.vw").write_text("1 1 | a\n-1 2.5 | b\n")
    refused = run("train", tmp_path / "a.vw", "-o", tmp_path / "m.thr", "--learner", "elimination")
    assert refused.exit_code == 2
    assert (
        "a.vw:2: this row has importance 2.5, and Elimination gives every row the same."
        in refused.stderr
    )
    words = ["--learner", "elimination", "--ignore-importance"]
    assert trained(tmp_path / "a.vw", *words)["rounds"] == 2


def test_names_in_a_file_are_the_names_that_a_program_uses(tmp_path: Path) -> None:
    (tmp_path / "a.vw").write_text("1 |w free cash\n-1 |w meeting\n-1 |w meeting monday\n")
    trained(tmp_path / "a.vw", "--seed", "7")
    model = load_model(tmp_path / "m.thr")
    assert model.learner.predict_one({"w^meeting": 1}) == -1
    column = model.name_table.column_of("w^meeting")
    assert column is not None
    assert model.names_of(column) == ("w^meeting",)


def test_a_vocabulary_keeps_names_exactly(tmp_path: Path) -> None:
    (tmp_path / "a.vw").write_text("1 | free cash\n-1 | meeting\n")
    trained(tmp_path / "a.vw", "--vocabulary")
    assert loaded(tmp_path / "m.thr").vocabulary == {"free": 0, "cash": 1, "meeting": 2}


def test_without_a_journal_the_file_is_smaller_and_predicts_the_same(data: Path) -> None:
    trained(data, "--learner", "perceptron")
    whole = (data.parent / "m.thr").stat().st_size
    learner = loaded(data.parent / "m.thr")
    trained(data, "--learner", "perceptron", "--no-journal")
    assert (data.parent / "m.thr").stat().st_size < whole
    bare = loaded(data.parent / "m.thr")
    assert np.array_equal(bare.weights, learner.weights)
    assert len(bare.journal) == 0


def test_a_journal_that_is_full_is_a_warning_and_no_crash(data: Path) -> None:
    words = ["-q", "--learner", "perceptron", "--set", "journal_bytes=2000"]
    result = run("train", data, "-o", data.parent / "m.thr", *words)
    assert result.exit_code == 0
    assert result.stderr.startswith("warning: the journal of Perceptron reached 2000 bytes")


def test_standard_input_is_a_stream_like_any_other(data: Path) -> None:
    running = process("train", "-", "-o", data.parent / "p.thr", "--quiet", "--json")
    out, said = running.communicate(data.read_bytes())
    assert (running.returncode, said) == (0, b"")
    assert json.loads(out)["rounds"] == 700
    trained(data)
    assert loaded(data.parent / "p.thr") == loaded(data.parent / "m.thr")


def test_standard_input_cannot_be_read_twice(tmp_path: Path) -> None:
    result = run("train", "-", "-o", tmp_path / "m.thr", "--passes", "2")
    assert result.exit_code == 2
    assert "standard input cannot be read 2 times" in result.stderr


def test_a_window_is_told_in_the_table_in_the_report_and_in_json(data: Path) -> None:
    report = trained(data, "--window", "100")
    assert report["window"]["rows"] == 100
    assert [point["window_error"] for point in report["progress"]][:2] == [
        point["error"] for point in report["progress"]
    ][:2]
    result = run("train", data, "-o", data.parent / "m.thr", "--window", "100", columns=100)
    assert "last 100" in result.stderr
    told = report["window"]
    assert f"\nwindow    {told['error']:.2%} of the last 100; windows of 100 from" in result.stdout
    test = run("test", data.parent / "m.thr", data, "--window", "100")
    assert "\nwindow    " in test.stdout
    assert test.stdout.splitlines()[2].endswith(")")
