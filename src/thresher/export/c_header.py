"""A model as a C header: tables, and functions that score rows with them.

The scores are those of `LinearForm` to the bit: the same products, added up in the same
order, without contraction into fused operations.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from thresher.export.c_names import name_functions
from thresher.learners.base.linear_form import LinearForm
from thresher.models.linear_form import form_of
from thresher.models.model import Model

#: Bytes of an entry in a table of all weights, and in one of the touched ones.
DENSE, SPARSE = 8, 12


def to_c(model: Model, prefix: str = "model", top: int | None = None) -> str:
    """A header for C99 and C++11 that needs nothing but the standard headers.

    Parameters
    ----------
    model
        A model that is linear in its features.
    prefix
        What all names in the header begin with; what is no letter or digit becomes ``_``.
    top
        Keep only so many weights, the heaviest.
    """
    form = form_of(model.learner)
    if top is not None:
        form = form.top(top)
    name = identifier(prefix)
    parts = [
        _opening(model, name),
        _constants(form, name),
        _table(form, name),
        _SCORE,
        name_functions(model),
        "#endif\n",
    ]
    return "\n".join(parts).replace("PREFIX", name).replace("UPPER", name.upper())


def identifier(text: str) -> str:
    """The text as the beginning of C names.

    >>> identifier("mail-2026"), identifier("7days")
    ('mail_2026', '_7days')
    """
    plain = re.sub(r"[^0-9A-Za-z]", "_", text) or "model"
    return f"_{plain}" if plain[0].isdigit() else plain


def in_comment(text: str) -> str:
    """The text as part of a C comment that it cannot end.

    >>> in_comment("a */ b"), in_comment("né")
    ('a * / b', 'n\\\\xe9')
    """
    return text.encode("unicode_escape").decode().replace("*/", "* /").replace("/*", "/ *")


def _opening(model: Model, name: str) -> str:
    learner = model.learner
    negative, positive = (in_comment(label) for label in model.label_names)
    trained = [f" * trained by: {in_comment(run.command)}" for run in model.history if run.command]
    lines = [
        f"/* {learner.name}: {learner.mistakes} mistakes in {learner.n_rounds} rounds.",
        f" * +1 is the label {positive}, -1 the label {negative}.",
        f" * SHA-256 of the model file: {model.digest or 'it was not saved'}",
        *trained,
        " *",
        " * Written by thresher. A row is an array of columns that increase strictly and an array",
        " * of their values. The scores are those of the model to the bit where doubles are IEEE",
        " * doubles and are computed as such (FLT_EVAL_METHOD 0); only a score that is too close",
        " * to the threshold for doubles, which some models settle exactly, may be off by a bit.",
        " */",
        "#ifndef UPPER_H",
        "#define UPPER_H",
        "",
        "#include <stddef.h>",
        "#include <stdint.h>",
        "#include <string.h>",
        "",
        "/* a * b + c in one step would round once less than the model does. */",
        "#if defined(__GNUC__) && !defined(__clang__)",
        '#define UPPER_PLAIN __attribute__((optimize("fp-contract=off"), unused))',
        "#elif defined(__clang__)",
        "#define UPPER_PLAIN __attribute__((unused))",
        "#else",
        "#define UPPER_PLAIN",
        "#endif",
        "",
    ]
    return "\n".join(lines)


def _constants(form: LinearForm, name: str) -> str:
    return (
        f"#define UPPER_N_FEATURES {len(form.weights)}\n"
        f"#define UPPER_THRESHOLD ({form.threshold!r})\n"
        f"#define UPPER_CONSTANT ({form.constant!r})\n"
        f"#define UPPER_DIVISOR ({form.divisor!r})\n"
    )


def _listed(items: list[str], per_line: int) -> str:
    lines = [", ".join(items[k : k + per_line]) for k in range(0, len(items), per_line)]
    return ",\n    ".join(lines)


def _numbers(values: NDArray[np.float64]) -> list[str]:
    # The shortest digits that read back as the same double.
    return [repr(value) for value in values.tolist()]


def _table(form: LinearForm, name: str) -> str:
    columns = np.sort(form.touched())
    if DENSE * len(form.weights) <= SPARSE * len(columns):
        return (
            f"static const double PREFIX_weights[] = {{\n    {_listed(_numbers(form.weights), 6)}\n"
            f"}};\n\n{_WEIGHT_OPENING}    return PREFIX_weights[column];\n}}\n"
        )
    if not len(columns):
        return f"{_WEIGHT_OPENING}    return {form.default!r};\n}}\n"
    lookup = _LOOKUP.replace("COUNT", str(len(columns))).replace("DEFAULT", repr(form.default))
    return (
        f"static const int32_t PREFIX_columns[] = {{\n"
        f"    {_listed([str(c) for c in columns.tolist()], 12)}\n}};\n\n"
        f"static const double PREFIX_weights[] = {{\n"
        f"    {_listed(_numbers(form.weights[columns]), 6)}\n}};\n\n{_WEIGHT_OPENING}{lookup}}}\n"
    )


_WEIGHT_OPENING = """/* The weight of a column; one that the model does not have weighs nothing. */
UPPER_PLAIN static double PREFIX_weight(int32_t column)
{
    if (column < 0 || column >= UPPER_N_FEATURES) return 0.0;
"""

_LOOKUP = """    size_t low = 0, high = COUNT;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (PREFIX_columns[middle] < column) low = middle + 1;
        else high = middle;
    }
    return low < COUNT && PREFIX_columns[low] == column ? PREFIX_weights[low] : DEFAULT;
"""

_SCORE = """/* The score of a row of n values. */
UPPER_PLAIN static double PREFIX_score(const int32_t *column, const double *value, size_t n)
{
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
    double total = 0.0;
    for (size_t k = 0; k < n; k++) {
        double term = PREFIX_weight(column[k]) * value[k];
        total += term;
    }
    total += UPPER_CONSTANT;
    return total / UPPER_DIVISOR;
}

/* -1 or +1. */
UPPER_PLAIN static int PREFIX_predict(const int32_t *column, const double *value, size_t n)
{
    return PREFIX_score(column, value, n) >= UPPER_THRESHOLD ? 1 : -1;
}
"""
