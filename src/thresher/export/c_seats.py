"""The part of a C header for the members of a Committee that see standardised columns."""

from __future__ import annotations

import numpy as np

from thresher.export.scorer import CommitteeScorer
from thresher.export.templates import doubles, filled, in_lines
from thresher.learners.two_class.standard_columns import FARTHEST, FIRST_HAT, HATS, LEAST


def seats_part(scorer: CommitteeScorer, called: str) -> str:
    """The tables of the seats, and the function that gives their scores; for no seat, a stub."""
    lanes = len(scorer.forms[0].bias)
    kinds = [member.rows for member in scorer.forms[0].members[lanes:]]
    gaps = {"P": called, "U": called.upper(), "far": repr(FARTHEST), "least": repr(LEAST)}
    gaps |= {"hats": str(HATS), "first_hat": repr(FIRST_HAT), "last_hat": repr(HATS - 1.0)}
    if not any(form.seats for form in scorer.forms):
        return filled(_NONE, **gaps)
    slots = [form.standard for form in scorer.forms]
    weights = [[np.zeros(0)] * len(kinds) for _ in scorer.forms]
    for own, form in zip(weights, scorer.forms, strict=True):
        own[: len(form.seats)] = form.seats
    flat = [one for own in weights for one in own]
    starts = np.cumsum([0, *map(len, flat)])
    first = np.cumsum([0, *(len(one.columns) for one in slots)])
    tables = {
        "int32_t": {
            "slots": scorer.slots().ravel(),
            "slot_start": first,
            "seat_start": starts,
        },
        "double": {
            "mean": np.concatenate([one.mean for one in slots]),
            "spread": np.concatenate([one.squares for one in slots]),
            "standardised": np.array([one.rows for one in slots]),
            "seats": np.concatenate(flat),
        },
    }
    lines = [f"#define {called.upper()}_SLOTS {max(len(one.columns) for one in slots) + 1}\n"]
    lines.append(f"#define {called.upper()}_SEATS {len(kinds)}\n\n")
    for kind, named in tables.items():
        for name, values in named.items():
            # C has no table of nothing.
            filled_up = values if len(values) else np.zeros(1, values.dtype)
            listed = doubles(filled_up) if kind == "double" else map(str, filled_up.tolist())
            lines.append(f"static const {kind} {called}_{name}[] = {{\n    ")
            lines.append(f"{in_lines(listed, 6)}\n}};\n\n")
    seen = "\n".join(f"    if (seat == {k}) {_SEEN[rows]}" for k, rows in enumerate(kinds))
    return "".join(lines) + filled(_SEATS.replace("@seen@", seen), **gaps)


#: How a seat adds up, by what it sees.
_SEEN = {
    "standard": "return @P@_in_fours(w, z, n);",
    "squares": "return @P@_in_fours(w, square, n);",
    "pairs": "return @P@_of_pairs(w, z, n);",
    "hats": "return @P@_of_hats(w, z, varied, n);",
}

_NONE = """/* No member sees standardised columns. */
@U@_PLAIN static void @P@_seated(
    const int32_t *column, const double *value, size_t n, size_t r, double *score)
{
    (void) column;
    (void) value;
    (void) n;
    (void) r;
    (void) score;
}

"""

_SEATS = """/* Sums side by side, which meet at the end. */
@U@_PLAIN static double @P@_in_fours(const double *w, const double *x, size_t n)
{
    @U@_AS_WRITTEN
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    size_t i;
    for (i = 0; i < n; i++) {
        double term = w[i] * x[i];
        sum[i % 4] += term;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The same over all products of two. */
@U@_PLAIN static double @P@_of_pairs(const double *w, const double *z, size_t n)
{
    @U@_AS_WRITTEN
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    size_t j, k;
    for (j = 0; j < n; j++)
        for (k = 0; k <= j; k++) {
            double term = z[j] * z[k];
            term = *w++ * term;
            sum[k % 4] += term;
        }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The same over the hats of each column that has varied: two of them are not 0. */
@U@_PLAIN static double @P@_of_hats(
    const double *w, const double *z, const char *varied, size_t n)
{
    @U@_AS_WRITTEN
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    size_t j;
    sum[0] = w[0];
    for (j = 1; j < n; j++) {
        const double *own = w + @hats@ * j;
        double place = (z[j] - (@first_hat@)) * 2.0, part, term;
        size_t k;
        if (!varied[j]) continue;
        place = place > @last_hat@ ? @last_hat@ : place < 0.0 ? 0.0 : place;
        k = place < @last_hat@ ? (size_t) place : @hats@ - 2;
        part = place - (double) k;
        term = own[k] * (1.0 - part);
        sum[k % 4] += term;
        term = own[k + 1] * part;
        sum[(k + 1) % 4] += term;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

@U@_PLAIN static double @P@_seat(
    size_t seat, const double *w, const double *z, const double *square, const char *varied,
    size_t n)
{
    (void) z;
    (void) square;
    (void) varied;
@seen@
    return 0.0;
}

/* The scores of the members that see each column minus its mean, over its deviation. */
@U@_PLAIN static void @P@_seated(
    const int32_t *column, const double *value, size_t n, size_t r, double *score)
{
    @U@_AS_WRITTEN
    double z[@U@_SLOTS], square[@U@_SLOTS];
    char varied[@U@_SLOTS] = {0};
    double share = 1.0 / (@P@_standardised[r] + 1.0), kept = @P@_standardised[r] * share;
    size_t first = (size_t) @P@_slot_start[r], k, seat;
    size_t slots = (size_t) @P@_slot_start[r + 1] - first + 1;
    for (k = 0; k < slots; k++) z[k] = 0.0;
    for (k = 0; k < n; k++) {
        size_t line = @P@_line(column[k]);
        if (line == @U@_LINES || column[k] >= @P@_sizes[r]) continue;
        z[@P@_slots[line * @U@_SCORES + r]] = value[k];
    }
    for (k = 1; k < slots; k++) {
        double away = z[k] - @P@_mean[first + k - 1], near = away * kept, variance = away * near;
        variance = (@P@_spread[first + k - 1] + variance) * share;
        z[k] = near / sqrt(variance > @least@ ? variance : 1.0);
        z[k] = z[k] > @far@ ? @far@ : -(@far@) > z[k] ? -(@far@) : z[k];
        z[k] = variance > @least@ ? z[k] : 0.0;
        varied[k] = variance > @least@;
        square[k] = z[k] * z[k];
        square[k] = variance > @least@ ? square[k] - 1.0 : 0.0;
    }
    z[0] = square[0] = 1.0;
    varied[0] = 1;
    for (seat = 0; seat < @U@_SEATS; seat++) {
        size_t from = (size_t) @P@_seat_start[r * @U@_SEATS + seat];
        if (from == (size_t) @P@_seat_start[r * @U@_SEATS + seat + 1]) break;
        score[seat] = @P@_seat(seat, @P@_seats + from, z, square, varied, slots);
    }
}

"""
