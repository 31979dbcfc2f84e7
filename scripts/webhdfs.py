"""A small server that speaks WebHDFS on loopback, as far as reading goes.

Written from the description of the interface: a file is asked for at the name node, which sends
whoever asks to a data node; here both are the same server.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

PREFIX = "/webhdfs/v1"


class _Handler(BaseHTTPRequestHandler):
    files: dict[str, bytes]
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        path = unquote(asked.path).removeprefix(PREFIX).rstrip("/") or "/"
        query = {name.lower(): values[0] for name, values in parse_qs(asked.query).items()}
        content, inside = self.files.get(path), self._inside(path)
        if content is None and not inside:
            self._fault(404, "FileNotFoundException", f"File does not exist: {path}")
        elif query["op"].upper() == "GETFILESTATUS":
            self._say({"FileStatus": self._status(path, "")})
        elif query["op"].upper() == "LISTSTATUS":
            listed = {name: f"{path.rstrip('/')}/{name}" for name in inside} or {"": path}
            found = [self._status(whole, name) for name, whole in listed.items()]
            self._say({"FileStatuses": {"FileStatus": found}})
        elif content is None:
            self._fault(403, "FileNotFoundException", f"Path is not a file: {path}")
        elif "there" not in query:
            self.send_response(307)
            place = f"http://{self.headers['Host']}{self.path}&there=1"
            self.send_header("Location", place)
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            first = int(query.get("offset", 0))
            length = int(query.get("length", len(content)))
            self._send(200, content[first : first + length], "application/octet-stream")

    def _inside(self, folder: str) -> list[str]:
        start = f"{folder.rstrip('/')}/"
        under = (path.removeprefix(start) for path in self.files if path.startswith(start))
        return sorted({path.partition("/")[0] for path in under})

    def _status(self, path: str, name: str) -> dict[str, Any]:
        content = self.files.get(path)
        return {
            "pathSuffix": name,
            "type": "DIRECTORY" if content is None else "FILE",
            "length": len(content or b""),
            "modificationTime": 1_700_000_000_000,
            "accessTime": 1_700_000_000_000,
            "owner": "somebody",
            "group": "people",
            "permission": "644",
            "blockSize": 134_217_728,
            "replication": 1,
        }

    def _fault(self, status: int, kind: str, message: str) -> None:
        fault = {"exception": kind, "javaClassName": f"java.io.{kind}", "message": message}
        self._say({"RemoteException": fault}, status)

    def _say(self, answer: dict[str, Any], status: int = 200) -> None:
        self._send(status, json.dumps(answer).encode(), "application/json")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        # Whoever asked may be gone: connections to this server are cut on purpose.
        with suppress(ConnectionError):
            self.wfile.write(body)


@contextmanager
def webhdfs() -> Iterator[tuple[int, dict[str, bytes]]]:
    """A server with files by their paths, to which more may be added: its port, and the files."""
    kept: dict[str, bytes] = {}

    class Handler(_Handler):
        files = kept

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield int(server.server_address[1]), kept
    finally:
        server.shutdown()
        server.server_close()
