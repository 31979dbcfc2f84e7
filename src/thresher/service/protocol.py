"""Protocol: the head of a request is short and comes soon, or the connection is closed.

The parser collects a head without a bound, and waits for it for ever.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

#: Bytes of a request line with its headers, and of what is between the parts of a body.
MOST_HEAD = 64 << 10
MOST_BETWEEN = 4 << 20
#: Seconds for a head to come.
HEAD_SECONDS = 30.0

_REFUSED = (
    b"HTTP/1.1 %b\r\ncontent-type: application/problem+json\r\ncontent-length: %d\r\n"
    b"connection: close\r\n\r\n%b"
)


class Protocol(HttpToolsProtocol):
    """Counts what is not a body, and closes the connection when it is too much or too late."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._beside, self._in_head = 0, True
        self._clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for the first head."""
        super().connection_made(transport)
        self._clock = self.loop.call_later(HEAD_SECONDS, self._late)

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, unless it is too much."""
        if self.transport.is_closing():
            return
        if self._in_head and self._clock is None:
            self._clock = self.loop.call_later(HEAD_SECONDS, self._late)
        self._beside += len(data)
        super().data_received(data)
        most = MOST_HEAD if self._in_head else MOST_BETWEEN
        if self._beside > most:
            self._refuse(b"431 Request Header Fields Too Large", f"has at most {most} bytes.")

    def on_headers_complete(self) -> None:
        """The head is there."""
        self._beside, self._in_head = 0, False
        self._stop()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """What others count."""
        self._beside -= len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """The next one begins."""
        self._beside, self._in_head = 0, True
        super().on_message_complete()

    def _stop(self) -> None:
        if self._clock is not None:
            self._clock.cancel()
            self._clock = None

    def _late(self) -> None:
        self._clock = None
        self._refuse(b"408 Request Timeout", f"comes within {HEAD_SECONDS:g} seconds.")

    def _refuse(self, status: bytes, rule: str) -> None:
        if self.transport.is_closing():
            return
        title = status[4:].decode().lower()
        body = (
            f'{{"type":"service.head","title":"{title}","status":{int(status[:3])},'
            f'"detail":"the head of a request {rule}"}}'
        ).encode()
        # In the middle of another answer it would be taken for a part of that.
        if getattr(self.cycle, "response_complete", True):
            self.transport.write(_REFUSED % (status, len(body), body))
        self.transport.close()
