from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.reference.byte_table import Numbers
from thresher.kernels.scanning.byte_table import ByteTable

strings = st.lists(st.sampled_from([b"", b"a", b"b", b"\0", b"x" * 200]) | st.binary(max_size=3))
steps = st.lists(strings | st.integers(0, 4), max_size=12)


@given(steps)
def test_numbers_are_those_of_a_dict_whatever_is_forgotten_on_the_way(
    steps: list[list[bytes] | int],
) -> None:
    table, twin = ByteTable(), Numbers()
    for step in steps:
        if isinstance(step, int):
            table.shorten(step)
            twin.shorten(step)
        else:
            assert table.add(step) == [twin.take(text) for text in step]
        assert len(table) == len(twin)
    assert table.strings() == list(twin)


def test_many_strings_are_found_again_after_the_table_has_grown_and_shrunk() -> None:
    table = ByteTable()
    strings = [b"%d" % k for k in range(5000)]
    assert table.add(strings) == list(range(5000))
    assert table.add(strings) == list(range(5000))
    table.shorten(77)
    assert table.add(reversed(strings[:77])) == list(reversed(range(77)))
    assert table.add([b"new", strings[77], b""]) == [77, 78, 79]


def test_a_string_that_was_forgotten_is_new_again() -> None:
    table = ByteTable()
    assert table.add([b"a", b"b", b"c"]) == [0, 1, 2]
    table.shorten(1)
    assert table.add([b"c", b"b", b"a"]) == [1, 2, 0]
