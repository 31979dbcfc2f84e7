"""Who may talk to the lab, and what it gives away."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient
from starlette.types import Message, Receive

from tests.lab.conftest import TOKEN
from thresher.errors import RequestError
from thresher.lab import app, security, your_data
from thresher.lab.shelf import Shelf

ROOT = "http://127.0.0.1:8765"


@pytest.mark.parametrize(
    "path", ["/", "/api/start", f"/{TOKEN}x/", f"/{TOKEN[:-1]}/", f"//{TOKEN}/", "/lab.js", "/x/y"]
)
def test_without_the_token_there_is_nothing_but_a_refusal(lab: TestClient, path: str) -> None:
    answer = lab.get(f"{ROOT}{path}")
    assert answer.status_code == 403
    assert "thresher lab" in answer.text
    assert TOKEN not in answer.text


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8765", "127.0.0.1.evil.example"])
def test_a_name_that_only_leads_here_is_refused(lab: TestClient, host: str) -> None:
    assert lab.get("api/start", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:8765", "localhost"])
def test_the_names_of_this_machine_are_not(lab: TestClient, host: str) -> None:
    assert lab.get("api/start", headers={"host": host}).status_code == 200


def test_a_page_from_elsewhere_is_refused(lab: TestClient) -> None:
    assert lab.get("api/start", headers={"origin": "https://evil.example"}).status_code == 403
    assert lab.get("api/start", headers={"origin": "http://127.0.0.1:8765"}).status_code == 200


@pytest.mark.parametrize("path", ["", "lab.js", "api/start", "api/step", "api/nothing"])
def test_every_answer_has_the_policy(lab: TestClient, path: str) -> None:
    headers = lab.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"


@pytest.mark.parametrize("what", ["model", "report", "certificate"])
def test_what_is_taken_home_is_kept_and_not_shown(lab: TestClient, what: str) -> None:
    told = lab.post("api/data", params={"name": "a.csv"}, content=b"a,label\n1,x\n2,y\n").json()
    key = told["key"]
    path = f"api/data/{what}?key={key}&stream=file:{key}&learner=perceptron"
    headers = lab.get(path).headers
    assert headers["content-disposition"].startswith("attachment; filename=")
    assert headers["content-security-policy"] == security.DOWNLOAD_POLICY
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    # Nobody else gets it, whatever they know of the file.
    assert lab.get(f"{ROOT}/{path}").status_code == 403
    assert lab.get(path, headers={"host": "evil.example"}).status_code == 421
    assert lab.get(path, headers={"origin": "https://evil.example"}).status_code == 403


def test_the_page_itself_needs_no_inline_script_or_style(lab: TestClient) -> None:
    page = lab.get("").text
    assert "<style" not in page
    assert "style=" not in page
    assert page.count("<script") == page.count('<script type="module" src="lab.js">') == 1


@pytest.mark.parametrize(
    "path",
    [
        "app.py",
        "../app.py",
        "..%2fapp.py",
        "static/lab.js",
        "%2e%2e/%2e%2e/etc/passwd",
        "lab.js/..",
    ],
)
def test_no_other_file_is_served(lab: TestClient, path: str) -> None:
    answer = lab.get(f"{ROOT}/{TOKEN}/{path}")
    assert answer.status_code in (403, 404)


@pytest.mark.parametrize(
    "name", ["../../evil.csv", "/etc/cron.d/evil.csv", "..", ".bashrc.csv", "a\x00b.csv", "x" * 500]
)
def test_whatever_a_file_is_called_it_stays_in_the_folder(
    lab: TestClient, shelf: Shelf, name: str
) -> None:
    lab.post("api/data", params={"name": name}, content=b"a,label\n1,x\n2,y\n")
    (only,) = Path(shelf.folder).iterdir()
    assert only.is_file()
    assert not only.name.startswith(".")
    assert len(only.name) < 100


def test_a_file_that_is_too_long_is_refused_and_not_kept(
    lab: TestClient, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(your_data, "UPLOAD_LIMIT", 1 << 20)
    answer = lab.post("api/data", params={"name": "long.csv"}, content=b"a" * (1 << 20) + b"b")
    assert answer.status_code == 400
    assert "larger than 1 MB" in answer.json()["error"]
    assert "path" in answer.json()["error"]
    assert [*Path(shelf.folder).iterdir()] == []


@pytest.mark.parametrize(
    "path",
    ["", "/dev/zero", "/", "nowhere.csv", "a\x00b", "~/nowhere.csv", "~nosuchuser/x", "x" * 4000],
)
def test_only_plain_files_are_opened_by_their_path(lab: TestClient, path: str) -> None:
    answer = lab.post("api/data/path", content=path.encode())
    assert answer.status_code == 400
    assert "there is no file" in answer.json()["error"]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("api/step", "stream="),
        ("api/step?stream=mushrooms:order=1", "1 to 6 learners"),
        ("api/step?stream=nothing&learner=winnow", "no stream called"),
        ("api/step?stream=mushrooms:order=x&learner=winnow", "only order="),
        ("api/step?stream=mushrooms:order=1&learner=windows", "windows"),
        ("api/step?stream=file:1&learner=winnow", "no longer in the lab"),
        ("api/step/rounds?stream=singletons&learner=winnow&first=x", "whole number"),
        ("api/step/rounds?stream=singletons&learner=winnow&first=%C2%B2", "whole number"),
        ("api/step/rounds?stream=singletons&learner=winnow&first=--5", "whole number"),
        ("api/step/weight?stream=singletons&learner=winnow&column=-1", "0 to 15"),
        ("api/step/weight?stream=singletons&learner=winnow&column=16", "0 to 15"),
        ("api/step?stream=disjunctions:rows=abc&learner=winnow", "rows=abc is not a whole"),
        ("api/step?stream=disjunctions:rows=-1&learner=winnow", "rows=-1 is not a whole"),
        ("api/step?stream=disjunctions:drift=abc&learner=winnow", "drift=abc is not a whole"),
        ("api/step?stream=disjunctions:seed=$(id)&learner=winnow", "seed=$(id) is not a whole"),
        ("api/step?stream=disjunctions:noise=abc&learner=winnow", "noise"),
        ("api/step?stream=disjunctions:balance=abc&learner=winnow", "balance"),
        ("api/step?stream=disjunctions:rows=10000001&learner=winnow", "10,000,000 rows"),
        ("api/step?stream=disjunctions:n_features=268435456&learner=winnow", "at most 1,048,576"),
        ("api/step?stream=orthonormal:n=1048577&learner=winnow", "up to 65,536"),
        ("api/step?stream=identical-shards:n=2000,copies=2000&learner=winnow", "up to 65,536"),
        ("api/step?stream=lower-bound:margin=1e-4&learner=perceptron", "up to 65,536"),
        ("api/step?stream=sign-patterns:m=21&learner=perceptron", "up to 65,536"),
        ("api/game/learner?kind=binary-search&setting=%C2%B2/1", "features/relevant"),
        (f"api/data/again?key=1&said={'[' * 20_000}", "must be JSON"),
        ('api/data/again?key=1&said={"positive":"\\ud800"}', "must be JSON"),
        ("api/game/chess?moves=e4", "no game"),
        ("api/game/adversary?margin=0&learner=perceptron", "margin 0"),
        ("api/game/experts?beta=1/2&moves=zz", "names no experts"),
        ("api/data/again?key=1&said={}", "no longer in the lab"),
    ],
)
def test_a_wrong_question_gets_an_answer_that_says_why(
    lab: TestClient, path: str, words: str
) -> None:
    answer = lab.get(path)
    assert answer.status_code == 400
    assert words in answer.json()["error"]


@pytest.mark.parametrize(
    "origin",
    [
        "http://[",
        "http://127.0.0.1:1",
        "https://127.0.0.1:8765",
        "http://localhost:8765",
        "http://evil.com\\@127.0.0.1",
        "null",
    ],
)
def test_only_the_very_origin_of_the_lab_is_its_own(lab: TestClient, origin: str) -> None:
    assert lab.get("api/start", headers={"origin": origin}).status_code == 403
    assert lab.get(f"{ROOT}/guess/", headers={"origin": origin}).status_code == 403


def test_what_nobody_foresaw_is_one_line_of_json(
    lab: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        raise KeyError("two\nlines \ud800")

    monkeypatch.setattr(app, "whole", fails)
    answer = lab.get("api/game/experts?beta=1/2")
    assert answer.status_code == 500
    assert answer.json()["error"].startswith("the lab failed: KeyError: ")
    assert "\n" not in answer.json()["error"]
    assert "content-security-policy" in answer.headers


def test_of_a_path_no_more_is_read_than_a_path_can_have() -> None:
    read: list[int] = []
    request = Request({"type": "http", "method": "POST"}, _pieces(read))
    with pytest.raises(RequestError, match="at most 4,096 bytes"):
        asyncio.run(your_data.path_in(request))
    assert len(read) == 5


def _pieces(read: list[int]) -> Receive:
    async def receive() -> Message:
        read.append(1)
        return {"type": "http.request", "body": b"a" * 1000, "more_body": len(read) < 100}

    return receive
