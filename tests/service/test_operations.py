"""What happens to a service in its life: no more files, other clocks, TLS, signals, bad disks."""

from __future__ import annotations

import datetime
import ipaddress
import json
import shlex
import signal
import socket
import ssl
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import apsw
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.cli.running import run
from tests.service.conftest import PERCEPTRON, learn, service_on
from tests.service.rows import examples
from tests.service.test_command import serving
from thresher.client import Client
from thresher.service import learning, store
from thresher.service.store import Kept

DAY = 86_400.0


# ---- no more files ---------------------------------------------------------------------------


@contextmanager
def with_few_files(folder: Path, files: int) -> Iterator[str]:
    """A service that may open few files."""
    words = [sys.executable, "-m", "thresher", "serve", "--store", str(folder), "--port", "0"]
    command = ["sh", "-c", f"ulimit -n {files}; exec {shlex.join(words)}"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.terminate()
            assert process.wait(60) == 0


def asked(
    connection: HTTPConnection, method: str, path: str, body: object = None
) -> tuple[int, Any]:
    heads = {"content-type": "application/json"}
    connection.request(method, path, None if body is None else json.dumps(body), heads)
    answer = connection.getresponse()
    text = answer.read()
    kind = answer.headers.get("content-type", "")
    return answer.status, json.loads(text) if "json" in kind and text else text


def test_a_service_without_files_learns_on_and_recovers(tmp_path: Path) -> None:
    with with_few_files(tmp_path / "s", 64) as address, ExitStack() as stack:
        parts = urlsplit(address)
        place = (str(parts.hostname), parts.port or 0)
        with Client(address, retries=50) as client:
            client.create("m", **PERCEPTRON)
        mine = stack.enter_context(closing(HTTPConnection(*place, timeout=30)))
        assert asked(mine, "GET", "/healthz")[0] == 200
        many = [stack.enter_context(socket.create_connection(place, 30)) for _ in range(120)]
        time.sleep(1.0)
        for k, row in enumerate(examples(20, 1), 1):
            status, told = asked(mine, "POST", "/v1/models/m/learn", row)
            assert (status, told.get("sequence")) == (200, k), told
        assert asked(mine, "POST", "/v1/models/m/predict", {"features": {"w3": 1}})[0] == 200
        # What needs a file is told so, and is no fault.
        for method, path, body in (
            ("GET", "/v1/models/m/certificate", None),
            ("POST", "/v1/models/m/snapshots", None),
            ("POST", "/v1/models/m/rollback", {"sequence": 0}),
            ("PUT", "/v1/models/n", PERCEPTRON),
        ):
            status, told = asked(mine, method, path, body)
            assert status in (503, 507), (path, told)
        for one in many:
            one.close()
        with Client(address, retries=50) as client:
            assert client.model("m").sequence == 20
        other = stack.enter_context(closing(HTTPConnection(*place, timeout=30)))
        assert asked(other, "POST", "/v1/models/m/snapshots")[0] == 201
    checked = run("store", "check", tmp_path / "s")
    assert checked.exit_code == 0
    assert "20 events" in checked.stdout


# ---- clocks ----------------------------------------------------------------------------------


def test_a_clock_that_jumps_back_and_forth_loses_no_prediction_that_still_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1_000_000_000.0]
    for module in (store, learning):
        monkeypatch.setattr(module, "time", lambda: now[0])
    with service_on(tmp_path / "s", keep=Kept(pending=3, pending_seconds=7 * DAY)) as service:
        service.put("/v1/models/m", json=PERCEPTRON)

        def predict(ident: str) -> None:
            body = {"id": ident, "features": {"a": 1}}
            assert service.post("/v1/models/m/predict", json=body).status_code == 200

        def label(ident: str) -> int:
            body = {"id": ident, "label": 1}
            return int(service.post("/v1/models/m/labels", json=body).status_code)

        for ident in ("a", "b", "c"):
            predict(ident)
            now[0] += 1
        now[0] -= 30 * DAY
        # The clock says that it is the oldest; it is the newest, and the first one goes.
        predict("d")
        assert [label(ident) for ident in ("a", "b", "c", "d")] == [404, 200, 200, 200]
        predict("e")
        now[0] += 60 * DAY
        assert label("e") == 404
        now[0] -= 60 * DAY
        # Nothing was thrown away by the jump.
        assert label("e") == 200
        assert learn(service, "f", {"a": 1}, 1)["sequence"] == 5


# ---- disks -----------------------------------------------------------------------------------


def test_a_database_that_becomes_read_only_is_told_and_recovers(tmp_path: Path) -> None:
    with service_on(tmp_path / "s") as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        learn(service, "a", {"x": 1}, -1)
        writing = service.models.store.writing
        writing.pragma("query_only", True)
        row = {"id": "b", "features": {"x": 1}, "label": 1}
        refused = service.post("/v1/models/m/learn", json=row)
        assert (refused.status_code, refused.json()["type"]) == (503, "service.read_only")
        assert "retry-after" in refused.headers
        assert service.get("/readyz").status_code == 503
        assert service.post("/v1/models/m/predict", json={"features": {"x": 1}}).status_code == 200
        writing.pragma("query_only", False)
        assert service.post("/v1/models/m/learn", json=row).json()["sequence"] == 2
        assert service.get("/readyz").status_code == 200


def test_a_folder_that_is_a_file_is_told_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "s").write_text("not a folder")
    done = run("serve", "--store", tmp_path / "s" / "t", "--port", "0")
    assert done.exit_code == 2
    assert "cannot hold a store" in done.stderr


@pytest.mark.parametrize("cut", [0, 100, -1])
def test_a_torn_snapshot_is_passed_over(tmp_path: Path, cut: int) -> None:
    with service_on(tmp_path / "s") as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        service.post("/v1/models/m/learn", json=examples(30, 1))
        service.post("/v1/models/m/snapshots")
        service.post("/v1/models/m/learn", json=examples(5, 2, "f"))
        digest = service.get("/v1/models/m").json()["digest"]
    newest = max((tmp_path / "s/snapshots").iterdir(), key=lambda path: path.stat().st_mtime_ns)
    data = newest.read_bytes()
    newest.write_bytes(data[:cut])
    with service_on(tmp_path / "s") as service:
        told = service.get("/v1/models/m").json()
        assert (told["sequence"], told["digest"]) == (35, digest)
        assert any(newest.name in remark for remark in service.remarks)
    assert run("store", "check", tmp_path / "s").exit_code == 1


def test_a_second_process_changes_nothing(tmp_path: Path) -> None:
    with service_on(tmp_path / "s") as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        for words in (
            ("serve", "--store", tmp_path / "s", "--port", "0"),
            ("serve", "--store", tmp_path / "s", "--port", "0", "--read-only"),
            ("store", "compact", tmp_path / "s"),
            ("store", "check", tmp_path / "s"),
        ):
            done = run(*words)
            assert done.exit_code == 2
            assert "another process serves this store" in done.stderr
        assert learn(service, "a", {"x": 1}, -1)["sequence"] == 1


def test_a_reader_beside_it_does_not_stop_the_log(tmp_path: Path) -> None:
    with service_on(tmp_path / "s") as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        beside = apsw.Connection(str(tmp_path / "s/thresher.db"), flags=apsw.SQLITE_OPEN_READONLY)
        beside.execute("BEGIN")
        beside.execute("SELECT count(*) FROM sqlite_master").fetchall()
        assert learn(service, "a", {"x": 1}, -1)["sequence"] == 1
        beside.close()


# ---- TLS and signals -------------------------------------------------------------------------


def self_signed(folder: Path) -> tuple[Path, Path]:
    """A certificate for this machine, which vouches for itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "127.0.0.1")])
    here = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(here, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "c.pem", folder / "k.pem"
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return certificate, secret


def test_https_is_answered_and_http_is_not(tmp_path: Path) -> None:
    certificate, key = self_signed(tmp_path)
    options = ("--tls-cert", str(certificate), "--tls-key", str(key))
    with serving(tmp_path / "s", *options) as (process, address):
        assert address.startswith("https://127.0.0.1:")
        trust = ssl.create_default_context(cafile=str(certificate))
        with urllib.request.urlopen(f"{address}/healthz", context=trust) as answer:
            assert json.load(answer) == {"status": "ok"}
        body = json.dumps(PERCEPTRON).encode()
        heads = {"content-type": "application/json"}
        made = urllib.request.Request(f"{address}/v1/models/m", body, heads, method="PUT")
        with urllib.request.urlopen(made, context=trust) as answer:
            assert answer.status == 201
        # Nobody vouches for it elsewhere.
        with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
            urllib.request.urlopen(f"{address}/healthz", context=ssl.create_default_context())
        with pytest.raises(OSError, match=r"."):
            urllib.request.urlopen(address.replace("https", "http") + "/healthz", timeout=10)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_open_streams_and_half_requests_do_not_hold_up_the_end(
    tmp_path: Path, number: signal.Signals
) -> None:
    with serving(tmp_path / "s") as (process, address), ExitStack() as stack:
        parts = urlsplit(address)
        place = (str(parts.hostname), parts.port or 0)
        with Client(address, retries=50) as client:
            client.create("m", **PERCEPTRON)
            client.learn("m", {"a": 1}, -1)
        watching = []
        for query in ("", "?every=0.1", "?every=60"):
            connection = stack.enter_context(closing(HTTPConnection(*place, timeout=60)))
            connection.request("GET", f"/v1/models/m/events{query}")
            answer = connection.getresponse()
            assert answer.readline()
            watching.append(answer)
        # One that has not said all, one that has said nothing, and one that waits in between.
        half = stack.enter_context(socket.create_connection(place, 30))
        half.sendall(b"POST /v1/models/m/learn HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-le")
        stack.enter_context(socket.create_connection(place, 30))
        idle = stack.enter_context(closing(HTTPConnection(*place, timeout=30)))
        assert asked(idle, "GET", "/healthz")[0] == 200
        process.send_signal(number)
        assert process.wait(60) == (0 if number == signal.SIGTERM else 130)
        for answer in watching:
            # The stream ends as one does: one that was cut off would be an error here.
            answer.read()
    assert run("store", "check", tmp_path / "s").exit_code == 0


# ---- what is beside the code -----------------------------------------------------------------

DEPLOY = Path(__file__).parents[2] / "deploy"


def test_the_unit_and_the_image_use_options_that_exist() -> None:
    told = run("serve", "--help").stdout
    for name in ("thresher.service", "Dockerfile"):
        text = (DEPLOY / name).read_text("utf-8")
        used = {word.strip('",') for word in text.split() if word.strip('",').startswith("--")}
        used -= {"--no-install-recommends", "--uid", "--from=build", "--rm", "--now"}
        assert used
        assert {option for option in used if option not in told} == set(), name
