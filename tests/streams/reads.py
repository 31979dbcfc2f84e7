"""Streams as plain values, for tests that compare one way of reading with another."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from thresher.errors import ThresherError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.chunk import BadLine
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe


@dataclass
class Everything:
    """All that a stream says, however it was cut into chunks."""

    rows: list[tuple[str, int, str | None, dict[int, float]]] = field(default_factory=list)
    bad: list[BadLine] = field(default_factory=list)
    signs: list[int] = field(default_factory=list)
    error: str | None = None
    scheme: str = ""
    names: list[str] = field(default_factory=list)
    sources: list[tuple[str, int, str]] = field(default_factory=list)


def everything(
    paths: str | Path | Iterable[str | os.PathLike[str]],
    *,
    recipe: Recipe | None = None,
    scheme: LabelScheme | None = None,
    policy: BadLinePolicy | None = None,
    settings: ReadSettings | None = None,
    names: NameTable | None = None,
) -> Everything:
    """Read a stream to its end, or to the error that ends it."""
    found = Everything()
    try:
        stream = read_stream(
            paths,
            names=names or NameTable(1000, True),
            recipe=recipe or Recipe(format="svmlight"),
            scheme=scheme,
            bad=policy or BadLinePolicy("skip"),
            settings=settings,
        )
    except ThresherError as error:
        found.error = f"{type(error).__name__}: {error}"
        return found
    try:
        for chunk in stream.chunks():
            labels = [None if n < 0 else stream.label_names[n] for n in chunk.label.tolist()]
            lines = chunk.line.tolist()
            found.rows += [
                (chunk.file, *row) for row in zip(lines, labels, chunk.rows, strict=True)
            ]
            found.bad += list(chunk.bad)
            if scheme is not None:
                found.signs += stream.batch(chunk).label.tolist()
            if chunk.text is not None and chunk.start is not None and chunk.stop is not None:
                for start, stop in zip(chunk.start, chunk.stop, strict=True):
                    assert b"\n" not in chunk.text[start:stop]
    except ThresherError as error:
        found.error = f"{type(error).__name__}: {error}"
    found.scheme = str(stream.scheme)
    found.names = stream.label_names
    found.sources = [(s.name, s.n_bytes, s.digest) for s in stream.sources]
    return found
