"""Guard: who may ask, how long it took, and one line in the log for each request.

Assumes: whoever has a token keeps it; a proxy, or the server's own TLS, hides it on the way.

Promises: without a token that is known, nothing but `/healthz` and `/readyz` is told. A service
without tokens answers requests that name this machine, and none that a page of a browser sent.

Does not promise: anything against whoever can read the folder of the store.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher.errors import ServiceError
from thresher.service.live_models import LiveModels
from thresher.service.problems import problem, problem_reply
from thresher.service.tokens import ANYBODY, Bearer, Tokens

#: What an observer may ask who has no token.
OPEN = ("/healthz", "/readyz")
THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")
HEADERS = {
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
}

RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]

#: Method, path, status, seconds and who asked.
AccessLog = Callable[[str, str, int, float, str], None]


class Guard:
    """Lets through whoever is known, and counts."""

    def __init__(
        self,
        app: ASGIApp,
        models: Callable[[], LiveModels],
        tokens: Callable[[], Tokens | None],
        log: AccessLog,
    ) -> None:
        self.app = app
        self._models, self._tokens, self._log = models, tokens, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check, pass on, count."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = perf_counter(), 500

        async def guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = message["headers"]
                known = {name for name, _ in headers}
                headers.extend(one for one in RAW_HEADERS if one[0] not in known)
            await send(message)

        who = ""
        try:
            bearer = self._bearer(scope)
            scope["bearer"] = bearer
            who = bearer.name
        except ServiceError as error:
            await problem_reply(problem(error))(scope, receive, guarded)
        else:
            await self.app(scope, receive, guarded)
        seconds = perf_counter() - began
        route = getattr(scope.get("endpoint"), "__name__", "other")
        self._models().tally.request(route, status, seconds)
        self._log(scope["method"], scope["path"], status, seconds, who)

    def _bearer(self, scope: Scope) -> Bearer:
        headers, tokens = Headers(scope=scope), self._tokens()
        if scope["path"] in OPEN:
            return Bearer("read", "observer", b"")
        if tokens is not None:
            return tokens.bearer(headers.get("authorization", ""))
        # A page elsewhere may have a name that leads here; it cannot choose this header.
        name, colon, port = headers.get("host", "").rpartition(":")
        host = name if colon and port.isdigit() else headers.get("host", "")
        if host not in THIS_MACHINE:
            raise ServiceError(
                "a service without tokens answers this machine alone.", code="service.host"
            )
        if "origin" in headers:
            raise ServiceError(
                "a service without tokens answers no pages of a browser.", code="service.role"
            )
        return ANYBODY
