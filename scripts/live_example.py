"""A service with models that have something to show, for pictures and tests of the screen Live."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import Request, urlopen

from thresher.client import Client
from thresher.streams import load_mushrooms

#: Names of features, and a label.
Row = tuple[list[str], int]
#: Rows of a request.
ROWS = 100
#: One label in so many mushrooms is wrong, from the middle on.
WRONG_LABEL = 12


@contextmanager
def serving(store: Path, port: int = 0) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A service on a folder, and its address; it is ended in the end."""
    words = [sys.executable, "-m", "thresher", "serve", "--store", str(store), "--port", str(port)]
    with subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.terminate()


def mushrooms() -> list[Row]:
    """Mushrooms as events; from the middle on some labels are wrong, which refutes the claim."""
    batch, names = load_mushrooms(1)
    rows = []
    for t, (row, label) in enumerate(batch.examples()):
        wrong = t > len(batch) // 2 and t % WRONG_LABEL == 0
        features = [names[column] for column in row]
        rows.append((features, int(-label if wrong else label)))
    return rows


def mail(count: int, seed: int = 1) -> list[Row]:
    """Words of mail, of which one decides, and another one from two thirds of the way on."""
    dice = random.Random(seed)
    words = [f"w{k}" for k in range(60)]
    rows = []
    for k in range(count):
        chosen = dice.sample(words, dice.randint(2, 9))
        deciding = {"w3", "w7", "w9"} if k < 2 * count // 3 else {"w4", "w8", "w12"}
        up = bool(deciding & {*chosen}) != (dice.random() < 0.04)
        rows.append((chosen, 1 if up else -1))
    return rows


def learn(client: Client, model: str, rows: list[Row]) -> None:
    """Send rows in order, a hundred at a time."""
    for start in range(0, len(rows), ROWS):
        client.learn_many(model, rows[start : start + ROWS])


def furnish(address: str) -> None:
    """Two models: one whose claim is refuted, one with a shadow and a stream that changes."""
    with Client(address) as client:
        _furnish(client, address)


def _furnish(client: Client, address: str) -> None:
    client.create("mushrooms", learner="winnow", n_features=4096, claim="disjunction:k=10")
    learn(client, "mushrooms", mushrooms()[:5000])
    client.create("mail", learner="arow", n_features=1024)
    rows = mail(6000)
    learn(client, "mail", rows[:1500])
    body, heads = (
        b'{"learner": "perceptron", "n_features": 1024}',
        {"content-type": "application/json"},
    )
    shadow = Request(f"{address}/v1/models/mail/shadow", body, heads, method="PUT")
    with urlopen(shadow) as answer:
        assert answer.status == 201
    learn(client, "mail", rows[1500:])
