"""A way to a server of this machine on which connections can be cut in the middle of an answer."""

from __future__ import annotations

import socket
import struct
from contextlib import suppress
from threading import Lock, Thread
from typing import Self

#: An answer of fewer bytes is no file.
LEAST = 8192


class Cutting:
    """Listens on loopback and hands on what comes, in both directions.

    Parameters
    ----------
    port
        Where the server listens.
    """

    def __init__(self, port: int) -> None:
        self._server = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        #: Connections that were cut so far, and are to be.
        self.cut = self._left = 0
        self._lock = Lock()

    def cut_next(self, times: int) -> None:
        """Cut so many connections, each in the middle of an answer that is long."""
        with self._lock:
            self._left += times

    def __enter__(self) -> Self:
        Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._listening.close()

    def _listen(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(("127.0.0.1", self._server))
                Thread(target=self._hand_on, args=(client, server, False), daemon=True).start()
                Thread(target=self._hand_on, args=(server, client, True), daemon=True).start()

    def _hand_on(self, come: socket.socket, gone: socket.socket, answers: bool) -> None:
        with suppress(OSError):
            while data := come.recv(1 << 16):
                if answers and self._is_to_be_cut(data):
                    gone.sendall(data[: len(data) // 2])
                    # Closed at once, without a word of farewell: the other side is told of a fault.
                    gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    break
                gone.sendall(data)
        for end in (come, gone):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            with suppress(OSError):
                end.close()

    def _is_to_be_cut(self, data: bytes) -> bool:
        with self._lock:
            if not self._left or len(data) < LEAST:
                return False
            self._left -= 1
            self.cut += 1
            return True
