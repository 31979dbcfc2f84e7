"""Metrics: what a service counts, in the text format of Prometheus."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate

from thresher.service.following import Following
from thresher.service.live_models import LiveModels
from thresher.service.tally import BOUNDS, Histogram


def exposition(models: LiveModels) -> str:
    """Everything that is counted."""
    return "\n".join(_lines(models)) + "\n"


def _lines(models: LiveModels) -> Iterator[str]:
    tally = models.tally
    yield from _head("requests_total", "counter", "Answers given, by what was asked.")
    for (route, status), count in sorted(tally.requests.items()):
        yield f'thresher_requests_total{{route="{route}",status="{status}"}} {count}'
    yield from _head("request_seconds", "histogram", "Seconds until the answer was given.")
    for route, took in sorted(tally.latencies.items()):
        yield from _histogram("request_seconds", took, f'route="{route}",')
    yield from _head("commit_seconds", "histogram", "Seconds that a commit to the log took.")
    yield from _histogram("commit_seconds", tally.commits)
    yield from _head("checkpoint_seconds", "histogram", "Seconds that a snapshot took.")
    yield from _histogram("checkpoint_seconds", tally.checkpoints)
    yield from _head("committed_total", "counter", "Requests that were written to the log.")
    yield f"thresher_committed_total {tally.works}"
    yield from _head("queue", "gauge", "Requests that wait to be committed.")
    yield f"thresher_queue {models.waiting}"
    yield from _head("streams", "gauge", "Streams of events that are open.")
    yield f"thresher_streams {models.streams}"
    yield from _head("writable", "gauge", "Whether the last commit succeeded.")
    yield f"thresher_writable {int(models.writable)}"
    yield from _head("alarms_total", "counter", "Alarms for the webhook, by what became of them.")
    for outcome, count in sorted(tally.alarms.items()):
        yield f'thresher_alarms_total{{outcome="{outcome}"}} {count}'
    yield from _of_models(models)
    if models.following is not None:
        yield from _of_replica(models, models.following)


def _of_replica(models: LiveModels, following: Following) -> Iterator[str]:
    """How far a replica is behind."""
    yield from _head("replica_lag", "gauge", "Numbers by which the leader was ahead.")
    for served in models:
        name = served.stored.name
        if (lag := following.lag(name)) is not None:
            yield f'thresher_replica_lag{{model="{name}"}} {lag}'
    yield from _head("replica_silence_seconds", "gauge", "Seconds since the leader answered.")
    if (silence := following.silence) is not None:
        yield f"thresher_replica_silence_seconds {silence:.3f}"


def _of_models(models: LiveModels) -> Iterator[str]:
    """Figures of each model."""
    figures: dict[str, tuple[str, str, list[tuple[str, float]]]] = {
        name: (kind, said, [])
        for name, kind, said in (
            ("sequence", "gauge", "The number of the last event."),
            ("rounds_total", "counter", "Events learned since the service began."),
            ("mistakes_total", "counter", "Mistakes among them."),
            ("refused_total", "counter", "Events in the log that the learner could not take."),
            ("progressive_error", "gauge", "Mistakes over rounds of the learner's whole life."),
            ("recent_error", "gauge", "The share of mistakes in the last 1,000 rounds."),
            ("shadow_recent_error", "gauge", "The same of the learner that learns along."),
            ("claim_refuted", "gauge", "Whether an event has refuted the claim."),
            ("drifts_total", "counter", "How often errors were found to have become more."),
            ("log_bytes", "gauge", "Bytes of the log behind the newest snapshot."),
        )
    }
    for served in models:
        live, watch, name = served.live, served.watch, served.stored.name
        learner = live.champion.model.learner
        values: dict[str, float | None] = {
            "sequence": live.sequence,
            "rounds_total": watch.rounds,
            "mistakes_total": watch.mistakes,
            "refused_total": watch.refused,
            "progressive_error": learner.mistakes / learner.n_rounds if learner.n_rounds else None,
            "recent_error": live.champion.recent_error,
            "shadow_recent_error": None if live.shadow is None else live.shadow.recent_error,
            "claim_refuted": None if live.settings.claim is None else live.refuted_at is not None,
            "drifts_total": watch.drifts,
            "log_bytes": served.log_bytes,
        }
        for figure, value in values.items():
            if value is not None:
                figures[figure][2].append((name, float(value)))
    for figure, (kind, text, found) in figures.items():
        yield from _head(figure, kind, text)
        for name, value in found:
            yield f'thresher_{figure}{{model="{_escaped(name)}"}} {_number(value)}'


def _escaped(text: str) -> str:
    r"""A value of a label; names of models need none of it, but a store may come from anywhere.

    >>> print(_escaped('a"b\\c\n'))
    a\"b\\c\n
    """
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _number(value: float) -> str:
    """A number without loss; whole ones without a point.

    >>> _number(12345678.0), _number(0.25)
    ('12345678', '0.25')
    """
    return str(int(value)) if value == int(value) else repr(value)


def _head(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP thresher_{name} {text}"
    yield f"# TYPE thresher_{name} {kind}"


def _histogram(name: str, took: Histogram, labels: str = "") -> Iterator[str]:
    for bound, count in zip((*BOUNDS, "+Inf"), accumulate(took.counts), strict=True):
        yield f'thresher_{name}_bucket{{{labels}le="{bound}"}} {count}'
    inside = f"{{{labels.rstrip(',')}}}" if labels else ""
    yield f"thresher_{name}_sum{inside} {took.total:.9g}"
    yield f"thresher_{name}_count{inside} {sum(took.counts)}"
