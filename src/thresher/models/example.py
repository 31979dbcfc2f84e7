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
from thresher.streams.formats.detection import detected, format_named, opened
from thresher.streams.formats.format import RecordFormat
from thresher.streams.rows import Rows

if TYPE_CHECKING:
    from thresher.models.model import Model
    from thresher.streams.labels import Label
    from thresher.streams.recipe import Recipe

#: What messages call a row that is in no file.
EXAMPLE = "the example"


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
        own. Instead of any format, a JSON object, or a header and a row of CSV.
    data
        What is to be read otherwise than the model's training data was, such as the format.

    Examples
    --------
    >>> import thresher as th
    >>> from thresher.streams.recipe import Recipe
    >>> learner = th.Perceptron(8)
    >>> _ = learner.learn([{"free": 1}], [-1])
    >>> model = th.Model(learner=learner, recipe=Recipe(format="vw"))
    >>> for line in ("1 | free:2 lunch", '{"free": 2, "lunch": 1}', "free,lunch\n2,1"):
    ...     why = explain_line(model, line)
    ...     print(why.score, [(part.names, part.adds) for part in why.contributions])
    -2.0 [(('free',), -2.0), (('lunch',), 0.0)]
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
            f"{EXAMPLE} is a line, and {known.name} has none: give a JSON object, a header and a "
            "row of CSV, or say in which format it is (format=)."
        )
    block = text[reader.begin(EXAMPLE, text[: reader.head_bytes]) :]
    scanned = reader.scan(EXAMPLE, block, 1)
    if scanned.bad:
        raise BadLineError(str(scanned.bad[0]))
    rows = Rows(scanned.row_start, scanned.column, scanned.value)
    if len(rows) != 1:
        found = f"{len(rows)} rows" if len(rows) else "no row"
        header = " A row of a table has its header on the line before." * (known.name == "csv")
        raise ExportError(f"there is {found} in {EXAMPLE}, read as {known.name}.{header}")
    named = reader.names(block, int(scanned.start[0]), int(scanned.stop[0]))
    return Explainer(model, label).explain_rows(rows, [by_column(named)])[0]


def _told_by_shape(recipe: Recipe, line: str) -> tuple[Recipe, str]:
    """How to read an example that is a JSON object, or two lines, whatever the model's format."""
    found = _object(line)
    if found is not None and recipe.format != "csv":
        return replace(recipe, format="json"), line
    if found is not None and all(not isinstance(cell, dict | list) for cell in found.values()):
        return recipe, _as_table(recipe, found)
    if recipe.format not in (None, "csv") and len(line.strip().splitlines()) == 2:
        # What was found out about other columns says nothing about these.
        return replace(recipe, format="csv", numeric=(), categorical=()), line
    return recipe, line


def _object(line: str) -> dict[str, Any] | None:
    """The JSON object that a line is, if it is one."""
    try:
        found = json.loads(line) if line.lstrip().startswith("{") else None
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


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
