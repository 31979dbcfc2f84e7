"""The client sends model files, texts and columns, and asks again as it does with all else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.service.kinds import KINDS, rows_of, trained
from tests.service.test_command import serving
from thresher.client import Client
from thresher.errors import ServiceError
from thresher.models.model import Model


@pytest.mark.parametrize("name", ["texts", "table in a vocabulary", "names"])
def test_a_file_is_served_asked_taught_and_taken_home(tmp_path: Path, name: str) -> None:
    kind = KINDS[name]
    file = trained(tmp_path, kind, rows_of(kind, 40, 1))
    rows = rows_of(kind, 20, 2)
    sent: list[Any] = [row.get("text", row.get("features")) for row in rows]
    (data := tmp_path / f"rows.{kind.suffix}").write_bytes(kind.written(rows))
    with serving(tmp_path / "s") as (_, address), Client(address) as client:
        made = client.put_file("m", file)
        assert (made.n_rounds, made.reads["format"]) == (40, kind.options[1])
        with pytest.raises(ServiceError, match="there is a model 'm' already"):
            client.put_file("m", file)
        assert client.put_file("m", file, instead_of="*").n_rounds == 40
        wanted = Model.load(file).predict(data).tolist()
        assert [one.prediction for one in client.predict_many("m", sent)] == wanted
        assert client.predict("m", sent[0]).prediction == wanted[0]
        first = client.learn("m", sent[0], rows[0]["label"], id="one")
        again = client.learn("m", sent[0], rows[0]["label"], id="one")
        assert (first.sequence, again.sequence, again.repeated) == (1, 1, True)
        more = zip(sent[1:], (row["label"] for row in rows[1:]), strict=True)
        assert client.learn_many("m", more)[-1].sequence == 20
        client.predict("m", sent[0], id="later")
        assert client.label("m", "later", rows[0]["label"]) == 21
        (tmp_path / "now.thr").write_bytes(client.download("m"))
    assert Model.load(tmp_path / "now.thr").learner.n_rounds == 61


def test_what_is_not_a_model_file_is_refused_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "m.thr").write_text("no model")
    with serving(tmp_path / "s") as (_, address), Client(address) as client:
        with pytest.raises(ServiceError, match="the body") as caught:
            client.put_file("m", tmp_path / "m.thr")
        assert caught.value.code == "service.model_file"
        client.create("n", learner="perceptron")
        with pytest.raises(ServiceError, match="reads no texts"):
            client.learn("n", "free cash", 1)
