"""Guard: who may ask, how long it took, and one line in the log for each request.

Assumes: whoever has a token keeps it; a proxy, or the server's own TLS, hides it on the way.

Promises: without a token that is known, nothing but `/healthz` and `/readyz` is told. A service
without tokens answers requests that name this machine, and none that a page of a browser sent.

Does not promise: anything against whoever can read the folder of the store.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from thresher.errors import ServiceError
from thresher.service.bodies import BY_NAME
from thresher.service.live_models import LiveModels
from thresher.service.problems import HEADERS, problem, problem_reply
from thresher.service.tokens import ANYBODY, Bearer, Tokens

#: What an observer may ask who has no token.
OPEN = ("/healthz", "/readyz")
THIS_MACHINE = (b"127.0.0.1", b"localhost", b"[::1]")
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
                if headers[-1:] != HEADERS[-1:]:
                    known = {name for name, _ in headers}
                    headers.extend(one for one in HEADERS if one[0] not in known)
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
        # Of two with one name the first counts.
        headers = scope[BY_NAME] = dict(reversed(scope["headers"]))
        if scope["path"] in OPEN:
            return Bearer("read", "observer", b"")
        tokens = self._tokens()
        if tokens is not None:
            return tokens.bearer(headers.get(b"authorization", b"").decode("latin-1"))
        # A page elsewhere may have a name that leads here; it cannot choose this header.
        host = headers.get(b"host", b"")
        name, colon, port = host.rpartition(b":")
        host = name if colon and port.isdigit() else host
        if host not in THIS_MACHINE:
            raise ServiceError(
                "a service without tokens answers this machine alone.", code="service.host"
            )
        if b"origin" in headers:
            raise ServiceError(
                "a service without tokens answers no pages of a browser.", code="service.role"
            )
        return ANYBODY
