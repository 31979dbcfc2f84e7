from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.reference.byte_table import Numbers
from thresher.kernels.scanning.split_names import SplitNames

PARTS = [b"", b"a", b"b", b"\0", b"a\0", b"seven77", b"eight888", b"eight889", b"x" * 200]
names = st.lists(st.sampled_from(PARTS), min_size=1, max_size=3).map(b" ".join) | st.binary(
    max_size=9
)
steps = st.lists(st.lists(names, max_size=12) | st.integers(2, 5), max_size=9)


@given(steps)
def test_names_come_out_as_they_went_in_each_once_whatever_was_dropped_on_the_way(
    steps: list[list[bytes] | int],
) -> None:
    table, twin = SplitNames(), Numbers()
    for step in steps:
        if isinstance(step, int):
            wanted = [number % step != 0 for number in range(len(twin))]
            stay = [name for name, stays in zip(twin, wanted, strict=True) if stays]
            table.keep_only(wanted)
            twin = Numbers()
            for name in stay:
                twin.take(name)
        else:
            table.add(step)
            for name in step:
                twin.take(name)
        assert table.strings() == list(twin)
        assert table.n_bytes == sum(map(len, twin))


def test_many_names_are_found_again_after_the_table_has_grown() -> None:
    table = SplitNames()
    names = [b"word%d neighbour%d" % (k % 70, k) for k in range(5000)]
    table.add(names)
    table.add(names[::-1])
    assert table.strings() == names


def test_a_part_of_many_names_is_kept_once_and_goes_with_the_last_of_them() -> None:
    table = SplitNames()
    table.add([b"neighbour other", b"neighbour another", b"alone neighbour", b"something"])
    assert table.long_parts() == [b"neighbour", b"something"]
    table.keep_only([False, True, False, False])
    assert table.long_parts() == [b"neighbour"]
    table.keep_only([False])
    assert table.long_parts() == []
    assert table.strings() == []
