"""Whatever `thresher train` makes is served: answers are those of the command line, to the bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

import thresher as th
from tests.cli.running import run
from tests.service.conftest import Service, service_on
from tests.service.kinds import KINDS, Kind, Row, rows_of, trained
from thresher.models.events import Explained
from thresher.models.explained_rows import explanations
from thresher.models.file import load_model, model_digest
from thresher.models.input_data import InputData
from thresher.models.model import Model
from thresher.service.exporting import as_file
from thresher.service.store import Store
from thresher.service.upkeep import checked

MODEL_FILE = {"content-type": "application/octet-stream"}

every_kind = pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)


def put_file(service: Service, path: Path, name: str = "m") -> dict[str, Any]:
    answer = service.put(f"/v1/models/{name}", content=path.read_bytes(), headers=MODEL_FILE)
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def champion(service: Service) -> Model:
    return service.models["m"].live.champion.model


def told(service: Service, what: str, **sent: Any) -> Any:
    answer = service.post(f"/v1/models/m/{what}", **sent)
    assert answer.status_code == 200, answer.text
    if sent.get("json") is not None:
        return answer.json()
    return [json.loads(line) for line in answer.text.splitlines()]


def told_of_body(service: Service, kind: Kind, what: str, rows: list[Row]) -> Any:
    headers = {"content-type": str(kind.type_)}
    return told(service, what, content=kind.written(rows), headers=headers)


def teach(service: Service, kind: Kind, rows: list[Row]) -> list[Any]:
    """Rows one by one, together, and as the body of a file; by turns."""
    third = len(rows) // 3
    answers = [told(service, "learn", json=row | {"id": f"e-{k}"}) for k, row in
               enumerate(rows[:third])]  # fmt: skip
    answers += told(service, "learn", json=rows[third : 2 * third])
    return [*answers, *told_of_body(service, kind, "learn", rows[2 * third :])]


def same(one: Model, other: Model) -> bool:
    """Learners and tables of names, to the bit; what was learned from is told otherwise."""
    assert model_digest(Model(learner=one.learner)) == model_digest(Model(learner=other.learner))
    return one.learner == other.learner and one.kept == other.kept


@every_kind
def test_a_model_file_is_served_as_the_command_line_uses_it(tmp_path: Path, kind: Kind) -> None:
    before, more, other = (rows_of(kind, n, seed) for n, seed in ((150, 1), (90, 2), (40, 3)))
    file = trained(tmp_path, kind, before)
    (test := tmp_path / f"other.{kind.suffix}").write_bytes(kind.written(other))
    (data := tmp_path / f"more.{kind.suffix}").write_bytes(kind.written(more))
    with service_on(tmp_path / "store") as service:
        put_file(service, file)
        _same_predictions(service, kind, file, test, other)
        _same_explanations(service, file, test, other)
        answers = teach(service, kind, more)
        assert [answer["sequence"] for answer in answers] == [*range(1, len(more) + 1)]
        # A model continues with the very options that it was made by.
        resumed = run("train", data, "-o", tmp_path / "b.thr", "-q", "--resume", file)
        assert resumed.exit_code == 0, resumed.output
        assert same(champion(service), load_model(tmp_path / "b.thr"))
        _same_predictions(service, kind, tmp_path / "b.thr", test, other)
        digest = service.get("/v1/models/m").json()["digest"]
        (tmp_path / "c.thr").write_bytes(service.get("/v1/models/m/file").content)
        assert load_model(tmp_path / "c.thr").recipe == load_model(file).recipe
        assert same(champion(service), load_model(tmp_path / "c.thr"))
    with service_on(tmp_path / "store") as service:
        assert service.get("/v1/models/m").json()["digest"] == digest
        repeated = told(service, "learn", json=more[0] | {"id": "e-0"})
        assert repeated == answers[0] | {"repeated": True}
        live = champion(service)
        live = Model(learner=live.learner.copy(), kept=live.kept)
    _same_from_export(tmp_path, kind, file, live)


def _same_predictions(
    service: Service, kind: Kind, file: Path, data: Path, rows: list[Row]
) -> None:
    done = run("predict", file, data, "--json", "-q")
    assert done.exit_code == 0, done.output
    wanted = [json.loads(line) for line in done.stdout.splitlines()]
    together = told(service, "predict", json=[_unlabelled(row) for row in rows])
    alone = [told(service, "predict", json=_unlabelled(row)) for row in rows[:5]]
    lines = told_of_body(service, kind, "predict", rows)
    for found in (together, lines, alone):
        assert [str(one["prediction"]) for one in found] == [
            one["label"] for one in wanted[: len(found)]
        ]
        assert [one["score"] for one in found] == [one["score"] for one in wanted[: len(found)]]


def _unlabelled(row: Row) -> Row:
    return {name: value for name, value in row.items() if name != "label"}


def _same_explanations(service: Service, file: Path, data: Path, rows: list[Row]) -> None:
    found = told(service, "explain", json=[_unlabelled(row) for row in rows[:8]])
    events = explanations(load_model(file), InputData(paths=(str(data),)), 8)
    whys = [event.why for event in events if isinstance(event, Explained)]
    assert found == json.loads(msgspec.json.encode(whys))


def _same_from_export(folder: Path, kind: Kind, file: Path, served: Model) -> None:
    """The log is a file of the model's own kind, from which `train` makes the same model."""
    store = Store(folder / "store")
    found = as_file(store, "m")
    log = folder / f"log.{kind.suffix}"
    log.write_bytes(b"".join(found.lines))
    assert (found.log.first, found.log.taken_back, found.log.swaps) == (1, 0, 0)
    assert all(finding.sound for finding in checked(store))
    store.close()
    done = run("train", log, "-o", folder / "d.thr", "-q", "--resume", file,
               "--format", found.kind)  # fmt: skip
    assert done.exit_code == 0, done.output
    assert same(served, load_model(folder / "d.thr"))


@every_kind
def test_it_is_shadowed_swapped_taken_back_and_written_down(tmp_path: Path, kind: Kind) -> None:
    before, more = rows_of(kind, 60, 1), rows_of(kind, 30, 2)
    file = trained(tmp_path, kind, before)
    asked = {"learner": "multiclass_perceptron" if kind.several else "perceptron", "bits": 8}
    with service_on(tmp_path / "store") as service:
        put_file(service, file)
        shadow = service.put("/v1/models/m/shadow", json=asked)
        assert shadow.status_code == 201, shadow.text
        told(service, "learn", json=more[:10])
        at = service.get("/v1/models/m").json()
        assert at["shadow"]["n_rounds"] == 10
        assert service.post("/v1/models/m/snapshots").status_code == 201
        told(service, "swap", json={})
        told(service, "learn", json=more[10:20])
        swapped = service.get("/v1/models/m").json()
        assert (swapped["learner"], swapped["n_rounds"]) == (asked["learner"], 20)
        assert swapped["shadow"]["n_rounds"] == len(before) + 20
        told(service, "rollback", json={"sequence": at["sequence"]})
        assert service.get("/v1/models/m").json()["digest"] == at["digest"]
        told(service, "predict", json=_unlabelled(more[0]) | {"id": "later"})
        told(service, "labels", json={"id": "later", "label": more[0]["label"]})
        assert service.get("/v1/models/m/report").status_code == 200
        assert service.get("/v1/models/m/journal").status_code in (200, 409)
        assert service.get("/v1/models/m/certificate").status_code == 409
        last = service.get("/v1/models/m").json()
    with service_on(tmp_path / "store") as service:
        assert service.get("/v1/models/m").json()["digest"] == last["digest"]
    store = Store(tmp_path / "store")
    assert all(finding.sound for finding in checked(store))
    found = as_file(store, "m", effective=True)
    assert (found.log.taken_back, found.log.swaps) == (10, 1)
    assert b"".join(found.lines).count(b"\n") > 0
    store.close()


@pytest.mark.parametrize("name", ["texts", "table", "names"])
def test_settings_make_the_model_that_train_makes(tmp_path: Path, name: str) -> None:
    kind = KINDS[name]
    every: dict[str, dict[str, Any]] = {
        "texts": {"format": "text", "words": [1, 3], "counts": True},
        "table": {"format": "csv", "numeric": ["age", "size"], "categorical": ["job", "zip"],
                  "label_field": "income", "pairs": ["age,job"]},
        "names": {"pairs": ["all"]},
    }  # fmt: skip
    asked = every[name]
    by_name: dict[str, dict[str, Any]] = {
        "texts": {"format": "text", "words": (1, 3), "counts": True},
        "table": asked | {"numeric": ("age", "size"), "categorical": ("job", "zip")},
        "names": {"format": "json", "pairs": ("all",)},
    }
    options = by_name[name]
    rows = rows_of(kind, 90, 5)
    labels = sorted({row["label"] for row in rows})
    with service_on(tmp_path / "store") as service:
        for learner, more in (("arow", {"bits": 9}), ("committee", {"vocabulary": True})):
            settings = asked | {"learner": learner, "negative": labels[0], "positive": labels[1]}
            made = service.put("/v1/models/m", json=settings | more, headers={"if-match": "*"})
            if learner == "arow":
                made = service.put("/v1/models/m", json=settings | more)
            assert made.status_code == 201, made.text
            teach(service, kind, rows)
            (data := tmp_path / f"rows.{kind.suffix}").write_bytes(kind.written(rows))
            size: dict[str, Any] = {"n_features": 512} if learner == "arow" else more
            trained_model = th.train(data, learner, **size, **options)
            assert same(champion(service), trained_model)


def test_a_certificate_of_texts_is_verified_against_the_exported_log(tmp_path: Path) -> None:
    kind = KINDS["texts"]
    settings = {"learner": "perceptron", "format": "text", "bits": 10, "words": [1, 1],
                "positive": "spam", "negative": "ham"}  # fmt: skip
    with service_on(tmp_path / "store") as service:
        assert service.put("/v1/models/m", json=settings).status_code == 201
        teach(service, kind, [row for row in rows_of(kind, 60, 4) if row["text"]])
        answer = service.get("/v1/models/m/certificate")
        assert answer.status_code == 200, answer.text
        (tmp_path / "m.cert").write_bytes(answer.content)
    store = Store(tmp_path / "store")
    (tmp_path / "m.tsv").write_bytes(b"".join(as_file(store, "m").lines))
    store.close()
    words = ("--format", "text", "--words", "1", "--bits", "10")
    done = run("verify", tmp_path / "m.cert", tmp_path / "m.tsv", *words)
    assert done.exit_code == 0, done.output
    (tmp_path / "m.tsv").write_bytes((tmp_path / "m.tsv").read_bytes() + b"spam\tlunch\n")
    assert run("verify", tmp_path / "m.cert", tmp_path / "m.tsv", *words).exit_code == 1
