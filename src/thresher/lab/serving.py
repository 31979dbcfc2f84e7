"""Serving the lab on this machine: one socket, one address, and a stop that is at once."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable

import uvicorn

from thresher.errors import RequestError
from thresher.lab.app import build_app
from thresher.lab.shelf import Shelf

HOST = "127.0.0.1"
#: Where the lab is unless somebody says otherwise; any free port if it is taken.
PORT = 8765


def serve(
    shelf: Shelf,
    start: str,
    *,
    port: int | None = None,
    ready: Callable[[str], object] = lambda address: None,
) -> None:
    """Serve until a signal comes.

    Parameters
    ----------
    shelf, start
        As `build_app` has them.
    port
        None: the usual one, or any that is free.
    ready
        Called with the address as soon as the lab answers.
    """
    listening = _socket(port)
    token = secrets.token_urlsafe(16)
    address = f"http://{HOST}:{listening.getsockname()[1]}/{token}/"
    server = _Server(
        uvicorn.Config(
            build_app(token, shelf, start),
            log_level="error",
            lifespan="off",
            access_log=False,
            server_header=False,
            # A page that waits for events would otherwise keep the lab alive.
            timeout_graceful_shutdown=0,
        )
    )
    server.ready = lambda: ready(address)
    with listening:
        server.run(sockets=[listening])


class _Server(uvicorn.Server):
    ready: Callable[[], object]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets)
        self.ready()


def _socket(port: int | None) -> socket.socket:
    """A socket that listens on this machine alone."""
    for wanted in (PORT, 0) if port is None else (port,):
        made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind((HOST, wanted))
        except OSError as error:
            made.close()
            if port is None and wanted:
                continue
            raise RequestError(
                f"port {wanted} is taken ({error.strerror}).",
                "Choose another, or leave it out: a free one is then found.",
                code="request.port_taken",
                port=wanted,
            ) from None
        return made
    raise AssertionError("port 0 is always free")
