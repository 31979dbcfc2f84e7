"""Rows of files, and single lines, with why they have their scores."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from thresher.errors import BadLineError, ExportError
from thresher.models.events import Explained, MoreRows, Warned
from thresher.models.explanation import Explainer, Explanation
from thresher.models.input_data import InputData
from thresher.models.model import Model
from thresher.models.opening import note_other_format, open_stream
from thresher.streams.formats.detection import detected, format_named, opened
from thresher.streams.formats.format import RecordFormat
from thresher.streams.labels import Label
from thresher.streams.rows import Rows

#: What messages call a line that is in no file.
EXAMPLE = "the example"


def explanations(
    model: Model, data: InputData, limit: int | None = None, label: Label | None = None
) -> Iterator[Explained | MoreRows | Warned]:
    """Why the first rows of the input data have their scores.

    Parameters
    ----------
    model
        A model that scores rows by weights.
    data
        What to read; it is read as the model's training data was.
    limit
        How many rows at most; None: all.
    label
        Of several classes, the one whose scores are meant; the predicted one unless given.

    Yields
    ------
    Explained | MoreRows | Warned
        Each row; that there are more, if so; in the end a word about bad lines, if there were any.
    """
    explainer = Explainer(model, label)
    recipe, learner = data.recipe(model.recipe), model.learner
    stream = open_stream(data, model.name_table, recipe=recipe, add=False, learner=learner)
    note_other_format(model, data, stream)
    done = 0
    with stream, closing(stream.chunks()) as chunks:
        for chunk in chunks:
            wanted = len(chunk.rows) if limit is None else min(limit - done, len(chunk.rows))
            for t, row in enumerate(chunk.rows[:wanted]):
                named = _by_column(stream.names_in(chunk, t))
                yield Explained(chunk.place(t), explainer.explain_columns(row, named))
            done += wanted
            if wanted < len(chunk.rows):
                yield MoreRows(done)
            # A pipe is not asked for what nobody wants to see.
            if done == limit:
                break
    for remark in stream.bad.remarks():
        yield Warned(remark)


def explain_line(
    model: Model, line: str, data: InputData | None = None, label: Label | None = None
) -> Explanation:
    r"""Why a line would have its score if it stood in a file like the model's training data.

    Parameters
    ----------
    model, label
        As for `explanations`.
    line
        As it would stand in a file; a table needs its header before it, on a line of its own.
    data
        What is to be read otherwise than the model's training data was, such as the format.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.streams.recipe import Recipe
    >>> learner = th.Perceptron(8)
    >>> _ = learner.learn([{"free": 1}], [-1])
    >>> model = Model(learner=learner, recipe=Recipe(format="vw"))
    >>> why = explain_line(model, "1 | free:2 lunch")
    >>> why.score, [(part.names, part.adds) for part in why.contributions]
    (-2.0, [(('free',), -2.0), (('lunch',), 0.0)])
    """
    recipe = replace(data or InputData(paths=()), paths=(EXAMPLE,)).recipe(model.recipe)
    text = line.encode("utf-8", "surrogateescape") + b"\n"
    known = detected(EXAMPLE, text) if recipe.format is None else format_named(recipe.format)
    reader = opened(known, replace(recipe, format=known.name), model.name_table, add=False)
    if isinstance(reader, RecordFormat):
        raise ExportError(
            f"{EXAMPLE} is a line, and {known.name} has none: say in which format it is (format=)."
        )
    block = text[reader.begin(EXAMPLE, text[: reader.head_bytes]) :]
    scanned = reader.scan(EXAMPLE, block, 1)
    if scanned.bad:
        raise BadLineError(str(scanned.bad[0]))
    rows = Rows(scanned.row_start, scanned.column, scanned.value)
    if not len(rows):
        raise ExportError(f"there is no row in {EXAMPLE}, read as {known.name}.")
    named = reader.names(block, int(scanned.start[0]), int(scanned.stop[0]))
    return Explainer(model, label).explain_columns(next(iter(rows)), _by_column(named))


def _by_column(named: list[tuple[int, str]]) -> dict[int, tuple[str, ...]]:
    """What the features of a row are called in its own line."""
    found: dict[int, tuple[str, ...]] = {}
    for column, name in named:
        found[column] = (*found.get(column, ()), name)
    return found
