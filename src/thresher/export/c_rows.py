"""The part of a C header that makes rows of names and their values."""

from __future__ import annotations

from thresher.export.c_pairs import pairs_part
from thresher.export.feature_names import FeatureNames
from thresher.export.templates import filled
from thresher.kernels.scanning.crossing import MOST_PAIRS


def row_part(names: FeatureNames, n_features: int, called: str) -> str:
    """The function for rows of names, with their pairs where the model makes some."""
    gaps: dict[str, object] = {"P": called, "U": called.upper(), "most": MOST_PAIRS}
    entries = _ENTRIES.replace("@merge@", _STRONGEST if names.strongest else _SUM)
    if names.groups is None:
        return filled(entries + _ROW, room="return n;", sides="0", cross="", **gaps)
    return "\n".join(
        [
            filled(entries, room=filled(_ROOM, **gaps), **gaps),
            pairs_part(names, n_features, called),
            filled(_ROW, sides=filled(_SIDES, **gaps), cross=filled(_CROSS, **gaps), **gaps),
        ]
    )


_ROOM = """size_t pairs = n < 2 ? 0 : n > 725 ? @most@ : n * (n - 1) / 2;
    return n + pairs;"""
_SIDES = "@P@_sides(name[k], size)"
_CROSS = "\n    used = @P@_crossed(&entry, used);"
_SUM = "all.value += entry[k].value;"

_STRONGEST = """{
                double x = entry[k].value, held = all.value;
                double size = x < 0.0 ? -x : x, other = held < 0.0 ? -held : held;
                if (size > other || (size == other && x > held)) all.value = x;
            }"""

#: Entries of a row, and what joins them; pairs are made of joined ones.
_ENTRIES = """/* What functions that make rows answer where there is none:
 * out of memory, a value that is not finite, or a row that the model refuses. */
#define @U@_REFUSED ((size_t) -1)

/* How many columns a row of n features may have. */
@U@_PLAIN static size_t @P@_room(size_t n)
{
    @room@
}

typedef struct { int32_t column; uint32_t sides; size_t place; double value; } @P@_entry;

@U@_PLAIN static int @P@_by_column(const void *one, const void *other)
{
    const @P@_entry *a = (const @P@_entry *) one, *b = (const @P@_entry *) other;
    if (a->column != b->column) return a->column < b->column ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Entries of increasing columns; those of one column count together, as they do in the model. */
@U@_PLAIN static size_t @P@_joined(@P@_entry *entry, size_t n)
{
    size_t k, m = 0;
    for (k = 0; k < n; k++) entry[k].place = k;
    if (n) qsort(entry, n, sizeof *entry, @P@_by_column);
    for (k = 0; k < n;) {
        @P@_entry all = entry[k++];
        for (; k < n && entry[k].column == all.column; k++) {
            all.sides |= entry[k].sides;
            @merge@
        }
        if (all.value - all.value != 0.0) return @U@_REFUSED;
        if (all.value != 0.0) entry[m++] = all;
    }
    return m;
}

/* Let the entries go, and keep their columns and values. */
@U@_PLAIN static size_t @P@_written(@P@_entry *entry, size_t n, int32_t *column, double *value)
{
    size_t k;
    for (k = 0; n != @U@_REFUSED && k < n; k++) {
        column[k] = entry[k].column;
        value[k] = entry[k].value;
    }
    free(entry);
    return n;
}
"""

_ROW = """/* The row of n names and their values; how many columns it has. Names end with a 0, or
 * have the given lengths (NULL: all end with a 0); column and value have room for
 * @P@_room(n) each. Names of one column count together, as they do in the model. */
@U@_PLAIN static size_t @P@_row(const char *const *name, const size_t *length,
    const double *given, size_t n, int32_t *column, double *value)
{
    size_t used = 0, k;
    int sound = 1;
    @P@_entry *entry = (@P@_entry *) malloc((n + 1) * sizeof *entry);
    if (!entry) return @U@_REFUSED;
    for (k = 0; k < n; k++) {
        size_t size = length ? length[k] : strlen(name[k]);
        int32_t found = @P@_column(name[k], size);
        if (given[k] - given[k] != 0.0) sound = 0;
        if (found < 0 || given[k] == 0.0) continue;
        entry[used].column = found;
        entry[used].sides = @sides@;
        /* No feature has the name of a pair. */
        if (entry[used].sides == 0xffffffffu) sound = 0;
        entry[used++].value = given[k];
    }
    used = sound ? @P@_joined(entry, used) : @U@_REFUSED;@cross@
    return @P@_written(entry, used, column, value);
}
"""
