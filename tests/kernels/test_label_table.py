from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.reference import label_table as reference
from thresher.kernels.scanning.label_table import numbered

# Lengths around eight, where labels begin to be hashed instead of compared as one word.
labels = st.one_of(
    st.sampled_from(
        [b"1", b"-1", b"+1", b"spam", b"spam\0", b"sevenby", b"eightbyt", b"eightbyteS"]
    ),
    st.binary(max_size=10),
)


@given(st.lists(labels, max_size=60))
def test_labels_are_numbered_as_in_the_slow_twin(written: list[bytes]) -> None:
    assert numbered(written) == reference.numbered(written)


def test_the_table_grows() -> None:
    written = [b"label number %d" % (n % 5000) for n in range(12_000)]
    assert numbered(written) == reference.numbered(written)
