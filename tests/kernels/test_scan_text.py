from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kernels.scans import as_scan, table_for
from tests.reference import scan_text as twin
from tests.reference.lexicon import Columns
from tests.reference.name_counts import Counts
from thresher.errors import NameTableFullError
from thresher.kernels.rows.murmur3 import hash_bytes
from thresher.kernels.rows.named_rows import NameTable, pack
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.scan_text import count_names, scan

PIECES = [
    b"spam\t", b"\t", b"Free", b" cash", b" cash", b" don't", b" 'quoted'", b" it''s", b"'", b"!!",
    b" \xc3\x89t\xc3\xa9", b" \xe6\xb6\x88\xe6\x81\xaf", b" \xf0\x9f\x8c\xbe", b" 42", b" 7", b"~1",
    b"c:", b"  ", b"\x0b", b" a", b" a b a b",
]  # fmt: skip
BAD_PIECES = [b"\xff", b"\xed\xa0\x80", b"\xe0\x80\x80", b"\xf4\x90\x80\x80", b"\xc3", b"\0"]
texts = st.text(st.characters(exclude_characters="\0\n", exclude_categories=["Cs"]), max_size=4)
lines = st.lists(st.sampled_from(PIECES * 9 + BAD_PIECES) | texts.map(str.encode), max_size=12)
ends = st.sampled_from([b"\n", b"\n", b"\r\n", b"\n\n"])
blocks = st.lists(
    st.tuples(lines.map(b"".join), ends).map(b"".join) | st.binary(max_size=9), max_size=4
).map(b"".join)
lengths = st.tuples(st.integers(1, 3), st.integers(0, 3)).map(lambda ab: (ab[0], sum(ab)))
nothing = st.just((0, 0))
wanted = st.tuples(
    lengths | nothing, lengths | nothing, st.sampled_from([0, 2, 3, 5, 12])
).map(lambda found: (*found[0], *found[1], found[2]))  # fmt: skip
columns = st.builds(
    Columns,
    n_features=st.sampled_from([1, 7, 64, 2**18]),
    seed=st.integers(0, 3),
    strongest=st.booleans(),
    numbers=st.just(False),
) | st.builds(
    Columns,
    n_features=st.none(),
    hashed=st.just(False),
    strongest=st.booleans(),
    add=st.booleans(),
    vocabulary=st.sampled_from([{}, {"free": 0, "c:a ": 1, "a ~2 a": 2}]),
)


@settings(max_examples=400)
@given(blocks, columns, wanted, st.booleans())
def test_rows_and_faults_are_those_of_the_slow_twin(
    block: bytes, columns: Columns, wanted: twin.Wanted, counts: bool
) -> None:
    columns = copy.deepcopy(columns)
    table = table_for(columns)
    sink = scan(block, 5, Lexicon(table, columns.add, False), wanted, counts)
    assert as_scan(sink, block) == twin.scan(block, 5, columns, wanted, counts)
    assert table.vocabulary == columns.vocabulary
    assert list(table.vocabulary) == list(columns.vocabulary)


def names_in(text: str, wanted: twin.Wanted) -> list[str]:
    table = NameTable(None, False)
    scan(text.encode(), 1, Lexicon(table, True, False), wanted, False)
    return list(table.vocabulary)


def test_words_are_stretches_of_letters_with_apostrophes_inside() -> None:
    assert names_in("x\tFREE cash! Don't 'quote' v1agra, Été 7", (1, 1, 0, 0, 0)) == [
        "free", "cash", "don't", "quote", "v1agra", "Été", "7",
    ]  # fmt: skip
    assert names_in("x\tfree cash now", (2, 3, 0, 0, 0)) == [
        "free cash", "free cash now", "cash now",
    ]  # fmt: skip


def test_characters_are_code_points_with_one_space_around_and_between() -> None:
    assert names_in("x\t É \t b!", (0, 0, 3, 3, 0)) == ["c: É ", "c:É b", "c: b!", "c:b! "]
    assert names_in("x\t\ta", (0, 0, 1, 2, 0)) == ["c: ", "c: a", "c:a", "c:a "]


def test_pairs_in_a_window_of_five_say_how_far_they_are_apart() -> None:
    """The example of Siefkes et al.: do you feel lucky today."""
    assert names_in("x\tDo you feel lucky today", (0, 0, 0, 0, 5)) == [
        "do ~1 you", "do ~2 feel", "do ~3 lucky", "do ~4 today", "you ~1 feel", "you ~2 lucky",
        "you ~3 today", "feel ~1 lucky", "feel ~2 today", "lucky ~1 today",
    ]  # fmt: skip


def test_the_kinds_of_features_have_names_of_their_own() -> None:
    text = "x\ta b a"
    kinds = [(1, 3, 0, 0, 0), (0, 0, 1, 5, 0), (0, 0, 0, 0, 3)]
    apart = [set(names_in(text, kind)) for kind in kinds]
    assert sum(map(len, apart)) == len(set().union(*apart))
    assert names_in(text, (1, 3, 1, 5, 3)) == [n for kind in kinds for n in names_in(text, kind)]


def test_a_name_counts_once_but_names_that_collide_add_up() -> None:
    block = b"x\tfree free cash"
    table = NameTable(1, True)
    rows = as_scan(scan(block, 1, Lexicon(table, True, False), (1, 1, 0, 0, 0), False), block).rows
    assert rows == [[(0, (2.0).hex())]]
    _, _, value = pack([{"free": 1, "cash": 1}], table, False)
    assert value.tolist() == [2.0]
    counted = scan(block, 1, Lexicon(table, True, False), (1, 1, 0, 0, 0), True)
    assert as_scan(counted, block).rows == [[(0, (3.0).hex())]]


def test_names_with_the_same_32_bits_are_still_two_names() -> None:
    assert hash_bytes(b"tvje") == hash_bytes(b"w2694")
    table = NameTable(2**18, True)
    block = b"x\ttvje w2694 tvje"
    rows = as_scan(scan(block, 1, Lexicon(table, True, False), (1, 1, 0, 0, 0), False), block).rows
    assert rows == [[(table.column_of("tvje"), (2.0).hex())]]


def test_a_line_without_a_tab_is_text_without_a_label() -> None:
    block = b"free cash\n\tfree cash\nspam\tfree cash\nspam\t\n \n\n"
    got = as_scan(scan(block, 1, Lexicon(NameTable(64, True)), (1, 1, 0, 0, 0), False), block)
    assert got.labels == [None, None, "spam", "spam"]
    assert got.rows[0] == got.rows[1] == got.rows[2]
    assert got.rows[3] == []
    assert got.n_lines == 6


def test_short_lines_after_a_long_one_are_not_mixed_up_with_it() -> None:
    long = b"x\t" + b" ".join(b"w%d" % k for k in range(30_000))
    block = b"\n".join([long, b"y\tw1 w2 w1", b"y\tw2", long])
    got = as_scan(scan(block, 1, Lexicon(NameTable(None, False)), (1, 1, 0, 0, 0), True), block)
    assert [len(row) for row in got.rows] == [30_000, 2, 1, 30_000]
    assert got.rows[1] == [(1, (2.0).hex()), (2, (1.0).hex())]
    assert got.rows[0] == got.rows[3]


def test_a_full_vocabulary_stops_the_scan_and_learns_no_names() -> None:
    table = NameTable(2, False)
    with pytest.raises(NameTableFullError, match="'b ~1 c' would be name number 3"):
        scan(b"x\ta b\nx\ta b c\n", 1, Lexicon(table), (0, 0, 0, 0, 3), False)
    assert table.vocabulary == {}


@given(
    blocks,
    wanted | st.sampled_from([(1, 1, 0, 0, 0), (1, 2, 0, 0, 0), (2, 2, 0, 0, 0)]),
    st.sampled_from([0, 1, 5, 10_000]),
    st.sampled_from([12, 80, 10**6]),
)
def test_names_of_lines_are_counted_and_dropped_as_the_slow_twins_do(
    block: bytes, wanted: twin.Wanted, limit: int, max_bytes: int
) -> None:
    sink = scan(block, 1, Lexicon(NameTable(8, True), True, False), wanted, False)
    *_, start, stop = sink.arrays()
    counts, slow = NameCounts(limit, max_bytes), Counts(limit, max_bytes)
    count_names(block, start, stop, Lexicon(NameTable(8, True)), counts, wanted)
    for a, b in zip(start, stop, strict=True):
        text = block[a:b].partition(b"\t")[2] if b"\t" in block[a:b] else block[a:b]
        slow.count_row([name.encode() for name in twin.names(text, wanted)])
    assert counts.names() == list(slow.rows)
    assert counts.arrays()[2].tolist() == list(slow.rows.values())
    assert counts.dropped == slow.dropped


def test_a_word_that_comes_again_after_its_name_was_dropped_counts_once_in_its_line() -> None:
    block = b"x\ta b c d e d"
    counts, slow = NameCounts(4, 10**6), Counts(4, 10**6)
    place = np.array([0]), np.array([len(block)])
    count_names(block, *place, Lexicon(NameTable(8, True)), counts, (1, 1, 0, 0, 0))
    slow.count_row([b"a", b"b", b"c", b"d", b"e"])
    assert counts.names() == list(slow.rows) == [b"a", b"b", b"e"]
    assert counts.dropped == slow.dropped == 2


def test_a_word_too_long_to_be_kept_is_dropped_once_in_its_line() -> None:
    block = b"x\ta " + b"long" * 200 + b" a " + b"long" * 200
    counts = NameCounts(100, 10**6)
    place = np.array([0]), np.array([len(block)])
    count_names(block, *place, Lexicon(NameTable(8, True)), counts, (1, 1, 0, 0, 0))
    assert (counts.names(), counts.dropped) == ([b"a"], 1)


def test_many_words_in_one_column_are_told_apart() -> None:
    words = b" ".join(b"w%d" % (k % 40) for k in range(300))
    for n_features in (1, 3):
        lexicon = Lexicon(NameTable(n_features, True), True, False)
        once = as_scan(scan(b"x\t" + words, 1, lexicon, (1, 1, 0, 0, 0), False), words).rows
        often = as_scan(scan(b"x\t" + words, 1, lexicon, (1, 1, 0, 0, 0), True), words).rows
        assert sum(float.fromhex(value) for _, value in once[0]) == 40
        assert sum(float.fromhex(value) for _, value in often[0]) == 300
