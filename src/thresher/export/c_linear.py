"""The part of a C header that scores rows by weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.export.scorer import LinearScorer
from thresher.export.templates import doubles, filled, in_lines


def linear_part(scorer: LinearScorer, columns: NDArray[np.int64], called: str) -> str:
    """The tables, a line for each of the columns, and the function that fills in all scores."""
    tables = {"weights": scorer.weights(columns).ravel()}
    if scorer.scaling == "online":
        tables["largest"] = scorer.largest(columns).ravel()
    for name in ("constant", "divisor", "minus", "default"):
        tables[name] = np.array([getattr(form, name) for form in scorer.forms])
    sizes = ", ".join(map(str, scorer.sizes))
    return "".join(
        [
            f"#define {called.upper()}_SCORES {len(scorer.forms)}\n\n",
            "/* How many features each score knows. */\n",
            f"static const int32_t {called}_sizes[] = {{ {sizes} }};\n\n",
            *(_table(f"{called}_{name}", values) for name, values in tables.items() if len(values)),
            filled(_code(scorer.scaling, len(columns) > 0), P=called, U=called.upper()),
        ]
    )


def _table(name: str, values: NDArray[np.float64]) -> str:
    return f"static const double {name}[] = {{\n    {in_lines(doubles(values), 6)}\n}};\n\n"


def _code(scaling: str | None, lines: bool) -> str:
    """The function with the steps that this model takes."""
    before = "" if scaling in (None, "online") else _BEFORE.replace("@size@", _SIZE[scaling])
    step = _STEP[scaling]
    own = _OWN if lines else "@P@_default[r]"
    if scaling == "online":
        step = step.replace("@largest@", _LARGEST if lines else "0.0")
    return _SCORES.replace("@before@", before).replace("@step@", step).replace("@own@", own)


_OWN = "line < @U@_LINES ? @P@_weights[line * @U@_SCORES + r] : @P@_default[r]"
_LARGEST = "line < @U@_LINES ? @P@_largest[line * @U@_SCORES + r] : 0.0"

#: The largest value first, so that no square overflows or vanishes.
_BEFORE = """    double largest[@U@_SCORES], size[@U@_SCORES];
    for (r = 0; r < @U@_SCORES; r++) {
        largest[r] = size[r] = 0.0;
        for (k = 0; k < n; k++)
            if (column[k] >= 0 && column[k] < @P@_sizes[r] && fabs(value[k]) > largest[r])
                largest[r] = fabs(value[k]);
        for (k = 0; k < n; k++) {
            double x = largest[r] > 0.0 ? value[k] / largest[r] : 0.0;
            if (column[k] >= 0 && column[k] < @P@_sizes[r]) {
                @size@
            }
        }
    }
"""
_SIZE = {
    "l2": "double part = x * x;\n                size[r] += part;",
    "l1": "size[r] += fabs(x);",
    "max": "(void) x;",
}
_STEP = {
    None: "",
    "l2": "            x = x / largest[r];\n            x = x / sqrt(size[r]);\n",
    "l1": "            x = x / largest[r];\n            x = x / size[r];\n",
    "max": "            x = x / largest[r];\n",
    "online": """            most = @largest@;
            if (fabs(x) > most) most = fabs(x);
            x = x / most;
""",
}

_SCORES = """/* All scores of a row of n values. */
@U@_PLAIN static void @P@_scores(
    const int32_t *column, const double *value, size_t n, double *score)
{
    @U@_AS_WRITTEN
    size_t k, r;
@before@    for (r = 0; r < @U@_SCORES; r++) score[r] = 0.0;
    for (k = 0; k < n; k++) {
        size_t line = @P@_line(column[k]);
        (void) line;
        if (value[k] == 0.0) continue;
        for (r = 0; r < @U@_SCORES; r++) {
            double x = value[k], most = 0.0, weight, term;
            (void) most;
            if (column[k] < 0 || column[k] >= @P@_sizes[r]) continue;
            weight = @own@;
@step@            term = weight * x;
            score[r] += term;
        }
    }
    for (r = 0; r < @U@_SCORES; r++) {
        score[r] += @P@_constant[r];
        score[r] /= @P@_divisor[r];
        score[r] -= @P@_minus[r];
    }
}
"""
