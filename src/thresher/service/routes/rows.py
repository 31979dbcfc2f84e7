"""Rows: predicted, learned, explained."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from thresher.service import views
from thresher.service.bodies import BY_NAME, JSON, NDJSON, TEXTS, body_of, type_of
from thresher.service.exchange import asked_in, learned, predicted, with_labels
from thresher.service.problems import reply_lines, reply_row
from thresher.service.routes.request import for_role, models_of, reach, served_in
from thresher.service.served_model import ServedModel


async def _rows(request: Request) -> tuple[ServedModel, str, bytes]:
    """The model that is asked, and the type and bytes of what it is asked."""
    models = models_of(request)
    served = models[request.path_params["name"]]
    kind = type_of(request, JSON, NDJSON, *TEXTS)
    return served, kind, await body_of(request, models.limits)


def _answered(kind: str, rows: list[Any], alone: bool) -> Response:
    """Answers in the form of the question: one object, a list, or lines."""
    if kind == JSON:
        return reply_row(rows[0] if alone else rows)
    return reply_lines(rows)


@for_role("read")
async def predict(request: Request) -> Response:
    """What the model says of rows; those with an id are kept until their labels come."""
    served, kind, body = await _rows(request)
    models, wanted = models_of(request), False
    # Most ask nothing more.
    if request.scope["query_string"]:
        await reach(request, served)
        wanted = _probabilities(request)
    asked = asked_in(models, served, kind, body)
    bearer = request.scope["bearer"]
    rows = await predicted(models, served, asked, bearer, probabilities=wanted)
    return _answered(kind, rows, asked.alone)


def _probabilities(request: Request) -> bool:
    if not request.scope["query_string"]:
        return False
    return request.query_params.get("probabilities", "") in ("1", "true")


def _key(request: Request) -> str | None:
    """The key by which a request is known again."""
    key = request.scope[BY_NAME].get(b"idempotency-key")
    return None if key is None else str(key, "latin-1")


@for_role("learn")
async def learn(request: Request) -> Response:
    """Learn rows, each once; the answer has the number of each, and what was predicted before."""
    served, kind, body = await _rows(request)
    key = _key(request)
    rows, alone = await learned(models_of(request), served, kind, body, key)
    return _answered(kind, rows, alone)


@for_role("learn")
async def predict_learn(request: Request) -> Response:
    """Learn the rows that have a label, and predict those that have none."""
    served, kind, body = await _rows(request)
    key = _key(request)
    wanted = _probabilities(request)
    rows, alone = await learned(
        models_of(request), served, kind, body, key, and_predict=True, probabilities=wanted
    )
    return _answered(kind, rows, alone)


@for_role("learn")
async def labels(request: Request) -> Response:
    """The labels of earlier predictions, by their ids: they are learned now."""
    models, served = models_of(request), served_in(request)
    kind = type_of(request, JSON, NDJSON)
    rows, alone = await with_labels(models, served, kind, await body_of(request, models.limits))
    return _answered(kind, rows, alone)


@for_role("read")
async def explain(request: Request) -> Response:
    """Why rows have their scores."""
    served, kind, body = await _rows(request)
    await reach(request, served)
    asked = asked_in(models_of(request), served, kind, body)
    label = request.query_params.get("label")
    rows = views.explained(served.live.champion, asked.examples, label)
    return _answered(kind, rows, asked.alone)


#: What is asked of rows, by the last part of the address.
ROWS = {
    "predict": predict,
    "learn": learn,
    "predict-learn": predict_learn,
    "labels": labels,
    "explain": explain,
}
