"""A client of `thresher serve` whose retries learn nothing twice."""

from __future__ import annotations

import json
import os
import random
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx2
import msgspec

from thresher.errors import ServiceError
from thresher.service.messages import Lesson, ModelInfo, Prediction
from thresher.streams.labels import Label

T = TypeVar("T")

#: Answers after which the same request may be sent again.
AGAIN = (429, 502, 503, 504, 507)
MODEL_FILE = "application/octet-stream"

#: Features by name or column, names alone, or a text, as the model reads them.
Features = Mapping[str, Any] | list[str] | str


class Client:
    """Asks a service, and asks again when the answer did not come.

    Every event has an id, which is chosen once: however often it is sent, it is learned once.

    Parameters
    ----------
    address
        Such as ``http://127.0.0.1:8080``.
    token
        For the header `Authorization`.
    retries
        How often a request is sent again that was not answered, or answered "not now".
    seconds
        How long an answer is waited for.
    transport
        Another way to the service, for tests.
    """

    def __init__(
        self,
        address: str,
        *,
        token: str | None = None,
        retries: int = 8,
        seconds: float = 10.0,
        transport: Any = None,
    ) -> None:
        headers = {} if token is None else {"authorization": f"Bearer {token}"}
        self._retries = retries
        #: Where models are that another instance serves.
        self._moved: dict[str, str] = {}
        self._http = httpx2.Client(
            base_url=address, headers=headers, timeout=seconds, transport=transport
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    # ---- models --------------------------------------------------------------------------

    def create(self, name: str, **settings: Any) -> ModelInfo:
        """Make a model, unless the same is there; see `thresher.service.settings.Settings`."""
        return self._asked(ModelInfo, "PUT", f"/v1/models/{name}", settings)

    def put_file(
        self, name: str, path: str | os.PathLike[str], *, instead_of: str | None = None
    ) -> ModelInfo:
        """Serve a model file, such as `thresher train` writes.

        Parameters
        ----------
        name
            What the model is called from here on.
        path
            The file.
        instead_of
            The ETag of the model of this name that it replaces, or ``"*"``: whatever is there.
        """
        headers = {} if instead_of is None else {"if-match": instead_of}
        content = Path(path).read_bytes()
        answer = self._sent("PUT", f"/v1/models/{name}", headers=headers, file=content)
        return msgspec.json.decode(answer.content, type=ModelInfo)

    def model(self, name: str, *, at_least: int | None = None) -> ModelInfo:
        """What a model is and has done."""
        query = {} if at_least is None else {"at_least": str(at_least)}
        return self._asked(ModelInfo, "GET", f"/v1/models/{name}", query=query)

    def delete(self, name: str) -> None:
        """Forget a model and its log."""
        self._sent("DELETE", f"/v1/models/{name}")

    def download(self, name: str) -> bytes:
        """The model as an ordinary model file."""
        return bytes(self._sent("GET", f"/v1/models/{name}/file").content)

    # ---- rows ----------------------------------------------------------------------------

    def predict(
        self,
        name: str,
        features: Features,
        *,
        id: str | None = None,
        at_least: int | None = None,
        probabilities: bool = False,
    ) -> Prediction:
        """The label of a row; with an id it is kept until `label` is called with that id."""
        row = _row(features) | ({} if id is None else {"id": id})
        query = {} if at_least is None else {"at_least": str(at_least)}
        if probabilities:
            query["probabilities"] = "1"
        return self._asked(Prediction, "POST", f"/v1/models/{name}/predict", row, query)

    def predict_many(self, name: str, rows: Iterable[Features]) -> list[Prediction]:
        """The labels of rows."""
        body = [_row(row) for row in rows]
        return self._asked(list[Prediction], "POST", f"/v1/models/{name}/predict", body)

    def learn(
        self,
        name: str,
        features: Features,
        label: Label,
        *,
        id: str | None = None,
        importance: float | None = None,
    ) -> Lesson:
        """Learn a row; when this returns, it is learned, once, and not lost any more."""
        row = _row(features) | {"id": id or uuid.uuid4().hex, "label": label}
        if importance is not None:
            row["importance"] = importance
        return self._asked(Lesson, "POST", f"/v1/models/{name}/learn", row)

    def learn_many(self, name: str, rows: Iterable[tuple[Features, Label]]) -> list[Lesson]:
        """Learn rows, all of which are sound, or none."""
        body = [
            _row(features) | {"id": uuid.uuid4().hex, "label": label} for features, label in rows
        ]
        return self._asked(list[Lesson], "POST", f"/v1/models/{name}/learn", body)

    def label(self, name: str, id: str, label: Label) -> int:
        """The label of a row that was predicted with this id; the number that it has in the log."""
        try:
            path, body = f"/v1/models/{name}/labels", {"id": id, "label": label}
            return self._asked(Lesson, "POST", path, body).sequence
        except ServiceError as error:
            # An answer that was lost: it had been learned.
            if error.code == "service.id_used" and "sequence" in error.fields:
                return int(error.fields["sequence"])
            raise

    def events(self, name: str) -> Iterator[dict[str, Any]]:
        """What happens to a model from now on, until the service ends."""
        with self._http.stream("GET", f"/v1/models/{name}/events", timeout=None) as answer:
            if answer.status_code >= 400:
                answer.read()
                raise _problem(answer)
            for line in answer.iter_lines():
                if line.startswith("data: "):
                    yield json.loads(line.removeprefix("data: "))

    # ---- asking --------------------------------------------------------------------------

    def _asked(
        self, kind: type[T], method: str, path: str, body: Any = None, query: Any = None
    ) -> T:
        return msgspec.json.decode(self._sent(method, path, body, query).content, type=kind)

    def _sent(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Any = None,
        *,
        file: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """The answer; what is sent again is the same, to the byte. A file goes as it is."""
        content = file if body is None else msgspec.json.encode(body)
        headers = {**(headers or {}), **_type_of(content, file)}
        model = "/".join(path.split("/")[:4])
        for attempt in range(self._retries + 1):
            failure: Exception | None = None
            answer = None
            try:
                answer = self._http.request(
                    method,
                    self._moved.get(model, "") + path,
                    content=content,
                    headers=headers,
                    params=query,
                )
            except httpx2.TransportError as error:
                failure = error
            if answer is not None and (address := self._elsewhere(answer)):
                # Asked there at the next attempt; at once, if that is news.
                news = self._moved.get(model) != address
                self._moved[model] = address
                if news and attempt < self._retries:
                    continue
            elif failure is not None or answer is None or answer.status_code in AGAIN:
                # Whoever had it may have gone; the first address finds the next.
                self._moved.pop(model, None)
            if answer is not None and answer.status_code not in AGAIN:
                if answer.status_code >= 400:
                    raise _problem(answer)
                return answer
            if attempt == self._retries:
                if failure is None:
                    raise _problem(answer)
                raise ServiceError(
                    f"{self._http.base_url}: no answer after {attempt + 1} attempts ({failure}).",
                    "Is the service running?",
                    code="service.no_answer",
                ) from failure
            # Longer and longer, and not all clients at once.
            time.sleep(min(5.0, 0.05 * 2**attempt) * random.uniform(0.5, 1.0))
        raise AssertionError("the last attempt returns or raises")

    def _elsewhere(self, answer: Any) -> str:
        """Where to ask instead, if the answer says so; a token does not leave TLS for it."""
        if answer.status_code != 421:
            return ""
        told = _problem(answer)
        address = str(told.fields.get("address", ""))
        if told.code != "service.elsewhere" or not address.startswith(("http://", "https://")):
            return ""
        if self._http.base_url.scheme == "https" and not address.startswith("https://"):
            return ""
        return address.rstrip("/")


def _type_of(content: bytes | None, file: bytes | None) -> dict[str, str]:
    if content is None:
        return {}
    return {"content-type": "application/json" if file is None else MODEL_FILE}


def _row(features: Features) -> dict[str, Any]:
    """A row as it is sent; a text is no name of a feature."""
    return {"text" if isinstance(features, str) else "features": features}


def _problem(answer: Any) -> ServiceError:
    try:
        told = answer.json()
        what, remedy, code = told["detail"], told.get("remedy", ""), told["type"]
        return ServiceError(what, remedy, code=code, **told.get("fields", {}))
    except (ValueError, KeyError, TypeError):
        return ServiceError(f"the service answered {answer.status_code}.")
