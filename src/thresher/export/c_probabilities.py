"""The part of a C header that turns scores into probabilities."""

from __future__ import annotations

import numpy as np

from thresher.export.probabilities import steps_in_a_row
from thresher.export.templates import doubles, filled, in_lines
from thresher.learners.base.probability_map import (
    HIGHEST_ODDS,
    LOWEST_ODDS,
    Curve,
    ProbabilityMap,
    Steps,
)


def probability_part(
    maps: tuple[ProbabilityMap, ...], threshold: float, several: bool, called: str
) -> str:
    """The tables of the maps, one for each score, and the function for all probabilities."""
    code = _SEVERAL if several else _TWO
    numbers: dict[str, object] = {}
    if isinstance(maps[0], Steps):
        code = _STEPS + code
        start, steps = steps_in_a_row(maps)
        # C has no digits for infinity; nothing is compared with what stands there.
        edges = np.where(np.isinf(steps.edges), 0.0, steps.edges)
        numbers = {
            "start": in_lines(map(str, start), 12),
            "edges": in_lines(doubles(edges), 4),
            "shares": in_lines(doubles(steps.shares), 4),
        }
    elif isinstance(maps[0], Curve):
        code = _CURVE + code
        curves = [one for one in maps if isinstance(one, Curve)]
        numbers = {
            "curves": ",\n    ".join(f"{{ {c.slope!r}, {c.intercept!r} }}" for c in curves),
            "lowest": repr(LOWEST_ODDS),
            "highest": repr(HIGHEST_ODDS),
        }
    else:
        code = _HALVES + code
    gaps = {"P": called, "U": called.upper(), "threshold": repr(threshold)}
    return filled(code, **gaps, **numbers)


_STEPS = """static const size_t @P@_step_start[] = {
    @start@
};

static const double @P@_edges[] = {
    @edges@
};

static const double @P@_steps[] = {
    @shares@
};

/* How probable it is that a score r that exceeds its threshold by so much is right. */
@U@_PLAIN static double @P@_likely(double margin, size_t r)
{
    size_t low = @P@_step_start[r], high = @P@_step_start[r + 1] - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (@P@_edges[middle] <= margin) low = middle + 1;
        else high = middle;
    }
    return @P@_steps[low];
}
"""

_CURVE = """/* How probable it is that a score r that exceeds its threshold by so much is right. */
@U@_PLAIN static double @P@_likely(double margin, size_t r)
{
    @U@_AS_WRITTEN
    static const double curve[][2] = {
    @curves@
    };
    double v = curve[r][0] * margin, small;
    v = v + curve[r][1];
    v = v < @lowest@ ? @lowest@ : v > @highest@ ? @highest@ : v;
    small = exp(-fabs(v));
    return (v >= 0.0 ? 1.0 : small) / (1.0 + small);
}
"""

_HALVES = """/* A score is how probable its label is, minus how probable it is not. */
@U@_PLAIN static double @P@_likely(double margin, size_t r)
{
    (void) r;
    return (1.0 + margin) / 2.0;
}
"""

_TWO = """
/* The probabilities of -1 and of +1. */
@U@_PLAIN static void @P@_probabilities(
    const int32_t *column, const double *value, size_t n, double *probability)
{
    probability[1] = @P@_likely(@P@_score(column, value, n) - (@threshold@), 0);
    probability[0] = 1.0 - probability[1];
}
"""

_SEVERAL = """
/* The probability of each class. */
@U@_PLAIN static void @P@_probabilities(
    const int32_t *column, const double *value, size_t n, double *probability)
{
    double whole = 0.0;
    size_t r;
    @P@_scores(column, value, n, probability);
    for (r = 0; r < @U@_SCORES; r++) {
        probability[r] = @P@_likely(probability[r], r);
        whole += probability[r];
    }
    for (r = 0; r < @U@_SCORES; r++) probability[r] /= whole;
}
"""
