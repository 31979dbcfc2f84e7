"""Mixed load for a while, with the memory and the open files of the service: for docs/service.md.

`python -m scripts.soak_service --minutes 20`. Several clients at once learn rows one by one and in
batches, predict, keep predictions and send their labels, read metrics, models, journals and
certificates, watch events and go away, make and delete models, roll back, change shadows, and send
what cannot be read. In the end the store is checked.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

WORDS = [f"w{k}" for k in range(400)]
MODELS = ("mail", "claims", "classes")


def main() -> int:
    """Serve, load, and print a line now and then."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=20.0)
    parser.add_argument("--clients", type=int, default=6)
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="thresher-soak-") as folder:
        store = Path(folder, "s")
        words = [sys.executable, "-m", "thresher", "serve", "--store", str(store), "--port", "0"]
        log = open(Path(folder, "log"), "w", encoding="utf-8")  # noqa: SIM115
        with log, subprocess.Popen(words, stdout=subprocess.PIPE, stderr=log, text=True) as service:
            assert service.stdout is not None
            address = service.stdout.readline().strip()
            try:
                answers = _loaded(address, service.pid, asked.minutes * 60, asked.clients)
            finally:
                service.terminate()
            status = service.wait(60)
        check = [sys.executable, "-m", "thresher", "store", "check", str(store)]
        whole = subprocess.run(check, check=False, stdout=subprocess.DEVNULL).returncode == 0
        size = sum(path.stat().st_size for path in store.rglob("*") if path.is_file())
    print(f"answers by status: {dict(sorted(answers.items()))}")
    print(f"ended with status {status}; the store is {'whole' if whole else 'NOT whole'}, "
          f"{size / 2**20:.0f} MiB")  # fmt: skip
    faults = {code for code in answers if code >= 500 and code not in (503, 507)}
    return 0 if whole and status == 0 and not faults else 1


def _loaded(address: str, pid: int, seconds: float, clients: int) -> Counter[int]:
    parts = urlsplit(address)
    place = (str(parts.hostname), parts.port or 0)
    _made(place)
    counts: Counter[int] = Counter()
    stop = threading.Event()
    threads = [
        threading.Thread(target=_client, args=(place, seed, stop, counts), daemon=True)
        for seed in range(clients)
    ]
    began = time.monotonic()
    _line(0.0, pid, counts)
    for thread in threads:
        thread.start()
    tick = min(60.0, seconds / 4)
    while (gone := time.monotonic() - began) < seconds:
        time.sleep(min(tick, seconds - gone))
        _line(time.monotonic() - began, pid, counts)
    stop.set()
    for thread in threads:
        thread.join(30)
    time.sleep(2)
    _line(time.monotonic() - began, pid, counts)
    return counts


def _line(seconds: float, pid: int, counts: Counter[int]) -> None:
    memory = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    files = len(os.listdir(f"/proc/{pid}/fd"))
    print(f"{seconds / 60:5.1f} minutes: {memory / 2**20:6.1f} MiB, {files:3d} open files, "
          f"{sum(counts.values()):8d} requests", flush=True)  # fmt: skip


def _made(place: tuple[str, int]) -> None:
    for name, settings in (
        ("mail", {"learner": "arow", "n_features": 1 << 16}),
        ("claims", {"learner": "winnow", "n_features": 4096, "claim": "disjunction:k=4"}),
        ("classes", {"learner": "arow", "n_features": 4096, "multiclass": True}),
    ):
        with closing(HTTPConnection(*place, timeout=60)) as connection:
            body, heads = json.dumps(settings), {"content-type": "application/json"}
            connection.request("PUT", f"/v1/models/{name}", body, heads)
            answer = connection.getresponse()
            assert answer.status in (200, 201), answer.read()


def _client(place: tuple[str, int], seed: int, stop: threading.Event, counts: Counter[int]) -> None:
    """Ask for this and that until it is enough."""
    dice = random.Random(seed)
    connection = HTTPConnection(*place, timeout=60)
    number = 0
    while not stop.is_set():
        number += 1
        method, path, body, heads = _request(dice, f"{seed}-{number}")
        try:
            if path.endswith("/events"):
                _watched(place, path)
                counts[200] += 1
                continue
            connection.request(method, path, body, heads)
            answer = connection.getresponse()
            answer.read()
            counts[answer.status] += 1
        except (OSError, HTTPException):
            connection.close()
            connection = HTTPConnection(*place, timeout=60)
    connection.close()


def _watched(place: tuple[str, int], path: str) -> None:
    """Watch for a moment, then go away without a word."""
    with closing(HTTPConnection(*place, timeout=60)) as connection:
        connection.request("GET", f"{path}?every=0.1")
        connection.getresponse().readline()


def _row(dice: random.Random, model: str) -> dict[str, object]:
    words = dice.sample(WORDS, dice.randint(1, 30))
    label: object = 1 if "w3" in words or "w7" in words else -1
    if model == "classes":
        label = f"class {dice.randrange(12)}"
    return {"features": dict.fromkeys(words, 1), "label": label}


#: What is asked, and how often out of 10,000.
MIX = {
    "learn": 4500, "learn rows": 1000, "predict": 2500, "predict, kept": 500, "label": 500,
    "noise": 300, "look": 300, "events": 100, "journal": 50, "explain": 50, "passing": 50,
    "snapshot": 5, "shadow": 5, "swap": 2, "list": 138,
}  # fmt: skip


def _request(dice: random.Random, ident: str) -> tuple[str, str, bytes | None, dict[str, str]]:
    """One of many questions; most are about rows."""
    model = dice.choice(MODELS)
    path, row = f"/v1/models/{model}", _row(dice, model)
    features, kept = row["features"], f"p{dice.randrange(2000)}"
    small = {"learner": "perceptron", "n_features": 1024}
    other = dice.choice(("/metrics", path, f"{path}/snapshots", "/readyz"))
    asked: dict[str, tuple[str, str, object]] = {
        "learn": ("POST", f"{path}/learn", {"id": ident, **row}),
        "learn rows": ("POST", f"{path}/learn", None),
        "predict": ("POST", f"{path}/predict", {"features": features}),
        "predict, kept": ("POST", f"{path}/predict", {"id": kept, "features": features}),
        "label": ("POST", f"{path}/labels", {"id": kept, "label": row["label"]}),
        "noise": ("POST", f"{path}/learn", dice.randbytes(dice.randint(1, 300))),
        "look": ("GET", other, None),
        "events": ("GET", f"{path}/events", None),
        "journal": ("GET", f"{path}/journal", None),
        "explain": ("POST", f"{path}/explain", {"features": features}),
        "passing": (
            dice.choice(("PUT", "DELETE")), f"/v1/models/passing-{dice.randrange(20)}", small
        ),
        "snapshot": ("POST", f"{path}/snapshots", None),
        "shadow": ("PUT", f"{path}/shadow", small | {"multiclass": model == "classes"}),
        "swap": ("POST", f"{path}/swap", None),
        "list": ("GET", "/v1/models", None),
    }  # fmt: skip
    (chosen,) = dice.choices(list(MIX), weights=list(MIX.values()))
    method, path, body = asked[chosen]
    if chosen == "learn rows":
        body = [_row(dice, model) for _ in range(dice.randint(2, 200))]
    if body is None:
        return method, path, None, {}
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    return method, path, data, {"content-type": "application/json"}


if __name__ == "__main__":
    sys.exit(main())
