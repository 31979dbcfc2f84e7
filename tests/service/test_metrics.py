"""Metrics are what Prometheus reads, name everything that is promised, and stay few."""

from __future__ import annotations

from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.service.conftest import PERCEPTRON, Service
from tests.service.rows import examples
from thresher.service.metrics import exposition

#: What docs/service.md promises, and of which kind it is.
PROMISED = {
    "thresher_requests": "counter",
    "thresher_request_seconds": "histogram",
    "thresher_commit_seconds": "histogram",
    "thresher_checkpoint_seconds": "histogram",
    "thresher_committed": "counter",
    "thresher_queue": "gauge",
    "thresher_streams": "gauge",
    "thresher_writable": "gauge",
    "thresher_alarms": "counter",
    "thresher_sequence": "gauge",
    "thresher_rounds": "counter",
    "thresher_mistakes": "counter",
    "thresher_refused": "counter",
    "thresher_progressive_error": "gauge",
    "thresher_recent_error": "gauge",
    "thresher_shadow_recent_error": "gauge",
    "thresher_claim_refuted": "gauge",
    "thresher_drifts": "counter",
    "thresher_log_bytes": "gauge",
}


def families(text: str) -> dict[str, Any]:
    return {family.name: family for family in text_string_to_metric_families(text)}


def value(found: dict[str, Any], family: str, sample: str | None = None, **labels: str) -> float:
    (one,) = [
        sample_.value
        for sample_ in found[family].samples
        if sample_.labels == labels and sample_.name in (sample, family, f"{family}_total")
    ]
    return float(one)


def busy(service: Service) -> None:
    service.put("/v1/models/m", json=PERCEPTRON)
    service.put("/v1/models/m/shadow", json=PERCEPTRON)
    service.post("/v1/models/m/learn", json=examples(30, 3))
    service.post("/v1/models/m/snapshots")
    claim = {"learner": "winnow", "n_features": 64, "claim": "disjunction:k=2"}
    service.put("/v1/models/a.claim-1", json=claim)


def test_prometheus_reads_them_and_all_that_is_promised_is_there(service: Service) -> None:
    busy(service)
    answer = service.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    found = families(answer.text)
    assert {name: family.type for name, family in found.items()} == PROMISED
    assert all(family.documentation for family in found.values())
    assert value(found, "thresher_sequence", model="m") == 31
    assert value(found, "thresher_rounds", model="m") == 30
    told = service.get("/v1/models/m").json()
    assert value(found, "thresher_mistakes", model="m") == told["mistakes"]
    assert value(found, "thresher_progressive_error", model="m") == told["mistakes"] / 30
    assert value(found, "thresher_recent_error", model="m") == told["recent_error"]
    recent = told["shadow"]["recent_error"]
    assert value(found, "thresher_shadow_recent_error", model="m") == recent
    assert value(found, "thresher_claim_refuted", model="a.claim-1") == 0
    assert value(found, "thresher_requests", route="learn", status="200") == 1


@pytest.mark.parametrize(
    ("family", "labels"),
    [("request_seconds", {"route": "learn"}), ("commit_seconds", {}), ("checkpoint_seconds", {})],
)
def test_histograms_add_up(service: Service, family: str, labels: dict[str, str]) -> None:
    busy(service)
    samples = families(service.get("/metrics").text)[f"thresher_{family}"].samples
    mine = [one for one in samples if labels.items() <= one.labels.items()]
    buckets = [(float(one.labels["le"]), one.value) for one in mine if "le" in one.labels]
    assert buckets == sorted(buckets)
    assert [count for _, count in buckets] == sorted(count for _, count in buckets)
    (count,) = [one.value for one in mine if one.name.endswith("_count")]
    (total,) = [one.value for one in mine if one.name.endswith("_sum")]
    assert buckets[-1] == (float("inf"), count)
    assert count >= 1
    assert total > 0


def test_no_question_makes_a_new_series(service: Service) -> None:
    busy(service)
    service.get("/v1/nothing")
    service.get("/metrics")
    before = len(service.get("/metrics").text.splitlines())
    for k in range(200):
        service.get(f"/{k}")
        service.get(f"/v1/models/none-{k}/nothing-{k}")
        service.get(f"/v1/models/x{k}%22%0A/nothing")
    assert len(service.get("/metrics").text.splitlines()) == before


def test_a_model_that_is_gone_is_counted_no_more(service: Service) -> None:
    busy(service)
    service.delete("/v1/models/m")
    assert 'model="m"' not in service.get("/metrics").text


@pytest.mark.parametrize("name", ['a"b', "a\\", "a\nb 1", 'x"} 1\nthresher_sequence{model="y', "é"])
def test_a_name_from_elsewhere_cannot_break_out_of_its_label(service: Service, name: str) -> None:
    busy(service)
    served = service.models["m"]
    served.stored = served.stored._replace(name=name)
    found = families(exposition(service.models))
    assert value(found, "thresher_sequence", model=name) == 31
    assert len(found["thresher_sequence"].samples) == 2


def test_a_stream_of_events_is_no_slow_answer(service: Service) -> None:
    service.models.tally.request("events", 200, 3600.0)
    found = families(service.get("/metrics").text)
    assert value(found, "thresher_requests", route="events", status="200") == 1
    assert not any(
        one.labels.get("route") == "events" for one in found["thresher_request_seconds"].samples
    )
