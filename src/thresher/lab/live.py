"""The screen Live: a model of a running service, as it learns.

Assumes: whoever started the lab chose the service; a page of the lab does not.

Promises: the lab talks to that address alone, whatever a page asks for, follows no redirection, and
keeps one state of the service at a time. When the service goes away it says so, and tries again.
"""

from __future__ import annotations

import re
import ssl
import time
from collections import deque
from collections.abc import Generator, Iterator
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from urllib.parse import urlsplit

import msgspec

from thresher.errors import RequestError
from thresher.records import record

#: What a model may be called; nothing else becomes part of an address.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
#: Seconds between two states, for an answer or a sign of life, and until the next try.
EVERY, PATIENCE, AGAIN = 0.25, 10.0, 1.0
#: Bytes of a line, and of an answer, at most.
LONGEST_LINE = 1 << 20
#: Stretches whose error is drawn; seconds over which the rate is taken.
MOST_STRETCHES = 96
RATE_SECONDS = 5.0


class Round(msgspec.Struct):
    """An event that was learned."""

    sequence: int
    prediction: str | int | float | None
    label: str | int | float | None
    score: float | None
    mistake: bool | None


class Shadow(msgspec.Struct):
    """Who learns along, over the rounds that both played."""

    learner: str
    recent_error: float | None
    both_played: int
    champion_mistakes: int
    mistakes: int


class Alarm(msgspec.Struct):
    """Something that does not happen with every event."""

    event: str
    sequence: int
    claim: str | None = None
    to: int | None = None
    before: float | None = None
    recent: float | None = None
    window: int | None = None


class Allowed(msgspec.Struct):
    """The most mistakes that a claim allows, and of each kind; None: no limit of its own."""

    mistakes: int
    false_negatives: int | None
    false_positives: int | None


class State(msgspec.Struct):
    """A model at a glance, as the service tells it."""

    sequence: int
    learner: str
    n_rounds: int
    mistakes: int
    recent_error: float | None
    claim: str | None
    allowed: Allowed | None
    false_negatives: int | None
    false_positives: int | None
    refuted_at: int | None
    drifts: int
    drift_at: int | None
    shadow: Shadow | None
    rounds: list[Round]
    alarms: list[Alarm]
    curve: list[tuple[int, int, int | None]]


class Stretch(msgspec.Struct):
    """The share of mistakes between two points of the curve, and that of the shadow."""

    end: int
    error: float
    shadow: float | None


class LiveFrame(msgspec.Struct):
    """What the page draws next."""

    model: str
    #: Whether the service is there; if not, `said` tells why.
    connected: bool
    said: str
    state: State | None
    #: Events in a second, lately.
    rate: float | None
    errors: list[Stretch] = []


_STATE = msgspec.json.Decoder(State)
_MODELS = msgspec.json.Decoder(dict[str, list[dict[str, str | int]]])


@record(frozen=True)
class LiveService:
    """A service that may be watched, and the token to do so."""

    scheme: str
    host: str
    port: int | None = None
    #: The model that is shown first.
    model: str | None = None
    token: str | None = None

    @classmethod
    def of(cls, text: str, token: str | None = None) -> LiveService:
        """From the address of a service, and behind a comma the name of a model.

        >>> LiveService.of("http://127.0.0.1:8080,mail").address
        'http://127.0.0.1:8080'
        >>> LiveService.of("http://127.0.0.1:8080,mail").model
        'mail'
        """
        address, _, model = text.partition(",")
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port
        except ValueError:
            raise _no_address(text) from None
        extra = parts.path.strip("/") or parts.query or parts.fragment or parts.username
        if parts.scheme not in ("http", "https") or not host or extra:
            raise _no_address(text)
        if model and NAME.fullmatch(model) is None:
            raise RequestError(f"{model[:60]!r} is not the name of a model.")
        return cls(parts.scheme, host, port, model or None, token)

    @property
    def address(self) -> str:
        """Where it is, without a secret."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}" + ("" if self.port is None else f":{self.port}")

    def models(self) -> list[str]:
        """The names of all models."""
        connection = self._connection()
        try:
            answer = self._asked(connection, "/v1/models")
            found = _MODELS.decode(answer.read(LONGEST_LINE))
        except (OSError, HTTPException, msgspec.DecodeError, _RefusalError) as error:
            raise RequestError(f"{self.address}: {_words(error)}") from None
        finally:
            connection.close()
        return [str(one["name"]) for one in found["models"]]

    def watch(self, model: str) -> Generator[LiveFrame]:
        """The states of a model, for ever; whoever stops reading ends it."""
        if NAME.fullmatch(model) is None:
            raise RequestError(f"{model[:60]!r} is not the name of a model.")
        last = LiveFrame(model, False, "", None, None)
        while True:
            try:
                for frame in self._connected(model):
                    last = frame
                    yield frame
                said = "the service has ended the stream."
            except (OSError, HTTPException, msgspec.DecodeError, _RefusalError) as error:
                said = _words(error)
            until = time.monotonic() + AGAIN
            while time.monotonic() < until:
                yield LiveFrame(model, False, said, last.state, None, last.errors)
                time.sleep(AGAIN / 4)

    def _connection(self) -> HTTPConnection:
        if self.scheme == "https":
            context = ssl.create_default_context()
            return HTTPSConnection(self.host, self.port, timeout=PATIENCE, context=context)
        return HTTPConnection(self.host, self.port, timeout=PATIENCE)

    def _asked(self, connection: HTTPConnection, path: str) -> HTTPResponse:
        heads = {} if self.token is None else {"authorization": f"Bearer {self.token}"}
        connection.request("GET", path, headers=heads)
        answer = connection.getresponse()
        if answer.status != 200:
            raise _RefusalError(f"it answers {answer.status} {answer.reason[:60]}")
        return answer

    def _connected(self, model: str) -> Iterator[LiveFrame]:
        """The states of one connection."""
        connection = self._connection()
        rate, state = Rate(), None
        try:
            stream = self._asked(connection, f"/v1/models/{model}/events?every={EVERY}")
            kind = b""
            while line := stream.readline(LONGEST_LINE):
                if not line.endswith(b"\n"):
                    raise _RefusalError("it sends a line that is too long")
                if line.startswith(b"event: "):
                    kind = line[7:].strip()
                elif line.startswith(b"data: ") and kind == b"state":
                    state = _STATE.decode(line[6:])
                if state is not None and line == b"\n":
                    pace = rate.of(state.sequence)
                    yield LiveFrame(model, True, "", state, pace, stretches(state.curve))
        finally:
            connection.close()


def stretches(
    curve: list[tuple[int, int, int | None]], most: int = MOST_STRETCHES
) -> list[Stretch]:
    """The share of mistakes in stretches of a curve, nearly equal in length.

    >>> stretches([(0, 0, None), (10, 5, 5), (20, 6, 9)])
    [Stretch(end=10, error=0.5, shadow=None), Stretch(end=20, error=0.1, shadow=0.4)]
    """
    wide = max(1, (curve[-1][0] - curve[0][0]) // most) if curve else 1
    found: list[Stretch] = []
    begin = curve[0] if curve else (0, 0, None)
    for point in curve[1:]:
        rounds, both = point[0] - begin[0], (begin[2], point[2])
        if rounds < wide:
            continue
        error = (point[1] - begin[1]) / rounds
        shadow = None if both[0] is None or both[1] is None else (both[1] - both[0]) / rounds
        found.append(Stretch(point[0], error, shadow))
        begin = point
    return found


class Rate:
    """Events in a second, over the last few seconds."""

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque(maxlen=256)

    def of(self, sequence: int, now: float | None = None) -> float | None:
        """The rate, now that the model is at this number; None when it cannot be told.

        >>> rate = Rate()
        >>> rate.of(0, 0.0), rate.of(10, 1.0), rate.of(40, 2.0), rate.of(40, 9.0)
        (None, 10.0, 20.0, 0.0)
        """
        now = time.monotonic() if now is None else now
        while len(self._seen) > 1 and now - self._seen[0][0] > RATE_SECONDS:
            self._seen.popleft()
        self._seen.append((now, sequence))
        began, first = self._seen[0]
        if now - began < EVERY:
            return None
        return max(0.0, (sequence - first) / (now - began))


class _RefusalError(Exception):
    """The service answers, and not what is needed."""


def _words(error: Exception) -> str:
    """What went wrong, in a short sentence."""
    if isinstance(error, ConnectionRefusedError):
        return "nobody answers there."
    if isinstance(error, TimeoutError):
        return f"no answer for {PATIENCE:g} seconds."
    if isinstance(error, msgspec.DecodeError):
        return "its answer is not that of a thresher service of this release."
    return f"{' '.join(str(error).split())[:200] or type(error).__name__}."


def _no_address(text: str) -> RequestError:
    return RequestError(
        f"{text[:100]!r} is not the address of a service, such as http://127.0.0.1:8080 or "
        "http://127.0.0.1:8080,mail."
    )
