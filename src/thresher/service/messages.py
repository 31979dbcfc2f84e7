"""Messages: what requests say, and what they are answered, in JSON."""

from __future__ import annotations

import re
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Raw, Struct

from thresher.errors import ServiceError
from thresher.streams.labels import Label

#: What an event, or a prediction that waits for its label, is called by whoever sends it.
Ident = Annotated[str, Meta(min_length=1, max_length=200)]
#: A label as it is written: a name, or a number.
Written = str | int | float | bool


#: What a model may be called: no path, nothing to be escaped.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class Example(Struct, forbid_unknown_fields=True):
    """A row: features by name, column or number of a column, or a text, as the model reads them.

    Label and importance to learn it.
    """

    #: Empty: none were sent.
    features: Raw = msgspec.field(default_factory=Raw)
    id: Ident | None = None
    label: Written | None = None
    importance: Annotated[float, Meta(ge=0, le=1e9)] | None = None
    text: str | None = None


class DelayedLabel(Struct, forbid_unknown_fields=True):
    """The label of a prediction that was made with this id."""

    id: Ident
    label: Written
    importance: Annotated[float, Meta(ge=0, le=1e9)] | None = None


class Rollback(Struct, forbid_unknown_fields=True):
    """The number of events after which the model was as it is to be again."""

    sequence: Annotated[int, Meta(ge=0, lt=2**62)]


class Prediction(Struct, omit_defaults=True):
    """What a model says of a row, after `sequence` events."""

    sequence: int
    prediction: Label | None
    score: float | None
    probabilities: dict[str, float] | msgspec.UnsetType = msgspec.UNSET
    id: str | msgspec.UnsetType = msgspec.UNSET


class Lesson(Struct, omit_defaults=True):
    """What became of an event: its number, and what was predicted before its label was used.

    `repeated`: it had been learned before, and was not learned again. `refused`: it is in the log,
    and the learner could not take it; nothing changed.
    """

    sequence: int
    prediction: Label | None
    score: float | None
    mistake: bool | None
    id: str | msgspec.UnsetType = msgspec.UNSET
    repeated: bool = False
    refused: str | msgspec.UnsetType = msgspec.UNSET


class ShadowInfo(Struct):
    """The learner that learns along."""

    learner: str
    parameters: dict[str, Any]
    n_rounds: int
    mistakes: int
    recent_error: float | None


class DriftInfo(Struct):
    """Errors that have become more: the event, rounds before and their error, and the last ones."""

    sequence: int
    rounds: int
    before: float
    window: int
    recent: float


class ModelInfo(Struct):
    """What a model is and has done."""

    name: str
    learner: str
    parameters: dict[str, Any]
    settings: dict[str, Any]
    classes: list[Label | None]
    n_features: int
    sequence: int
    n_rounds: int
    mistakes: int
    #: The share of mistakes in the last 1,000 rounds since the service began.
    recent_error: float | None
    claim: str | None
    refuted_at: int | None
    shadow: ShadowInfo | None
    #: How rows are read: the format of the files that it learned from, and what differs from the
    #: defaults of `Recipe`.
    reads: dict[str, Any]
    #: SHA-256 of the model file that would be written now.
    digest: str
    #: Of a replica: how far the leader was ahead when it last answered.
    lag: int | msgspec.UnsetType = msgspec.UNSET
    #: The last time that errors were found to have become more since the service began.
    drift: DriftInfo | None = None


class SnapshotInfo(Struct):
    """A snapshot that is kept."""

    sequence: int
    bytes: int


class Change(Struct):
    """The number that a change has in the log."""

    sequence: int


class Problem(Struct, omit_defaults=True):
    """What went wrong, as RFC 9457 has it: what, where, what was found, and what to do."""

    type: str
    title: str
    status: int
    detail: str
    remedy: str = ""
    fields: dict[str, Any] = {}


_example = msgspec.json.Decoder(Example)
_examples = msgspec.json.Decoder(list[Example])
_label = msgspec.json.Decoder(DelayedLabel)
_labels = msgspec.json.Decoder(list[DelayedLabel])
_to_json = msgspec.json.encode


def decoded(body: bytes, kind: Any) -> Any:
    """A message, or an error that says what is wrong where."""
    return _told(msgspec.json.Decoder(kind).decode, body)


def _told(decode: Any, body: bytes) -> Any:
    try:
        return decode(body)
    except msgspec.ValidationError as error:
        raise ServiceError(f"{_sentence(error)}.", code="service.message") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ServiceError(f"{_sentence(error)}.", code="service.malformed") from None
    except RecursionError:
        raise ServiceError("JSON is nested too deeply.", code="service.malformed") from None


def _sentence(error: Exception) -> str:
    text = str(error)[:300]
    word = text.partition(" ")[0]
    first = word if word.isupper() else word.lower()
    return f"the body: {first}{text[len(word) :]}"


def examples_in(body: bytes, *, lines: bool) -> tuple[list[Example], bool]:
    """The rows of a body in JSON, and whether it is one object alone."""
    if lines:
        return _told(_example.decode_lines, body), False
    if body.lstrip()[:1] == b"[":
        return _told(_examples.decode, body), False
    return [_told(_example.decode, body)], True


def labels_in(body: bytes, *, lines: bool) -> tuple[list[DelayedLabel], bool]:
    """The labels of a body in JSON, and whether it is one object alone."""
    if lines:
        return _told(_label.decode_lines, body), False
    if body.lstrip()[:1] == b"[":
        return _told(_labels.decode, body), False
    return [_told(_label.decode, body)], True


def line_to_learn(example: Example) -> bytes:
    r"""An example as a line of a file: what the log keeps, and `thresher train` reads.

    >>> line_to_learn(Example(Raw(b'{"a":\n 1}'), "e-1", 1, 2.0))
    b'{"id":"e-1","label":1,"weight":2.0,"features":{"a":  1}}\n'
    """
    if example.label is None:
        raise ServiceError("a row that is to be learned has no label.", code="service.message")
    ident = b"" if example.id is None else b'"id":%b,' % _to_json(example.id)
    weight = b"" if example.importance is None else b'"weight":%b,' % _to_json(example.importance)
    label = _to_json(example.label)
    return b'{%b"label":%b,%b"features":%b}\n' % (ident, label, weight, features_of(example))


def line_to_predict(example: Example) -> bytes:
    """The same without a label."""
    return b'{"features":%b}\n' % features_of(example)


def features_of(example: Example) -> bytes:
    """The features on one line; a line end in JSON is a space where it stands outside of texts."""
    text = bytes(example.features)
    if example.text is not None:
        raise ServiceError(
            "this model has features by name, and reads no texts.",
            'Send {"features": {...}}, or make a model with "format": "text".',
            code="service.message",
        )
    if text[:1] not in (b"{", b"["):
        raise ServiceError(
            f"the features of a row are an object or a list of names, found {text[:20]!r}.",
            code="service.message",
        )
    return text.replace(b"\n", b" ").replace(b"\r", b" ")
