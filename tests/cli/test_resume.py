from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

import thresher as th
from tests.cli.running import noisy_rows, process, run
from thresher.cli.interruption import Interruption
from thresher.cli.progress import ProgressTable
from thresher.models.events import Progressed, Stopped
from thresher.models.file import load_model
from thresher.models.input_data import InputData
from thresher.models.stopping import Interrupted
from thresher.models.training import TrainingRun
from thresher.models.training_request import TrainingRequest


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.svm").write_text(noisy_rows(300))
    (tmp_path / "b.svm").write_text(noisy_rows(250, seed=5))
    return tmp_path


def interrupt_after(
    monkeypatch: pytest.MonkeyPatch, chunks: int, number: int = signal.SIGINT
) -> None:
    """The signal comes while the so-manieth chunk is being dealt with."""
    count = 0
    before = ProgressTable.live

    def live(self: ProgressTable, event: Progressed) -> None:
        nonlocal count
        count += 1
        if count == chunks:
            os.kill(os.getpid(), number)
        before(self, event)

    monkeypatch.setattr(ProgressTable, "live", live)


SETTINGS = [
    [],
    ["--learner", "winnow", "--features", "30"],
    ["--learner", "signed_winnow", "--features", "30"],
    ["--vocabulary"],
    ["--passes", "3"],
    ["--passes", "3", "--holdout", "7"],
    ["--on-bad", "skip"],
]


@pytest.mark.parametrize("words", SETTINGS, ids=" ".join)
@pytest.mark.parametrize("chunks", [1, 5, 12])
def test_an_interrupted_run_that_goes_on_leaves_the_same_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], chunks: int
) -> None:
    command = ["train", "a.svm", "b.svm", "-o", "m.thr", *words, "--chunk-bytes", "600"]
    assert run(*command).exit_code == 0
    expected = (folder / "m.thr").read_bytes()
    (folder / "m.thr").unlink()
    with monkeypatch.context() as patch:
        interrupt_after(patch, chunks)
        stopped = run(*command)
    assert stopped.exit_code == 130
    (training,) = load_model("m.thr").history
    assert not training.finished
    assert [s.complete for s in training.sources] == [s.passes > 0 for s in training.sources]
    said = stopped.stderr.splitlines()
    assert said[-1].strip() == f"thresher {' '.join(command)} --resume m.thr"
    gone_on = run(*said[-1].split()[1:])
    assert gone_on.exit_code == 0, gone_on.stderr
    assert (folder / "m.thr").read_bytes() == expected


def test_a_run_may_be_interrupted_again_and_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["train", "a.svm", "-o", "m.thr", "--chunk-bytes", "600"]
    assert run(*command).exit_code == 0
    expected = (folder / "m.thr").read_bytes()
    (folder / "m.thr").unlink()
    words = command
    for chunks in (2, 5, 9):
        with monkeypatch.context() as patch:
            interrupt_after(patch, chunks)
            assert run(*words).exit_code == 130
        words = [*command, "--resume", "m.thr"]
    assert run(*words).exit_code == 0
    assert (folder / "m.thr").read_bytes() == expected


def test_what_is_saved_on_the_way_can_be_gone_on_with(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = ["train", "a.svm", "-o", "m.thr", "--chunk-bytes", "600", "--save-every", "100"]
    assert run(*command).exit_code == 0
    expected = (folder / "m.thr").read_bytes()
    (folder / "m.thr").unlink()

    def power_cut(self: ProgressTable, event: Progressed) -> None:
        if self._run.progress.rounds > 230:
            raise LookupError("power cut")

    with monkeypatch.context() as patch:
        patch.setattr(ProgressTable, "live", power_cut)
        assert "LookupError: power cut" in run(*command).stderr
    saved = load_model("m.thr")
    assert not saved.history[-1].finished
    assert 100 <= saved.learner.n_rounds <= 230
    assert run(*command, "--resume", "m.thr").exit_code == 0
    assert (folder / "m.thr").read_bytes() == expected


def test_a_model_that_was_finished_goes_on_with_new_data(folder: Path) -> None:
    assert run("train", "a.svm", "-o", "m.thr").exit_code == 0
    assert run("train", "b.svm", "-o", "n.thr", "--resume", "m.thr").exit_code == 0
    assert run("train", "a.svm", "b.svm", "-o", "both.thr").exit_code == 0
    assert th.load("n.thr") == th.load("both.thr")
    assert [t.sources[0].name for t in load_model("n.thr").history] == ["a.svm", "b.svm"]
    assert load_model("m.thr").learner.n_rounds == 300


def test_the_table_goes_on_where_the_model_stands(folder: Path) -> None:
    run("train", "a.svm", "-o", "m.thr")
    result = run("train", "b.svm", "-o", "m.thr", "--resume", "m.thr")
    table = result.stderr.split("counts as +1\n")[1].splitlines()
    assert [line.split()[0] for line in table] == ["rounds", "512"]
    assert result.stdout.startswith("rounds    550\n")


def test_rows_can_be_skipped_by_hand(folder: Path) -> None:
    lines = (folder / "a.svm").read_text().splitlines(keepends=True)
    (folder / "rest.svm").write_text("".join(lines[123:]))
    run("train", "a.svm", "-o", "m.thr", "--skip-rows", "123", "--chunk-bytes", "500")
    run("train", "rest.svm", "-o", "n.thr")
    assert th.load("m.thr") == th.load("n.thr")


def test_an_interrupted_model_asks_for_its_own_data(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        interrupt_after(patch, 2)
        run("train", "a.svm", "-o", "m.thr", "--chunk-bytes", "600")
    learned = load_model("m.thr").learner.n_rounds
    other = run("train", "b.svm", "-o", "m.thr", "--resume", "m.thr")
    assert other.exit_code == 2
    assert "m.thr was interrupted while it learned from a.svm." in other.stderr
    words = ["train", "b.svm", "-o", "m.thr", "--resume", "m.thr", "--skip-rows", "0"]
    assert run(*words).exit_code == 0
    model = load_model("m.thr")
    assert model.learner.n_rounds == learned + 250
    assert [t.finished for t in model.history] == [False, True]


def test_a_wish_to_stop_while_rows_are_skipped_changes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        interrupt_after(patch, 8)
        run("train", "a.svm", "-o", "m.thr", "--chunk-bytes", "600")
    before = (folder / "m.thr").read_bytes()
    with monkeypatch.context() as patch:
        interrupt_after(patch, 2)
        again = run("train", "a.svm", "-o", "m.thr", "--chunk-bytes", "600", "--resume", "m.thr")
    assert again.exit_code == 130
    assert "interrupted before anything new was learned; nothing was written" in again.stderr
    assert (folder / "m.thr").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ["--learner", "winnow"],
            "the model has a learner perceptron, and winnow is asked for. Leave --learner out",
        ),
        (["--bits", "10"], "the model has n_features 262144, and the options ask for 1024"),
        (["--seed", "3"], "the model has seed of the hash 0, and the options ask for 3"),
        (["--vocabulary"], "the model has vocabulary False, and the options ask for True"),
        (["--bias"], "the model has bias False, and the options ask for True"),
        (["--one-based"], "the options change how lines are read (one_based)"),
        (["--words", "1-3"], "the options change how lines are read (the features of a text)"),
        (["--positive", "-1"], "to this model the label 1 counts as +1"),
    ],
)
def test_options_that_contradict_the_model_are_refused(
    folder: Path, words: list[str], says: str
) -> None:
    run("train", "a.svm", "-o", "m.thr", "--learner", "perceptron")
    result = run("train", "b.svm", "-o", "m.thr", "--resume", "m.thr", *words, columns=200)
    assert result.exit_code == 2
    assert says in result.stderr


def test_options_that_the_model_has_anyway_are_fine(folder: Path) -> None:
    words = ["--bits", "10", "--seed", "3", "--bias", "--learner", "perceptron", "--positive", "1"]
    run("train", "a.svm", "-o", "m.thr", *words)
    assert run("train", "b.svm", "-o", "m.thr", "--resume", "m.thr", *words).exit_code == 0


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_does_not_wait_for_a_silent_pipe(folder: Path, number: signal.Signals) -> None:
    running = process("train", "-", "-o", "m.thr", "--chunk-bytes", "600")
    assert running.stdin is not None
    assert running.stderr is not None
    running.stdin.write((folder / "a.svm").read_bytes() * 4)
    running.stdin.flush()
    while not running.stderr.readline().lstrip().startswith(b"1,024"):
        pass
    running.send_signal(number)
    said = running.stderr.read().decode()
    running.communicate()
    assert running.returncode == 128 + number
    assert "thresher train - -o m.thr --chunk-bytes 600 --resume m.thr" in said
    assert "give the same input from its beginning" in said
    saved = load_model("m.thr")
    again = process("train", "-", "-o", "m.thr", "--resume", "m.thr", "--quiet")
    again.communicate((folder / "a.svm").read_bytes() * 4)
    assert again.returncode == 0
    (folder / "four.svm").write_bytes((folder / "a.svm").read_bytes() * 4)
    run("train", "four.svm", "-o", "four.thr")
    assert saved.learner.n_rounds < 1200
    assert th.load("m.thr") == th.load("four.thr")


@pytest.fixture
def training(folder: Path) -> TrainingRun:
    return TrainingRun(TrainingRequest(data=InputData(paths=("a.svm",), chunk_bytes=600)))


def test_a_signal_while_learning_is_only_remembered(training: TrainingRun) -> None:
    interruption = Interruption(training)
    with interruption.listening():
        events = iter(training)
        next(event for event in events if isinstance(event, Progressed))
        os.kill(os.getpid(), signal.SIGINT)
        assert [*events] == [Stopped(training.rows, learned=True)]
    assert 0 < training.rows < 300
    assert interruption.exit_status == 130


def wait_for_a_signal(training: TrainingRun) -> None:
    training.waiting = True
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(10)


def test_a_signal_while_waiting_ends_the_waiting(training: TrainingRun) -> None:
    interruption = Interruption(training)
    with interruption.listening(), pytest.raises(Interrupted):
        wait_for_a_signal(training)
    assert not training.waiting
    assert interruption.exit_status == 143


def test_the_signals_are_given_back(training: TrainingRun) -> None:
    before = signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)
    with Interruption(training).listening():
        assert signal.getsignal(signal.SIGINT) != before[0]
    assert (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)) == before
