"""Serving a store: a socket, signals, and an end that loses nothing.

SIGTERM and SIGINT: no new connections; what was asked is answered, streams of events end, what
waits is committed and learned, within a bounded time. SIGHUP: the file of tokens is read again.
"""

from __future__ import annotations

import asyncio
import ipaddress
import signal
import socket
import warnings
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import field
from time import time
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette

from thresher.errors import JournalTruncatedWarning, RequestError, ThresherError
from thresher.records import record
from thresher.service.app import build_app
from thresher.service.live_models import Limits, LiveModels
from thresher.service.place import is_postgres
from thresher.service.protocol import Protocol
from thresher.service.store import Kept, Store
from thresher.service.tokens import read_tokens
from thresher.service.webhook import Webhook, parts_of

if TYPE_CHECKING:
    from thresher.service.leader import Leader

PORT = 8080
#: Seconds in which requests under way are answered after a wish to stop, and what follows.
DRAIN_SECONDS = 20
#: Connections at a time; whoever is one too many is told so.
MOST_CONNECTIONS = 1_000

#: Who hears of what happens: an event as a dict of plain values.
Log = Callable[[dict[str, Any]], None]


@record(kw_only=True)
class ServeRequest:
    """Everything that is asked of a service."""

    store: str
    host: str = "127.0.0.1"
    port: int = PORT
    tokens: str | None = None
    read_only: bool = False
    certificate: str | None = None
    key: str | None = None
    log_requests: bool = False
    #: Where others of the same store can ask this one; None: where it listens.
    advertise: str | None = None
    #: The leader whose log is replayed, and the token for it.
    follow: str | None = None
    leader_token: str | None = None
    webhook: str | None = None
    limits: Limits = field(default_factory=Limits)
    keep: Kept = field(default_factory=Kept)


def serve(
    request: ServeRequest, log: Log, ready: Callable[[str], object] = lambda address: None
) -> int:
    """Serve until a signal comes, and return its number.

    Parameters
    ----------
    request
        What to serve, and where.
    log
        Who hears of what happens.
    ready
        Called with the address as soon as the service answers.
    """
    _require_tokens(request)
    _require_alone(request)
    _leader(request)
    if request.webhook is not None:
        parts_of(request.webhook)
    service = _Service(request, log)
    scheme = "https" if request.certificate else "http"
    with _listening(request.host, request.port) as sock:
        shown = f"[{request.host}]" if ":" in request.host else request.host
        port = sock.getsockname()[1]
        address = f"{scheme}://{shown}:{port}"
        # One that is taken is told before the log is replayed.
        service.store = Store(
            request.store, address=request.advertise or _for_others(scheme, request.host, port)
        )
        try:
            return service.run(sock, lambda: ready(address))
        finally:
            service.store.close()


class _Service:
    """A store, who may use it, and the server in between."""

    store: Store
    models: LiveModels

    def __init__(self, request: ServeRequest, log: Log) -> None:
        self._request, self._log = request, log
        self._tokens = None if request.tokens is None else read_tokens(request.tokens)
        self._failed: Exception | None = None
        self._server: _Server | None = None

    def run(self, sock: socket.socket, ready: Callable[[], object]) -> int:
        # The journal of a long life is cut off at its bound, and says so itself.
        warnings.simplefilter("ignore", JournalTruncatedWarning)
        request = self._request
        app = build_app(
            lambda: self.models, lambda: self._tokens, self._access, self._remark, self._lifespan
        )
        self._server = server = _Server(
            uvicorn.Config(
                app,
                http=Protocol,
                log_level="critical",
                lifespan="on",
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,
                limit_concurrency=MOST_CONNECTIONS,
                timeout_keep_alive=30,
                timeout_graceful_shutdown=DRAIN_SECONDS,
                ssl_certfile=request.certificate,
                ssl_keyfile=request.key,
            )
        )
        server.ready, server.ending = ready, self._end_streams
        server.run(sockets=[sock])
        if self._failed is not None:
            raise self._failed
        return server.stopped_by

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        request = self._request
        self.models = LiveModels(
            self.store,
            limits=request.limits,
            keep=request.keep,
            remark=self._remark,
            read_only=request.read_only,
            leader=_leader(request),
        )
        called = None
        if request.webhook is not None:
            called = Webhook(request.webhook, self.models.tally.alarms, self._remark)
            self.models.alarm = called.put
        recovering = asyncio.create_task(self._recover())
        loop = asyncio.get_running_loop()
        hang_up = getattr(signal, "SIGHUP", None)
        if hang_up is not None:
            loop.add_signal_handler(hang_up, self._reload)
        yield
        if not recovering.done():
            recovering.cancel()
        if hang_up is not None:
            loop.remove_signal_handler(hang_up)
        await self.models.close(DRAIN_SECONDS)
        if called is not None:
            await asyncio.to_thread(called.close)
        self._remark("stopped: everything that was acknowledged is in the store.")

    async def _recover(self) -> None:
        began = time()
        try:
            await self.models.recover()
        except Exception as error:
            self._failed = error
            assert self._server is not None
            self._server.should_exit = True
            return
        count = len(list(self.models))
        self._remark(f"ready: {count} models after {time() - began:.2f} seconds.")

    def _end_streams(self) -> None:
        for served in self.models:
            served.ended()

    def _reload(self) -> None:
        """Read the tokens again; if they cannot be read, those so far stay."""
        if self._request.tokens is None:
            return
        try:
            self._tokens = read_tokens(self._request.tokens)
        except ThresherError as error:
            self._remark(f"the tokens stay as they are: {error}")
        else:
            self._remark("the tokens were read again.")

    def _remark(self, text: str) -> None:
        self._log({"at": time(), "event": "remark", "text": text})

    def _access(self, method: str, path: str, status: int, seconds: float, who: str) -> None:
        if not self._request.log_requests and status < 500:
            return
        self._log(
            {
                "at": time(),
                "event": "request",
                "method": method,
                "path": path[:200],
                "status": status,
                "milliseconds": round(seconds * 1000, 3),
                "who": who,
            }
        )


class _Server(uvicorn.Server):
    ready: Callable[[], object]
    ending: Callable[[], object]
    stopped_by = 0

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets)
        if self.started:
            self.ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop when what was asked is answered; at once when somebody insists."""
        if self.should_exit:
            self.force_exit = True
        self.stopped_by = sig
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams of events, which would wait for ever; then wait for the others."""
        self.ending()
        await super().shutdown(sockets)


def _require_tokens(request: ServeRequest) -> None:
    """Refuse to be heard on a network by whoever likes."""
    if request.tokens is None and not _is_this_machine(request.host):
        raise RequestError(
            f"{request.host} is heard by other machines, and nobody would need a token.",
            "Name a file of tokens.",
            code="request.tokens_needed",
            host=request.host,
        )


def _require_alone(request: ServeRequest) -> None:
    """Refuse a replica in a store that several share: each would put the log into it."""
    if request.follow is not None and is_postgres(request.store):
        raise RequestError(
            "a replica has a folder of its own.",
            "Instances that share a database need not follow each other.",
            code="request.leader",
        )


def _leader(request: ServeRequest) -> Leader | None:
    if request.follow is None:
        return None
    # Few follow, and what asks a leader is the client's extra.
    from thresher.service.leader import Leader  # noqa: PLC0415

    return Leader(request.follow, request.leader_token)


def _is_this_machine(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _for_others(scheme: str, host: str, port: int) -> str:
    """Where this service can be asked from another machine, as far as can be told.

    >>> _for_others("http", "10.0.0.7", 8080)
    'http://10.0.0.7:8080'
    """
    if host in ("0.0.0.0", "::", ""):
        host = socket.gethostname()
    return f"{scheme}://[{host}]:{port}" if ":" in host else f"{scheme}://{host}:{port}"


def _listening(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    made = socket.socket(family, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as error:
        made.close()
        raise RequestError(
            f"{host}, port {port}: cannot listen there ({error.strerror}).",
            "Choose another.",
            code="request.port_taken",
            port=port,
        ) from None
    return made
