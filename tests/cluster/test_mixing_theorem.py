from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scripts.mixing_evidence import allowed, learner_for, mistakes_of, orthonormal_ratio, random_run
from tests.cluster.data import N_FEATURES, written
from thresher.cluster import hindsight
from thresher.cluster import train as train_apart
from thresher.cluster.engine import InProcess
from thresher.cluster.training import ClusterTraining
from thresher.models.choice import LearnerChoice
from thresher.models.input_data import InputData
from thresher.models.train import train
from thresher.models.training_request import TrainingRequest
from thresher.theory import quantities


def test_no_run_with_noise_exceeds_the_theorem_and_the_lie_is_caught() -> None:
    random = np.random.default_rng(7)
    checked = caught = 0
    while checked < 150:
        run = random_run(random)
        most = allowed(run, run.epochs)
        if most < 0:
            continue
        made = mistakes_of(learner_for(run), run.shards, run.epochs)
        assert made <= most, run
        # The losses of one epoch, where they come back in each, promise what does not hold.
        caught += made > allowed(run, 1)
        checked += 1
    assert caught


@pytest.mark.parametrize("shards", [2, 4])
@pytest.mark.parametrize("level", [1, 3])
def test_shards_alike_reach_the_bound(shards: int, level: int) -> None:
    assert orthonormal_ratio(20, shards, level) == 1.0


def run_of(
    files: str, learner: str, epochs: int, shards: int = 3, resume: str | None = None
) -> ClusterTraining:
    request = TrainingRequest(
        data=InputData(paths=(files,), n_features=None if resume else N_FEATURES),
        learner=None if resume else LearnerChoice.parse(learner),
        passes=epochs,
        resume=resume,
    )
    run = ClusterTraining(request, InProcess(), n_shards=shards)
    for _ in run:
        pass
    return run


@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize(
    "learner",
    [
        "perceptron",
        "perceptron:bias=true",
        "p_norm_perceptron",
        "winnow:threshold=8,beta=1/4",
        "signed_winnow:eta=1/8",
        "normalized_winnow:eta=1/8",
    ],
)
def test_a_run_says_what_the_theorem_allows_it(
    tmp_path_factory: pytest.TempPathFactory, learner: str, noise: float
) -> None:
    files = written(tmp_path_factory.mktemp("rows"), 80, 80, noise=noise)
    run = run_of(files, learner, 4)
    assert run.theorem is not None
    assert run.theorem.shards == 3
    assert run.learner.mistakes <= run.theorem.max_mistakes()


def test_the_losses_are_those_of_all_epochs(tmp_path_factory: pytest.TempPathFactory) -> None:
    # On shards that a comparator fits badly, the bound grows as the mistakes do.
    files = written(tmp_path_factory.mktemp("rows"), 60, 60, noise=0.4)
    few, many = (run_of(files, "perceptron", epochs) for epochs in (2, 30))
    assert few.theorem is not None
    assert many.theorem is not None
    assert few.learner.mistakes <= few.theorem.max_mistakes()
    assert many.learner.mistakes <= many.theorem.max_mistakes()
    # The planted lie: what one epoch loses, for a run of thirty.
    once = many.theorem.sequential.loss / 30
    lie = type(many.theorem)(
        sequential=type(many.theorem.sequential)(
            **{**many.theorem.sequential.measured(), "loss": once}  # type: ignore[arg-type]
        ),
        shards=3,
    )
    assert many.learner.mistakes > lie.max_mistakes()


@pytest.mark.parametrize(
    ("learner", "epochs"), [("arow", 3), ("perceptron", 1), ("perceptron:margin=1", 3)]
)
def test_nothing_is_said_where_no_theorem_speaks(
    tmp_path_factory: pytest.TempPathFactory, learner: str, epochs: int
) -> None:
    files = written(tmp_path_factory.mktemp("rows"), 60)
    assert run_of(files, learner, epochs).theorem is None


def test_nobody_waits_for_what_a_winnow_of_many_features_is_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []

    def exactly(value: Any) -> Fraction:
        made.append(value)
        return Fraction(value)

    monkeypatch.setattr(quantities, "exactly", exactly)
    files = written(tmp_path, 60)
    # Nearly all weights are the first one, and only the others take work.
    train_apart(files, "winnow", epochs=2, shards=3, n_features=2**18)
    assert 10 < len(made) < 10_000
    made.clear()
    monkeypatch.setattr(hindsight, "MOST_DIFFERENT", 1)
    train_apart(files, "winnow", epochs=2, shards=3, n_features=2**18)
    assert not made


def test_nothing_is_said_of_a_learner_that_knew_something_before(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    files = written(folder, 60)
    train(files, "perceptron", n_features=N_FEATURES, save_to=folder / "m.thr")
    assert run_of(files, "", 3, resume=str(folder / "m.thr")).theorem is None


def test_the_hinge_theorem_says_nothing_of_a_p_norm_perceptron_with_a_margin(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    files = written(tmp_path_factory.mktemp("thick"), 90)
    assert run_of(files, "p_norm_perceptron:p=3", 2).theorem is not None
    assert run_of(files, "p_norm_perceptron:p=3,margin=5", 2).theorem is None


@pytest.mark.parametrize("size", [1e90, 1e13, 1e-50])
def test_high_powers_of_large_and_small_values_are_measured(
    tmp_path_factory: pytest.TempPathFactory, size: float
) -> None:
    file = tmp_path_factory.mktemp("sizes") / "a.svm"
    file.write_text(f"1 0:{size}\n0 0:{size} 1:{size}\n0 1:{size}\n" * 20)
    run = run_of(str(file), "p_norm_perceptron:p=32", 2)
    assert run.theorem is not None
    radius = float(run.theorem.sequential.radius_squared)  # type: ignore[union-attr]
    assert radius == pytest.approx(2 ** (2 / 32) * size**2, rel=1e-6, abs=0)
    assert run.learner.mistakes <= run.theorem.max_mistakes()
