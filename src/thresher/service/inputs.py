"""Inputs: how the rows that a model reads are sent, and which lines the log keeps of them.

A model reads what it read when it was trained: features by name, texts, or the columns of a table.
The lines of the log are those of files, one for each row.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar

from msgspec import Raw

from thresher.errors import ServiceError
from thresher.service.messages import (
    DelayedLabel,
    Example,
    features_of,
    line_to_learn,
    line_to_predict,
)
from thresher.streams.recipe import Recipe

#: What messages call the lines of a request.
REQUEST = "request"


class Inputs:
    """Features by name or by the number of a column, as in JSON lines, svmlight and VW text."""

    #: What error messages call rows that this model takes.
    called: ClassVar[str] = "features by name"
    #: How the log writes a row that comes in JSON.
    kind: ClassVar[str] = "json"
    #: The types of bodies beside JSON, and how the log writes their lines.
    types: ClassVar[Mapping[str, str]] = {"text/x-svmlight": "svmlight", "text/x-vw": "vw"}

    def __init__(self, recipe: Recipe) -> None:
        self._recipe = recipe

    @property
    def kinds(self) -> tuple[str, ...]:
        """How the lines of the log are written."""
        return tuple(dict.fromkeys((self.kind, *self.types.values())))

    def to_learn(self, rows: Iterable[Example]) -> bytes:
        """Rows as lines with labels: what the log keeps, and `thresher train` reads."""
        return b"".join(map(line_to_learn, rows))

    def to_predict(self, rows: Iterable[Example]) -> bytes:
        """Rows as lines, whose labels do not matter."""
        return b"".join(map(line_to_predict, rows))

    def kept(self, row: Example) -> bytes:
        """What is kept of a row until its label comes."""
        return features_of(row)

    def joined(self, kept: bytes, told: DelayedLabel) -> Example:
        """The row that was kept, with its label."""
        return Example(Raw(kept), told.id, told.label, told.importance)

    def lines_in(self, type_: str, body: bytes, most_rows: int) -> bytes:
        """The lines of a body of one of the `types`.

        Parameters
        ----------
        type_, body
            What came.
        most_rows
            How many rows a request may have.
        """
        self.require_type(type_)
        return body

    def require_type(self, type_: str) -> None:
        """Refuse a body of a type that this model does not read."""
        if type_ not in self.types:
            known = ", ".join(("application/json", "application/x-ndjson", *self.types))
            raise ServiceError(
                f"this model reads {self.called}, and not bodies of type {type_!r}.",
                f"Send {known}.",
                code="service.content_type",
            )
