"""One row that stands in no file, and why it has its score."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from thresher.errors import BadLineError, ExportError
from thresher.learners.base.explanation import Explanation
from thresher.models.explanation import Explainer, by_column
from thresher.models.input_data import InputData
from thresher.streams.chunk import BadLine
from thresher.streams.formats.detection import detected, format_named, opened
from thresher.streams.formats.format import RecordFormat
from thresher.streams.formats.text_header import OF_TEXTS
from thresher.streams.rows import Rows

if TYPE_CHECKING:
    from thresher.models.model import Model
    from thresher.streams.labels import Label
    from thresher.streams.recipe import Recipe

#: What messages call a row that is in no file.
EXAMPLE = "the example"
#: Tables that have no lines.
TABLES = ("parquet", "arrow")


def explain_line(
    model: Model, line: str, data: InputData | None = None, label: Label | None = None
) -> Explanation:
    r"""Why a line would have its score if it stood in a file like the model's training data.

    Parameters
    ----------
    model, label
        As for `explain`.
    line
        As it would stand in a file; a row of a table needs its header before it, on a line of its
        own. Instead of any format, a JSON object; to a model of texts, one with the text in it
        (``{"text": "free cash"}``). A model of Parquet or Arrow takes a header and a row of CSV.
    data
        What is to be read otherwise than the model's training data was, such as the format.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.streams.recipe import Recipe
    >>> learner = th.Perceptron(8)
    >>> _ = learner.learn([{"free": 1}], [-1])
    >>> model = th.Model(learner=learner, recipe=Recipe(format="vw"))
    >>> for line in ("1 | free:2 lunch", '{"free": 2, "lunch": 1}'):
    ...     why = explain_line(model, line)
    ...     print(why.score, [(part.names, part.adds) for part in why.contributions])
    -2.0 [(('free',), -2.0), (('lunch',), 0.0)]
    -2.0 [(('free',), -2.0), (('lunch',), 0.0)]
    """
    given = data or InputData(paths=())
    recipe = replace(given, paths=(EXAMPLE,)).recipe(model.recipe)
    if "format" not in given.given:
        recipe, line = _told_by_shape(recipe, line)
    text = line.encode("utf-8", "surrogateescape") + b"\n"
    known = detected(EXAMPLE, text) if recipe.format is None else format_named(recipe.format)
    reader = opened(known, replace(recipe, format=known.name), model.name_table, add=False)
    if isinstance(reader, RecordFormat):
        raise ExportError(
            f"{EXAMPLE} is a line, and {known.name} has none: give a JSON object"
            f"{', or a header and a row of CSV' * (known.name in TABLES)}.",
            "Or say in which format it is (format=).",
            code="export.example_format",
        )
    if known.name == "csv" and len(line.strip().splitlines()) < 2:
        raise _not_one(0, known.name)
    block = reader.arranged(text[reader.begin(EXAMPLE, text[: reader.head_bytes]) :])
    scanned = reader.scan(EXAMPLE, block, 1)
    rows = Rows(scanned.row_start, scanned.column, scanned.value)
    if (n_found := len(rows) + len(scanned.bad)) != 1:
        raise _not_one(n_found, known.name)
    if scanned.bad:
        raise _bad(scanned.bad[0])
    named = reader.names(block, int(scanned.start[0]), int(scanned.stop[0]))
    return Explainer(model, label).explain_rows(rows, [by_column(named)])[0]


def _not_one(n_found: int, format_: str) -> ExportError:
    header = " A row of a table has its header on the line before." * (format_ == "csv")
    if not n_found:
        return ExportError(f"there is no row in {EXAMPLE}, read as {format_}.{header}")
    return ExportError(f"there are {n_found} rows in {EXAMPLE}, read as {format_}: give one.")


def _bad(line: BadLine) -> BadLineError:
    # What a column holds was settled when the model learned.
    settled = line.hint is not None and line.hint.code == "line.category"
    return (replace(line, hint=None) if settled else line).error()


def _told_by_shape(recipe: Recipe, line: str) -> tuple[Recipe, str]:
    """How to read a JSON object, whatever the model's format, and two lines for one of a table."""
    found = _object(line)
    if found is not None and recipe.format == "text":
        values = {name: cell for name, cell in found.items() if name != recipe.label_field}
        if any(isinstance(cell, str) for cell in values.values()):
            return recipe, _text_in(values)
    if found is not None and recipe.format != "csv":
        # An object may be written on several lines.
        return replace(recipe, format="json"), line.replace("\r", " ").replace("\n", " ")
    if found is not None and all(not isinstance(cell, dict | list) for cell in found.values()):
        return recipe, _as_table(recipe, found)
    if recipe.format in TABLES and len(line.strip().splitlines()) == 2:
        # What was found out about other columns says nothing about these.
        return replace(recipe, format="csv", numeric=(), categorical=()), line
    return recipe, line


def _object(line: str) -> dict[str, Any] | None:
    """The JSON object that a line is, if it is one."""
    try:
        read = json.loads(line) if line.lstrip().startswith("{") else None
    except ValueError:
        return None
    except RecursionError:
        found, expected = "JSON that is nested too deeply", "an object of names and values"
        raise BadLine(EXAMPLE, 1, found, expected, b"").error() from None
    return read if isinstance(read, dict) else None


def _text_in(values: dict[str, Any]) -> str:
    """The text in an object that holds nothing else, on one line."""
    ((name, text), *others) = values.items()
    if others or name.casefold() not in OF_TEXTS or not isinstance(text, str):
        raise ExportError(
            f"the features of this model are words of texts, not fields: give the text itself as "
            f'{EXAMPLE}, or {{"text": ...}} and nothing else.'
        )
    return " ".join(text.split())


def _as_table(recipe: Recipe, row: dict[str, Any]) -> str:
    """An object as a header and a row, so that its cells are read as those of the training data.

    Columns that it lacks are there, and empty.
    """
    cells = {name: "" for name in (*recipe.numeric, *recipe.categorical)} | row
    text = io.StringIO()
    writer = csv.writer(text, delimiter=recipe.separator or ",", lineterminator="\n")
    writer.writerow(cells)
    writer.writerow("" if cell is None else _cell(cell) for cell in cells.values())
    return text.getvalue().removesuffix("\n")


def _cell(cell: Any) -> str:
    return str(int(cell) if isinstance(cell, bool) else cell)
