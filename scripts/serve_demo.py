"""The service on a stream of mushrooms: it learns, is killed, and has lost nothing.

make serve-demo
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import thresher as th
from thresher.client import Client
from thresher.streams.datasets.mushrooms import load_mushrooms

EVENTS, KILLED_AFTER = 2_000, 1_200


def started(store: str) -> tuple[subprocess.Popen[str], str]:
    """A service in a process of its own, and its address."""
    command = [sys.executable, "-m", "thresher", "serve", "--store", store, "--port", "0"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def main() -> None:
    """Learn, kill, start again, compare."""
    batch, names = load_mushrooms(order=1)
    rows = [
        ({names[column]: value for column, value in features.items()}, label)
        for features, label in batch[:EVENTS].examples()
    ]
    with TemporaryDirectory(prefix="thresher-serve-") as store:
        process, address = started(store)
        print(f"thresher serve is at {address}; a Perceptron learns {EVENTS:,} mushrooms.")
        with Client(address) as client:
            client.create("mushrooms", learner="perceptron", n_features=4096)
            for features, label in rows[:KILLED_AFTER]:
                last = client.learn("mushrooms", features, label)
        process.kill()
        process.wait()
        print(f"kill -9 after event {last.sequence:,} was acknowledged.")
        began = time.monotonic()
        process, address = started(store)
        with Client(address, retries=20) as client:
            back = client.model("mushrooms")
            print(
                f"Started again after {time.monotonic() - began:.1f} seconds: event "
                f"{back.sequence:,}, {back.mistakes} mistakes, state {back.digest[:16]}..."
            )
            for features, label in rows[KILLED_AFTER:]:
                client.learn("mushrooms", features, label)
            file = Path(store, "mushrooms.thr")
            file.write_bytes(client.download("mushrooms"))
            served = th.load(file)
        process.terminate()
        process.wait()
    alone = th.Perceptron(4096)
    alone.learn([features for features, _ in rows], [label for _, label in rows])
    print(f"The model of the service:        {served}")
    print(f"A learner that was never killed: {alone}")
    print(f"Equal to the bit: {served == alone}")
    sys.exit(0 if served == alone and back.sequence == KILLED_AFTER else 1)


if __name__ == "__main__":
    main()
