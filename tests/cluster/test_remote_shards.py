"""Shards of files on other machines are those of the same files here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cluster.data import N_FEATURES, rows, written
from tests.streams.shelves import shelf
from thresher.cluster import train
from thresher.cluster.engine import InProcess
from thresher.cluster.events import EpochFinished
from thresher.cluster.labelled_shards import OwnRows
from thresher.cluster.scoring import ClusterEvaluation, ShardReading
from thresher.cluster.shards import cut
from thresher.errors import ClusterError, SourceError, ThresherError
from thresher.models.input_data import InputData
from thresher.streams.recipe import Recipe
from thresher.streams.sources import remote

SIGNED = "?X-Signature=5eCr3t"


def test_workers_read_addresses_and_learn_the_same(tmp_path: Path, client: Any) -> None:
    here = written(tmp_path, 300, 40)
    files = {path.name: path.read_bytes() for path in sorted(tmp_path.glob("part-*"))}
    with shelf(files) as web:
        there = [f"{web.address}/{name}{SIGNED}" for name in files]
        asked: dict[str, Any] = {"n_features": N_FEATURES, "shards": 4, "epochs": 2}
        found = train(there, "perceptron", client=client, **asked)
    expected = train(here, "perceptron", **asked)
    assert found.learner == expected.learner
    sources = [one.sources for model in (found, expected) for one in model.history]
    assert [s.digest for s in sources[0]] == [s.digest for s in sources[1]]
    assert len(sources[0]) > len(files)
    assert "5eCr3t" not in repr(found.history)


def test_a_file_elsewhere_is_cut_at_the_same_line_ends(tmp_path: Path) -> None:
    files = {"day.svm": "".join(f"{line}\n" for line in rows(200, 0)).encode()}
    (tmp_path / "day.svm").write_bytes(files["day.svm"])
    recipe = Recipe(format="svmlight")
    with shelf(files) as web:
        there = cut([f"{web.address}/day.svm"], recipe, 5)
    here = cut([str(tmp_path / "day.svm")], recipe, 5)
    places = [[(p.start, p.stop) for p in shard.pieces] for one in (there, here) for shard in one]
    assert places[:5] == places[5:]


def test_a_bad_line_elsewhere_is_counted_from_the_start_of_its_file() -> None:
    lines = rows(200, 0)
    lines[180] = "1 what"
    files = {"day.svm": "".join(f"{line}\n" for line in lines).encode()}
    told = pytest.raises(ThresherError, match=r"/day\.svm:181: found 'what'")
    with shelf(files) as web, told as caught:
        train([f"{web.address}/day.svm{SIGNED}"], "perceptron", n_features=64, shards=4)
    assert "5eCr3t" not in str(caught.value)


def test_a_server_that_hands_out_no_parts_is_said_and_one_that_fails_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(remote, "PAUSES", (0.0, 0.0))
    files = {"day.svm": "".join(f"{line}\n" for line in rows(200, 0)).encode()}
    recipe = Recipe(format="svmlight")
    with shelf(files) as web:
        expected = cut([f"{web.address}/day.svm"], recipe, 3)
        # The first two questions are whether the file is packed.
        web.faults = [503, 503]
        assert cut([f"{web.address}/day.svm"], recipe, 3) == expected
        path, web.ranges = f"{web.address}/day.svm", False
        with pytest.raises(SourceError, match="does not hand out parts of files"):
            cut([path], recipe, 3)


@pytest.mark.parametrize("mode", ["mixing", "exact"])
def test_what_signs_an_address_is_in_no_event_and_no_error(mode: Any) -> None:
    told: list[Any] = []
    with shelf({"day.svm": b"1 0:1\n0 1:1\n", "none.svm": b"# nothing\n"}) as web:
        asked: dict[str, Any] = {"n_features": N_FEATURES, "mode": mode, "on_event": told.append}
        train(f"{web.address}/day.svm{SIGNED}", "perceptron", **asked)
        with pytest.raises(SourceError, match="not a single row") as caught:
            train(f"{web.address}/none.svm{SIGNED}", "perceptron", **asked)
        model = train(f"{web.address}/day.svm{SIGNED}", "perceptron", n_features=N_FEATURES)
        data = InputData(paths=(f"{web.address}/none.svm{SIGNED}",))
        with pytest.raises(SourceError, match="not a single row") as tested:
            list(ClusterEvaluation(model, data, InProcess()))
    assert "day.svm" in repr(told)
    assert "5eCr3t" not in f"{told} {caught.value} {tested.value}"


def test_the_arguments_of_a_task_that_a_worker_logs_have_no_signature() -> None:
    path = f"https://host/day.svm{SIGNED}"
    data = InputData(paths=(path,), parts={path: (0, 9)})
    own = OwnRows(paths=(path,), positive=None, one_based=False, n_columns=4)
    said = repr([data, ShardReading(data, Recipe(), 0), own])
    assert said.count("https://host/day.svm") == 4
    assert "5eCr3t" not in said


def test_no_worker_logs_a_signature_or_fails_to_send_an_error(client: Any) -> None:
    body = "".join(f"{line}\n" for line in rows(200, 0)).encode()
    with shelf({"day.svm": body}) as web:

        def lose(event: Any) -> None:
            if isinstance(event, EpochFinished):
                web.files.clear()

        asked: dict[str, Any] = {"n_features": N_FEATURES, "shards": 2, "epochs": 2}
        said = r"epoch 2, shard \d \([^)]*\): http\S+/day\.svm: there is no such file\.$"
        with pytest.raises(ClusterError, match=said):
            train(
                f"{web.address}/day.svm{SIGNED}",
                "perceptron",
                client=client,
                on_event=lose,
                **asked,
            )
        logged = str(client.get_worker_logs())
    assert "5eCr3t" not in logged
