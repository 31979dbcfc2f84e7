from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.cluster.data import N_FEATURES, written
from thresher.cluster import train
from thresher.cluster.counterexamples import CounterexampleTraining
from thresher.cluster.engine import InProcess
from thresher.cluster.events import RoundFinished
from thresher.errors import BadLineError, ParameterError, RequestError
from thresher.models.choice import LearnerChoice
from thresher.models.file import model_bytes
from thresher.models.input_data import InputData
from thresher.models.training_request import TrainingRequest


def separable(n: int, seed: int, margin: float = 0.4) -> list[str]:
    """svmlight rows that a linear target tells apart."""
    random = np.random.default_rng(seed)
    target = np.random.default_rng(1).normal(size=N_FEATURES)
    lines: list[str] = []
    while len(lines) < n:
        on = np.sort(random.choice(N_FEATURES, 6, replace=False))
        if abs(score := target[on].sum()) > margin:
            lines.append(f"{int(score > 0)} " + " ".join(f"{i}:1" for i in on))
    return lines


def files_of(folder: Path, *parts: list[str]) -> list[str]:
    found = []
    for number, lines in enumerate(parts):
        path = folder / f"part-{number}.svm"
        path.write_text("".join(f"{line}\n" for line in lines))
        found.append(str(path))
    return found


def searched(
    files: Any, learner: str = "perceptron", *, shards: int = 3, rounds: int = 10_000, **more: Any
) -> CounterexampleTraining:
    """A run to its end, with the events that it told."""
    save_to = more.pop("save_to", None)
    request = TrainingRequest(
        data=InputData.described(files, n_features=N_FEATURES, **more),
        learner=LearnerChoice.parse(learner),
        save_to=save_to,
    )
    run = CounterexampleTraining(request, InProcess(seed=4), n_shards=shards, rounds=rounds)
    told = [event for event in run if isinstance(event, RoundFinished)]
    assert sum(event.sent for event in told) == run.sent
    assert sum(event.learned for event in told) == len(run.examples)
    # In every round but the last, the first row that was sent was learned from.
    assert all(event.learned >= (event.sent > 0) for event in told)
    assert len(told) == run.rounds <= len(run.examples) + 1
    assert run.sent <= len(run.shares) * len(run.examples)
    return run


LEARNERS = ["perceptron", "p_norm_perceptron", "signed_winnow:eta=1/8", "perceptron:margin=0.5"]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("shards", [1, 2, 5])
def test_on_separable_rows_it_ends_with_a_learner_that_gets_all_of_them_right(
    tmp_path: Path, learner: str, shards: int
) -> None:
    parts = [separable(80, 0), separable(60, 1), separable(70, 2)]
    files = files_of(tmp_path, *parts)
    run = searched(files, learner, shards=shards)
    assert run.consistent is True
    assert run.model.test(files).mistakes == 0
    assert run.learner.n_rounds == len(run.examples) + 210


@pytest.mark.parametrize("learner", LEARNERS)
def test_the_model_is_that_of_one_machine_on_the_examples_and_then_the_files(
    tmp_path: Path, learner: str
) -> None:
    files = files_of(tmp_path, separable(80, 0), separable(60, 1))
    run = searched(files, learner, save_to=str(tmp_path / "m.thr"))
    assert run.examples_file == str(tmp_path / "m.examples.svm")
    alone = th.train([run.examples_file, *files], learner, n_features=N_FEATURES)
    assert model_bytes(replace(run.model, history=())) == model_bytes(replace(alone, history=()))
    assert alone.history[0].sources[0] == run.model.history[0].sources[0]


def test_a_certificate_says_that_the_mistakes_are_within_the_bound_and_all_rows_right(
    tmp_path: Path,
) -> None:
    files = files_of(tmp_path, separable(80, 0), separable(60, 1), separable(50, 2))
    run = searched(files, save_to=str(tmp_path / "m.thr"))
    assert run.allowed is not None
    assert len(run.examples) <= run.allowed.mistakes
    stream = th.Batch.joined([read(run.examples_file), *map(read, files)])
    certificate = th.certify(run.learner, stream)
    assert certificate.mistakes == len(run.examples)
    assert certificate.allowed is not None
    assert certificate.allowed >= certificate.mistakes
    # All mistakes are in the examples, so that there are none in the files.
    journal = run.learner.journal
    assert journal is not None
    assert journal.round_number.tolist() == list(range(len(run.examples)))
    assert th.verify(certificate, stream).holds
    # A row that the learner gets wrong is noticed.
    worse = replace(stream, label=np.concatenate((stream.label[:-1], -stream.label[-1:])))
    assert not th.verify(certificate, worse).holds


def read(path: str | None) -> th.Batch:
    rows: list[dict[int, float]] = []
    labels = []
    for line in Path(str(path)).read_text().splitlines():
        label, *features = line.split()
        rows.append({int(f.partition(":")[0]): float(f.partition(":")[2]) for f in features})
        labels.append(int(label))
    return th.Batch.of(rows, labels)


@settings(max_examples=20, deadline=None)
@given(
    lines=st.lists(
        st.tuples(st.booleans(), st.sets(st.integers(0, 5), max_size=4)), min_size=1, max_size=30
    ),
    shards=st.integers(1, 6),
    rounds=st.integers(1, 25),
    learner=st.sampled_from(["perceptron", "winnow:threshold=3", "elimination", "conjunction"]),
)
def test_whatever_the_rows_it_ends_and_tells_the_truth(
    tmp_path_factory: Any,
    lines: list[tuple[bool, set[int]]],
    shards: int,
    rounds: int,
    learner: str,
) -> None:
    text = [f"{int(y)} " + " ".join(f"{i}:1" for i in sorted(x)) for y, x in lines]
    files = files_of(tmp_path_factory.mktemp("stream"), text)
    run = searched(files, learner, shards=shards, rounds=rounds)
    assert run.rounds <= rounds
    assert run.learner.mistakes == len(run.examples)
    wrong = run.model.test(files).mistakes
    assert wrong == 0 if run.consistent else run.rounds == rounds


def test_rows_that_contradict_each_other_end_with_the_rounds(tmp_path: Path) -> None:
    files = files_of(tmp_path, ["1 0:1", "0 0:1"])
    run = searched(files, shards=2, rounds=7)
    assert (run.consistent, run.rounds, len(run.examples)) == (False, 7, 7)
    assert [source.name for source in run.model.history[0].sources] == ["counter-examples"]


def test_one_row_an_empty_file_and_a_stream_of_mistakes_are_searched(tmp_path: Path) -> None:
    assert searched(files_of(tmp_path, ["0 3:1"]), shards=4).learner.mistakes == 1
    files = files_of(tmp_path, ["0 3:1", "1 2:1"], [], ["0 4:1"])
    assert searched(files, shards=3).consistent
    wrong = [f"0 {i}:1" for i in range(40)]
    run = searched(files_of(tmp_path, wrong), shards=1)
    assert (run.rounds, run.sent, len(run.examples)) == (41, 40, 40)


def test_packed_files_and_bad_lines_are_read_as_on_one_machine(tmp_path: Path) -> None:
    lines = separable(60, 0)
    lines.insert(30, "0 nothing")
    text = "".join(f"{line}\n" for line in lines).encode()
    (tmp_path / "a.svm.gz").write_bytes(gzip.compress(text))
    files = [str(tmp_path / "a.svm.gz"), *files_of(tmp_path, separable(40, 1))]
    run = searched(files, on_bad="skip", save_to=str(tmp_path / "m.thr"))
    assert run.consistent
    assert run.bad.count == 1
    alone = th.train([str(run.examples_file), *files], "perceptron", n_features=64, on_bad="skip")
    assert run.learner == alone.learner
    with pytest.raises(BadLineError, match=r"a\.svm\.gz:31: found"):
        searched(files)


def test_a_search_goes_on_where_the_last_one_ended(tmp_path: Path) -> None:
    lines = ["1 0:1"] * 3000 + ["0 1:1", "0 2:1", "0 3:1"]
    run = searched(files_of(tmp_path, lines), shards=1)
    assert run.rounds == 4
    # The parts of a small share are one, which is searched from its start.
    assert run.scored == 3001 + 3002 + 3003 + 3003


def test_parts_before_the_last_place_are_searched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = files_of(tmp_path, separable(80, 0), separable(60, 1))
    monkeypatch.setattr("thresher.cluster.counterexamples.USUAL_BLOCK", 300)
    run = searched(files, shards=2)
    assert [len(share) for share in run.shares] == [len(run.shards) // 2] * 2
    assert len(run.shares[0]) > 5
    assert run.consistent
    assert run.model.test(files).mistakes == 0


def test_the_same_shards_send_the_same_rows_whoever_searches_first(tmp_path: Path) -> None:
    files = written(tmp_path, 60, 60, noise=0.0)
    asked: dict[str, Any] = {"n_features": N_FEATURES, "shards": 4, "mode": "counterexamples"}
    models = [
        train(files, "perceptron", client=InProcess(seed=seed), **asked) for seed in (1, 2, 3)
    ]
    assert len({model_bytes(model) for model in models}) == 1


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    files = files_of(tmp_path, ["0 3:1"])
    asked: dict[str, Any] = {"n_features": 8, "mode": "counterexamples"}
    with pytest.raises(RequestError, match="passes= is not for learning from counter-examples"):
        train(files, "perceptron", epochs=2, **asked)
    with pytest.raises(RequestError, match="cannot be played ahead"):
        train(files, "arow", **asked)
    with pytest.raises(ParameterError, match="mode must be"):
        train(files, "perceptron", n_features=8, mode="other")  # type: ignore[arg-type]
