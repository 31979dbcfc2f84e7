"""A search for counter-examples that was stopped or killed goes on, to the same bits."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import thresher as th
from tests.cluster.data import N_FEATURES
from tests.cluster.test_counterexamples import files_of, separable
from thresher.cluster import train
from thresher.cluster.counterexamples import CounterexampleTraining
from thresher.cluster.engine import InProcess
from thresher.cluster.events import RoundFinished, ShardLearned
from thresher.cluster.exact import ExactTraining
from thresher.errors import RequestError, ResumeError, StreamFaultError
from thresher.models.choice import LearnerChoice
from thresher.models.file import load_model, model_bytes
from thresher.models.input_data import InputData
from thresher.models.training_request import TrainingRequest


def begun(
    files: Any, path: Path, learner: str = "perceptron", *, shards: int = 3, **more: Any
) -> CounterexampleTraining:
    """A run that goes on if there is a model already."""
    again = path.exists()
    request = TrainingRequest(
        data=InputData.described(files, n_features=N_FEATURES),
        learner=None if again else LearnerChoice.parse(learner),
        save_to=str(path),
        resume=str(path) if again else None,
        **more,
    )
    return CounterexampleTraining(request, InProcess(seed=2), n_shards=shards)


def bits(path: Path) -> bytes:
    """A model without the name of the folder that it is in."""
    model = load_model(path)
    (training,) = model.history
    sources = tuple(replace(one, name=Path(one.name).name) for one in training.sources)
    history = (replace(training, sources=sources),)
    return model_bytes(replace(model, history=history))


def same_runs(one: CounterexampleTraining, other: CounterexampleTraining) -> bool:
    names = ("rounds", "sent", "scored", "bytes_out", "bytes_back", "consistent", "allowed")
    return all(getattr(one, name) == getattr(other, name) for name in names)


LEARNERS = ["perceptron", "p_norm_perceptron", "signed_winnow:eta=1/8", "perceptron:margin=0.5"]


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_search_that_is_stopped_again_and_again_ends_in_the_same_bits(
    tmp_path: Path, learner: str
) -> None:
    files = files_of(tmp_path, separable(80, 0), separable(60, 1), separable(50, 2))
    (tmp_path / "whole").mkdir()
    whole = begun(files, tmp_path / "whole" / "m.thr", learner)
    for _ in whole:
        pass
    path, starts = tmp_path / "m.thr", 0
    while True:
        run = begun(files, path, learner)
        heard = 0
        for event in run:
            heard += isinstance(event, RoundFinished | ShardLearned)
            if heard == 5:
                run.stop()
        starts += 1
        if run.finished:
            break
        assert not load_model(path).history[0].finished
    assert starts > 3
    assert bits(path) == bits(tmp_path / "whole" / "m.thr")
    assert same_runs(run, whole)
    examples = (tmp_path / "m.examples.svm").read_bytes()
    assert examples == (tmp_path / "whole" / "m.examples.svm").read_bytes()
    alone = th.train([tmp_path / "m.examples.svm", *files], learner, n_features=N_FEATURES)
    found = load_model(path)
    assert model_bytes(replace(found, history=())) == model_bytes(replace(alone, history=()))


KILLED = """
import json, os, signal, sys
from pathlib import Path
import thresher.cluster.counterexamples, thresher.cluster.exact
from tests.cluster.test_resumed_search import begun
files, path, after = json.loads(sys.argv[1])
# Saved as often as can be, so that a kill may hit any state that is ever saved.
thresher.cluster.counterexamples.SAVE_AFTER = thresher.cluster.exact.SAVE_AFTER = -1.0
for number, event in enumerate(begun(files, Path(path))):
    if number == after:
        os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_driver_that_is_killed_in_search_and_play_leaves_what_can_be_gone_on_with(
    tmp_path: Path,
) -> None:
    files = files_of(tmp_path, separable(60, 0), separable(50, 1))
    (tmp_path / "whole").mkdir()
    for _ in begun(files, tmp_path / "whole" / "m.thr"):
        pass
    path = tmp_path / "m.thr"
    killed = 0
    for after in (9, 24, 40, 200):
        given = json.dumps([files, str(path), after])
        done = subprocess.run([sys.executable, "-c", KILLED, given], check=False, timeout=60)
        killed += done.returncode == -signal.SIGKILL
        assert done.returncode in (0, -signal.SIGKILL)
        assert not [name for name in os.listdir(tmp_path) if "tmp" in name and "m." in name]
        if not done.returncode:
            break
    assert killed >= 2
    if not load_model(path).history[0].finished:
        for _ in begun(files, path):
            pass
    assert bits(path) == bits(tmp_path / "whole" / "m.thr")


def stopped(files: list[str], path: Path, after: int = 6, **more: Any) -> None:
    """A model whose search was stopped."""
    run = begun(files, path, **more)
    heard = 0
    for event in run:
        heard += isinstance(event, RoundFinished)
        if heard == after:
            run.stop()
    assert not run.finished


def test_tables_go_on_with_the_journal_alone(tmp_path: Path) -> None:
    """Their rows are no lines that stand for themselves, so that no file of examples is written."""
    lines = ["label,hue,size"]
    lines += [f"{'yx'[n % 12 % 2]},h{n % 12},{(n * 7) % 5}" for n in range(60)]
    for number in range(2):
        (tmp_path / f"part-{number}.csv").write_text("\n".join(lines) + "\n")
    files = [str(tmp_path / f"part-{number}.csv") for number in range(2)]
    (tmp_path / "whole").mkdir()
    whole = begun(files, tmp_path / "whole" / "m.thr", shards=2)
    for _ in whole:
        pass
    assert whole.rounds > 4
    path = tmp_path / "m.thr"
    stopped(files, path, after=3, shards=2)
    run = begun(files, path, shards=2)
    for _ in run:
        pass
    assert bits(path) == bits(tmp_path / "whole" / "m.thr")
    assert same_runs(run, whole)


def test_what_was_not_interrupted_in_this_search_is_not_gone_on_with(tmp_path: Path) -> None:
    files, path = files_of(tmp_path, separable(60, 0), separable(50, 1)), tmp_path / "m.thr"
    stopped(files, path)
    with pytest.raises(ResumeError, match=r"m\.thr was interrupted while it learned from"):
        begun(files[:1], path)
    with pytest.raises(ResumeError, match="in 4 parts"):
        begun(files, path, shards=5)
    for mode, said in (("mixing", "while it searched for counter-examples"), ("exact", "mode")):
        with pytest.raises(ResumeError, match=said):
            train(files, resume=path, mode=mode, shards=3, n_features=N_FEATURES)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="passes="):
        begun(files, path, passes=2)
    examples = tmp_path / "m.examples.svm"
    examples.write_bytes(examples.read_bytes()[:-7])
    with pytest.raises(ResumeError, match=r"m\.examples\.svm does not have them"):
        begun(files, path)
    examples.unlink()
    with pytest.raises(ResumeError, match=r"m\.examples\.svm does not have them"):
        begun(files, path)
    for other in (
        th.train(files, "perceptron", n_features=N_FEATURES, save_to=path),
        train(files, "perceptron", n_features=N_FEATURES, save_to=path, mode="exact"),
    ):
        assert other.history[0].finished
        with pytest.raises(ResumeError, match="begins with nothing"):
            begun(files, path)


def test_a_row_with_a_weight_that_nothing_comes_of_is_named_by_file_and_line(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.vw"
    path.write_text("1 | a b\n-1 | c\n" * 20 + "1 2.5 | a\n" + "-1 | c d\n" * 40)
    said = []
    works: tuple[Callable[[], object], ...] = (
        lambda: th.train(path, "elimination", n_features=64),
        lambda: train(path, "elimination", n_features=64, mode="exact", shards=2),
        lambda: train(path, "elimination", n_features=64, mode="counterexamples", shards=2),
    )
    for work in works:
        with pytest.raises(StreamFaultError, match=r"a\.vw:41: this row has importance 2\.5") as e:
            work()
        said.append(str(e.value))
    assert len(set(said)) == 1


class OneByOne:
    """Lets one worker play one shard."""

    def plan(self, workers: int, left: int) -> list[int]:
        return [1]

    def note(self, shards: int, changed: int, seconds: float, waited: float) -> None:
        """Nothing to learn."""


@pytest.mark.parametrize(
    ("first", "second", "negative"),
    [("ham", "spam", "ham"), ("spam", "ham", "ham"), ("ham eggs spam", "ham spam", None)],
)
def test_the_name_of_the_negative_label_outlives_an_interruption(
    tmp_path: Path, first: str, second: str, negative: str | None
) -> None:
    """Labels of the first shard alone, then of the second: what counts as -1 is told by both."""
    # As long as one another, so that each file is a shard.
    lines = {"ham": "ham | aaaa", "eggs": "eggs | bbb", "spam": "spam | ccc"}
    files = []
    for number, labels in enumerate((first, second)):
        text = "".join(f"{lines[label]}\n" for label in (labels.split() * 60)[:60])
        (tmp_path / f"part-{number}.vw").write_text(text)
        files.append(str(tmp_path / f"part-{number}.vw"))
    path = tmp_path / "m.thr"
    asked: dict[str, Any] = {"mode": "exact", "shards": 2, "save_to": path}
    reading: dict[str, Any] = {"positive": "spam", "n_features": 64}

    request = TrainingRequest(
        data=InputData.described(files, **reading),
        learner=LearnerChoice.parse("perceptron"),
        save_to=str(path),
    )
    run = ExactTraining(request, InProcess(), n_shards=2, pace=OneByOne())
    for event in run:
        if isinstance(event, ShardLearned):
            run.stop()
    assert [source.passes for source in load_model(path).history[0].sources] == [1, 0]
    model = train(files, resume=path, **asked, **reading)
    whole = th.train(files, "perceptron", **reading)
    assert model.labels == whole.labels
    assert model.labels.negative == negative
    assert load_model(path).history[0].labels_seen is None
