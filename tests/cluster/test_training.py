from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.cluster.data import N_FEATURES, rows, written
from tests.reference import mixing as twin
from thresher.cluster import train
from thresher.cluster.engine import InProcess
from thresher.cluster.events import EpochFinished, ShardLearned
from thresher.cluster.training import ClusterTraining
from thresher.errors import (
    BadLineError,
    ClusterError,
    LabelError,
    ParameterError,
    ResumeError,
    SourceError,
    ThresherError,
)
from thresher.models.choice import LearnerChoice
from thresher.models.events import LabelsDecided, Stopped, Warned
from thresher.models.file import load_model, model_bytes
from thresher.models.input_data import InputData
from thresher.models.training_request import TrainingRequest

LEARNERS = ["perceptron", "winnow:threshold=8", "signed_winnow:eta=1/8", "arow", "adagrad",
            "committee"]  # fmt: skip


def learned(model: th.Model) -> dict[str, Any]:
    return {name: array.tolist() for name, array in model.learner.learned_state().items()}


@pytest.mark.parametrize("learner", LEARNERS)
def test_one_shard_learns_what_one_machine_learns(tmp_path: Path, learner: str) -> None:
    files = written(tmp_path, 200, 100)
    alone = th.train(files, learner, n_features=N_FEATURES, passes=2, journal=False)
    model = train(files, learner, n_features=N_FEATURES, shards=1, epochs=2)
    assert learned(model) == learned(alone)
    assert (model.learner.n_rounds, model.learner.mistakes) == (600, alone.learner.mistakes)


def averaged_by_hand(parts: Sequence[Sequence[str]], epochs: int) -> tuple[list[float], list[int]]:
    """Perceptrons on parts of the data, averaged after each epoch; mistakes of each epoch."""
    dual, mistakes = [0.0] * N_FEATURES, []
    for _ in range(epochs):
        after, wrong = [], 0
        for part in parts:
            learner = th.Perceptron(n_features=N_FEATURES).with_dual(dual)
            for line in part:
                label, *features = line.split()
                row = {int(one.partition(":")[0]): 1.0 for one in features}
                learner.learn_one(row, 2 * int(label) - 1)
            after.append(learner.dual.tolist())
            wrong += learner.mistakes
        dual = twin.average(after, dual)
        mistakes.append(wrong)
    return dual, mistakes


def test_shards_learn_apart_and_are_averaged_after_each_epoch(tmp_path: Path) -> None:
    files = written(tmp_path, 90, 90, 90)
    model = train(files, "perceptron", n_features=N_FEATURES, shards=3, epochs=4)
    dual, mistakes = averaged_by_hand([rows(90, number) for number in range(3)], 4)
    assert isinstance(model.learner, th.Perceptron)
    assert model.learner.dual.tolist() == dual
    shards = model.history[0].shards
    assert shards is not None
    assert [sum(epoch) for epoch in shards.mistakes] == mistakes
    assert model.learner.mistakes == sum(mistakes)
    assert model.learner.n_rounds == 4 * 270


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_order_in_which_shards_are_done_changes_nothing(tmp_path: Path, learner: str) -> None:
    files = written(tmp_path, 80, 50, 90)
    models = [
        train(files, learner, n_features=N_FEATURES, shards=5, epochs=3, client=engine)
        for engine in (None, InProcess(seed=1), InProcess(seed=2))
    ]
    assert len({model_bytes(model) for model in models}) == 1


def test_a_file_that_is_cut_is_learned_as_the_same_rows_in_several_files(tmp_path: Path) -> None:
    lines = ["1 0:1 3:1\n", "0 1:1 2:1\n", "1 2:1 3:1\n", "0 0:1 1:1\n"] * 20
    whole = tmp_path / "whole.svm"
    whole.write_text("".join(lines))
    for number in range(4):
        (tmp_path / f"part-{number}.svm").write_text("".join(lines[20 * number : 20 * number + 20]))
    settings: dict[str, Any] = {"n_features": 4, "shards": 4, "epochs": 3}
    cut = train(whole, "perceptron", **settings)
    assert learned(cut) == learned(train(tmp_path / "part-*.svm", "perceptron", **settings))
    assert [source.name for source in cut.history[0].sources][1] == f"{whole}[200:400]"


@pytest.mark.parametrize("format_", ["svmlight", "vw", "json", "csv", "binary"])
def test_every_format_is_learned_from(tmp_path: Path, format_: str) -> None:
    files, ending = written(tmp_path, 60, 60), {"svmlight": "svm", "binary": "thb"}
    for number in range(2):
        target = tmp_path / f"rows-{number}.{ending.get(format_, format_)}"
        th.convert(tmp_path / f"part-{number}.svm", target)
    named = str(tmp_path / f"rows-*.{ending.get(format_, format_)}")
    assert files
    alone = th.train(named, "perceptron", n_features=N_FEATURES, passes=2, journal=False)
    one = train(named, "perceptron", n_features=N_FEATURES, shards=1, epochs=2)
    assert learned(one) == learned(alone)
    assert one.kept == alone.kept
    two = train(named, "perceptron", n_features=N_FEATURES, shards=2)
    assert two.recipe == one.recipe
    assert two.test(named).rows == 120


def test_texts_are_learned_from_and_their_names_are_kept(tmp_path: Path) -> None:
    for number in range(2):
        text = f"spam\tcash prize {number}\nham\tlunch noon {number}\n" * 20
        (tmp_path / f"mail-{number}.tsv").write_text(text)
    model = train(tmp_path / "mail-*.tsv", "perceptron", format="text", positive="spam", shards=2)
    assert model.label_names == ("ham", "spam")
    assert model.kept is not None
    assert {"lunch", "noon", "0", "1"} <= set(model.kept.updates())
    assert model.predict(tmp_path / "mail-0.tsv").tolist() == ["spam", "ham"] * 20


def test_the_default_is_that_of_one_machine(tmp_path: Path) -> None:
    events: list[Any] = []
    model = train(written(tmp_path, 50), n_features=N_FEATURES, shards=2, on_event=events.append)
    assert isinstance(model.learner, th.Committee)
    assert LabelsDecided(False, "the default: it needs no tuning") in events


def test_events_tell_mistakes_by_shard_and_epoch(tmp_path: Path) -> None:
    events: list[Any] = []
    files = written(tmp_path, 60, 60)
    model = train(
        files, "perceptron", n_features=N_FEATURES, shards=2, epochs=2, on_event=events.append
    )
    shards = model.history[0].shards
    assert shards is not None
    by_shard = {(e.epoch, e.shard): e.mistakes for e in events if isinstance(e, ShardLearned)}
    ends = [event for event in events if isinstance(event, EpochFinished)]
    assert [event.mistakes for event in ends] == [*shards.mistakes]
    assert by_shard == {(e, s): shards.mistakes[e - 1][s] for e in (1, 2) for s in (0, 1)}
    assert all(event.bytes_out > 0 and event.bytes_back > 0 for event in ends)


# ---- checkpoints -------------------------------------------------------------------------------


class Failing(InProcess):
    """Runs tasks until an epoch in which the cluster is lost."""

    def __init__(self, epoch: int) -> None:
        super().__init__()
        self._left = epoch

    def gather(self, tasks: Sequence[Any], seconds: float) -> Iterator[tuple[int, Any]]:
        self._left -= 1
        if not self._left:
            raise ClusterError("lost.")
        return super().gather(tasks, seconds)


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("lost_in", [2, 3, 4])
def test_a_run_goes_on_after_the_epoch_in_which_it_was_lost(
    tmp_path: Path, learner: str, lost_in: int
) -> None:
    settings: dict[str, Any] = {"n_features": N_FEATURES, "shards": 3, "epochs": 4}
    files, path = written(tmp_path, 60, 70), tmp_path / "m.thr"
    whole = train(files, learner, **settings)
    with pytest.raises(ClusterError, match="lost"):
        train(files, learner, **settings, client=Failing(lost_in), save_to=path)
    assert not load_model(path).history[0].finished
    assert model_bytes(train(files, **settings, resume=path)) == model_bytes(whole)


def test_a_finished_model_is_trained_further(tmp_path: Path) -> None:
    files, path = written(tmp_path, 60), tmp_path / "m.thr"
    th.train(files, "perceptron", n_features=N_FEATURES, save_to=path)
    model = train(files, resume=path, shards=1, epochs=1)
    twice = th.train(files, "perceptron", n_features=N_FEATURES, passes=2)
    assert learned(model) == learned(twice)
    assert len(model.history) == 2


def test_other_shards_than_those_of_the_interrupted_run_are_refused(tmp_path: Path) -> None:
    files, path = written(tmp_path, 60, 60), tmp_path / "m.thr"
    with pytest.raises(ClusterError):
        train(files, n_features=N_FEATURES, shards=2, epochs=2, client=Failing(2), save_to=path)
    with pytest.raises(ResumeError, match="interrupted while it learned from 2 shards"):
        train(files, resume=path, shards=3, epochs=2)
    with pytest.raises(ResumeError, match="interrupted while it learned from 2 shards"):
        train(tmp_path / "part-0.svm", resume=path, shards=2, epochs=2)


def test_a_file_that_changed_since_the_epoch_before_is_refused(tmp_path: Path) -> None:
    files = written(tmp_path, 60, 60)

    def change(event: Any) -> None:
        if isinstance(event, EpochFinished) and event.epoch == 1:
            text = (tmp_path / "part-1.svm").read_text()
            (tmp_path / "part-1.svm").write_text(text.replace("1 ", "0 ", 1))

    with pytest.raises(ClusterError, match=r"part-1\.svm.*: its bytes are not those"):
        train(files, n_features=N_FEATURES, shards=2, epochs=2, on_event=change)


def test_a_file_that_became_shorter_is_refused(tmp_path: Path) -> None:
    files = written(tmp_path, 60, 60)

    def cut_short(event: Any) -> None:
        if isinstance(event, EpochFinished):
            (tmp_path / "part-1.svm").write_text("1 0:1\n")

    with pytest.raises(ClusterError, match=r"part-1\.svm.*: there were [\d,]+ bytes, and 6"):
        train(files, n_features=N_FEATURES, shards=2, epochs=2, on_event=cut_short)


# ---- bad lines and bad files -------------------------------------------------------------------


def with_bad_lines(folder: Path) -> Path:
    lines = rows(100, 1)
    for number in (37, 81, 82):
        lines[number] = f"1 {number}:x"
    path = folder / "bad.svm"
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def error_of(function: Callable[..., Any], *args: Any, **settings: Any) -> ThresherError:
    with pytest.raises(ThresherError) as caught:
        function(*args, n_features=N_FEATURES, **settings)
    return caught.value


@pytest.mark.parametrize("settings", [{}, {"on_bad": "skip", "max_bad": 1}])
def test_a_bad_line_stops_a_run_as_on_one_machine(tmp_path: Path, settings: Any) -> None:
    path = with_bad_lines(tmp_path)
    alone = error_of(th.train, path, "perceptron", **settings)
    error = error_of(train, path, "perceptron", shards=4, **settings)
    assert isinstance(error, BadLineError)
    assert str(error) == str(alone)
    assert error.fields["line"] == alone.fields["line"]


@pytest.mark.parametrize("max_bad", [None, 3])
def test_bad_lines_are_accounted_for_as_on_one_machine(tmp_path: Path, max_bad: int | None) -> None:
    path = with_bad_lines(tmp_path)
    said: dict[int, list[str]] = {1: [], 4: []}
    settings: dict[str, Any] = {"n_features": N_FEATURES, "on_bad": "skip", "max_bad": max_bad}
    th.train(path, "perceptron", **settings, on_event=lambda e: said[1].append(str(e)))
    train(path, "perceptron", shards=4, epochs=2, **settings,
          on_event=lambda e: said[4].append(str(e)))  # fmt: skip
    warnings = [[one for one in said[n] if one.startswith("Warned")] for n in (1, 4)]
    assert warnings[0] == warnings[1]
    assert "3 bad lines were skipped, the first" in warnings[0][0]


def test_bad_lines_are_written_down_as_on_one_machine(tmp_path: Path) -> None:
    path, files = with_bad_lines(tmp_path), [tmp_path / "one.txt", tmp_path / "many.txt"]
    settings: dict[str, Any] = {"n_features": N_FEATURES, "on_bad": "quarantine"}
    th.train(path, "perceptron", **settings, quarantine=files[0])
    train(path, "perceptron", **settings, quarantine=files[1], shards=4, epochs=2)
    assert files[0].read_bytes() == files[1].read_bytes() != b""


def test_a_row_that_the_learner_cannot_take_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "wide.svm"
    path.write_text("1 0:1\n" * 50 + "0 99:1\n" + "1 0:1\n" * 9)
    error = error_of(train, path, "perceptron", shards=3)
    assert f"{path}:51:" in str(error)


def test_a_corrupt_shard_is_named(tmp_path: Path) -> None:
    # The first files are read to find out what labels mean; the damage is behind them.
    written(tmp_path, *[400] * 20)
    for plain in tmp_path.glob("part-*.svm"):
        packed = gzip.compress(plain.read_bytes())
        middle = len(packed) // 2
        damaged = packed[:middle] + bytes(50) + packed[middle + 50 :]
        name = f"part-{int(plain.stem[5:]):02}.svm.gz"
        (tmp_path / name).write_bytes(damaged if name == "part-17.svm.gz" else packed)
    with pytest.raises(ClusterError, match=r"epoch 1, shard 18 \(.*part-17\.svm\.gz\): ") as caught:
        train(tmp_path / "part-*.svm.gz", n_features=N_FEATURES, shards=20)
    assert caught.value.code == "cluster.source"
    assert caught.value.fields["file"].endswith("part-17.svm.gz")


def test_files_without_a_row_are_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.svm").write_text("\n\n")
    with pytest.raises(SourceError, match="not a single row"):
        train(tmp_path / "empty.svm", n_features=N_FEATURES)


def test_shards_that_mean_different_things_by_their_labels_are_refused(tmp_path: Path) -> None:
    for number, other in enumerate(("1", "-1", "0")):
        (tmp_path / f"part-{number}.svm").write_text("1 0:1\n" * 1500 + f"{other} 1:1\n" * 9)
    with pytest.raises(LabelError, match="some shards have the labels -1 and 1, others 0 and 1"):
        train(tmp_path / "part-*.svm", "perceptron", n_features=N_FEATURES, shards=3)


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"learner": "modified_balanced_winnow"}, "cannot be combined after .*: there is no rule"),
        ({"learner": "sparse_network"}, "cannot be combined after .*: there is no rule"),
        ({"vocabulary": True}, "shards find columns by hashing"),
        ({"epochs": 0}, "passes"),
        ({"shards": 0}, "shards"),
        ({"format": "parquet"}, "part"),
    ],
)
def test_what_shards_cannot_do_is_refused(tmp_path: Path, settings: Any, what: str) -> None:
    with pytest.raises(ThresherError, match=what):
        train(written(tmp_path, 20), **settings)


def test_a_learner_that_was_made_is_not_changed(tmp_path: Path) -> None:
    made = th.Perceptron(n_features=N_FEATURES)
    model = train(written(tmp_path, 60), made, shards=2)
    assert made.n_rounds == 0
    assert model.learner.n_rounds == 60
    assert not np.any(made.dual)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), "soon", True])
def test_a_deadline_is_a_time_that_ends(tmp_path: Path, seconds: Any) -> None:
    with pytest.raises(ParameterError, match="deadline must be a number of seconds above 0"):
        train(written(tmp_path, 20), "perceptron", n_features=N_FEATURES, deadline=seconds)


def test_an_interrupt_while_workers_are_started_ends_the_run_before_they_work(
    tmp_path: Path,
) -> None:
    class Interrupting(InProcess):
        def submit(self, name: str, function: Callable[..., Any], *args: Any) -> Any:
            run.interrupt()
            return super().submit(name, function, *args)

    request = TrainingRequest(
        data=InputData.described(written(tmp_path, 20), n_features=N_FEATURES),
        learner=LearnerChoice.parse("perceptron"),
    )
    run = ClusterTraining(request, Interrupting())
    assert list(run)[-1] == Stopped(0, False)


def test_what_is_noticed_in_the_data_is_told_as_on_one_machine(tmp_path: Path) -> None:
    # The third column has no name.
    (tmp_path / "a.csv").write_text("label,a,\n" + "x,1,5\ny,2,6\n" * 30)
    told = []
    for learn in (th.train, train):
        events: list[Any] = []
        learn(tmp_path / "a.csv", "arow", on_event=events.append)
        told.append([event.text for event in events if isinstance(event, Warned)])
    assert told[0] == told[1]
    assert "column 3 has no name" in told[0][0]
