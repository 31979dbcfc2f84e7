"""Certificates and verdicts on a Dask cluster, and by commands."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import thresher as th
from tests.cli.running import run
from tests.cluster.data import N_FEATURES, written
from tests.cluster.test_dask import workers
from tests.cluster.test_proving import SETTINGS, combined, here
from tests.cluster.test_proving_classes import with_classes
from thresher.cluster import certify, verify
from thresher.cluster.dask_engine import DaskEngine
from thresher.errors import ClusterError


class Deadly(DaskEngine):
    """Kills a worker after the first answer to each question."""

    def __init__(self, client: Any, cluster: Any) -> None:
        super().__init__(client)
        self._cluster, self.killed = cluster, 0

    def gather(self, tasks: Sequence[Any], seconds: float) -> Iterator[tuple[int, Any]]:
        for number, result in enumerate(super().gather(tasks, seconds)):
            if number == 0 and self.killed < 3:
                os.kill(workers(self._cluster)[self.killed % 2], signal.SIGKILL)
                self.killed += 1
            yield result


def test_workers_that_are_killed_change_no_letter(
    tmp_path: Path, cluster: Any, client: Any
) -> None:
    files = written(tmp_path, 100, 80)
    model = combined(files)
    certificate = certify(model, files)
    engine = Deadly(client, cluster)
    assert verify(certificate, files, client=engine, model=model) == here(
        certificate, tmp_path, model=model.learner
    )
    assert engine.killed == 3


def test_a_check_that_takes_too_long_names_a_shard(tmp_path: Path, client: Any) -> None:
    files = written(tmp_path, 100, 80)
    certificate = certify(combined(files), files)
    with pytest.raises(ClusterError, match=r"not done within .*shard") as caught:
        verify(certificate, files, client=client, deadline=1e-6)
    assert caught.value.code == "cluster.deadline"


def test_the_commands_say_on_a_cluster_what_they_say_without(tmp_path: Path, cluster: Any) -> None:
    place = ("--cluster", cluster.scheduler_address)
    features = ("--features", N_FEATURES)
    files, path = written(tmp_path, 300, 240), tmp_path / "m.thr"
    words = ("--passes", 2, "--shards", 3, "--learner", "perceptron")
    assert run("train", files, "-o", path, *features, *place, *words).exit_code == 0
    made = []
    more: tuple[str, ...]
    for more in ((), place):
        cert = tmp_path / f"run{len(more)}.json"
        result = run("certify", path, files, "-o", cert, *more)
        assert result.exit_code == 0, result.stderr
        assert "3 shards learned apart in 2 epochs" in result.stdout
        made.append((cert.read_text(), result.stdout))
    assert made[0] == made[1]
    cert = tmp_path / "run0.json"
    for more in ((), ("--json",), ("--reader", "streams"), ("--model", str(path)), ("-q",)):
        alone = run("verify", cert, files, *features, *more)
        apart = run("verify", cert, files, *features, *more, *place)
        assert (apart.exit_code, apart.stdout) == (alone.exit_code, alone.stdout) != (1, "")
        assert alone.exit_code == 0, alone.stdout
    lie = json.loads(cert.read_text())
    lie["mixing"]["mistakes"][1][2] += 1
    cert.write_text(json.dumps(lie))
    alone, apart = (run("verify", cert, files, *features, *more) for more in ((), place))
    assert alone.exit_code == apart.exit_code == 1
    assert alone.stdout == apart.stdout
    assert "DIFFERS   mistakes of shards in epoch 2" in apart.stdout


@pytest.mark.parametrize("classes", [2, 3])
def test_what_is_trained_without_a_word_about_learners_is_certified(
    tmp_path: Path, cluster: Any, classes: int
) -> None:
    place = ("--cluster", cluster.scheduler_address)
    features = ("--features", N_FEATURES)
    files, path = with_classes(tmp_path, classes), tmp_path / "m.thr"
    words = ("--passes", 2, "--shards", 3)
    assert run("train", files, "-o", path, *features, *place, *words).exit_code == 0
    made = []
    more: tuple[str, ...]
    for more in ((), place):
        cert = tmp_path / f"run{len(more)}.json"
        result = run("certify", path, files, "-o", cert, *more)
        assert result.exit_code == 0, result.stderr
        assert "3 shards learned apart in 2 epochs, combined by committee" in result.stdout
        made.append((cert.read_text(), result.stdout))
    assert made[0] == made[1]
    cert = tmp_path / "run0.json"
    for more in ((), ("--reader", "streams"), ("--model", str(path))):
        alone = run("verify", cert, files, *features, *more)
        apart = run("verify", cert, files, *features, *more, *place)
        assert (apart.exit_code, apart.stdout) == (alone.exit_code, alone.stdout)
        assert alone.exit_code == 0, alone.stdout
        assert "the claim holds" in alone.stdout
    lie = json.loads(cert.read_text())
    lie["mixing"]["mistakes"][1][2] += 1
    cert.write_text(json.dumps(lie))
    alone, apart = (run("verify", cert, files, *features, *more) for more in ((), place))
    assert alone.exit_code == apart.exit_code == 1
    assert alone.stdout == apart.stdout
    assert "DIFFERS   mistakes of shards in epoch 2" in apart.stdout


def test_an_ordinary_certificate_is_verified_on_a_cluster(tmp_path: Path, cluster: Any) -> None:
    place = ("--cluster", cluster.scheduler_address)
    files, cert = written(tmp_path, 900, 600), tmp_path / "run.json"
    words = ("--learner", "perceptron", "--features", N_FEATURES, "-o", cert)
    assert run("certify", *sorted(tmp_path.glob("part-*")), *words).exit_code == 0
    alone = run("verify", cert, files, "--features", N_FEATURES)
    apart = run("verify", cert, files, "--features", N_FEATURES, *place, "--shards", 5)
    assert (apart.exit_code, apart.stdout) == (alone.exit_code, alone.stdout)
    assert alone.exit_code == 0


def test_options_that_are_about_one_learner_are_bad_usage(tmp_path: Path) -> None:
    files, path = written(tmp_path, 60, 40), tmp_path / "m.thr"
    combined(files, save_to=path)
    for words in (
        ("--claim", "disjunction:k=2"),
        ("--holdout", 5),
        ("--learner", "winnow"),
        ("--class-weight", "1=2"),
    ):
        result = run("certify", path, files, *words)
        assert result.exit_code == 2, words
        assert words[0] in result.stderr
    result = run("certify", path)
    assert result.exit_code == 2
    assert "give the data it was trained on" in " ".join(result.stderr.split())
    th.train(files, "perceptron", save_to=path, **SETTINGS)
    result = run("certify", path, files, "--cluster", "local:1")
    assert result.exit_code == 2
    assert "--cluster is for models that were trained with it" in " ".join(result.stderr.split())
