"""Rows to explain: from files, or from one line of the command."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thresher.cli.terminal.speech import say, warn
from thresher.models.opening import open_stream
from thresher.streams.formats.format import RecordFormat

if TYPE_CHECKING:
    from thresher.models.input_data import InputData
    from thresher.models.model import Model
    from thresher.streams.chunk import Chunk
    from thresher.streams.reading import Stream


#: Why a row has its score, given what its features are called.
Explainer = Callable[[dict[int, float], dict[int, tuple[str, ...]]], Any]


def explanations(
    model: Model,
    data: InputData,
    example: str | None,
    limit: int,
    explain: Explainer,
    *,
    quiet: bool = False,
) -> Iterator[tuple[str, Any]]:
    """The first rows with where they stand and why they have their scores."""
    if example is None:
        yield from _explained(model, data, limit, explain, quiet=quiet)
        return
    with tempfile.TemporaryDirectory() as folder:
        # A file like any other: the line is read exactly as it would be among others.
        file = Path(folder) / "example"
        file.write_text(example + "\n", "utf-8", "surrogateescape")
        given = replace(data, paths=(str(file),))
        for _, why in _explained(model, given, 1, explain, quiet=quiet):
            yield "the example", why


def _explained(
    model: Model, data: InputData, limit: int, explain: Explainer, *, quiet: bool
) -> Iterator[tuple[str, Any]]:
    stream = open_stream(data, model.name_table, recipe=data.recipe(model.recipe), add=False)
    left = limit
    for chunk in stream.chunks():
        for t, row in enumerate(chunk.rows[: min(left, len(chunk.rows))]):
            yield f"{chunk.file}:{chunk.line[t]}", explain(row, _names(stream, chunk, t))
            left -= 1
        if not left:
            if len(chunk.rows) > limit and not quiet:
                say(f"only the first {limit} rows; --rows N for more")
            break
    stream.close()
    if stream.bad.count:
        warn(stream.bad.report())


def _names(stream: Stream, chunk: Chunk, t: int) -> dict[int, tuple[str, ...]]:
    """What the features of a row are called in its own line."""
    reader = stream.scanner
    if chunk.text is None or chunk.start is None or chunk.stop is None:
        return {}
    if isinstance(reader, RecordFormat):
        return {}
    named: dict[int, tuple[str, ...]] = {}
    for column, name in reader.names(chunk.text, int(chunk.start[t]), int(chunk.stop[t])):
        named[column] = (*named.get(column, ()), name)
    return named
