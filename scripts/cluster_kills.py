"""Workers of a cluster killed at random moments while it trains: every model must be the same.

    python -m scripts.cluster_kills --kills 50 --workers 2
    python -m scripts.cluster_kills --kills 50 --mode exact
    python -m scripts.cluster_kills --kills 50 --mode counterexamples

Each run trains in 6 shards and 4 epochs while another process kills one worker, by SIGKILL, after a
random time; a run that ends before does not count. Nannies start workers again. An exact run is
held against one process that reads all files; counter-examples are of rows without noise.
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import dask
import distributed
import numpy as np

import thresher as th
from thresher.cluster import train
from thresher.cluster.dask_engine import DaskEngine
from thresher.cluster.train import MODES
from thresher.models.file import model_bytes

SETTINGS: dict[str, dict[str, Any]] = {
    "mixing": {"n_features": 1 << 12, "shards": 6, "epochs": 4},
    "exact": {"n_features": 1 << 12, "shards": 24, "epochs": 4, "mode": "exact"},
    "counterexamples": {"n_features": 1 << 12, "shards": 6, "mode": "counterexamples"},
}


def rows(n: int, seed: int, noise: float) -> str:
    """Rows of svmlight, of which some have the wrong label."""
    random = np.random.default_rng(seed)
    target = np.random.default_rng(0).normal(size=1 << 12)
    lines = []
    for _ in range(n):
        on = np.unique(random.integers(0, 1 << 12, 20))
        label = (target[on].sum() > 0) != (random.random() < noise)
        lines.append(f"{int(label)} " + " ".join(f"{i}:1" for i in on))
    return "".join(f"{line}\n" for line in lines)


def killed_after(cluster: Any, seconds: float, random: Random, done: threading.Event) -> list[int]:
    """Kill one worker after a time, unless the run is done by then; who was killed."""
    if done.wait(seconds):
        return []
    living = [nanny.pid for nanny in cluster.workers.values() if nanny.pid]
    if not living:
        return []
    victim = random.choice(living)
    os.kill(victim, signal.SIGKILL)
    return [victim]


def main() -> None:
    """Train and kill until there were enough kills."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--rows", type=int, default=60_000)
    parser.add_argument("--learner", default="perceptron")
    parser.add_argument("--mode", choices=MODES, default="mixing")
    given = parser.parse_args()
    settings = SETTINGS[given.mode]
    random, folder = Random(1), Path(tempfile.mkdtemp())
    for number in range(3):
        (folder / f"part-{number}.svm").write_text(
            rows(given.rows // 3, number, 0.1 if given.mode == "mixing" else 0.0)
        )
    files = str(folder / "part-*.svm")
    whole = model_bytes(train(files, given.learner, **settings))
    if given.mode == "exact":
        alone = th.train(files, given.learner, n_features=1 << 12, passes=4)
        ours = train(files, given.learner, **settings)
        if model_bytes(replace(alone, history=())) != model_bytes(replace(ours, history=())):
            raise SystemExit("one process learns something else")
    patient = {"distributed.deploy.lost-worker-timeout": "1 day"}
    how = {"threads_per_worker": 1, "host": "127.0.0.1", "silence_logs": "CRITICAL"}
    nowhere = {"dashboard_address": "127.0.0.1:0", "worker_dashboard_address": "127.0.0.1:0"}
    kills = equal = 0
    slowest = 0.0
    with (
        dask.config.set(patient),
        distributed.LocalCluster(n_workers=given.workers, **how, **nowhere) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
        ThreadPoolExecutor(1) as executor,
    ):
        began = time.monotonic()
        undisturbed = model_bytes(train(files, given.learner, **settings, client=client)) == whole
        usual = time.monotonic() - began
        while kills < given.kills:
            done = threading.Event()
            moment = random.uniform(0, usual)
            killer = executor.submit(killed_after, cluster, moment, random, done)
            began = time.monotonic()
            engine = DaskEngine(client, elsewhere=False)
            model = train(files, given.learner, **settings, client=engine, deadline=300)
            slowest = max(slowest, time.monotonic() - began)
            done.set()
            killed = len(killer.result())
            kills += killed
            equal += killed if model_bytes(model) == whole else 0
    print(
        f"{given.learner}, {given.workers} workers: {kills} kills, {equal} same bits; "
        f"undisturbed the same: {undisturbed}; a run takes {usual:.1f} s, the slowest with a kill "
        f"{slowest:.1f} s"
    )
    raise SystemExit(0 if equal == kills and undisturbed else 1)


if __name__ == "__main__":
    main()
