from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.cluster.data import N_FEATURES, rows, written
from thresher.cluster import train
from thresher.cluster.block_task import play_block
from thresher.cluster.engine import InProcess
from thresher.cluster.events import ShardLearned
from thresher.cluster.exact import ExactTraining
from thresher.errors import BadLineError, ClusterError, RequestError, ResumeError, SourceError
from thresher.models.choice import LearnerChoice
from thresher.models.file import load_model, model_bytes
from thresher.models.input_data import InputData
from thresher.models.training_request import TrainingRequest

LEARNERS = [
    "perceptron",
    "perceptron:bias=yes,margin=0.5",
    "perceptron:scaling=online",
    "p_norm_perceptron:margin=0.1",
    "winnow:threshold=8",
    "balanced_winnow",
    "signed_winnow:eta=1/8",
    "signed_winnow",
    "normalized_winnow:eta=1/8",
    "elimination",
]


class Several(InProcess):
    """Plays tasks in a random order, as if there were several workers."""

    def __init__(self, width: int, seed: int) -> None:
        super().__init__(seed)
        self.width = width


class Wild:
    """Plans waves at random."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def plan(self, workers: int, left: int) -> list[int]:
        """Some tasks of some shards."""
        sizes: list[int] = []
        while left and len(sizes) < workers:
            sizes.append(self._random.randint(1, left))
            left -= sizes[-1]
        return sizes

    def note(self, shards: int, changed: int, seconds: float, waited: float) -> None:
        """What there is to learn does not matter here."""


def played(
    files: Any,
    learner: str,
    *,
    passes: int = 1,
    shards: int | None = None,
    seed: int = 0,
    **more: Any,
) -> ExactTraining:
    """A run with three workers, to its end."""
    asked = {name: more.pop(name) for name in ("save_to", "resume", "journal") if name in more}
    request = TrainingRequest(
        data=InputData.described(files, n_features=N_FEATURES, **more),
        learner=LearnerChoice.parse(learner),
        passes=passes,
        **asked,
    )
    run = ExactTraining(request, Several(3, seed), n_shards=shards, pace=Wild(seed))
    for _ in run:
        pass
    return run


def bits(model: th.Model) -> bytes:
    """The model without what names files and shards."""
    return model_bytes(replace(model, history=()))


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_bits_are_those_of_one_machine(tmp_path: Path, learner: str) -> None:
    files = written(tmp_path, 200, 100, 60)
    alone = th.train(files, learner, n_features=N_FEATURES, passes=3)
    model = train(
        files,
        learner,
        n_features=N_FEATURES,
        epochs=3,
        shards=7,
        client=Several(3, 1),
        mode="exact",
    )
    assert bits(model) == bits(alone)
    assert model.history[0].shards is None
    assert sum(source.rows for source in model.history[0].sources) == 3 * 360


lines_of_a_stream = st.lists(
    st.tuples(st.booleans(), st.sets(st.integers(0, 7), max_size=4)), min_size=1, max_size=60
)


@settings(max_examples=60, deadline=None)
@given(
    lines=lines_of_a_stream,
    learner=st.sampled_from(LEARNERS),
    shards=st.integers(1, 9),
    seed=st.integers(0, 999),
    passes=st.integers(1, 3),
)
def test_no_stream_cut_or_plan_changes_a_bit(
    tmp_path_factory: Any,
    lines: list[tuple[bool, set[int]]],
    learner: str,
    shards: int,
    seed: int,
    passes: int,
) -> None:
    path = tmp_path_factory.mktemp("stream") / "a.svm"
    labels = {label for label, _ in lines}
    text = [f"{int(y)} " + " ".join(f"{i}:1" for i in sorted(x)) for y, x in lines]
    path.write_text("".join(f"{line}\n" for line in text))
    run = played(str(path), learner, passes=passes, shards=shards, seed=seed)
    alone = th.train(str(path), learner, n_features=N_FEATURES, passes=passes)
    assert bits(run.model) == bits(alone)
    assert run.syncs <= run.changes + run.blocks
    assert run.syncs <= run.blocks
    assert run.learner.mistakes == alone.learner.mistakes == sum(map(sum, run.mistakes))
    assert labels


def test_a_wave_counts_up_to_the_first_block_that_changes_something(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text("1 0:1\n" * 8 + "0 0:1\n" + "0 0:1\n" * 23)

    class All:
        def plan(self, workers: int, left: int) -> list[int]:
            return [1] * left

        def note(self, *seen: Any) -> None:
            noted.append(seen)

    noted: list[Any] = []
    request = TrainingRequest(
        data=InputData.described(str(path), n_features=4), learner=LearnerChoice.parse("perceptron")
    )
    run = ExactTraining(request, Several(8, 3), n_shards=8, pace=All())
    assert [event.shard for event in run if isinstance(event, ShardLearned)] == list(range(8))
    assert (run.syncs, run.blocks, run.in_vain, run.changes) == (2, 8, 5, 1)
    assert [seen[:2] for seen in noted] == [(3, 1), (5, 0)]


def test_names_and_labels_are_kept_as_on_one_machine(tmp_path: Path) -> None:
    path = tmp_path / "mail.jsonl"
    random = Random(2)
    with path.open("w") as file:
        for n in range(120):
            spam = random.random() < 0.4
            words = {f"w{random.randint(0, 30)}": 1 for _ in range(4)} | {f"n{n // 40}": 1}
            label = "spam" if spam else random.choice(["ham", "news"])
            file.write(json.dumps({"label": label, **words}) + "\n")
    asked: dict[str, Any] = {"positive": "spam", "n_features": 256}
    alone = th.train(path, "perceptron", passes=2, **asked)
    model = train(
        path, "perceptron", epochs=2, shards=6, client=Several(2, 5), mode="exact", **asked
    )
    assert bits(model) == bits(alone)
    assert model.kept is not None
    assert len(model.kept) > 20


def test_a_label_that_comes_late_means_what_it_means_on_one_machine(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    # The first chunk has one label alone.
    path.write_text("1 0:1\n" * 450_000 + "2 1:1\n" * 20 + "3 1:1\n" * 150_000)
    alone = th.train(path, "perceptron", n_features=N_FEATURES, on_bad="skip")
    run = played(str(path), "perceptron", shards=8, seed=4, on_bad="skip")
    assert bits(run.model) == bits(alone)


def test_a_third_label_is_refused_where_one_machine_refuses_it(tmp_path: Path) -> None:
    path = tmp_path / "a.svm"
    path.write_text("1 0:1\n" * 2000 + "2 1:1\n" * 20 + "3 0:1\n" * 20)
    with pytest.raises(BadLineError) as alone:
        th.train(path, "perceptron", n_features=N_FEATURES)
    with pytest.raises(BadLineError) as caught:
        played(str(path), "perceptron", shards=8)
    assert caught.value.what == alone.value.what


def test_bad_lines_are_accounted_for_as_on_one_machine(tmp_path: Path) -> None:
    text = [f"{line}\n" for line in rows(90, 0)]
    for at in (10, 40, 80):
        text.insert(at, f"bad {at}\n")
    path, ours, theirs = tmp_path / "a.svm", tmp_path / "ours.txt", tmp_path / "theirs.txt"
    path.write_text("".join(text))
    alone = th.train(
        path, "perceptron", n_features=N_FEATURES, passes=2, on_bad="quarantine", quarantine=theirs
    )
    run = played(
        str(path), "perceptron", passes=2, shards=5, seed=3, on_bad="quarantine", quarantine=ours
    )
    assert bits(run.model) == bits(alone)
    assert run.bad.count == 3
    assert ours.read_bytes() == theirs.read_bytes()
    with pytest.raises(BadLineError, match=r"a\.svm:11: found"):
        played(str(path), "perceptron", shards=5)


@pytest.mark.parametrize(
    ("name", "packed"),
    [("a.svm.gz", gzip.compress), ("a.svm", lambda text: text + b"\n" * 400)],
)
def test_files_that_cannot_be_cut_and_shards_without_rows_are_played(
    tmp_path: Path, name: str, packed: Callable[[bytes], bytes]
) -> None:
    text = "".join(f"{line}\n" for line in rows(60, 0)).encode()
    (tmp_path / name).write_bytes(packed(text))
    (tmp_path / "b.svm").write_text("".join(f"{line}\n" for line in rows(50, 1)))
    files = [str(tmp_path / name), str(tmp_path / "b.svm")]
    alone = th.train(files, "perceptron", n_features=N_FEATURES)
    assert bits(played(files, "perceptron", shards=9, seed=2).model) == bits(alone)


def test_a_file_without_rows_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_text("")
    with pytest.raises((SourceError, ClusterError)):
        played(str(tmp_path / "a.svm"), "perceptron")


@pytest.mark.parametrize("learner", ["arow", "adagrad", "committee", "passive_aggressive"])
def test_a_learner_that_may_change_in_any_round_is_refused_before_anything_is_read(
    tmp_path: Path, learner: str
) -> None:
    with pytest.raises(RequestError, match="cannot be played ahead on a cluster") as caught:
        train(written(tmp_path, 20), learner, n_features=N_FEATURES, mode="exact")
    assert caught.value.code == "request.not_conservative"


def test_who_asks_for_several_classes_is_told_where_they_are_learned(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_text("a 0:1\nb 1:1\nc 2:1\n" * 9)
    with pytest.raises(RequestError, match="only shards that are mixed learn them all"):
        train(tmp_path / "a.svm", "perceptron", n_features=4, mode="exact")


def test_a_run_that_is_stopped_in_a_pass_goes_on_there(tmp_path: Path) -> None:
    files, path = written(tmp_path, 120, 90), tmp_path / "m.thr"
    whole = th.train(files, "perceptron", n_features=N_FEATURES, passes=3)
    finished, starts = False, 0
    while not finished:
        request = TrainingRequest(
            data=InputData.described(files, n_features=N_FEATURES),
            learner=None if starts else LearnerChoice.parse("perceptron"),
            passes=3,
            save_to=str(path),
            resume=str(path) if starts else None,
        )
        run = ExactTraining(request, Several(2, starts), n_shards=6, pace=Wild(starts))
        for event in run:
            if isinstance(event, ShardLearned):
                # What is under way counts, and then it ends.
                run.stop()
        finished, starts = run.finished, starts + 1
        assert load_model(path).history[0].finished == finished
    assert starts > 4
    model = load_model(path)
    assert bits(model) == bits(whole)
    assert [source.passes for source in model.history[0].sources] == [3] * 7
    assert len(model.history) == 1


def test_other_data_or_shards_are_not_gone_on_with(tmp_path: Path) -> None:
    files, path = written(tmp_path, 60, 60), tmp_path / "m.thr"
    request = TrainingRequest(
        data=InputData.described(files, n_features=N_FEATURES),
        learner=LearnerChoice.parse("perceptron"),
        save_to=str(path),
    )
    run = ExactTraining(request, Several(2, 1), n_shards=4, pace=Wild(3))
    for event in run:
        if isinstance(event, ShardLearned):
            run.stop()
    if run.finished:
        pytest.fail("the run was to be stopped")
    again = replace(request, learner=None, resume=str(path))
    with pytest.raises(ResumeError, match="in 4 parts"):
        ExactTraining(again, Several(2, 1), n_shards=3)


def test_a_file_that_changes_between_passes_ends_the_run(tmp_path: Path) -> None:
    files = written(tmp_path, 60)
    request = TrainingRequest(
        data=InputData.described(files, n_features=N_FEATURES),
        learner=LearnerChoice.parse("perceptron"),
        passes=2,
    )
    run = ExactTraining(request, Several(1, 1), n_shards=1)
    text = (tmp_path / "part-0.svm").read_text()

    def change() -> None:
        for event in run:
            if isinstance(event, ShardLearned):
                (tmp_path / "part-0.svm").write_text(text.replace("0 ", "1 ", 1))

    with pytest.raises(ClusterError, match="its bytes are not those of the pass before"):
        change()


def test_a_worker_that_computes_something_else_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lie(*given: Any) -> Any:
        found: list[Any] = honest(*given)
        return [
            replace(one, counts=(one.counts[0], one.counts[1] + 1, *one.counts[2:]))
            for one in found
        ]

    honest = play_block
    monkeypatch.setattr("thresher.cluster.exact.play_block", lie)
    with pytest.raises(ClusterError, match="compute different numbers"):
        played(written(tmp_path, 30), "perceptron")
