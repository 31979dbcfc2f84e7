"""Webhook: alarms, sent to the one address that whoever started the service has named.

Assumes: that address is meant; no request can change it, and a redirection is not followed.

Promises: learning never waits for it. At most `MOST_WAITING` alarms wait, each is tried at most
`len(PAUSES) + 1` times, each time for at most `SECONDS`, and what became of it is counted. An alarm
tells the model, the number of the event and what happened: no features, no label, no token.

Does not promise: that an alarm arrives, or arrives once (its `id` tells a second one from another).
A service that is killed forgets what waits; a model tells of its claim and drift all the same.
"""

from __future__ import annotations

import queue
import ssl
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

import msgspec

from thresher.errors import RequestError

#: Seconds before each further attempt, and for an attempt altogether.
PAUSES = (1.0, 2.0, 4.0, 8.0)
SECONDS = 5.0
MOST_WAITING = 100
#: Answers that say "not now"; others below 500 will not change.
_NOT_NOW = (408, 425, 429)


class Webhook:
    """Sends alarms in a thread of its own, one after another.

    Parameters
    ----------
    address
        Where to; http or https.
    counts
        Of which `sent`, `failed` and `dropped` are counted.
    remark
        Who hears of alarms that were given up.
    pauses, seconds
        Between attempts, and for each.
    """

    def __init__(
        self,
        address: str,
        counts: Counter[str],
        remark: Callable[[str], None] = lambda text: None,
        *,
        pauses: tuple[float, ...] = PAUSES,
        seconds: float = SECONDS,
    ) -> None:
        self._scheme, self._host, self._port, self._path = parts_of(address)
        self._counts, self._remark = counts, remark
        self._pauses, self._seconds = pauses, seconds
        self._waiting: queue.Queue[bytes] = queue.Queue(MOST_WAITING)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="thresher-webhook", daemon=True)
        self._thread.start()

    def put(self, alarm: dict[str, Any]) -> None:
        """Let an alarm be sent; it is dropped if too many wait."""
        body = msgspec.json.encode({"id": uuid.uuid4().hex, "at": time.time(), **alarm})
        try:
            self._waiting.put_nowait(body)
        except queue.Full:
            self._counts["dropped"] += 1

    def close(self, seconds: float = SECONDS) -> None:
        """Send what waits, within this time; what is left is dropped."""
        until = time.monotonic() + seconds
        while self._waiting.unfinished_tasks and time.monotonic() < until:
            time.sleep(0.02)
        self._stop.set()
        left = self._waiting.unfinished_tasks
        if left:
            self._counts["dropped"] += left
            self._remark(f"{left} alarms were not sent to {self._host}.")

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                body = self._waiting.get(timeout=0.25)
            except queue.Empty:
                continue
            found = self._sent(body)
            if self._stop.is_set():
                return
            self._counts["sent" if found is None else "failed"] += 1
            if found is not None:
                self._remark(f"an alarm was not sent to {self._host}: {found}.")
            self._waiting.task_done()

    def _sent(self, body: bytes) -> str | None:
        """Send an alarm, and why it was given up, if it was."""
        why = ""
        for pause in (*self._pauses, None):
            try:
                status = self._attempt(body)
            except (OSError, HTTPException, ValueError) as error:
                why = f"{type(error).__name__}: {error}"[:200]
            else:
                if 200 <= status < 300:
                    return None
                why = f"it answers {status}"
                if status < 500 and status not in _NOT_NOW:
                    return why
            if pause is None or self._stop.wait(pause):
                break
        return why

    def _attempt(self, body: bytes) -> int:
        """The status of the answer; nothing more of it is read."""
        until = time.monotonic() + self._seconds
        connection = self._connection()
        try:
            heads = {"content-type": "application/json", "connection": "close"}
            connection.request("POST", self._path, body, heads)
            return _status(connection.sock, until)
        finally:
            connection.close()

    def _connection(self) -> HTTPConnection:
        if self._scheme == "https":
            context = ssl.create_default_context()
            return HTTPSConnection(self._host, self._port, timeout=self._seconds, context=context)
        return HTTPConnection(self._host, self._port, timeout=self._seconds)


def _status(sock: Any, until: float) -> int:
    """The status in the first bytes of an answer, which may come one by one, but not for ever."""
    begun = b""
    while len(begun) < len(b"HTTP/1.1 200"):
        left = until - time.monotonic()
        if left <= 0:
            raise TimeoutError("no answer in time")
        sock.settimeout(left)
        part = sock.recv(64)
        if not part:
            raise ConnectionError("the answer ended early")
        begun += part
    if not begun.startswith(b"HTTP/1.") or not begun[9:12].isdigit():
        raise ValueError("the answer is not HTTP")
    return int(begun[9:12])


def parts_of(address: str) -> tuple[str, str, int | None, str]:
    """Scheme, host, port and path of an address; one that cannot be is refused."""
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    printable = address.isascii() and address.isprintable() and " " not in address
    if host is None or not printable or parts.scheme not in ("http", "https") or parts.username:
        raise RequestError(
            "the address of the webhook is not one, such as https://example.org/alarms.",
            code="request.webhook",
        )
    path = parts.path or "/"
    return parts.scheme, host, port, f"{path}?{parts.query}" if parts.query else path
