from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import dask
import distributed
import psutil  # type: ignore[import-untyped]
import pytest

from tests.cluster.conftest import local_cluster
from tests.cluster.data import N_FEATURES, written
from thresher.cluster import train
from thresher.cluster.dask_engine import DaskEngine, connected
from thresher.cluster.events import EpochFinished, RoundFinished, ShardLearned
from thresher.errors import ClusterError, ParameterError
from thresher.models.file import model_bytes
from thresher.streams.sources.machine import interrupts_wait

SETTINGS: dict[str, Any] = {"n_features": N_FEATURES, "shards": 5, "epochs": 4}


def workers(cluster: Any) -> list[int]:
    """The processes in which tasks run; each has another beside it that starts it again."""
    return [nanny.pid for nanny in cluster.workers.values() if nanny.pid]


def sleeps(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def dies_once(mark: str) -> str:
    """End the process that runs this, the first time."""
    if not os.path.exists(mark):
        Path(mark).write_text("here")
        os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def always_dies() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("learner", ["perceptron", "winnow:threshold=8", None])
def test_workers_make_the_model_that_one_process_makes(
    tmp_path: Path, client: Any, learner: str | None
) -> None:
    files = written(tmp_path, 100, 80)
    apart = train(files, learner, **SETTINGS, client=client)
    here = train(files, learner, **SETTINGS)
    assert apart.learner == here.learner
    assert apart.history == here.history
    # A client that was given is not closed.
    assert client.status == "running"


@pytest.mark.parametrize("moment", [1, 3, 7])
def test_a_worker_that_is_killed_changes_no_bit(
    tmp_path: Path, cluster: Any, client: Any, moment: int
) -> None:
    files = written(tmp_path, 100, 80)
    done = 0

    def kill(event: Any) -> None:
        nonlocal done
        done += isinstance(event, ShardLearned)
        if done == moment and isinstance(event, ShardLearned):
            os.kill(workers(cluster)[moment % 2], signal.SIGKILL)

    survived = train(files, "perceptron", **SETTINGS, client=client, on_event=kill)
    assert model_bytes(survived) == model_bytes(train(files, "perceptron", **SETTINGS))
    assert done == SETTINGS["shards"] * SETTINGS["epochs"]


@pytest.mark.parametrize("mode", ["exact", "counterexamples"])
def test_a_worker_that_is_killed_changes_no_bit_of_what_one_machine_learns(
    tmp_path: Path, cluster: Any, client: Any, mode: Any
) -> None:
    files = written(tmp_path, 100, 80, noise=0.0)
    done = 0

    def kill(event: Any) -> None:
        nonlocal done
        done += isinstance(event, ShardLearned | RoundFinished)
        if done == 2 and isinstance(event, ShardLearned | RoundFinished):
            os.kill(workers(cluster)[0], signal.SIGKILL)

    asked: dict[str, Any] = {"n_features": SETTINGS["n_features"], "shards": 4, "mode": mode}
    survived = train(files, "perceptron", **asked, client=client, on_event=kill)
    assert model_bytes(survived) == model_bytes(train(files, "perceptron", **asked))
    assert done >= 2


def test_a_task_is_done_by_another_worker_when_its_own_is_lost(tmp_path: Path, client: Any) -> None:
    engine = DaskEngine(client)
    task = engine.submit("dies once", dies_once, str(tmp_path / "mark"))
    assert list(engine.gather([task], 120.0)) == [(0, "done")]


def test_a_task_that_kills_its_workers_is_named() -> None:
    once = {"distributed.scheduler.allowed-failures": 0}
    with (
        dask.config.set(once),
        local_cluster(1) as small,
        distributed.Client(small, set_as_default=False) as client,
    ):
        engine = DaskEngine(client)
        task = engine.submit("epoch 1, shard 3", always_dies)
        with pytest.raises(ClusterError, match="epoch 1, shard 3: the workers that had it"):
            list(engine.gather([task], 120.0))


def test_a_shard_that_is_not_done_in_time_is_named(client: Any) -> None:
    engine = DaskEngine(client)
    tasks = [engine.submit(f"shard {n}", sleeps, seconds) for n, seconds in ((1, 0.0), (2, 8.0))]
    found: list[Any] = []
    with pytest.raises(ClusterError, match=r"not done within 3 seconds: .*shard 2\.") as caught:
        found.extend(engine.gather(tasks, 3.0))
    assert caught.value.code == "cluster.deadline"
    assert (1, 8.0) not in found


def test_nothing_of_a_run_stays_with_the_workers(client: Any) -> None:
    engine = DaskEngine(client)
    for _ in range(3):
        first = engine.submit("first", sleeps, 0.0)
        tasks = [engine.submit("second", sleeps, first) for _ in range(2)]
        assert sorted(engine.gather(tasks, 90.0)) == [(0, 0.0), (1, 0.0)]
    until = time.monotonic() + 30
    while any(client.has_what().values()):
        assert time.monotonic() < until
        time.sleep(0.05)


def test_the_data_of_a_shard_that_no_worker_finds_is_named(tmp_path: Path, client: Any) -> None:
    files = written(tmp_path, 60, 60)

    def remove(event: Any) -> None:
        if isinstance(event, EpochFinished):
            (tmp_path / "part-1.svm").unlink(missing_ok=True)

    with pytest.raises(ClusterError, match=r"epoch 2, shard \d \(.*part-1\.svm.*: ") as caught:
        train(files, **SETTINGS, client=client, on_event=remove)
    assert caught.value.code == "cluster.source"


def test_a_cluster_without_workers_is_not_waited_for(tmp_path: Path) -> None:
    files = written(tmp_path, 60)
    path = tmp_path / "m.thr"
    with local_cluster(1) as small, distributed.Client(small, set_as_default=False) as client:
        engine = DaskEngine(client, patience=2.0)

        def lose_all(event: Any) -> None:
            if isinstance(event, EpochFinished) and event.epoch == 2:
                small.scale(0)

        with pytest.raises(ClusterError, match="there has been no worker for 2 seconds"):
            train(files, **SETTINGS, client=engine, save_to=path, on_event=lose_all, deadline=60)
    # What was learned is not lost.
    resumed = train(files, **SETTINGS, resume=path)
    assert model_bytes(resumed) == model_bytes(train(files, **SETTINGS))


def test_a_scheduler_that_goes_away_is_not_waited_for() -> None:
    small = local_cluster(1)
    client = distributed.Client(small.scheduler_address, set_as_default=False, timeout=5)
    engine = DaskEngine(client, patience=2.0)
    task = engine.submit("shard 1", sleeps, 30.0)
    small.close()
    with pytest.raises(ClusterError) as caught:
        list(engine.gather([task], 120.0))
    assert caught.value.code in ("cluster.no_scheduler", "cluster.cancelled", "cluster.no_workers")
    engine.close()
    client.close()


LEFT = """
import psutil, sys
from thresher.cluster import train
train(sys.argv[1], n_features=64, shards=2, client="local:2")
left = [" ".join(one.cmdline()) for one in psutil.Process().children(recursive=True)]
# What keeps track of semaphores stays as long as the process.
print([one for one in left if "resource_tracker" not in one])
"""


def test_nothing_is_left_running_behind_a_cluster_of_one_run(tmp_path: Path) -> None:
    words = [sys.executable, "-c", LEFT, written(tmp_path, 60)]
    found = subprocess.run(words, capture_output=True, text=True, timeout=120)
    assert found.stdout == "[]\n", found.stderr


def test_workers_are_heard_on_loopback_alone() -> None:
    engine = connected("local:1")
    try:
        assert list(engine.gather([engine.submit("one", sleeps, 0.0)], 90.0)) == [(0, 0.0)]
        (pid,) = workers(engine._started[1])
        heard = [psutil.Process(), psutil.Process(pid)]
        ports = [
            one.laddr.ip
            for process in heard
            for one in process.net_connections("tcp")
            if one.status == psutil.CONN_LISTEN
        ]
        assert ports
        assert set(ports) == {"127.0.0.1"}
    finally:
        engine.close()


@pytest.mark.parametrize("address", ["local", "local:0", "local:-1", "local:x", "10.0.0.5", ""])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(ParameterError, match="address must be"):
        connected(address)


def test_a_scheduler_that_is_not_there_is_said() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{free.getsockname()[1]}"
        with pytest.raises(ClusterError, match=f"{address}: no scheduler answers there"):
            connected(address, patience=1.0).submit("one", sleeps, 0.0)


def test_the_address_comes_from_the_variable_where_it_is_asked_for(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)
    with pytest.raises(ClusterError, match="DASK_SCHEDULER_ADDRESS is not set"):
        connected("auto")
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", cluster.scheduler_address)
    engine = connected("auto")
    assert list(engine.gather([engine.submit("one", sleeps, 0.0)], 90.0)) == [(0, 0.0)]
    engine.close()
    monkeypatch.setenv("DASK_SCHEDULER_ADDRESS", "nowhere:8786")
    with pytest.raises(ParameterError, match=r"found 'nowhere:8786'.*DASK_SCHEDULER_ADDRESS"):
        connected("auto")


def test_who_listens_and_never_answers_is_not_waited_for() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        engine = connected(f"tcp://127.0.0.1:{silent.getsockname()[1]}", patience=0.2)
        with pytest.raises(ClusterError, match="no scheduler answers there") as caught:
            _ = engine.width
    assert caught.value.code == "cluster.unreachable"


def test_an_interrupt_waits_for_workers_to_be_started_and_does_not_reach_them() -> None:
    asked = "import signal; print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
    heard = []

    def started() -> None:
        with interrupts_wait():
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)
            heard.append(subprocess.check_output([sys.executable, "-c", asked], text=True))

    # A shell that runs the tests behind itself has told them to ignore interrupts.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            started()
    finally:
        signal.signal(signal.SIGINT, before)
    assert heard == ["True\n"]


def test_workers_that_cannot_be_started_are_an_error_in_words() -> None:
    with dask.config.set({"distributed.scheduler.preload": ["no_such_module"]}):
        engine = connected("local:1")
        with pytest.raises(ClusterError, match=r"no workers could be started.*no_such_module"):
            _ = engine.width
