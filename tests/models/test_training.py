"""Training as programs ask for it; what the command says of it is tested with the commands."""

from __future__ import annotations

import copy
import pickle
import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from blake3 import blake3

import thresher as th
from tests.cli.class_streams import COLOURS, class_rows
from tests.cli.running import run
from tests.models.training_runs import asked, stopped_after
from thresher.errors import BadLineError, ModelFileError, UnknownLearnerError
from thresher.models.events import (
    Finished,
    InputOpened,
    LabelNeverSeen,
    LabelsDecided,
    PassFinished,
    PointReached,
    Progressed,
    Refuted,
    Saved,
    Stopped,
    TrainingEvent,
    Warned,
)
from thresher.models.file import load_model, save_model
from thresher.models.history import Source, Training
from thresher.theory import Disjunction

pytestmark = pytest.mark.usefixtures("training_folder")


def kinds(events: Iterator[TrainingEvent] | list[TrainingEvent]) -> list[str]:
    """The kinds of events in order, each once where several come in a row."""
    return [kind for kind, _ in groupby(type(event).__name__ for event in events)]


# ---- the same model as the command writes ----------------------------------------------


@pytest.mark.parametrize(
    ("words", "settings"),
    [
        ("a.svm b.svm", {}),
        ("a.svm --learner winnow:beta=1/2 --features 30", {"n_features": 30}),
        ("a.svm --passes 3 --holdout 7", {"passes": 3, "holdout": 7}),
        ("a.svm --calibrate platt --seed 3", {"calibrate": "platt", "seed": 3}),
        ("a.svm --vocabulary --learner arow", {"vocabulary": True}),
        ("a.svm --no-journal", {"journal": False}),
        ("colours.svm --bits 6", {"n_features": 64}),
        ("colours.vw --learner multiclass_perceptron", {}),
        ("colours.vw --positive red", {"positive": "red"}),
        ("a.svm --multiclass", {"multiclass": True}),
        (
            "mail.tsv --format text --words 1-2 --positive spam",
            {"format": "text", "words": (1, 2), "positive": "spam"},
        ),
    ],
)
def test_a_program_gets_the_model_that_the_command_writes(
    words: str, settings: dict[str, Any]
) -> None:
    assert run("train", *words.split(), "-o", "command.thr").exit_code == 0
    listed = shlex.split(words)
    learner = listed[listed.index("--learner") + 1] if "--learner" in listed else None
    paths = [word for word in listed if word.endswith(("svm", "vw", "tsv"))]
    model = th.train(paths, learner, save_to="program.thr", **settings)
    by_command = load_model("command.thr")
    (training,) = by_command.history
    assert training.command == f"thresher train {words} -o command.thr"
    (ours,) = model.history
    assert ours == replace(training, command=None)
    save_model(
        replace(by_command, history=(ours,)), "same.thr", journal=settings.get("journal", True)
    )
    assert Path("program.thr").read_bytes() == Path("same.thr").read_bytes()
    assert load_model("program.thr").learner.n_rounds == model.learner.n_rounds > 0


def test_paths_may_be_one_a_pattern_or_several() -> None:
    both = th.train(["a.svm", Path("b.svm")])
    assert th.train("[ab].svm").learner == both.learner
    assert th.train(Path("a.svm")).learner.n_rounds == 300


def test_a_recipe_is_the_same_as_its_fields() -> None:
    recipe = th.Recipe(format="text", text=th.NGrams(words=(1, 2)))
    by_fields = th.train("mail.tsv", format="text", words=(1, 2), positive="spam")
    model = th.train("mail.tsv", recipe=recipe, positive="spam")
    assert model.learner == by_fields.learner
    assert model.recipe == by_fields.recipe


def test_a_copy_of_a_learner_that_was_made_learns() -> None:
    mine = th.Winnow(n_features=30, beta=0.5)
    model = th.train("a.svm", mine)
    assert mine.n_rounds == 0
    assert model.learner == th.train("a.svm", "winnow:beta=1/2", n_features=30).learner
    each = th.train("colours.svm", th.Committee(64))
    assert each.learner == th.train("colours.svm", n_features=64).learner


def test_nothing_is_said_and_nothing_written_unless_asked_for(
    training_folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    before = sorted(training_folder.iterdir())
    th.train("a.svm", passes=2, holdout=3)
    assert capfd.readouterr() == ("", "")
    assert sorted(training_folder.iterdir()) == before


@pytest.mark.parametrize("passes", [1, 3])
def test_the_history_says_what_was_read_and_how_often(passes: int) -> None:
    (training,) = th.train(["a.svm", "b.svm"], passes=passes).history
    assert training == Training(
        version=th.__version__,
        sources=tuple(
            Source(
                name=name,
                rows=passes * rows,
                n_bytes=Path(name).stat().st_size,
                blake3=blake3(Path(name).read_bytes()).hexdigest(),
                passes=passes,
            )
            for name, rows in (("a.svm", 300), ("b.svm", 250))
        ),
    )


@pytest.mark.parametrize("skip", [0, 7])
@pytest.mark.parametrize("holdout", [None, 3])
@pytest.mark.parametrize("positive", ["red", None])
def test_the_names_of_rows_that_may_have_changed_the_learner_are_kept(
    skip: int, holdout: int | None, positive: str | None
) -> None:
    settings: dict[str, Any] = {"skip_rows": skip, "holdout": holdout, "positive": positive}
    running = asked("colours.vw", None if positive is None else "perceptron", **settings)
    assert [*running]
    expected: Counter[str] = Counter()
    perceptron = th.Perceptron(2**18)
    for place, (label, on) in enumerate(class_rows(300), start=1):
        if place <= skip or (holdout is not None and place % holdout == 0):
            continue
        names, sign = [f"w{column}" for column in on], 1 if label == "red" else -1
        mistaken = perceptron.learn_one(dict.fromkeys(names, 1.0), sign) != sign
        # The learners of several classes may change in every round.
        expected.update(names if mistaken or positive is None else [])
    kept = running.model.kept
    assert kept is not None
    assert kept.updates() == expected


def test_names_of_learners_may_be_written_as_people_write_them() -> None:
    plain = th.train("a.svm", "balanced_winnow", n_features=30).learner
    for name in ("BalancedWinnow", "balanced-winnow", "BALANCED_WINNOW", "balancedwinnow"):
        assert th.train("a.svm", name, n_features=30).learner == plain
    with pytest.raises(UnknownLearnerError, match="Did you mean 'balanced_winnow'"):
        th.train("a.svm", "ballanced-Winnow")


def test_the_speed_is_counted_from_the_first_rows_on(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter(range(1000))
    monkeypatch.setattr("thresher.models.training.perf_counter", lambda: float(next(seconds)))
    running = asked("a.svm")
    assert running.rounds_per_second is None
    assert next(seconds) == 0
    assert [*running]
    assert running.rounds_per_second == 300.0


@pytest.mark.parametrize("path", ["/dev/stdout", "/dev/stderr", "/dev/full"])
def test_a_model_is_written_to_a_regular_file(path: str) -> None:
    with pytest.raises(ModelFileError, match=f"{path}: this is not a regular file"):
        th.train("a.svm", save_to=path)


def test_a_model_that_nobody_wants_goes_nowhere() -> None:
    assert th.train("a.svm", save_to="/dev/null").learner.n_rounds == 300


# ---- events ----------------------------------------------------------------------------


def test_events_come_in_the_order_of_what_happens() -> None:
    events: list[TrainingEvent] = []
    th.train("a.svm", save_to="m.thr", passes=2, holdout=10, on_event=events.append)
    assert kinds(events) == [
        "InputOpened", "LabelsDecided", "PointReached", "Progressed", "PassFinished",
        "PointReached", "Progressed", "PassFinished", "Saved", "Finished",
    ]  # fmt: skip
    assert events[0] == InputOpened(("a.svm",), "svmlight", 0)
    assert events[1] == LabelsDecided(False, "the default: it needs no tuning")
    points = [event.point for event in events if isinstance(event, PointReached)]
    assert [point.rounds for point in points] == [2**k for k in range(10)]
    assert [point.holdout_error is None for point in points] == [True] * 9 + [False]
    size = Path("a.svm").stat().st_size
    assert events[-4] == Progressed(600, 2 * size, 2 * size)
    assert events[-2:] == [Saved("m.thr", 600), Finished(600)]


def test_the_error_on_rows_held_out_is_that_of_the_model() -> None:
    running = asked(passes=2, holdout=10)
    found = [event for event in running if isinstance(event, PassFinished)]
    assert running.holdout is not None
    assert [event.number for event in found] == [1, 2]
    assert [event.holdout_error for event in found] == running.holdout.errors
    (batch,) = th.read("a.svm")
    wrong = running.model.learner.predict(batch) != batch.label
    assert found[1].holdout_error == np.mean(wrong[9::10])


@pytest.mark.parametrize("claim", ["disjunction:k=2", Disjunction(k=2, n=30)])
def test_a_claim_falls_in_its_round(claim: Any) -> None:
    events = [*asked(learner="winnow", n_features=30, claim=claim)]
    learner = th.Winnow(n_features=30)
    (batch,) = th.read("a.svm", n_features=30)
    at = learner.learn(batch, claim=Disjunction(k=2, n=30)).refuted_at
    (fell,) = (number for number, event in enumerate(events) if isinstance(event, Refuted))
    assert events[fell] == Refuted(at)  # type: ignore[arg-type]
    points = [event.point.rounds for event in events[:fell] if isinstance(event, PointReached)]
    later = [event.point.rounds for event in events[fell:] if isinstance(event, PointReached)]
    assert points[-1] <= at < later[0]  # type: ignore[operator]


def test_a_claim_that_stands_is_never_refuted() -> None:
    running = asked(learner="winnow", claim="disjunction:k=2,errors=1000")
    assert Refuted not in map(type, running)
    assert running.refuted_at is None
    assert running.allowed is not None
    assert running.allowed > running.learner.mistakes


def test_the_model_is_saved_on_the_way() -> None:
    saved = [
        (event.rows, load_model(event.path))
        for event in asked(save_to="m.thr", save_every=100)
        if isinstance(event, Saved)
    ]
    assert len(saved) == 3
    assert [model.learner.n_rounds for _, model in saved] == [rows for rows, _ in saved]
    assert [model.history[-1].finished for _, model in saved] == [False, False, True]


def test_a_run_happens_once() -> None:
    running = asked()
    assert len([*running]) > 3
    assert [*running] == []
    assert running.rows == 300


def test_a_label_that_no_row_has_is_an_event() -> None:
    events: list[TrainingEvent] = []
    th.train("colours.svm", positive="puce", on_event=events.append)
    assert LabelNeverSeen("puce", ("blue", "red", "green")) in events


# ---- stopping and resuming --------------------------------------------------------------


@pytest.mark.parametrize("paths", ["a.svm b.svm", "colours.svm", "colours.vw"])
@pytest.mark.parametrize(
    "settings", [{}, {"passes": 2, "holdout": 7}, {"learner": "arow"}], ids=str
)
@pytest.mark.parametrize("chunks", [1, 9])
def test_a_run_that_was_stopped_and_resumed_leaves_the_same_file(
    paths: str, settings: dict[str, Any], chunks: int
) -> None:
    events = stopped_after(asked(paths, save_to="m.thr", **settings), chunks)
    rows = load_model("m.thr").history[0].sources[0].rows
    assert kinds(events)[-3:] == ["Progressed", "Saved", "Stopped"]
    assert not load_model("m.thr").history[0].finished
    assert events[-1] == Stopped(rows, learned=True)
    opened, *_ = asked(paths, save_to="m.thr", resume="m.thr", **settings)
    assert isinstance(opened, InputOpened)
    assert opened.skip == rows
    assert [*asked(paths, save_to="whole.thr", **settings)]
    assert Path("m.thr").read_bytes() == Path("whole.thr").read_bytes()


def test_a_run_that_is_stopped_before_anything_new_leaves_the_file_alone() -> None:
    stopped_after(asked(save_to="m.thr"), 5)
    before = Path("m.thr").read_bytes()
    events = stopped_after(asked(save_to="m.thr", resume="m.thr"), 1)
    assert isinstance(events[-1], Stopped)
    assert not events[-1].learned
    assert Saved not in map(type, events)
    assert Path("m.thr").read_bytes() == before


def test_rows_that_weigh_more_leave_the_same_names_when_resumed() -> None:
    lines = [f"{1 if k % 3 else -1} {1 + k % 4} | w{k % 17} w{k % 5}\n" for k in range(200)]
    Path("w.vw").write_text("".join(lines))
    stopped_after(asked("w.vw", "perceptron", save_to="m.thr"), 3)
    assert [*asked("w.vw", save_to="m.thr", resume="m.thr")]
    th.train("w.vw", "perceptron", save_to="whole.thr")
    assert Path("m.thr").read_bytes() == Path("whole.thr").read_bytes()


def test_a_finished_model_learns_more() -> None:
    th.train("a.svm", save_to="m.thr")
    model = th.train("b.svm", resume="m.thr")
    assert model.learner == th.train(["a.svm", "b.svm"]).learner
    assert [training.sources[0].name for training in model.history] == ["a.svm", "b.svm"]


# ---- bad lines and several classes ------------------------------------------------------


def test_bad_lines_are_left_out_and_counted() -> None:
    lines = Path("a.svm").read_text().splitlines(keepends=True)
    Path("bad.svm").write_text("".join([*lines[:50], "1 1:x\n", *lines[50:], "1 :\n"]))
    running = asked("bad.svm", on_bad=("skip", None))
    assert [event.text[:26] for event in running if isinstance(event, Warned)] == [
        "2 bad lines were skipped, "
    ]
    assert running.bad_lines == 2
    assert running.model.learner == th.train("a.svm").learner
    with pytest.raises(BadLineError, match=r"bad\.svm:51: found '1:x'"):
        th.train("bad.svm")
    th.train("bad.svm", on_bad="quarantine", quarantine="q.txt")
    assert "1 1:x\n" in Path("q.txt").read_text()


def test_more_than_two_labels_are_as_many_classes() -> None:
    events: list[TrainingEvent] = []
    model = th.train("colours.svm", n_features=64, on_event=events.append)
    assert events[1] == LabelsDecided(True, "the default while all classes fit into 2 GiB")
    assert model.learner.plain_name == "committee for each class"
    assert sorted(map(str, model.learner.classes)) == sorted(COLOURS)
    assert model.labels.several


@pytest.mark.parametrize(
    ("name", "kept"),
    [("perceptron", True), ("arow", False), ("adagrad", False), ("passive_aggressive", False)],
)
def test_a_journal_that_would_hold_the_stream_is_kept_only_if_asked_for(
    name: str, kept: bool
) -> None:
    def length(journal: bool | None) -> int:
        found = th.train("a.svm", name, journal=journal).learner.journal
        return 0 if found is None else len(found)

    assert (length(None) > 0) == kept
    assert length(True) > 0
    assert length(False) == 0


def test_a_model_is_pickled_and_copied_with_its_names(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("spam\tfree cash\nham\tsee you\n" * 5)
    model = th.train(tmp_path / "a.tsv", format="text", positive="spam")
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        twin.save(tmp_path / "twin.thr")
        model.save(tmp_path / "model.thr")
        assert (tmp_path / "twin.thr").read_bytes() == (tmp_path / "model.thr").read_bytes()
        assert twin.summary() == model.summary()
