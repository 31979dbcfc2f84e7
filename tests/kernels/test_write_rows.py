"""Rows as text, compared with the slow twin; numbers that read back to the same bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reference import write_rows as slow
from thresher.kernels.rows.write_rows import write_rows

MARKS = (b'"', b',"', b'":', b"}\n")

values = (
    st.floats(allow_nan=False, allow_infinity=False).filter(bool)
    | st.integers(-(2**60), 2**60).filter(bool).map(float)
    | st.decimals(-(10**9), 10**9, places=4).filter(bool).map(float)
)
rows = st.lists(st.dictionaries(st.integers(0, 2**31 - 2), values, max_size=6), max_size=6)


def written(found: list[dict[int, float]], room: int = 64) -> bytes:
    """The rows through the kernel, with a buffer that holds few of them."""
    start = np.cumsum([0, *map(len, found)])
    column = np.array([c for row in found for c in sorted(row)], np.int32)
    value = np.array([row[c] for row in found for c in sorted(row)], np.float64)
    head_of_row = np.arange(len(found), dtype=np.int32) % 2
    out, first, buffer = b"", 0, bytearray(room)
    while first < len(found):
        before = first
        arrays = (start, column, value)
        first, used = write_rows(arrays, first, head_of_row, [b"1", b"-1 "], MARKS, buffer)
        if used < 0:
            assert first == before
            buffer = bytearray(-used)
            continue
        assert first > before
        out += buffer[:used]
    return out


@given(rows)
def test_rows_are_written_as_the_slow_twin_writes_them(found: list[dict[int, float]]) -> None:
    marks = ('"', ',"', '":', "}\n")
    expected = "".join(
        slow.line(("1", "-1 ")[t % 2], dict(sorted(row.items())), marks)
        for t, row in enumerate(found)
    )
    assert written(found) == expected.encode()
    assert written(found, room=10_000) == expected.encode()


@given(values)
def test_a_value_reads_back_to_the_same_bits(value: float) -> None:
    text = written([{0: value}]).decode()
    number = text.split('":')[1].split("}")[0]
    assert float(number).hex() == value.hex()
    assert float(slow.number(value)).hex() == value.hex()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-2.0, "-2"),
        (0.5, "0.5"),
        (-0.001, "-0.001"),
        (1e-8, "0.00000001"),
        (1e-9, "1e-09"),
        (123456.789, "123456.789"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1 / 3, "0.3333333333333333"),
        (999999999999999.0, "999999999999999"),
        (1e15, "1000000000000000"),
        (1e16, "1e+16"),
        (5e-324, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (2.5e14 + 0.5, "250000000000000.5"),
    ],
)
def test_numbers_have_the_form_people_expect(value: float, text: str) -> None:
    assert written([{7: value}]) == f'1"7":{text}}}\n'.encode()
