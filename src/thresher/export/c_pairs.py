"""The part of a C header that makes pairs of the features of a row, as the model does."""

from __future__ import annotations

from thresher.export.c_names import literal
from thresher.export.feature_names import FeatureNames, pairs_by_columns
from thresher.export.templates import filled, in_lines
from thresher.kernels.scanning.crossing import JOINT, MOST_PAIRS


def pairs_part(names: FeatureNames, n_features: int, called: str) -> str:
    """Who makes a pair with whom, which column it has, and what adds the pairs to a row."""
    assert names.groups is not None
    gaps: dict[str, object] = {"P": called, "U": called.upper(), "most": MOST_PAIRS}
    gaps["joint"] = literal(JOINT.encode())
    gaps["size"] = len(JOINT.encode())
    flat = [name.encode() for groups in names.groups for name in groups]
    sides = filled(
        _GROUPS if flat else _EVERYTHING,
        groups=",\n        ".join(literal(name) for name in flat),
        sizes=", ".join(str(len(name)) for name in flat),
        count=len(flat),
    )
    code = filled(_SIDES, sides=sides, **gaps)
    if names.vocabulary is None:
        code += filled(_HASHED, columns=f"{n_features}u", **gaps)
    else:
        known = sorted(pairs_by_columns(names.vocabulary).items())
        listed = in_lines((f"{{ {one}, {other}, {c} }}" for (one, other), c in known), 4)
        # C has no table of nothing.
        code += filled(_LISTED, pairs=listed or "{ -1, -1, -1 }", count=len(known), **gaps)
    code += filled(_CROSSED, n_pairs=max(1, len(names.groups)), **gaps)
    if names.vocabulary is None and not flat:
        code += filled(_OF_COLUMNS, columns=f"{n_features}u", **gaps)
    return code


_SIDES = """/* A bit for each side of each pair of groups on which a feature is;
 * all bits: it has the name of a pair. */
@U@_PLAIN static uint32_t @P@_sides(const char *name, size_t length)
{
    static const char joint[] = @joint@;
    size_t k;
    for (k = 0; k + @size@ <= length; k++)
        if (!memcmp(name + k, joint, @size@)) return 0xffffffffu;
@sides@}

"""

_EVERYTHING = """    return 3;
"""

_GROUPS = """    {
        static const char *const group[] = {
        @groups@
        };
        static const size_t size[] = { @sizes@ };
        uint32_t found = 0;
        for (k = 0; k < @count@; k++)
            if (length >= size[k] && !memcmp(name, group[k], size[k])
                && (length == size[k] || name[size[k]] == '=' || name[size[k]] == '^'))
                found |= (uint32_t) 1 << k;
        return found;
    }
"""

_HASHED = """/* The column of the pair of two columns, in either order. */
@U@_PLAIN static int32_t @P@_column_of_pair(int32_t one, int32_t other)
{
    uint64_t h = one < other ? (uint64_t) one << 32 | (uint64_t) other
        : (uint64_t) other << 32 | (uint64_t) one;
    h = (h ^ h >> 33) * (((uint64_t) 0xff51afd7u << 32) | 0xed558ccdu);
    h = (h ^ h >> 33) * (((uint64_t) 0xc4ceb9feu << 32) | 0x1a85ec53u);
    return (int32_t) ((uint32_t) (h ^ h >> 33) % @columns@);
}

"""

_LISTED = """/* The column of the pair of two columns, in either order;
 * negative: the model has none. */
@U@_PLAIN static int32_t @P@_column_of_pair(int32_t one, int32_t other)
{
    static const int32_t known[][3] = {
    @pairs@
    };
    int32_t first = one < other ? one : other, second = one < other ? other : one;
    size_t low = 0, high = @count@;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const int32_t *pair = known[middle];
        if (pair[0] == first && pair[1] == second) return pair[2];
        if (pair[0] < first || (pair[0] == first && pair[1] < second)) low = middle + 1;
        else high = middle;
    }
    return -1;
}

"""

_CROSSED = """/* Joined entries with the pairs that they make, whose values multiply. */
@U@_PLAIN static size_t @P@_crossed(@P@_entry **entries, size_t n)
{
    @P@_entry *entry = *entries;
    uint64_t asked = 0;
    size_t i, j, used = n;
    int k;
    if (n == @U@_REFUSED) return n;
    for (k = 0; k < @n_pairs@; k++) {
        uint64_t left = 0, right = 0, both = 0;
        for (i = 0; i < n; i++) {
            uint32_t sides = entry[i].sides >> 2 * k;
            left += sides & 1;
            right += sides >> 1 & 1;
            both += sides & sides >> 1 & 1;
        }
        asked += left * right - both * (both + 1) / 2;
    }
    if (asked > @most@) return @U@_REFUSED;
    entry = (@P@_entry *) realloc(entry, (n + (size_t) asked + 1) * sizeof *entry);
    if (!entry) return @U@_REFUSED;
    *entries = entry;
    for (k = 0; k < @n_pairs@; k++) {
        uint32_t left = (uint32_t) 1 << 2 * k, right = left << 1, earlier = left - 1;
        for (i = 0; i < n; i++) {
            uint32_t one = entry[i].sides;
            uint32_t turned = (one & 0x55555555u) << 1 | (one >> 1 & 0x55555555u);
            if (!(one & left)) continue;
            for (j = 0; j < n; j++) {
                uint32_t other = entry[j].sides;
                if (!(other & right)) continue;
                /* No feature is paired with itself, and no pair comes twice. */
                if (j <= i && (one & right) && (other & left)) continue;
                if (turned & other & earlier) continue;
                entry[used].column = @P@_column_of_pair(entry[i].column, entry[j].column);
                entry[used].sides = 0;
                entry[used].value = entry[i].value * entry[j].value;
                if (entry[used].value - entry[used].value != 0.0) return @U@_REFUSED;
                if (entry[used].column >= 0 && entry[used].value != 0.0) used++;
            }
        }
    }
    return @P@_joined(entry, used);
}
"""

_OF_COLUMNS = """
/* A row of columns with its pairs; how many columns it has. The columns increase strictly, and
 * with_column and with_value have room for @P@_room(n) each. */
@U@_PLAIN static size_t @P@_with_pairs(const int32_t *column, const double *value, size_t n,
    int32_t *with_column, double *with_value)
{
    size_t used = 0, k;
    @P@_entry *entry = (@P@_entry *) malloc((n + 1) * sizeof *entry);
    if (!entry) return @U@_REFUSED;
    for (k = 0; k < n; k++) {
        if (column[k] < 0 || (uint32_t) column[k] >= @columns@ || value[k] == 0.0) continue;
        entry[used].column = column[k];
        entry[used].sides = 3;
        entry[used++].value = value[k];
    }
    used = @P@_crossed(&entry, @P@_joined(entry, used));
    return @P@_written(entry, used, with_column, with_value);
}
"""
