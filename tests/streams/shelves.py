"""Servers of files on this machine: buckets as Amazon has them, and plain HTTP with faults."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any

import boto3
from moto.server import ThreadedMotoServer


@contextmanager
def buckets() -> Iterator[tuple[str, Any]]:
    """An S3 interface on loopback: its address, and a client of somebody else's making."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    address = f"http://{host}:{port}"
    try:
        client = boto3.client(
            "s3",
            endpoint_url=address,
            region_name="us-east-1",
            aws_access_key_id="reader",
            aws_secret_access_key="a secret of nobody",
        )
        yield address, client
    finally:
        server.stop()


class Shelf:
    """Files by name, and what is to go wrong: of how many questions, and how."""

    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files
        #: Whether parts of files are handed out, and whether sizes are told.
        self.ranges = self.sizes = True
        #: Whether a question about a file without its content is told its size, and not 0.
        self.heads = True
        #: By how many bytes too small the size is that such a question is told.
        self.short = 0
        #: The status of the next answers; 0 is an answer that breaks off in the middle, and -1
        #: none at all.
        self.faults: list[int] = []
        #: What was asked for: method, path with its query, range.
        self.asked: list[tuple[str, str, str | None]] = []
        #: The credentials that came with each.
        self.credentials: list[str | None] = []
        self.lock, self.ending = Lock(), Event()
        self.address = ""


@contextmanager
def shelf(files: dict[str, bytes]) -> Iterator[Shelf]:
    """Files over HTTP on loopback."""
    own = Shelf(files)

    class Handler(_Handler):
        shelf = own

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    own.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield own
    finally:
        own.ending.set()
        server.shutdown()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    shelf: Shelf
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        own, wanted = self.shelf, self.headers.get("Range")
        with own.lock:
            own.asked.append((self.command, self.path, wanted))
            own.credentials.append(self.headers.get("Authorization"))
            fault = own.faults.pop(0) if own.faults and self.command == "GET" else None
        if fault == -1:
            own.ending.wait(20)
            self.close_connection = True
            return
        body = own.files.get(self.path.partition("?")[0].lstrip("/"))
        if body is None or fault:
            self._send(fault or 404, b"no")
            return
        stretch = re.fullmatch(r"bytes=(\d+)-(\d+)", wanted or "")
        status, extra = 200, {}
        if own.ranges and stretch is not None:
            first, last = int(stretch[1]), min(int(stretch[2]), len(body) - 1)
            if first > last:
                self._send(416, b"no")
                return
            extra = {"Content-Range": f"bytes {first}-{last}/{len(body)}"}
            status, body = 206, body[first : last + 1]
        self._send(status, body, extra, cut=fault == 0)

    def _send(
        self, status: int, body: bytes, extra: dict[str, str] | None = None, cut: bool = False
    ) -> None:
        self.send_response(status)
        if self.shelf.sizes:
            told = len(body) if self.shelf.heads or self.command == "GET" else 0
            told -= self.shelf.short if self.command == "HEAD" else 0
            self.send_header("Content-Length", str(told))
        else:
            self.send_header("Connection", "close")
            self.close_connection = True
        for name, value in (extra or {}).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body[: len(body) // 2] if cut else body)
        if cut:
            self.close_connection = True
