"""Leader: another service, asked over HTTP for what a follower needs; whatever it answers."""

from __future__ import annotations

from typing import Any, TypeVar
from urllib.parse import quote

import httpx2
import msgspec

from thresher.errors import RequestError, ServiceError
from thresher.service.messages import Problem
from thresher.service.replication import INSTANCE, WAIT, Beginning, LogPage

T = TypeVar("T")

#: Bytes that are read of an answer.
MOST_LOG, MOST_SNAPSHOT = 256 << 20, 8 << 30


class Listed(msgspec.Struct):
    """A model of a leader."""

    name: str
    sequence: int


class Listing(msgspec.Struct):
    """All models of a leader, and which process it is."""

    models: list[Listed]
    instance: str = ""


class Leader:
    """Asks; everything that can go wrong is a `ServiceError` without a token in it."""

    def __init__(self, address: str, token: str | None = None) -> None:
        url = httpx2.URL(address)
        if url.scheme not in ("http", "https") or not url.host or url.userinfo:
            raise RequestError(
                "a leader has an address such as http://10.0.0.7:8080, without a name and a "
                "password in it.",
                "Give the token in a file.",
                code="request.leader",
            )
        if token is not None and not (token.isascii() and token.isprintable()):
            raise RequestError("a token is printable ASCII on one line.", code="request.leader")
        self.address = str(url).rstrip("/")
        self._instance = ""
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self._http = httpx2.AsyncClient(
            base_url=self.address, headers=headers, timeout=httpx2.Timeout(10.0, read=WAIT + 10)
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._http.aclose()

    async def listing(self) -> Listing:
        """Its models."""
        body = await self._asked("/v1/models", {}, MOST_LOG)
        found = self._read(body, msgspec.json.decode, Listing)
        found.instance = self._instance
        return found

    async def has(self, name: str) -> bool:
        """Whether it has a model; no answer is not a no."""
        try:
            await self._asked(f"/v1/models/{quote(name, '')}/log", {"after": "0"}, MOST_LOG)
        except ServiceError as error:
            return error.code != "service.no_model"
        return True

    async def log(self, name: str, after: int, digest: str) -> LogPage:
        """The log behind a number; waits for a while where there is none."""
        query = {"after": str(after)} | ({"digest": digest} if digest else {})
        body = await self._asked(f"/v1/models/{quote(name, '')}/log", query, MOST_LOG)
        return self._read(body, msgspec.msgpack.decode, LogPage)

    async def beginning(self, name: str) -> Beginning:
        """The newest snapshot."""
        path = f"/v1/models/{quote(name, '')}/snapshots/newest"
        return self._read(
            await self._asked(path, {}, MOST_SNAPSHOT), msgspec.msgpack.decode, Beginning
        )

    def _read(self, body: bytes, decode: Any, kind: type[T]) -> T:
        try:
            found: T = decode(body, type=kind)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise ServiceError(
                f"{self.address} did not answer as a thresher service does ({error}).",
                code="service.leader",
            ) from None
        return found

    async def _asked(self, path: str, query: dict[str, str], most: int) -> bytes:
        body = bytearray()
        try:
            async with self._http.stream("GET", path, params=query) as answer:
                async for part in answer.aiter_bytes():
                    body += part
                    if len(body) > most:
                        raise ServiceError(
                            f"{self.address} answers without an end.", code="service.leader"
                        )
                status = answer.status_code
                self._instance = answer.headers.get(INSTANCE, "")
        except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
            raise ServiceError(
                f"{self.address} cannot be reached ({type(error).__name__}).",
                code="service.leader",
            ) from None
        if status == 200:
            return bytes(body)
        try:
            told = msgspec.json.decode(body, type=Problem)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            told = Problem("service.leader", "", status, f"it answered {status}.")
        raise ServiceError(f"{self.address}: {told.detail}", code=told.type)
