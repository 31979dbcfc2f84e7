"""Whatever is sent, the answer is one that the document names, and the service goes on.

`scripts/fuzz_service.py` sends tens of thousands of requests that schemathesis makes of the same
document; here are fewer, with a seed, and those that a document cannot make.
"""

from __future__ import annotations

import gzip
import json
import random
import socket
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest

from tests.service.conftest import PERCEPTRON, Service, learn, service_on
from tests.service.test_command import serving
from thresher.client import Client
from thresher.service.messages import Problem
from thresher.service.openapi import OPERATIONS, document
from thresher.service.routes import replication
from thresher.service.tokens import Tokens, new_token, read_tokens

REQUESTS = 1_200
#: Pieces that bodies are made of, some of them sound.
ATOMS: list[Any] = [
    None, True, False, 0, 1, -1, 2**53, -(2**70), 10**400, 1e308, 5e-324, -0.0, "", "a", "1", "é",
    "\x00", "\ud800", "a" * 300, "disjunction:k=2", "perceptron", "arow", [], {}, "NaN",
]  # fmt: skip
NAMES = [
    "id", "features", "label", "importance", "sequence", "learner", "n_features", "claim", "pairs",
    "multiclass", "parameters", "seed", "positive", "negative", "calibrate", "x", "", "17",
]  # fmt: skip
KINDS = [
    "application/json", "application/x-ndjson", "text/x-svmlight", "text/x-vw", "text/plain",
    "application/octet-stream", "application/json; charset=utf-16", "", "a/b/c",
]  # fmt: skip


def value(dice: random.Random, depth: int = 0) -> Any:
    draw = dice.random()
    if depth > 3 or draw < 0.5:
        return dice.choice(ATOMS)
    if draw < 0.8:
        return {dice.choice(NAMES): value(dice, depth + 1) for _ in range(dice.randrange(5))}
    return [value(dice, depth + 1) for _ in range(dice.randrange(4))]


def sound(dice: random.Random) -> dict[str, Any]:
    features = {f"w{dice.randrange(9)}": dice.choice([1, 0.5, "red", True])}
    return {"features": features, "id": f"e{dice.randrange(400)}", "label": dice.choice([1, -1])}


def body(dice: random.Random) -> bytes:
    made = json.dumps(value(dice) if dice.random() < 0.6 else sound(dice)).encode()
    for _ in range(dice.choice([0, 0, 0, 1, 3])):
        at = dice.randrange(len(made) + 1)
        made = made[:at] + dice.choice([b"NaN", b"{", b'"', b"\xff", b"\n", b"1e999"]) + made[at:]
    return made


def test_every_answer_is_one_that_the_document_names(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever asks for a log that has no news is kept for twenty seconds, nine times here.
    monkeypatch.setattr(replication, "WAIT", 0.05)
    dice = random.Random(15)
    told = document()
    service.put("/v1/models/m", json=PERCEPTRON)
    statuses: dict[int, int] = {}
    for _ in range(REQUESTS):
        one = dice.choice(OPERATIONS)
        if one.path.endswith("/events"):
            continue
        name = dice.choice(["m", "m", "m", "n", "none", "..", "a%2Fb", "%00", "x" * 101])
        if service.models.get("m") is None:
            service.put("/v1/models/m", json=PERCEPTRON)
        heads = {"content-type": dice.choice(KINDS)} if dice.random() < 0.4 else {}
        if dice.random() < 0.2:
            heads["if-match"] = dice.choice(["*", '"1.0"', "nonsense"])
        if dice.random() < 0.1:
            heads["idempotency-key"] = dice.choice(["k", "k" * 151])
        query = dice.choice(["", "", "?at_least=0", "?at_least=x", "?probabilities=1", "?label=1"])
        answer = service.request(
            one.method.upper(),
            one.path.replace("{name}", name) + query,
            content=body(dice) if one.method in ("post", "put") else None,
            headers=heads,
        )
        statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
        assert answer.status_code != 500, (one.path, service.remarks[-1:])
        operation = told["paths"][one.path][one.method]
        if name in ("..", "a%2Fb"):
            # Another address, or none.
            continue
        named = operation["responses"].get(str(answer.status_code))
        assert named is not None, (one.method, one.path, answer.status_code, answer.text[:200])
        kind = answer.headers.get("content-type", "").partition(";")[0]
        assert kind in named.get("content", {"": None}), (one.path, answer.status_code, kind)
        if kind == "application/problem+json":
            problem = msgspec.json.decode(answer.content, type=Problem)
            assert problem.status == answer.status_code
            assert problem.detail
        elif kind == "application/json":
            json.loads(answer.content)
    assert statuses[200] > 100
    assert statuses[422] > 50
    assert {*statuses} <= {200, 201, 204, 400, 404, 405, 409, 412, 413, 415, 422, 503}
    assert learn(service, "the-end", {"x": 1}, 1)["sequence"] > 0


@pytest.mark.parametrize(
    "text",
    [
        b"[" * 100_000,
        b'{"features":' + b'{"a":' * 50_000,
        b'{"features":' + b"[" * 2_000 + b"]" * 2_000 + b',"label":1}',
        b'{"features":{"a":NaN},"label":1}',
        b'{"features":{"a":Infinity},"label":1}',
        b'{"features":{"a":1e999},"label":1}',
        b'{"features":{"a":1},"label":NaN}',
        b'{"features":{"a":1},"label":1,"importance":1e400}',
        b'{"features":{"a":1},"label":1,"importance":-1}',
        b'{"features":{"a":"\\ud800"},"label":1}',
        b'{"features":{"\xff":1},"label":1}',
        b'{"features":{"a":1},"label":1}garbage',
        b'{"features":{"a":1},"label":1}\n{"features":{"a":1},"label":1}',
        b'{"features":{"a":1},"label":1,"unknown":1}',
        b"\xef\xbb\xbf{}",
        b"",
        b" ",
    ],
    ids=range(17),
)
def test_json_that_is_none_or_too_much_is_refused_and_leaves_no_trace(
    service: Service, text: bytes
) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)
    for path in ("learn", "predict", "predict-learn", "labels", "explain", "rollback"):
        heads = {"content-type": "application/json"}
        answer = service.post(f"/v1/models/m/{path}", content=text, headers=heads)
        if path in ("predict", "explain") and answer.status_code == 200:
            continue
        assert answer.status_code in (400, 413, 422), (path, answer.text[:200])
    assert service.get("/v1/models/m").json()["sequence"] == 0


@pytest.mark.parametrize("path", sorted({one.path for one in OPERATIONS}))
def test_another_method_is_told_those_that_are_known(service: Service, path: str) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)
    known = {one.method.upper() for one in OPERATIONS if one.path == path}
    for method in sorted({"GET", "PUT", "POST", "DELETE", "PATCH", "TRACE"} - known):
        answer = service.request(method, path.replace("{name}", "m"))
        assert answer.status_code == 405, method
        told = {*answer.headers["allow"].split(", ")}
        assert told - {"HEAD"} == known
        assert ("HEAD" in told) == ("GET" in known)


def test_names_that_come_twice_are_answered_alike_each_time(service: Service) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)
    text = b'{"id":"a","features":{"x":1,"x":2},"label":1,"label":-1}'
    heads = {"content-type": "application/json"}
    first = service.post("/v1/models/m/learn", content=text, headers=heads)
    again = service.post("/v1/models/m/learn", content=text, headers=heads)
    assert first.status_code == again.status_code
    assert first.status_code in (200, 422)
    if first.status_code == 200:
        assert again.json() == {**first.json(), "repeated": True}


@pytest.mark.parametrize("packing", ["gzip", "deflate", "br", "zstd", "gzip, gzip", "x"])
def test_a_packed_bomb_is_not_unpacked(service: Service, packing: str) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)
    bomb = gzip.compress(b" " * (64 << 20)) if packing == "gzip" else zlib.compress(b" " * 1000)
    heads = {"content-type": "application/json", "content-encoding": packing}
    for path in ("/v1/models/m/learn", "/v1/models/m/predict", "/v1/models/m/labels"):
        answer = service.post(path, content=bomb, headers=heads)
        assert answer.status_code == 415
        assert "packed" in answer.json()["detail"]


def test_wrong_tokens_learn_nothing_about_right_ones(tmp_path: Path) -> None:
    token, line = new_token("learn", "one")
    path = tmp_path / "tokens"
    path.write_text(line + "\n")
    tokens: Tokens = read_tokens(path)
    with service_on(tmp_path / "s", tokens=tokens) as service:
        answers = set()
        for header in (
            None, "", "Bearer", "Bearer ", f"Basic {token}", f"Bearer {token[:-1]}",
            f"Bearer {token}x", f"Bearer {token} {token}", "Bearer " + "a" * 30_000,
            f"bearer\t{token}", "Bearer \xff",
        ):  # fmt: skip
            heads = {} if header is None else {"authorization": header.encode("latin-1")}
            for where in ("/metrics", "/v1/models", "/v1/models/m", "/nowhere", "/"):
                answer = service.get(where, headers=heads)  # type: ignore[arg-type]
                assert answer.status_code == 401
                assert answer.headers["www-authenticate"] == "Bearer"
                answers.add(answer.json()["detail"])
        assert len(answers) == 2
        heads = {"authorization": f"Bearer {token}".encode()}
        assert service.get("/v1/models", headers=heads).status_code == 200  # type: ignore[arg-type]
        made = service.put("/v1/models/m", json=PERCEPTRON, headers=heads)  # type: ignore[arg-type]
        assert made.status_code == 403


def _opened(address: str) -> socket.socket:
    parts = urlsplit(address)
    return socket.create_connection((str(parts.hostname), parts.port or 0), 60)


def test_many_slow_bodies_do_not_keep_others_waiting(tmp_path: Path) -> None:
    with serving(tmp_path / "s") as (_, address), Client(address, retries=50) as client:
        client.create("m", **PERCEPTRON)
        slow = [_opened(address) for _ in range(60)]
        try:
            for one in slow:
                one.sendall(
                    b"POST /v1/models/m/learn HTTP/1.1\r\nhost: localhost\r\n"
                    b"content-type: application/json\r\ncontent-length: 5000\r\n\r\n{"
                )
            for k in range(30):
                for one in slow:
                    one.sendall(b" ")
                assert client.learn("m", {"a": 1}, 1).sequence == k + 1
        finally:
            for one in slow:
                one.close()
        # Whoever went away in the middle of a body has taught nothing.
        assert client.model("m").n_rounds == 30
