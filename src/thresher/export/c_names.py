"""The part of a C header that finds the column of a name."""

from __future__ import annotations

from thresher.export.feature_names import FeatureNames
from thresher.export.templates import filled, in_lines

#: As long as every compiler of C99 takes a string to be.
LONGEST_STRING = 4000


def name_part(names: FeatureNames, n_features: int, called: str) -> str:
    """The function for names, which are hashed as the model hashes them or looked up."""
    gaps: dict[str, object] = {"P": called, "U": called.upper()}
    if names.vocabulary is None:
        find = _HASHED.replace("@numbers@", _NUMBERS if names.numbers else "")
        return filled(find, seed=f"{names.seed}u", columns=f"{n_features}u", **gaps)
    known = sorted(
        (name.encode("utf-8", "surrogatepass"), c) for name, c in names.vocabulary.items()
    )
    long = [
        f"static const char {called}_name_{k}[] = {{\n    {_as_numbers(name)}\n}};"
        for k, (name, _) in enumerate(known)
        if len(name) > LONGEST_STRING
    ]
    listed = [
        literal(name) if len(name) <= LONGEST_STRING else f"{called}_name_{k}"
        for k, (name, _) in enumerate(known)
    ]
    return "\n\n".join(
        [
            *long,
            filled(
                _LISTED,
                count=len(known),
                names=",\n    ".join(listed),
                lengths=in_lines((str(len(name)) for name, _ in known), 12),
                columns=in_lines((str(column) for _, column in known), 12),
                **gaps,
            ),
        ]
    )


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


def _as_numbers(name: bytes) -> str:
    """The bytes as a list of numbers that a char takes, whether or not it has a sign."""
    return in_lines((f"(char) {byte}" for byte in name), 12)


_NUMBERS = """    uint64_t number = 0;
    size_t digits = 0;
    while (digits < length && digits < 11 && byte[digits] >= '0' && byte[digits] <= '9')
        number = number * 10 + (uint64_t) (byte[digits++] - '0');
    /* A decimal number below 2^31 is a column. */
    if (length && digits == length && (byte[0] != '0' || length == 1) && number < 2147483648u)
        return number < @columns@ ? (int32_t) number : -1;
"""

_HASHED = """/* The column of a name of length bytes (UTF-8), by its hash (MurmurHash3, 32 bits).
 * Negative: the model has no such column. */
@U@_PLAIN static int32_t @P@_column(const char *name, size_t length)
{
    const unsigned char *byte = (const unsigned char *) name;
    uint32_t hash = @seed@, block;
    size_t k, rest;
@numbers@    for (k = 0; k + 4 <= length; k += 4) {
        block = (uint32_t) byte[k] | (uint32_t) byte[k + 1] << 8 | (uint32_t) byte[k + 2] << 16
            | (uint32_t) byte[k + 3] << 24;
        block *= 0xcc9e2d51u;
        block = block << 15 | block >> 17;
        hash ^= block * 0x1b873593u;
        hash = hash << 13 | hash >> 19;
        hash = hash * 5u + 0xe6546b64u;
    }
    block = 0;
    for (rest = length; rest > k; rest--) block = block << 8 | byte[rest - 1];
    block *= 0xcc9e2d51u;
    block = block << 15 | block >> 17;
    hash ^= block * 0x1b873593u;
    hash ^= (uint32_t) length;
    hash ^= hash >> 16;
    hash *= 0x85ebca6bu;
    hash ^= hash >> 13;
    hash *= 0xc2b2ae35u;
    hash ^= hash >> 16;
    return (int32_t) (hash % @columns@);
}

"""

_LISTED = """static const char *const @P@_names[] = {
    @names@
};

static const size_t @P@_lengths[] = {
    @lengths@
};

static const int32_t @P@_named[] = {
    @columns@
};

/* The column of a name of length bytes (UTF-8). Negative: the model does not know the name. */
@U@_PLAIN static int32_t @P@_column(const char *name, size_t length)
{
    size_t low = 0, high = @count@;
    while (low < high) {
        size_t middle = low + (high - low) / 2, known = @P@_lengths[middle];
        int order = memcmp(@P@_names[middle], name, known < length ? known : length);
        if (order == 0 && known == length) return @P@_named[middle];
        if (order < 0 || (order == 0 && known < length)) low = middle + 1;
        else high = middle;
    }
    return -1;
}

"""
