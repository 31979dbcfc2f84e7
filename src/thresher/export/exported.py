"""A model in a form given by its name, and what the export says of rows."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher.errors import ExportError, ParameterError
from thresher.export.c_header import to_c
from thresher.export.json_document import to_json
from thresher.export.onnx_graph import to_onnx
from thresher.export.rule import Rule, rule_of
from thresher.export.sql import to_sql
from thresher.export.text import to_text
from thresher.learners.base.linear_form import LinearForm
from thresher.models.linear_form import form_of
from thresher.models.model import Model
from thresher.streams.rows import Rows

FORMS = ("text", "json", "c", "onnx", "rule", "sql")
#: Those that are for people, who see what a pair is.
WITH_PAIRS = ("text", "rule")


class Export(NamedTuple):
    """What is written, and what it predicts."""

    content: bytes
    #: Whether it says +1, for each row.
    holds: Callable[[Rows], NDArray[np.bool_]]
    #: The rule, where the export is one.
    rule: Rule | None = None


def exported(
    model: Model,
    form: str = "text",
    *,
    top: int | None = None,
    reach: float = 1.0,
    prefix: str = "model",
) -> Export:
    """The model in one of the `FORMS`.

    Parameters
    ----------
    model
        Of two classes; of several, `thresher.models.one_class.model_of_class` gives one.
    form
        Its name.
    top
        Keep only so many features, the heaviest.
    reach
        Rules and SQL: the share of the threshold that a feature must reach alone.
    prefix
        C: what all names begin with.

    Examples
    --------
    >>> import thresher as th
    >>> exported(Model(learner=th.Conjunction(n_features=1)), "rule").content
    b'+1 if all of these are true:\\n  0\\notherwise -1\\n'
    """
    if form not in FORMS:
        raise ParameterError("exported", "form", " or ".join(FORMS), form)
    if model.recipe.pairs and form not in WITH_PAIRS:
        raise ExportError(
            f"the model makes pairs of features ({'; '.join(model.recipe.pairs)}) before it scores a "
            f"row, and {form} would not: its scores would be others. These name the pairs: "
            f"{', '.join(WITH_PAIRS)}."
        )
    if form in ("rule", "sql"):
        rule = rule_of(model, top, reach)
        text = rule.text(model) if form == "rule" else to_sql(rule, model)
        return Export(_encoded(text), rule.holds, rule)
    if form == "onnx":
        content = to_onnx(model, top)
    elif form == "c":
        content = _encoded(to_c(model, prefix, top))
    else:
        content = _encoded((to_json if form == "json" else to_text)(model, top))
    # Most exports are never compared with the model.
    weights = cache(lambda: _shortened(model, top))
    return Export(content, lambda rows: weights().predictions(rows) > 0)


def _shortened(model: Model, top: int | None) -> LinearForm:
    form = form_of(model.learner)
    return form if top is None else form.top(top)


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
