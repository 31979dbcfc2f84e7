"""Lines of JSON, and of what is nearly JSON, as text."""

from __future__ import annotations

from hypothesis import strategies as st

SPACES = st.sampled_from(["", "", "", "", " ", "\t", "  ", " \r"])
SOUND_PIECES = ["", "a", "b", "7", "=", ".", "long enough", "eightchr", "\x7f", "é", "日本", "😀"]
ESCAPES = ["\\n", '\\"', "\\\\", "\\/", "\\b\\f\\r\\t", "\\u00e9", "\\uD83D\\ude00", "\\u0000"]
ODD_PIECES = ["\\ud800", "\\udc00", "\\ud800\\u0041", "\\x", "\\u12g4", "\x01", "\0", "\\U0041"]
SOUND_NUMBERS = ["0", "1", "-1", "2", "-0", "0.0", "-0.0", "1.0", "0.5", "1.50", "1e3", "1E-2",
                 "2e+1", "0.0001", "0.00001", "123456789.25", "5e-324", "1e308", "1e-400",
                 "9007199254740993", "12345678901234567890", "0.1234567890123456789"]  # fmt: skip
ODD_NUMBERS = ["1e400", "01", "1.", ".5", "+1", "-", "1e", "NaN", "Infinity", "1" * 45, "1" * 400,
               "1e30", "1_0", "0x1", "1.5.2", "--1", "2e", "-01"]  # fmt: skip
KEYS = ["label", "features", "weight", "a", "b", "a.b", "7", "07", "300", "id", "", "features2",
        "lab\\u0065l", "eightchr", "a longer name than that"]  # fmt: skip


def mostly(sound: list[str], odd: list[str]) -> st.SearchStrategy[str]:
    """Now and then something odd: most lines should come through (and 0 is what is tried most)."""
    return st.integers(0, 29).flatmap(lambda k: st.sampled_from(odd if k == 23 else sound))


strings = st.lists(mostly(SOUND_PIECES * 3 + ESCAPES, ODD_PIECES), max_size=3).map(
    lambda pieces: f'"{"".join(pieces)}"'
)
numbers = mostly(SOUND_NUMBERS, ODD_NUMBERS) | st.floats(allow_nan=False).map(str)
scalars = numbers | strings | mostly(["true", "false", "null"], ["t", "nul", "True", "truex"])
weights = mostly(["1", "2.5", "0", "null", "1e3"], ["-1", "-0", "true", "1e300"])
keys = st.sampled_from(KEYS).map(lambda key: f'"{key}"') | strings


@st.composite
def lists_of(draw: st.DrawFn, item: st.SearchStrategy[str]) -> str:
    items = draw(st.lists(item, max_size=3))
    return f"[{draw(SPACES)}{','.join(draw(SPACES) + i + draw(SPACES) for i in items)}]"


@st.composite
def objects_of(draw: st.DrawFn, content: st.SearchStrategy[str], most: int = 4) -> str:
    """Fields in any order; a name comes twice only sometimes."""
    once = draw(st.integers(0, 9)) != 7
    names = draw(
        st.lists(keys, min_size=min(most, draw(st.integers(0, 3))), max_size=most, unique=once)
    )
    fields = [
        f"{draw(SPACES)}{name}{draw(SPACES)}:{draw(SPACES)}{draw(content)}{draw(SPACES)}"
        for name in names
    ]
    return f"{{{draw(SPACES)}{','.join(fields)}}}"


values = st.recursive(
    scalars | scalars | lists_of(strings), lambda inner: objects_of(inner, 3), max_leaves=5
)
anything = values | lists_of(values)


@st.composite
def objects_apart(draw: st.DrawFn) -> str:
    """A label, features of their own, a weight and something else, in any order."""
    features = objects_of(values) | lists_of(strings)
    fields = draw(
        st.permutations(
            [
                f'"label":{draw(scalars)}',
                f'"features":{draw(features)}',
                f'"weight":{draw(weights)}',
                f'"id":{draw(anything)}',
            ]
        )
    )
    return "{" + ",".join(fields[draw(st.sampled_from([0, 0, 0, 1, 2])) :]) + "}"


@st.composite
def broken(draw: st.DrawFn, line: st.SearchStrategy[str]) -> bytes:
    """A line with a byte left out, put in or written over."""
    found = bytearray(draw(line).encode())
    place = draw(st.integers(0, len(found)))
    byte = draw(st.sampled_from(list(b'{}[]",:\\ 0e.-\xff\xc3\x00\n')) | st.integers(0, 255))
    kind = draw(st.integers(0, 2))
    found[place : place + (kind != 0)] = b"" if kind == 1 else bytes([byte])
    return bytes(found)


some_objects = objects_of(values) | objects_apart()
others = ["", " ", "\t\x0b\x0c ", "{", "{}", "{} {}", "[]", "1", "null", "\ufeff{}"]
lines = (
    some_objects.map(str.encode)
    | objects_apart().map(str.encode)
    | broken(some_objects)
    | mostly(others, ['["a"]', '"a"']).map(str.encode)
)
ends = st.sampled_from([b"\n", b"\n", b"\r\n", b"\r\r\n", b" \n"])
blocks = st.tuples(
    st.lists(st.tuples(lines, ends).map(b"".join), max_size=6).map(b"".join), lines | st.just(b"")
).map(b"".join)
