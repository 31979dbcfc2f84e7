"""The part of a C header that turns names of features into columns."""

from __future__ import annotations

from thresher.models.model import Model


def name_functions(model: Model) -> str:
    """Functions that score names: hashed as the model hashes them, or looked up."""
    table = model.name_table
    if table.hashed:
        find = _HASHED.replace("SEED", f"{table.seed}u")
    elif table.vocabulary:
        known = sorted(
            (name.encode("utf-8", "surrogatepass"), c) for name, c in table.vocabulary.items()
        )
        find = _LISTED.replace("COUNT", str(len(known)))
        find = find.replace("NAMES", ",\n    ".join(literal(name) for name, _ in known))
        find = find.replace("LENGTHS", ", ".join(str(len(name)) for name, _ in known))
        find = find.replace("COLUMNS", ", ".join(str(column) for _, column in known))
    else:
        return ""
    merge = _STRONGEST if table.strongest else _SUM
    return find + _SCORE_NAMES.replace("MERGE", merge)


def literal(name: bytes) -> str:
    r"""The bytes as a C string.

    >>> print(literal(b'a"b\\?\xc3\xa9' + b"1"))
    "a\"b\\\077\303\2511"
    """
    # Octal: a hexadecimal escape would swallow the digits that follow; ?? begins a trigraph.
    plain = (
        chr(byte) if 32 <= byte < 127 and byte not in b'"\\?' else
        ('\\"' if byte == 34 else "\\\\" if byte == 92 else f"\\{byte:03o}")
        for byte in name
    )  # fmt: skip
    return '"' + "".join(plain) + '"'


_HASHED = """/* The column of a name of length bytes (UTF-8): a decimal number below 2^31 is itself,
 * every other name is hashed (MurmurHash3, 32 bits). Negative: the model has no such column. */
UPPER_PLAIN static int32_t PREFIX_column(const char *name, size_t length)
{
    const unsigned char *byte = (const unsigned char *) name;
    uint64_t number = 0;
    size_t digits = 0, k;
    while (digits < length && digits < 11 && byte[digits] >= '0' && byte[digits] <= '9')
        number = number * 10 + (uint64_t) (byte[digits++] - '0');
    if (length && digits == length && (byte[0] != '0' || length == 1) && number < 2147483648u)
        return number < UPPER_N_FEATURES ? (int32_t) number : -1;
    uint32_t hash = SEED, block;
    for (k = 0; k + 4 <= length; k += 4) {
        block = (uint32_t) byte[k] | (uint32_t) byte[k + 1] << 8 | (uint32_t) byte[k + 2] << 16
            | (uint32_t) byte[k + 3] << 24;
        block *= 0xcc9e2d51u;
        block = block << 15 | block >> 17;
        hash ^= block * 0x1b873593u;
        hash = hash << 13 | hash >> 19;
        hash = hash * 5u + 0xe6546b64u;
    }
    block = 0;
    for (size_t rest = length; rest > k; rest--) block = block << 8 | byte[rest - 1];
    block *= 0xcc9e2d51u;
    block = block << 15 | block >> 17;
    hash ^= block * 0x1b873593u;
    hash ^= (uint32_t) length;
    hash ^= hash >> 16;
    hash *= 0x85ebca6bu;
    hash ^= hash >> 13;
    hash *= 0xc2b2ae35u;
    hash ^= hash >> 16;
    return (int32_t) (hash % (uint32_t) UPPER_N_FEATURES);
}

"""

_LISTED = """static const char *const PREFIX_names[] = {
    NAMES
};

static const size_t PREFIX_lengths[] = { LENGTHS };

static const int32_t PREFIX_named[] = { COLUMNS };

/* The column of a name of length bytes (UTF-8). Negative: the model does not know the name. */
UPPER_PLAIN static int32_t PREFIX_column(const char *name, size_t length)
{
    size_t low = 0, high = COUNT;
    while (low < high) {
        size_t middle = low + (high - low) / 2, known = PREFIX_lengths[middle];
        int order = memcmp(PREFIX_names[middle], name, known < length ? known : length);
        if (order == 0 && known == length) return PREFIX_named[middle];
        if (order < 0 || (order == 0 && known < length)) low = middle + 1;
        else high = middle;
    }
    return -1;
}

"""

_SUM = "value[m - 1] += x;"

_STRONGEST = """{
                double held = value[m - 1];
                double size = x < 0.0 ? -x : x, other = held < 0.0 ? -held : held;
                if (size > other || (size == other && x > held)) value[m - 1] = x;
            }"""

_SCORE_NAMES = """/* The score of n names and their values; column and value have room for n each.
 * Names on one column count together, as they do in the model. */
UPPER_PLAIN static double PREFIX_score_names(
    const char *const *name, const double *given, size_t n, int32_t *column, double *value)
{
    size_t used = 0, m = 0, k, at;
    for (k = 0; k < n; k++) {
        int32_t found = PREFIX_column(name[k], strlen(name[k]));
        if (found < 0 || given[k] == 0.0) continue;
        for (at = used++; at > 0 && column[at - 1] > found; at--) {
            column[at] = column[at - 1];
            value[at] = value[at - 1];
        }
        column[at] = found;
        value[at] = given[k];
    }
    for (k = 0; k < used; k++) {
        double x = value[k];
        if (m && column[m - 1] == column[k]) {
            MERGE
        } else {
            if (m && value[m - 1] == 0.0) m--;
            column[m] = column[k];
            value[m++] = x;
        }
    }
    return PREFIX_score(column, value, m);
}

"""
