"""What `thresher store export` writes is a file of the model's own kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import thresher as th
from tests.cli.running import run
from tests.service.conftest import Service, service_on
from tests.service.kinds import tables, texts
from thresher.errors import StoreError
from thresher.models.file import model_digest
from thresher.models.model import Model
from thresher.service.exporting import as_file
from thresher.service.store import Store

TEXT = {"format": "text", "words": [1, 1], "bits": 8, "learner": "perceptron"}
TABLE = {
    "format": "csv", "numeric": ["age", "size"], "categorical": ["job", "zip"],
    "label_field": "y", "positive": ">50K", "negative": "<=50K",
}  # fmt: skip


def learned_of(service: Service, rows: list[dict[str, Any]]) -> Model:
    answer = service.post("/v1/models/m/learn", json=rows)
    assert answer.status_code == 200, answer.text
    return service.models["m"].live.champion.model


def export(folder: Path, kind: str | None = None) -> bytes:
    store = Store(folder)
    try:
        return b"".join(as_file(store, "m", kind).lines)
    finally:
        store.close()


def test_columns_stand_in_the_order_of_the_rows_for_a_vocabulary_numbers_them_so(
    tmp_path: Path,
) -> None:
    order = ("zip", "size", "job", "age")
    rows = tables(50, 3)
    for row in rows:
        # Whatever is missing at first has its place all the same.
        cells = {name: row["features"][name] for name in order}
        row["features"] = {name: one for name, one in cells.items() if one is not None}
    asked = TABLE | {"learner": "arow", "vocabulary": True}
    with service_on(tmp_path / "s") as service:
        assert service.put("/v1/models/m", json=asked).status_code == 201
        mine = learned_of(service, rows).learner.copy()
    (log := tmp_path / "log.csv").write_bytes(export(tmp_path / "s"))
    assert log.read_bytes().split(b"\n")[0] == b'"y","zip","size","job","age"'
    again = th.train(
        log, "arow", vocabulary=True, label_field="y", numeric=("size", "age"),
        categorical=("job", "zip"),
    )  # fmt: skip
    assert [*again.name_table.vocabulary] == [*mine.name_table.vocabulary]  # type: ignore[union-attr]
    assert again.learner == mine


def test_rows_with_an_importance_are_exported_as_json_alone(tmp_path: Path) -> None:
    asked = TABLE | {"learner": "arow", "bits": 6}
    row = {"features": {"age": 1, "job": "a\nb"}, "label": ">50K", "importance": 2}
    with service_on(tmp_path / "s") as service:
        service.put("/v1/models/m", json=asked)
        learned_of(service, [row])
    with pytest.raises(StoreError, match="has an importance"):
        export(tmp_path / "s")
    line = {"label": ">50K", "weight": 2.0, "features": {"age": 1, "job": "a\nb"}}
    assert json.loads(export(tmp_path / "s", "json")) == line


@pytest.mark.parametrize("last", [False, True])
def test_texts_have_their_labels_where_the_files_of_the_model_have_them(
    tmp_path: Path, last: bool
) -> None:
    rows = [{"text": "text", "label": "label"}, *texts(20, 2)]
    with service_on(tmp_path / "s") as service:
        service.put("/v1/models/m", json=TEXT | {"multiclass": True, "label_last": last})
        mine = learned_of(service, rows).learner.copy()
    (log := tmp_path / "log.tsv").write_bytes(export(tmp_path / "s"))
    # The first row looks like a header, so there is one before it.
    first, second, third = log.read_bytes().split(b"\n")[:3]
    assert (first, second) == ((b"text\tlabel",) * 2 if last else (b"label\ttext",) * 2)
    assert (third.split(b"\t")[0] in (b"ham", b"spam")) is not last
    again = th.train(log, "perceptron", multiclass=True, n_features=256, format="text",
                     words=(1, 1), label_last=last)  # fmt: skip
    assert again.learner == mine


def test_lines_of_json_have_the_label_in_the_field_of_the_model(tmp_path: Path) -> None:
    (data := tmp_path / "d.jsonl").write_text('{"y": "b", "a": 1}\n{"y": "a", "c": 2}\n')
    th.train(data, "perceptron", label_field="y", n_features=64).save(tmp_path / "m.thr")
    with service_on(tmp_path / "s") as service:
        file = (tmp_path / "m.thr").read_bytes()
        headers = {"content-type": "application/octet-stream"}
        assert service.put("/v1/models/m", content=file, headers=headers).status_code == 201
        mine = learned_of(service, [{"features": {"c": 1, "d": 1}, "label": "b"}]).learner.copy()
    (log := tmp_path / "log.jsonl").write_bytes(export(tmp_path / "s"))
    assert json.loads(log.read_bytes()) == {"y": "b", "features": {"c": 1, "d": 1}}
    assert th.train(log, resume=tmp_path / "m.thr").learner == mine


def test_a_shadow_reads_texts_and_labels_as_its_model_does(tmp_path: Path) -> None:
    rows = texts(40, 6)
    asked = TEXT | {"characters": [2, 3], "counts": True, "positive": "spam", "negative": "ham"}
    with service_on(tmp_path / "s") as service:
        assert service.put("/v1/models/m", json=asked).status_code == 201
        own: dict[str, Any] = {"learner": "arow", "bits": 7}
        assert service.put("/v1/models/m/shadow", json=own).status_code == 201
        learned_of(service, rows)
        beside = service.models["m"].live.shadow
        assert beside is not None
        found = Model(learner=beside.model.learner.copy())
        wrong = service.put("/v1/models/m/shadow", json=own | {"format": "csv"})
        assert wrong.status_code == 422
    (data := tmp_path / "rows.tsv").write_bytes(export(tmp_path / "s"))
    again = th.train(data, "arow", n_features=128, format="text", words=(1, 1),
                     characters=(2, 3), counts=True)  # fmt: skip
    assert model_digest(found) == model_digest(Model(learner=again.learner))


def test_the_command_says_how_a_new_model_reads_the_lines(tmp_path: Path) -> None:
    with service_on(tmp_path / "s") as service:
        service.put("/v1/models/m", json=TABLE | {"learner": "arow", "bits": 6})
        learned_of(service, tables(8, 1))
        service.post("/v1/models/m/rollback", json={"sequence": 3})
    done = run("store", "export", tmp_path / "s", "m")
    assert done.stdout.startswith('"y",')
    assert "taken back by a rollback: 5" in done.stderr
    told = " ".join(done.stderr.split())
    assert "--format csv --label-field y --numeric age,size --categorical job,zip" in told
    wrong = run("store", "export", tmp_path / "s", "m", "--kind", "text")
    assert wrong.stdout == ""


def test_an_empty_log_is_an_empty_file_of_its_kind(tmp_path: Path) -> None:
    with service_on(tmp_path / "s") as service:
        service.put("/v1/models/m", json=TABLE | {"learner": "arow", "bits": 6})
    assert export(tmp_path / "s") == b'"y","age","size","job","zip"\n'
