"""Serving the lab on this machine: one socket, one address, and a stop that is at once."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from tempfile import TemporaryDirectory
from types import FrameType
from urllib.parse import quote

import uvicorn
from starlette.applications import Starlette

from thresher.errors import RequestError
from thresher.lab.app import build_app
from thresher.lab.live import LiveService
from thresher.lab.shelf import Shelf
from thresher.lab.streams import FILE
from thresher.lab.your_data import by_path, given

HOST = "127.0.0.1"
#: Where the lab is unless somebody says otherwise; any free port if it is taken.
PORT = 8765
#: What an address of the page may begin with, behind its #.
SCREENS = ("step", "race", "data", "game", "live")


def serve(
    data: str | None = None,
    *,
    port: int | None = None,
    live: LiveService | None = None,
    view: str | None = None,
    ready: Callable[[str], object] = lambda address: None,
) -> int:
    """Serve until a signal comes, and return its number.

    Parameters
    ----------
    data
        A file that is open from the start.
    port
        None: the usual one, or any that is free.
    live
        A service that can be watched.
    view
        The screen that is shown first, and what is chosen there, as an address has it.
    ready
        Called with the address as soon as the lab answers.
    """
    chosen = None if view is None else _hash(view)
    with TemporaryDirectory(prefix="thresher-lab-") as folder, _socket(port) as listening:
        shelf, start, opening = Shelf(folder), "mushrooms:order=1", ""
        if data is not None:
            # An error is told here, before a browser opens.
            given(shelf, *by_path(data), {}, "given")
            start, opening = f"{FILE}:given", "#data?key=given"
        elif live is not None:
            opening = "#live" if live.model is None else f"#live?model={live.model}"
        token = secrets.token_urlsafe(16)
        address = f"http://{HOST}:{listening.getsockname()[1]}/{token}/{chosen or opening}"
        return _serve(build_app(token, shelf, start, live), listening, lambda: ready(address))


def _hash(view: str) -> str:
    """What stands behind the # of an address, and the sign itself.

    >>> _hash("step?stream=circle&t=5"), _hash("#race")
    ('#step?stream=circle&t=5', '#race')
    """
    screen, _, chosen = view.removeprefix("#").partition("?")
    if screen not in SCREENS:
        raise RequestError(
            f"there is no screen {screen[:40]!r} in the lab.",
            f"A view begins with one of {', '.join(SCREENS)}.",
            code="request.lab_view",
        )
    return f"#{screen}?{quote(chosen, safe=':/,=&%+-_.*')}" if chosen else f"#{screen}"


def _serve(app: Starlette, listening: socket.socket, ready: Callable[[], object]) -> int:
    server = _Server(
        uvicorn.Config(
            app,
            # Errors are answers here; and pages whose events end with the lab are none.
            log_level="critical",
            lifespan="off",
            access_log=False,
            server_header=False,
        )
    )
    server.ready = ready
    server.run(sockets=[listening])
    return server.stopped_by


class _Server(uvicorn.Server):
    ready: Callable[[], object]
    stopped_by = 0

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Listen, then say so."""
        await super().startup(sockets)
        self.ready()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at once: a page that waits for events would otherwise keep the lab alive."""
        self.stopped_by = sig
        self.should_exit = self.force_exit = True


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
