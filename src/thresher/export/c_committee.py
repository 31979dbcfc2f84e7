"""The part of a C header that scores rows as a Committee does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher.export.c_seats import seats_part
from thresher.export.scorer import CommitteeScorer
from thresher.export.templates import doubles, filled, in_lines, singles
from thresher.kernels.engines.feature_memory import UNSEEN
from thresher.learners.two_class.committee_form import (
    FAR,
    LEVEL,
    LN2,
    PER_LN2,
    REST,
    SHIFTER,
    SURE,
    TERMS,
)

#: What a member sees of a value, by the name of its view.
VIEWS = {
    "scaled": "(float) (x * shrink)",
    "presence": "sign",
    "unit": "(float) (x * shrink * unit)",
    "root": "root * sign",
}


def committee_part(scorer: CommitteeScorer, called: str) -> str:
    """The tables, a line for each feature that was seen, and the function for all scores."""
    forms, upper = scorer.forms, called.upper()
    members, lanes = forms[0].members, len(forms[0].bias)
    weights = scorer.lines("weights", 0.0).ravel()
    shrink = scorer.lines("shrink", UNSEEN).ravel()
    doubled = {name: np.concatenate([getattr(form, name) for form in forms]) for name in _MIXTURE}
    doubled["rounds"] = np.array([form.rounds for form in forms])
    sizes = ", ".join(map(str, scorer.sizes))
    bias = np.concatenate([form.bias for form in forms])
    present = ", ".join(str(lanes + len(form.seats)) for form in forms)
    return "".join(
        [
            f"#define {upper}_SCORES {len(forms)}\n#define {upper}_MEMBERS {len(members)}\n",
            f"#define {upper}_LANES {lanes}\n\n",
            "/* How many features each score knows. */\n",
            f"static const int32_t {called}_sizes[] = {{ {sizes} }};\n\n",
            "/* How many members of each are left. */\n",
            f"static const size_t {called}_present[] = {{ {present} }};\n\n",
            _floats(f"{called}_weights", weights) if len(weights) else "",
            _doubles(f"{called}_shrink", shrink) if len(shrink) else "",
            _floats(f"{called}_bias", bias) if len(bias) else "",
            *(_doubles(f"{called}_{name}", values) for name, values in doubled.items()),
            seats_part(scorer, called),
            filled(
                _code([member.rows for member in members[:lanes]], len(weights) > 0),
                P=called,
                U=upper,
                unseen=repr(UNSEEN),
                far=repr(FAR),
                sure=repr(SURE),
                level=repr(LEVEL),
                terms=in_lines(doubles(TERMS), 4),
                per_ln2=repr(PER_LN2),
                ln2=repr(LN2),
                rest=repr(REST),
                shifter=repr(SHIFTER),
            ),
        ]
    )


_MIXTURE = ("square", "slope", "share", "prior", "belief")


def _floats(name: str, values: NDArray[np.float32]) -> str:
    listed = in_lines([f"{digits}f" for digits in singles(values)], 8)
    return f"static const float {name}[] = {{\n    {listed}\n}};\n\n"


def _doubles(name: str, values: NDArray[np.float64]) -> str:
    return f"static const double {name}[] = {{\n    {in_lines(doubles(values), 6)}\n}};\n\n"


def _code(views: list[str], learned: bool) -> str:
    if not views:
        return _POWER + _NO_LANES + _SCORES
    seen = "\n".join(f"        seen[{m}] = {VIEWS[view]};" for m, view in enumerate(views))
    lanes = (
        _LANES.replace("@seen@", seen)
        .replace("@shrink@", _SHRINK if learned else "@unseen@")
        .replace("@learned@", _LEARNED if learned else "")
    )
    return _POWER + lanes + _SCORES


_SHRINK = "line < @U@_LINES ? @P@_shrink[line * @U@_SCORES + r] : @unseen@"
_LEARNED = """        if (line >= @U@_LINES) continue;
        for (m = 0; m < @U@_LANES; m++) {
            float term = @P@_weights[(line * @U@_SCORES + r) * @U@_LANES + m] * seen[m];
            score[m] = score[m] + term;
        }
"""

_POWER = """/* e^x for -8 <= x <= 0, by additions and products alone. */
@U@_PLAIN static double @P@_power(double x)
{
    @U@_AS_WRITTEN
    static const double terms[] = {
    @terms@
    };
    double shifted = x * @per_ln2@, k, r, total = terms[0], part;
    int t;
    shifted = shifted + @shifter@;
    k = shifted - @shifter@;
    part = k * @ln2@;
    r = x - part;
    part = k * @rest@;
    r = r - part;
    for (t = 1; t < 13; t++) {
        total = total * r;
        total = total + terms[t];
    }
    for (; k < 0.0; k += 1.0) total *= 0.5;
    return total;
}

@U@_PLAIN static double @P@_within(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

"""

_LANES = """/* One over the largest value of a feature so far, this one included. */
@U@_PLAIN static double @P@_shrunk(int32_t column, double size, size_t r)
{
    size_t line = @P@_line(column);
    double known = @shrink@, own = 1.0 / size;
    (void) line;
    (void) r;
    return known < own ? known : own;
}

/* What the members say about a row: their scores, in single precision. */
@U@_PLAIN static void @P@_members(
    const int32_t *column, const double *value, size_t n, size_t r, double *said)
{
    @U@_AS_WRITTEN
    float score[@U@_LANES];
    double squares = 0.0, sizes = 0.0, unit, share;
    size_t k, m;
    for (k = 0; k < n; k++) {
        double size = fabs(value[k]), part;
        if (value[k] == 0.0 || column[k] < 0 || column[k] >= @P@_sizes[r]) continue;
        part = size * @P@_shrunk(column[k], size, r);
        part = part * part;
        squares += part;
        sizes += size;
    }
    unit = squares > 0.0 ? 1.0 / sqrt(squares) : 0.0;
    share = sizes > 1e-300 ? 1.0 / sizes : 0.0;
    for (m = 0; m < @U@_LANES; m++) score[m] = 0.0f;
    for (k = 0; k < n; k++) {
        double x = value[k], shrink;
        float sign = x < 0.0 ? -1.0f : 1.0f, root, seen[@U@_LANES];
        size_t line = @P@_line(column[k]);
        if (x == 0.0 || column[k] < 0 || column[k] >= @P@_sizes[r]) continue;
        shrink = @P@_shrunk(column[k], fabs(x), r);
        root = sqrtf((float) (fabs(x) * share));
@seen@
        (void) line;
        (void) shrink;
        (void) root;
        (void) seen;
        (void) sign;
@learned@    }
    for (m = 0; m < @U@_LANES; m++) {
        score[m] = score[m] + @P@_bias[r * @U@_LANES + m];
        said[m] = score[m];
    }
    (void) unit;
}

"""

_NO_LANES = """@U@_PLAIN static void @P@_members(
    const int32_t *column, const double *value, size_t n, size_t r, double *said)
{
    (void) column;
    (void) value;
    (void) n;
    (void) r;
    (void) said;
}

"""

_SCORES = """/* All scores of a row: how probable a class is, minus how probable it is not. */
@U@_PLAIN static void @P@_scores(
    const int32_t *column, const double *value, size_t n, double *score)
{
    @U@_AS_WRITTEN
    size_t r, m;
    for (r = 0; r < @U@_SCORES; r++) {
        const double *belief = @P@_belief + r * (@U@_MEMBERS + 2);
        const double *prior = @P@_prior + r * (@U@_MEMBERS + 2);
        const double *share = @P@_share + r * (@U@_MEMBERS + 1);
        size_t present = @P@_present[r];
        double member[@U@_MEMBERS] = {0.0}, odds[@U@_MEMBERS + 2], part;
        double average = 0.0, whole = 0.0, best = share[0] * @level@;
        @P@_members(column, value, n, r, member);
        @P@_seated(column, value, n, r, member + @U@_LANES);
        for (m = 0; m < present; m++) {
            size_t own = r * @U@_MEMBERS + m;
            double s = member[m], square = s * s, standard;
            square = (@P@_square[own] + square) / (@P@_rounds[r] + 1.0);
            standard = square > 0.0 ? @P@_within(s / sqrt(square), @far@) : 0.0;
            odds[m] = @P@_within(@P@_slope[own] * standard, @sure@);
            part = prior[m] * odds[m];
            average += part;
            whole += prior[m];
        }
        for (m = 0; m < present; m++) {
            part = share[1 + m] * odds[m];
            best += part;
        }
        odds[present] = present ? average / whole : 0.0;
        odds[present + 1] = @P@_within(best, @sure@);
        score[r] = 0.0;
        for (m = 0; m < present + 2; m++) {
            double power = @P@_power(-fabs(odds[m])), lean = (1.0 - power) / (1.0 + power);
            part = belief[m < present ? m : @U@_MEMBERS + (m - present)];
            part = part * (odds[m] < 0.0 ? -lean : lean);
            score[r] += part;
        }
    }
}
"""
