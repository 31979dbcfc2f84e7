"""Answers: JSON, and for everything that goes wrong a document that says what, and what to do."""

from __future__ import annotations

import errno
from typing import Any

import apsw
import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher.errors import ServiceError, ThresherError
from thresher.errors.service import of_status
from thresher.service.messages import Problem

_encoder = msgspec.json.Encoder()
#: Seconds after which it makes sense to try again.
RETRY_AFTER = {429: "1", 503: "1", 507: "30"}
#: What every answer has.
HEADERS = [
    (b"x-content-type-options", b"nosniff"),
    (b"cache-control", b"no-store"),
    (
        b"content-security-policy",
        b"default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        b"frame-ancestors 'none'",
    ),
    (b"referrer-policy", b"no-referrer"),
]
_JSON = (b"content-type", b"application/json")
_LINES = (b"content-type", b"application/x-ndjson")


class Answer(Response):
    """Rows that were answered, with all headers: made many times a second, with little ado."""

    def __init__(self, body: bytes, kind: tuple[bytes, bytes]) -> None:
        self.status_code, self.background, self.body = 200, None, body
        self.raw_headers = [kind, (b"content-length", b"%d" % len(body)), *HEADERS]


def reply(content: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """An answer in JSON."""
    data = _encoder.encode(content)
    return Response(data, status, headers, media_type="application/json")


def reply_row(row: Any) -> Response:
    """The answer to a row that came alone, or to a list of them."""
    return Answer(_encoder.encode(row), _JSON)


def reply_lines(rows: list[Any]) -> Response:
    """Answers to rows that came line by line."""
    return Answer(_encoder.encode_lines(rows), _LINES)


def problem(error: Exception) -> Problem:
    """What went wrong, in the terms of RFC 9457; the type is the code of the error."""
    if isinstance(error, HTTPException):
        error = of_status(error.status_code, f"{error.detail.lower()}.")
    elif _no_more_files(error):
        error = ServiceError(
            "too many files and connections are open, and this takes another one.",
            "Send it again later. Predictions and events need none.",
            code="service.busy",
        )
    if isinstance(error, ServiceError):
        status = error.status
    elif isinstance(error, ThresherError):
        status = 422
    else:
        # Nobody foresaw it, and its words may tell what is nobody's business.
        return Problem("error", "error", 500, f"the service failed: {type(error).__name__}.")
    title = error.code.rpartition(".")[2].replace("_", " ")
    return Problem(error.code, title, status, error.what, error.remedy, error.fields)


def _no_more_files(error: Exception) -> bool:
    """Whether the process may open no more files for now."""
    if isinstance(error, apsw.CantOpenError):
        return True
    return isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE)


async def refused(request: Request, error: Exception) -> Response:
    """The answer to a request that is not done."""
    answer = problem_reply(problem(error))
    if answer.status_code == 405:
        answer.headers["allow"] = ", ".join(sorted(_methods(request)))
    return answer


def _methods(request: Request) -> set[str]:
    """What the address may be asked by; several routes may have it."""
    return {
        method
        for route in request.app.routes
        if route.matches(request.scope)[0] != Match.NONE
        for method in route.methods or ()
    }


def problem_reply(told: Problem) -> Response:
    """A problem as an answer."""
    headers = {}
    if told.status in RETRY_AFTER:
        headers["retry-after"] = RETRY_AFTER[told.status]
    if told.status == 401:
        headers["www-authenticate"] = "Bearer"
    data = _encoder.encode(told)
    return Response(data, told.status, headers, media_type="application/problem+json")


class LastResort:
    """Answers whatever nobody foresaw; the service goes on."""

    def __init__(self, app: ASGIApp, remark: Any) -> None:
        self.app, self._remark = app, remark

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on, and answer if that fails before an answer has begun."""
        begun = False

        async def noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await self.app(scope, receive, noted)
        except Exception as error:
            self._remark(f"{scope.get('path', '')}: {type(error).__name__}: {error}")
            if begun:
                raise
            await problem_reply(problem(error))(scope, receive, send)
