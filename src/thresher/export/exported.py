"""A model in a form given by its name, and what the export says of rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ParameterError
from thresher.export.c_header import to_c
from thresher.export.js_module import to_js
from thresher.export.json_document import to_json
from thresher.export.onnx_graph import to_onnx
from thresher.export.rule import Rule, rule_of
from thresher.export.scorer import CommitteeScorer, scorer_of
from thresher.export.sql import to_sql
from thresher.export.sql_rule import rule_to_sql
from thresher.export.text import to_text
from thresher.models.model import Model
from thresher.streams.rows import Rows

FORMS = ("text", "json", "c", "js", "onnx", "sql", "rule")


class Export(NamedTuple):
    """What is written, and what it predicts."""

    content: bytes
    #: The number of the label that it gives to each row; of two, 0 is -1 and 1 is +1.
    predicts: Callable[[Rows], NDArray[np.int32]]
    #: The rule, where the export is one.
    rule: Rule | None = None


def exported(
    model: Model,
    form: str = "text",
    *,
    top: int | None = None,
    reach: float | None = None,
    prefix: str = "model",
    table: str = "data",
) -> Export:
    """The model in one of the `FORMS`.

    Parameters
    ----------
    model
        Of two classes or of several; a rule is of two, and of several
        `thresher.models.one_class.model_of_class` gives one.
    form
        Its name.
    top
        Keep only so many features, the heaviest.
    reach
        Rules: the share of the threshold that a feature must reach alone; 1 unless given. SQL:
        write the rule of that reach, instead of the score.
    prefix
        C: what all names begin with.
    table
        SQL: where rows are taken from.

    Examples
    --------
    >>> import thresher as th
    >>> exported(Model(learner=th.Conjunction(n_features=1)), "rule").content
    b'+1 if all of these are true:\\n  0\\notherwise -1\\n'
    """
    if form not in FORMS:
        raise ParameterError("exported", "form", " or ".join(FORMS), form)
    if form == "rule" or (form == "sql" and reach is not None):
        rule = rule_of(model, top, 1.0 if reach is None else reach)
        text = rule.text(model) if form == "rule" else rule_to_sql(rule, model, table)
        return Export(_encoded(text), rule.predicts, rule)
    makers: dict[str, Callable[[], str | bytes]] = {
        "text": lambda: to_text(model, top),
        "json": lambda: to_json(model, top),
        "c": lambda: to_c(model, prefix, top),
        "js": lambda: to_js(model, top),
        "onnx": lambda: to_onnx(model, top),
        "sql": lambda: to_sql(model, table, top),
    }
    made = makers[form]()
    content = made if isinstance(made, bytes) else _encoded(made)
    # Most exports are never compared with the model.
    scorer = cache(lambda: scorer_of(model, top))

    def predicts(rows: Rows) -> NDArray[np.int32]:
        found = scorer()
        if isinstance(found, CommitteeScorer):
            return model.learner.predicted_numbers(model.learner.scores(rows))
        return found.predicted(rows)

    return Export(content, predicts)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
