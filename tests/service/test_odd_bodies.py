"""Bodies that nobody would send, to models of every kind: answered, never with a failure."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tests.service.conftest import service_on
from tests.service.kinds import KINDS, rows_of, trained

NAMES = ("texts in a vocabulary", "texts, winnow", "table with pairs in a vocabulary", "table",
         "names in a vocabulary", "texts of several classes in a vocabulary")  # fmt: skip
TYPES = ("application/json", "application/x-ndjson", "text/plain", "text/csv",
         "text/tab-separated-values", "text/x-svmlight", "text/x-vw")  # fmt: skip
ODD: list[Any] = [
    *(
        None,
        True,
        False,
        0,
        -1,
        1e308,
        10**30,
        "",
        " ",
        "\0",
        "\t",
        "a\nb",
        "\ud7ff",
        "label\ttext",
    ),
    *([], {}, [[]], {"a": {"b": [1]}}, ["a", 1], "spam", "ham", "12", "NA", "x" * 2000),
]
BYTES = (
    b"\0",
    b"\xff",
    b"\n",
    b"\t",
    b'"',
    b",",
    b"{",
    b"}",
    b"\r",
    b"\xef\xbb\xbf",
    b":",
    b"1e999",
)


def body_for(dice: random.Random, row: dict[str, Any], kind: Any) -> tuple[str, bytes]:
    """A row with something odd in it, or a body of a file that was damaged."""
    if dice.random() < 0.5:
        odd = dict(row)
        if dice.random() < 0.5 and "features" in odd:
            odd["features"] = odd["features"] | {
                dice.choice([*odd["features"], "new", "12", "", "income"]): dice.choice(ODD)
            }
        else:
            odd[dice.choice(["text", "features", "label", "id", "importance", "more"])] = (
                dice.choice(ODD)
            )
        return dice.choice(TYPES[:2]), json.dumps(odd).encode() + b"\n"
    data = bytearray(kind.written([row]))
    for _ in range(dice.randint(0, 3)):
        at = dice.randrange(len(data) + 1)
        data[at : at + dice.randint(0, 2)] = dice.choice(BYTES)
    return dice.choice(TYPES), bytes(data)


@pytest.mark.parametrize("name", NAMES)
def test_whatever_comes_is_answered_and_what_was_learned_is_replayed(
    tmp_path: Path, name: str
) -> None:
    kind, dice = KINDS[name], random.Random(name)
    rows = rows_of(kind, 40, 2)
    statuses: dict[int, int] = {}
    with service_on(tmp_path / "store") as service:
        file = trained(tmp_path, kind, rows_of(kind, 40, 1)).read_bytes()
        headers = {"content-type": "application/octet-stream"}
        assert service.put("/v1/models/m", content=file, headers=headers).status_code == 201
        for _ in range(250):
            type_, body = body_for(dice, dice.choice(rows), kind)
            what = dice.choice(["predict", "learn", "predict-learn", "explain"])
            answer = service.post(
                f"/v1/models/m/{what}", content=body, headers={"content-type": type_}
            )
            assert answer.status_code < 500, (what, type_, body, answer.text)
            statuses[answer.status_code] = statuses.get(answer.status_code, 0) + 1
        assert not service.remarks
        digest = service.get("/v1/models/m").json()["digest"]
    assert {200, 422} <= statuses.keys()
    with service_on(tmp_path / "store") as service:
        assert service.get("/v1/models/m").json()["digest"] == digest
