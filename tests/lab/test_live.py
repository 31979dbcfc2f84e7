"""The screen Live shows what a service says, asks one address, and waits for it to come back."""

from __future__ import annotations

import json
import socket
import threading
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from scripts.live_example import furnish, learn, mail, serving
from tests.cli.running import run
from thresher.client import Client
from thresher.errors import RequestError
from thresher.lab import live
from thresher.lab.app import build_app
from thresher.lab.live import LiveFrame, LiveService, stretches

TOKEN = "token-of-tests"


def lab_of(service: LiveService | None) -> TestClient:
    return TestClient(build_app(TOKEN, live=service), base_url=f"http://127.0.0.1:8765/{TOKEN}/")


def until(frames: Iterator[LiveFrame], true: Callable[[LiveFrame], bool]) -> LiveFrame:
    """The first frame of which something is true, which must come soon."""
    for _, frame in zip(range(200), frames, strict=False):
        if true(frame):
            return frame
    raise AssertionError("it did not come")


@contextmanager
def answering(*answers: bytes) -> Iterator[tuple[str, list[bytes]]]:
    """A server that says the same to everybody, an answer a connection, and what it was asked."""
    asked: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def work() -> None:
            for answer in answers:
                try:
                    connection, _ = server.accept()
                except OSError:
                    return
                with connection:
                    asked.append(connection.recv(10_000))
                    connection.sendall(answer)

        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", asked


# ---- with a service --------------------------------------------------------------------------


def test_what_is_shown_is_what_the_service_says_and_it_is_found_again(tmp_path: Path) -> None:
    with serving(tmp_path / "s") as (process, address):
        furnish(address)
        assert LiveService.of(address).models() == ["mail", "mushrooms"]
        with closing(LiveService.of(address).watch("mail")) as frames:
            frame = next(frames)
            assert frame.connected
            assert frame.state is not None
            told = json.loads(urllib.request.urlopen(f"{address}/v1/models/mail").read())
            for name in ("sequence", "learner", "n_rounds", "mistakes", "recent_error"):
                assert getattr(frame.state, name) == told[name], name
            assert frame.state.curve[-1][:2] == (told["n_rounds"], told["mistakes"])
            assert frame.state.shadow is not None
            assert frame.state.shadow.both_played == told["shadow"]["n_rounds"] == 4500
            assert frame.state.shadow.mistakes == told["shadow"]["mistakes"]
            assert [one.event for one in frame.state.alarms] == ["shadow", "drift"]
            assert frame.state.drift_at == told["drift"]["sequence"]
            assert [one.sequence for one in frame.state.rounds] == [*range(5982, 6002)]
            with Client(address) as client:
                learn(client, "mail", mail(50, seed=9))
            until(frames, lambda one: one.state is not None and one.state.n_rounds == 6050)
            process.terminate()
            process.wait(30)
            gone = until(frames, lambda one: not one.connected)
            assert gone.said
            # The last that was heard stays.
            assert gone.state is not None
            assert gone.state.n_rounds == 6050
            port = int(address.rpartition(":")[2])
            with serving(tmp_path / "s", port):
                back = until(frames, lambda one: one.connected)
                assert back.state is not None
                assert back.state.n_rounds == 6050


def test_a_claim_is_shown_with_what_it_allows(tmp_path: Path) -> None:
    with serving(tmp_path / "s") as (_, address):
        furnish(address)
        with closing(LiveService.of(address).watch("mushrooms")) as frames:
            state = next(frames).state
    assert state is not None
    assert state.allowed is not None
    assert state.allowed.mistakes > 0
    assert state.refuted_at is not None
    assert {one.event for one in state.alarms} == {"refuted", "drift"}


def test_the_lab_passes_states_on_and_names_models(tmp_path: Path) -> None:
    with serving(tmp_path / "s") as (_, address), Client(address) as client:
        client.create("m", learner="perceptron", n_features=64)
        lab = lab_of(LiveService.of(f"{address},m"))
        assert lab.get("api/start").json()["live"] == {"address": address, "model": "m"}
        assert lab.get("api/live/models").json() == {"models": ["m"]}
        page = lab.get("api/live/page?model=m&view=%23live")
        assert page.status_code == 200
        assert '"live":{"model":"m","connected":true' in page.text


def test_a_token_is_sent_from_its_file(tmp_path: Path) -> None:
    with answering(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n") as (address, asked):
        with pytest.raises(RequestError, match="401 Unauthorized"):
            LiveService.of(address, "secret").models()
        assert b"authorization: Bearer secret\r\n" in asked[0]


# ---- one address, whatever a page asks for ---------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "", "127.0.0.1:8080", "ftp://127.0.0.1", "http://", "http://a b:80/x", "http://h/path",
        "http://h?x=1", "http://user@h", "http://h:99999", "http://[::1", "http://h,../x",
        "http://h,a b", "file:///etc/passwd",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(RequestError):
        LiveService.of(text)


def test_an_address_may_have_six_groups_or_none() -> None:
    assert LiveService.of("http://[::1]:80,m").address == "http://[::1]:80"
    assert LiveService.of("https://example.org/").address == "https://example.org"


def test_a_lab_without_a_service_asks_nobody() -> None:
    lab = lab_of(None)
    assert lab.get("api/start").json()["live"] is None
    for path in ("api/live?model=m", "api/live/models", "api/live/page?model=m"):
        answer = lab.get(path)
        assert answer.status_code == 400
        assert "--live" in answer.json()["error"]


@pytest.mark.parametrize("name", ["..", "a/../../x", "%2e%2e", "a%20b", "a%0d%0aHost:x", "", "a?b"])
def test_the_name_of_a_model_is_no_path(name: str) -> None:
    with answering() as (address, asked):
        lab = lab_of(LiveService.of(address))
        answer = lab.get(f"api/live/page?model={name}")
        assert answer.status_code == 400
        assert "not the name of a model" in answer.json()["error"]
        assert asked == []


def test_no_redirection_is_followed() -> None:
    with answering() as (elsewhere, asked):
        moved = f"HTTP/1.1 302 Found\r\nlocation: {elsewhere}/\r\ncontent-length: 0\r\n\r\n"
        with answering(moved.encode(), moved.encode()) as (address, _):
            with pytest.raises(RequestError, match="302 Found"):
                LiveService.of(address).models()
            with closing(LiveService.of(address).watch("m")) as frames:
                frame = next(frames)
        assert (frame.connected, frame.state) == (False, None)
        assert "302" in frame.said
        assert asked == []


@pytest.mark.parametrize(
    "body",
    [
        b"event: state\ndata: {}\n\n",
        b"event: state\ndata: [1\n\n",
        b"event: state\ndata: " + b"x" * (live.LONGEST_LINE + 10),
        b"\xff\xfe\n\n",
        b"",
    ],
)
def test_an_answer_that_is_none_is_told_and_tried_again(
    body: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "AGAIN", 0.01)
    head = b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n"
    with (
        answering(head + body, head + body) as (address, asked),
        closing(LiveService.of(address).watch("m")) as frames,
    ):
        frame = next(frames)
        assert (frame.connected, frame.state) == (False, None)
        assert frame.said
        until(frames, lambda _: len(asked) == 2)


# ---- what is kept has a bound ----------------------------------------------------------------


def test_stretches_are_few_and_add_up() -> None:
    curve = [(32 * k, 5 * k, None if k < 500 else 4 * k) for k in range(1000)]
    found = stretches(curve)
    assert len(found) <= live.MOST_STRETCHES
    assert all(one.error == pytest.approx(5 / 32) for one in found)
    assert found[0].shadow is None
    assert found[-1].shadow == pytest.approx(4 / 32)
    assert stretches([]) == stretches([(5, 1, None)]) == []


# ---- the command -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--live", "nonsense"], "not the address of a service"),
        (["--live", "http://h,a/b"], "not the name of a model"),
    ],
)
def test_the_command_says_what_is_wrong_before_it_opens(words: list[str], told: str) -> None:
    done = run("lab", "--no-browser", *words)
    assert done.exit_code == 2
    assert told in done.stderr
    assert done.stdout == ""


def test_a_file_that_holds_no_token_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("two words\n")
    done = run("lab", "--no-browser", "--live", "http://h", "--live-token", path)
    assert done.exit_code == 2
    assert "expected one token" in done.stderr
