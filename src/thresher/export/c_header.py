"""A model as a C header: tables, and functions that score rows with them.

The scores are those of the model to the bit: the same products, added up in the same order,
without contraction into fused operations.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from thresher.export.c_committee import committee_part
from thresher.export.c_linear import linear_part
from thresher.export.c_names import literal, name_part
from thresher.export.c_probabilities import probability_part
from thresher.export.c_rows import row_part
from thresher.export.c_text import text_part
from thresher.export.feature_names import feature_names
from thresher.export.probabilities import maps_of
from thresher.export.scorer import CommitteeScorer, LinearScorer, scorer_of
from thresher.export.templates import filled, in_lines
from thresher.models.model import Model


def to_c(model: Model, prefix: str = "model", top: int | None = None) -> str:
    """A header for C99 and C++11 that needs nothing but the standard library.

    Parameters
    ----------
    model
        A model that is linear in its features, or a Committee; of two classes or of several.
    prefix
        What all names in the header begin with; what is no letter or digit becomes ``_``.
    top
        Keep only so many weights, the heaviest.
    """
    scorer, names, called = scorer_of(model, top), feature_names(model), identifier(prefix)
    columns = np.sort(scorer.columns)
    if isinstance(scorer, CommitteeScorer):
        scoring = committee_part(scorer, called)
    else:
        scoring = linear_part(scorer, columns, called)
    parts = [
        _opening(model, called),
        _lookup(columns, max(scorer.sizes), called),
        scoring,
        _predicting(scorer, called),
    ]
    if maps := maps_of(model):
        parts.append(probability_part(maps, scorer.threshold, scorer.several, called))
    if names.hashed or names.vocabulary:
        parts.append(name_part(names, model.name_table.n_features, called))
        parts.append(row_part(names, model.name_table.n_features, called))
        if names.text is not None:
            parts.append(text_part(names, called))
    return "\n".join([*parts, "#endif\n"])


def identifier(text: str) -> str:
    """The text as the beginning of C names.

    >>> identifier("mail-2026"), identifier("7days")
    ('mail_2026', 'm_7days')
    """
    plain = re.sub(r"[^0-9A-Za-z]", "_", text) or "model"
    # A name that begins with an underscore may be the compiler's own.
    return plain if plain[0].isalpha() else f"m_{plain}"


def in_comment(text: str) -> str:
    """The text as part of a C comment that it cannot end.

    >>> in_comment("a */ b"), in_comment("né")
    ('a * / b', 'n\\\\xe9')
    """
    plain = text.encode("unicode_escape").decode().replace("*/", "* /").replace("/*", "/ *")
    # A question mark may begin a trigraph, and one of them is a backslash that joins lines.
    return plain.replace("??", "? ?")


def _opening(model: Model, called: str) -> str:
    learner = model.learner
    lines = [
        f"/* {learner.plain_name}: {learner.mistakes} mistakes in {learner.n_rounds} rounds.",
        f" * SHA-256 of the model file: {model.digest or 'it was not saved'}",
        *(f" * trained by: {in_comment(run.command)}" for run in model.history if run.command),
    ]
    return "\n".join(lines) + filled(_OPENING, U=called.upper())


def _lookup(columns: NDArray[np.int64], size: int, called: str) -> str:
    """Where a column stands in the tables: all columns do, or some, which are then listed."""
    if not len(columns):
        return filled(_NO_LINES, P=called, U=called.upper())
    table, find = "", _EVERY_LINE
    if len(columns) < size:
        listed = in_lines(map(str, columns.tolist()), 12)
        table = f"static const int32_t {called}_columns[] = {{\n    {listed}\n}};\n\n"
        find = _SOME_LINES
    return table + filled(find, P=called, U=called.upper(), count=len(columns))


def _predicting(scorer: LinearScorer | CommitteeScorer, called: str) -> str:
    return filled(
        (_SEVERAL if scorer.several else _TWO) + _LABEL,
        P=called,
        U=called.upper(),
        threshold=repr(scorer.threshold),
        labels=",\n    ".join(literal(name.encode("utf-8", "replace")) for name in scorer.labels),
        number="predicted" if scorer.several else "predicted > 0",
    )


_OPENING = """
 *
 * Written by thresher. A row is an array of columns that increase strictly and an array of
 * their values; a column that the model does not have counts for nothing. The scores are those
 * of the model to the bit where doubles and floats are those of IEEE and are computed as such
 * (FLT_EVAL_METHOD 0); only a score that is too close to the threshold for doubles, which some
 * models settle exactly, may be off by a bit. Some models need sqrt: link with -lm.
 */
#ifndef @U@_H
#define @U@_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* a * b + c in one step would round once less than the model does. */
#if defined(__GNUC__) && !defined(__clang__)
#define @U@_PLAIN __attribute__((optimize("fp-contract=off"), unused))
#define @U@_AS_WRITTEN
#elif defined(__clang__)
#define @U@_PLAIN __attribute__((unused))
#define @U@_AS_WRITTEN _Pragma("STDC FP_CONTRACT OFF")
#else
#define @U@_PLAIN
#define @U@_AS_WRITTEN
#endif
"""

_NO_LINES = """/* No feature has numbers of its own. */
#define @U@_LINES 0

@U@_PLAIN static size_t @P@_line(int32_t column)
{
    (void) column;
    return 0;
}
"""

_EVERY_LINE = """#define @U@_LINES @count@

/* Where the numbers of a column stand; @U@_LINES: it has none of its own. */
@U@_PLAIN static size_t @P@_line(int32_t column)
{
    return (size_t) column < @U@_LINES ? (size_t) column : @U@_LINES;
}
"""

_SOME_LINES = """#define @U@_LINES @count@

/* Where the numbers of a column stand; @U@_LINES: it has none of its own. */
@U@_PLAIN static size_t @P@_line(int32_t column)
{
    size_t low = 0, high = @U@_LINES;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (@P@_columns[middle] < column) low = middle + 1;
        else high = middle;
    }
    return low < @U@_LINES && @P@_columns[low] == column ? low : @U@_LINES;
}
"""

_TWO = """/* The score of a row of n values. */
@U@_PLAIN static double @P@_score(const int32_t *column, const double *value, size_t n)
{
    double score;
    @P@_scores(column, value, n, &score);
    return score;
}

/* -1 or +1. */
@U@_PLAIN static int @P@_predict(const int32_t *column, const double *value, size_t n)
{
    return @P@_score(column, value, n) >= (@threshold@) ? 1 : -1;
}
"""

_SEVERAL = """/* The number of the class: that of the largest score, of the first if several are. */
@U@_PLAIN static int @P@_predict(const int32_t *column, const double *value, size_t n)
{
    double score[@U@_SCORES];
    int best = 0, r;
    @P@_scores(column, value, n, score);
    for (r = 1; r < @U@_SCORES; r++)
        if (score[r] > score[best]) best = r;
    return best;
}
"""

_LABEL = """
/* What a prediction is called (UTF-8). */
@U@_PLAIN static const char *@P@_label(int predicted)
{
    static const char *const label[] = {
    @labels@
    };
    return label[@number@];
}
"""
