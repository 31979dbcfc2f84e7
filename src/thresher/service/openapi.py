"""The interface as OpenAPI has it, and as a page for people; a test compares it with the routes."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any, NamedTuple

import msgspec

from thresher import __version__
from thresher.service.bodies import JSON, MODEL_FILE, NDJSON, TEXTS
from thresher.service.messages import (
    Change,
    DelayedLabel,
    Example,
    Lesson,
    ModelInfo,
    Prediction,
    Problem,
    Rollback,
    SnapshotInfo,
)
from thresher.service.replication import MSGPACK
from thresher.service.settings import Settings

_MODEL = "/v1/models/{name}"
_HTML, _PLAIN, _EVENTS = "text/html", "text/plain", "text/event-stream"


class Operation(NamedTuple):
    """One thing that can be asked."""

    method: str
    path: str
    role: str | None
    said: str
    #: What is sent, and what it is answered; several of it where rows are.
    sent: Any = None
    answered: Any = None
    rows: bool = False
    status: int = 200
    #: Types of the answer that is not JSON.
    as_: str = JSON
    #: Statuses of its own, beside those that every operation has.
    also: tuple[int, ...] = ()
    query: tuple[str, ...] = ()


OPERATIONS = (
    Operation("get", "/healthz", None, "Whether the process answers."),
    Operation("get", "/readyz", None, "Whether the log was replayed and can be written."),
    Operation("get", "/metrics", "read", "What is counted, for Prometheus.", as_=_PLAIN),
    Operation("get", "/openapi.json", "read", "This document."),
    Operation("get", "/", "read", "This document as a page.", as_=_HTML),
    Operation("get", "/v1/models", "read", "The names of all models."),
    Operation("put", _MODEL, "admin", "Make a model from settings, or from a model file; with "
              "If-Match, instead of the one that is there.", Settings, ModelInfo, status=201,
              also=(200, 409, 412, 413, 415, 507)),
    Operation("get", _MODEL, "read", "What a model is and has done.", None, ModelInfo,
              also=(404,), query=("at_least",)),
    Operation("delete", _MODEL, "admin", "Forget a model and its log.", status=204,
              also=(404, 412, 507)),
    Operation("post", f"{_MODEL}/predict", "read", "Predict rows. Those with an id are kept until "
              "their labels come, which takes the role learn.", Example, Prediction, rows=True,
              also=(404, 409, 413, 415, 507), query=("at_least", "probabilities")),
    Operation("post", f"{_MODEL}/learn", "learn", "Learn rows, each once, whatever is sent again.",
              Example, Lesson, rows=True, also=(404, 409, 413, 415, 507)),
    Operation("post", f"{_MODEL}/predict-learn", "learn", "Learn rows that have a label, predict "
              "the others by the model before the request.", Example, (Lesson, Prediction),
              rows=True, also=(404, 409, 413, 415, 507), query=("probabilities",)),
    Operation("post", f"{_MODEL}/labels", "learn", "Learn earlier predictions, whose labels have "
              "come.", DelayedLabel, Lesson, rows=True, also=(404, 409, 413, 415, 507)),
    Operation("post", f"{_MODEL}/explain", "read", "Why rows have their scores.", Example,
              dict[str, Any], rows=True, also=(404, 413, 415), query=("at_least", "label")),
    Operation("get", f"{_MODEL}/events", "read", "What happens from now on: learned, mistake, "
              "refuted, drift, rollback, swap, shadow; with every=SECONDS a state at most so often "
              "instead of what comes with every request.", as_=_EVENTS, also=(404,),
              query=("every",)),
    Operation("get", f"{_MODEL}/certificate", "read", "A certificate of what the model did.",
              also=(404, 409)),
    Operation("get", f"{_MODEL}/journal", "read", "The rows that changed the learner, in order.",
              as_=NDJSON, also=(404, 409)),
    Operation("get", f"{_MODEL}/report", "read", "A page about the model.", as_=_HTML, also=(404,)),
    Operation("get", f"{_MODEL}/file", "read", "The model as an ordinary model file.",
              as_=MODEL_FILE, also=(404,), query=("at_least",)),
    Operation("get", f"{_MODEL}/log", "read", "The log behind a number, for a replica; waits for "
              "news where there is none.", as_=MSGPACK, also=(404, 409), query=("after", "digest")),
    Operation("get", f"{_MODEL}/snapshots/newest", "read", "A snapshot for a replica to begin "
              "with.", as_=MSGPACK, also=(404,)),
    Operation("get", f"{_MODEL}/snapshots", "read", "How far the model can go back.", None,
              list[SnapshotInfo], also=(404,)),
    Operation("post", f"{_MODEL}/snapshots", "admin", "Write the model down now.", None, Change,
              status=201, also=(404, 507)),
    Operation("post", f"{_MODEL}/rollback", "admin", "Let the model be as it was after some "
              "number.", Rollback, Change, also=(404, 409, 412, 413, 415, 507)),
    Operation("post", f"{_MODEL}/swap", "admin", "Let the shadow predict, and the model learn "
              "along.", None, Change, also=(404, 409, 412, 507)),
    Operation("put", f"{_MODEL}/shadow", "admin", "Let another learner learn along.", Settings,
              Change, status=201, also=(404, 413, 415, 507)),
    Operation("delete", f"{_MODEL}/shadow", "admin", "Let nobody learn along.", None, Change,
              also=(404, 507)),
)  # fmt: skip
#: What any operation may be answered: malformed, slow, without a token or role, unsound, too much,
#: not now.
ALWAYS = (400, 401, 403, 408, 421, 422, 429, 431, 500, 503)
_SENT = (Settings, Example, DelayedLabel, Rollback)
_ANSWERED = (ModelInfo, Prediction, Lesson, Change, SnapshotInfo, Problem)
_QUERIES = {
    "at_least": (
        "Wait until the model has learned this number.",
        {"type": "integer", "minimum": 0},
    ),
    "probabilities": ("Whether to answer with the probability of each class.", {"enum": ["1"]}),
    "after": ("The last number that is known.", {"type": "integer", "minimum": 0}),
    "digest": ("What tells its entry from others.", {"type": "string"}),
    "every": ("Seconds between two states.", {"type": "number", "minimum": 0.1, "maximum": 60}),
    "label": ("Of several classes, the one to explain.", {"type": "string"}),
}


@cache
def document() -> dict[str, Any]:
    """The interface in OpenAPI 3.1."""
    kinds = (*_SENT, *_ANSWERED)
    _, components = msgspec.json.schema_components(
        kinds, ref_template="#/components/schemas/{name}"
    )
    # As they came, to be read by the formats of files; what they are is known all the same.
    components["Example"]["properties"]["features"] = {"type": ["object", "array"]}
    paths: dict[str, dict[str, Any]] = {}
    for one in OPERATIONS:
        paths.setdefault(one.path, {})[one.method] = _operation(one)
    return {
        "openapi": "3.1.0",
        "info": {"title": "thresher", "version": __version__},
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "paths": paths,
    }


def _operation(one: Operation) -> dict[str, Any]:
    found: dict[str, Any] = {"summary": one.said, "parameters": []}
    found["operationId"] = f"{one.method} {one.path}".replace("{name}", "model")
    if one.role is not None:
        found["security"] = [{"token": []}]
        found["x-role"] = one.role
    if "{name}" in one.path:
        name = {"type": "string", "pattern": "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$"}
        found["parameters"].append({"name": "name", "in": "path", "required": True, "schema": name})
    for query in one.query:
        said, schema = _QUERIES[query]
        found["parameters"].append(
            {"name": query, "in": "query", "description": said, "schema": schema}
        )
    if one.sent is not None:
        # A model that is asked for in no words is the usual one.
        required = (one.method, one.path) != ("put", _MODEL)
        found["requestBody"] = {"required": required, "content": _sent(one)}
    responses = {str(one.status): {"description": "Done.", "content": _answered(one)}}
    for status in sorted({*ALWAYS, *one.also} - {one.status}):
        told = {"application/problem+json": {"schema": _schema(Problem)}}
        responses[str(status)] = {"description": "Not done.", "content": told}
    if one.status == 204:
        del responses["204"]["content"]
    if 200 in one.also:
        responses["200"] = {"description": "As it was.", "content": _answered(one)}
    found["responses"] = responses
    return found


def _schema(kind: Any, *, rows: bool = False) -> dict[str, Any]:
    several = kind if isinstance(kind, tuple) else (kind,)
    schemas, _ = msgspec.json.schema_components(several, ref_template="#/components/schemas/{name}")
    found: dict[str, Any] = schemas[0] if len(schemas) == 1 else {"anyOf": [*schemas]}
    return {"anyOf": [found, {"type": "array", "items": found}]} if rows else found


def _sent(one: Operation) -> dict[str, Any]:
    schema = _schema(one.sent)
    if one.path.endswith("/learn"):
        schema = {"allOf": [schema, {"required": ["label"]}]}
    if one.rows:
        schema = {"anyOf": [schema, {"type": "array", "items": schema}]}
    content: dict[str, Any] = {JSON: {"schema": schema}}
    if one.rows:
        content[NDJSON] = {"schema": {"type": "string"}}
        if one.sent is Example:
            content |= {kind: {"schema": {"type": "string"}} for kind in TEXTS}
    if one.method == "put" and one.path == _MODEL:
        content[MODEL_FILE] = {"schema": {"type": "string", "format": "binary"}}
    return content


def _answered(one: Operation) -> dict[str, Any]:
    if one.as_ != JSON:
        return {one.as_: {"schema": {"type": "string"}}}
    if one.answered is None:
        return {JSON: {"schema": {}}}
    content = {JSON: {"schema": _schema(one.answered, rows=one.rows)}}
    if one.rows:
        content[NDJSON] = {"schema": {"type": "string"}}
    return content


@cache
def page() -> str:
    """The interface for people, without a script and without a request elsewhere."""
    rows = "".join(
        f"<tr><td><code>{one.method.upper()}</code></td><td><code>{escape(one.path)}</code></td>"
        f"<td>{one.role or 'anybody'}</td><td>{escape(one.said)}</td>"
        f"<td>{_named(one.sent)}</td><td>{_named(one.answered)}</td></tr>"
        for one in OPERATIONS
    )
    kinds = "".join(
        f"<h3 id={kind.__name__}>{kind.__name__}</h3><p>{escape((kind.__doc__ or '').strip())}</p>"
        f"<pre>{escape(', '.join(kind.__struct_fields__))}</pre>"
        for kind in (*_SENT, *_ANSWERED)
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><title>thresher serve</title>"
        "<style>body{font:16px/1.5 system-ui;margin:2rem auto;max-width:70rem;padding:0 1rem}"
        "td,th{padding:.3rem .8rem .3rem 0;text-align:left;vertical-align:top}"
        "pre{white-space:pre-wrap}</style>"
        f"<h1>thresher {escape(__version__)}: what this service can be asked</h1>"
        "<p>For programs: <a href=/openapi.json>openapi.json</a>.</p>"
        "<table><tr><th>method<th>path<th>role<th>what it does<th>sent<th>answered</tr>"
        f"{rows}</table>{kinds}</html>"
    )


def _named(kind: Any) -> str:
    several = kind if isinstance(kind, tuple) else (kind,)
    known = [one.__name__ for one in several if any(one is own for own in (*_SENT, *_ANSWERED))]
    return " or ".join(f"<a href=#{name}>{name}</a>" for name in known)
