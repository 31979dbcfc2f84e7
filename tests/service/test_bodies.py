"""Bodies that come at once, in parts, late, never, and with more than they may have."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from starlette.requests import Request

from thresher.errors import ServiceError
from thresher.service.bodies import BY_NAME, body_of
from thresher.service.live_models import Limits

Part = tuple[float, bytes | None]


def read(parts: Sequence[Part], limits: Limits | None = None, **headers: bytes) -> bytes:
    """A body of which each part comes after some seconds; None: the client has gone."""

    async def reading() -> bytes:
        coming = iter(enumerate(parts, 1))

        async def receive() -> Any:
            number, (seconds, data) = next(coming)
            if seconds:
                await asyncio.sleep(seconds)
            if data is None:
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": data, "more_body": number < len(parts)}

        by_name = {name.replace("_", "-").encode(): value for name, value in headers.items()}
        request = Request({"type": "http", "headers": [], BY_NAME: by_name}, receive)
        return await body_of(request, limits or Limits())

    return asyncio.run(reading())


@pytest.mark.parametrize("late", [0.0, 0.01])
def test_parts_are_put_together_whenever_they_come(late: float) -> None:
    assert read([(0.0, b"{")]) == b"{"
    assert read([(late, b"a"), (0.0, b"b"), (late, b"c")]) == b"abc"
    assert read([(0.0, b"a"), (late, b"")]) == b"a"
    assert read([(late, b"")]) == b""


@pytest.mark.parametrize("parts", [[(9.0, b"a")], [(0.0, b"a"), (9.0, b"b")]])
def test_a_body_that_does_not_come_is_not_waited_for(parts: list[Part]) -> None:
    with pytest.raises(ServiceError, match="did not come in") as found:
        read(parts, Limits(body_seconds=0.05))
    assert found.value.code == "service.slow"


@pytest.mark.parametrize("late", [0.0, 0.01])
def test_a_body_has_its_bound_whether_it_says_its_length_or_not(late: float) -> None:
    small = Limits(body=3)
    assert read([(0.0, b"ab"), (late, b"c")], small) == b"abc"
    for parts, headers in (
        ([(0.0, b"ab"), (late, b"cd")], {}),
        ([(late, b"abcd")], {}),
        ([(9.0, b"")], {"content_length": b"4"}),
    ):
        with pytest.raises(ServiceError, match="at most 3 bytes"):
            read(parts, small, **headers)


@pytest.mark.parametrize("late", [0.0, 0.01])
def test_a_body_that_ends_early_is_no_body(late: float) -> None:
    with pytest.raises(ServiceError, match="ended early"):
        read([(0.0, b"ab"), (late, None)])
    with pytest.raises(ServiceError, match="packed"):
        read([(0.0, b"ab")], content_encoding=b"gzip")
