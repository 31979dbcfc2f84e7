from __future__ import annotations

import copy

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.kernels.scans import as_scan, table_for
from tests.reference import scan_vw as twin
from tests.reference.lexicon import Columns, bare
from tests.reference.scan_rows import lines_of
from thresher.errors import NameTableFullError
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import NameCounts
from thresher.kernels.scanning.scan_vw import count_names, scan

HEADS = [
    b"", b"1 ", b"-1 ", b"1 2.5 ", b"spam 0.5 0 ", b"'tag ", b"1 'tag ", b"1 tag", b"\t+1\t",
]  # fmt: skip
BAD_HEADS = [
    b"1 1 0.5 ", b"1 -1 ", b"1 nan ", b"1 1e400 ", b"1 2 0 4 ", b"1:2:0.4 ", b"1,2 ", b"shared ",
    b"a 1 b 2 c ",
]  # fmt: skip
PARTS = [
    b"|", b"| ", b"|a ", b" |a ", b"|a:0.5 ", b"|b:-2", b"|a|b ", b"|" + b"n" * 256 + b" ",
    b" x", b" y", b" x:2", b" x:0", b" x:-1.5e-3", b" 7", b" 7:2", b" 007", b" 4294967296", b"x",
    b" x:+.5", b" :2", b" :1", b" mood:calm", b" :calm", b" a:b:c", b" x:nan1", b" \\7",
    b" x: ", b" x:\t\t", b" : ", b" x:  dim", b" :  3",
    b" \\\\8:2",
    b" x:1e-400", b" x:1e308", b"\xc3\xa9:2", b" abcdefghijklmnop:3", b" ", b"\t", b"\r",
]  # fmt: skip
BAD_PARTS = [
    b"|a:x ", b"|:2 ", b"|a:1e400 ", b"|a:1:2 ", b"|" + b"n" * 257 + b" ", b" 99", b" x:", b" :",
    b" x:iNf", b" x:infinity",
    b" x:1:2", b" x:1e400", b" x:0x1", b" x:1_0", b" x:inf", b" x:nan", b" x:1e", b" x:.", b" \xff",
    b"\0", b" x:-1e308",
]  # fmt: skip
ENDS = [b"\n", b"\n", b"\r\n", b"\n\n"]


def mostly(good: list[bytes], bad: list[bytes]) -> st.SearchStrategy[bytes]:
    """Pieces that make good lines, with a bad one now and then."""
    return st.sampled_from(good * (1 + 12 * len(bad) // len(good)) + bad)


lines = st.tuples(
    mostly(HEADS, BAD_HEADS),
    st.just(b"|"),
    st.lists(mostly(PARTS, BAD_PARTS), max_size=12).map(b"".join),
    st.sampled_from(ENDS),
).map(b"".join)
anything = st.lists(
    st.sampled_from(HEADS + BAD_HEADS + PARTS + BAD_PARTS + ENDS) | st.binary(max_size=3),
    max_size=30,
).map(b"".join)
blocks = st.lists(lines, max_size=5).map(b"".join) | anything | lines.map(bytes.rstrip)
columns = st.builds(
    Columns,
    n_features=st.sampled_from([1, 8, 100, 2**18, 2**31 - 1]),
    seed=st.integers(0, 3),
    strongest=st.booleans(),
) | st.builds(
    Columns,
    n_features=st.none(),
    hashed=st.just(False),
    strongest=st.booleans(),
    add=st.booleans(),
    vocabulary=st.sampled_from([{}, {"x": 0, "a^x": 1}]),
)


@settings(max_examples=400)
@given(blocks, columns, st.integers(1, 10**12), st.booleans())
@example(b"1 | x:1e308 x:1e308\n2 |a x", Columns(8), 1, False)
def test_rows_and_faults_are_those_of_the_slow_twin(
    block: bytes, columns: Columns, first_line: int, ignore_initial: bool
) -> None:
    columns = copy.deepcopy(columns)
    table = table_for(columns)
    sink = scan(block, first_line, Lexicon(table, columns.add), ignore_initial)
    assert as_scan(sink, block) == twin.scan(block, first_line, columns, ignore_initial)
    assert table.vocabulary == columns.vocabulary
    assert list(table.vocabulary) == list(columns.vocabulary)


@given(blocks, st.lists(st.integers(0, 60)), st.booleans())
def test_a_block_cut_between_lines_gives_the_same_rows(
    block: bytes, cuts: list[int], hashed: bool
) -> None:
    lines = block.splitlines(keepends=True) if b"\r" not in block and b"\x0b" not in block else []
    places = sorted(min(cut, len(lines)) for cut in cuts)
    one, many = NameTable(64 if hashed else None, hashed), NameTable(64 if hashed else None, hashed)
    whole = as_scan(scan(block, 1, Lexicon(one)), block) if lines else None
    lexicon, rows = Lexicon(many), []
    for first, last in zip([0, *places], [*places, len(lines)], strict=True):
        part = b"".join(lines[first:last])
        rows += as_scan(scan(part, first + 1, lexicon), part).rows
    assert whole is None or rows == whole.rows
    assert many.vocabulary == (one.vocabulary if lines else {})


@pytest.mark.parametrize(
    ("line", "code", "found"),
    [
        (b"1 x y", 1, b"1 x y"),
        (b"1:2:0.4 | x", 2, b"1:2:0.4"),
        (b"1,4 | x", 2, b"1,4"),
        (b"shared | x", 2, b"shared"),
        (b"1 x | y", 3, b"x"),
        (b"1 -2 | y", 3, b"-2"),
        (b"1 1 0.25 | y", 4, b"0.25"),
        (b"1 1 0 4 | y", 5, b"1 1 0 4 "),
        (b"1 |a:x y", 6, b"|a:x"),
        (b"1 |" + b"n" * 10**6 + b" y", 7, b"|" + b"n" * 10**6),
        (b"1 | y:", 8, b"y:"),
        (b"1 | y: ", 8, b"y:"),
        (b"1 | y:  |a x", 8, b"y:"),
        (b"1 | y:\t 1x z", 8, b"y:\t 1x"),
        (b"1 | : 5x", 8, b": 5x"),
        (b"1 | y:1e400", 8, b"y:1e400"),
        (b"1 |a:1e300 y:1e300", 8, b"y:1e300"),
        (b"1 | y:1:2", 8, b"y:1:2"),
        (b"1 | y:NaN", 8, b"y:NaN"),
        (b"1 | 1024", 9, b"1024"),
        (b"1 | y:1e308 y:1e308", 10, b"| y:1e308 y:1e308"),
        (b"1 | x\xe9", 0, b"\xe9"),
        (b"1 | a\0b", 0, b"\0"),
    ],
)
def test_what_is_wrong_is_pointed_at(line: bytes, code: int, found: bytes) -> None:
    block = b"1 | a\n" + line + b"\n-1 | b\n"
    sink = scan(block, 1, Lexicon(NameTable(1024, True)))
    got = as_scan(sink, block)
    assert got.faults == [(2, line, code, found)]
    assert [number for number, _ in got.lines] == [1, 3]


@given(
    st.sampled_from([1, 60, 5000, 2**31 - 2]).flatmap(
        lambda top: st.lists(st.integers(0, top), max_size=300)
    )
)
def test_columns_are_sorted_and_repeated_ones_added_up_in_rows_of_any_length(
    columns: list[int],
) -> None:
    values = [(-1.5) ** (k % 40) for k in range(len(columns))]
    block = b"1 | " + b" ".join(b"%d:%r" % pair for pair in zip(columns, values, strict=True))
    added: dict[int, float] = {}
    for column, value in zip(columns, values, strict=True):
        added[column] = added.get(column, 0.0) + value
    got = as_scan(scan(block, 1, Lexicon(NameTable(2**31 - 1, True))), block)
    assert got.rows == [[(c, added[c].hex()) for c in sorted(added) if added[c]]]


def test_weights_of_namespaces_scale_and_repeated_features_add_up() -> None:
    block = b"1 | 5:2 5:3 6\n1 |a:0.5 x:3 |b x |a x\n"
    table = NameTable(2**20, True)
    rows = as_scan(scan(block, 1, Lexicon(table)), block).rows
    assert rows[0] == [(5, (5.0).hex()), (6, (1.0).hex())]
    a, b = table.column_of("a^x"), table.column_of("b^x")
    assert dict(rows[1]) == {a: (2.5).hex(), b: (1.0).hex()}
    bounded = NameTable(2**20, True, 0, True)
    strongest = as_scan(scan(block, 1, Lexicon(bounded)), block).rows
    assert strongest[0] == [(5, (3.0).hex()), (6, (1.0).hex())]
    assert dict(strongest[1])[a or 0] == (1.5).hex()


def test_white_space_before_a_value_is_passed_over() -> None:
    table = NameTable(None, False)
    block = b"1 |a:2 x: 3 y:\t \tdim z\n1 |a x:3 y:dim z\n1 |b : 4 :  5 : low\n"
    rows = as_scan(scan(block, 1, Lexicon(table)), block).rows
    assert list(table.vocabulary) == ["a^x", "a^y^dim", "a^z", "b^0", "b^1", "b^^low"]
    values = [[float.fromhex(value) for _, value in row] for row in rows]
    assert values == [[6.0, 1.0, 2.0], [3.0, 1.0, 1.0], [4.0, 5.0, 1.0]]


def test_tags_are_read_and_left_alone() -> None:
    block = b"1 'mail7 |a x\n1 2.0 mail8|a x\n'mail9 |a x\nmail10|a x\n|a x\n"
    got = as_scan(scan(block, 1, Lexicon(NameTable(8, True))), block)
    assert got.labels == ["1", "1", None, None, None]
    assert got.importances == [1.0, 2.0, 1.0, 1.0, 1.0]
    assert len({str(row) for row in got.rows}) == 1


def test_a_full_vocabulary_stops_the_scan_and_learns_no_names() -> None:
    table = NameTable(2, False)
    with pytest.raises(NameTableFullError, match="'n\\^c' would be name number 3"):
        scan(b"1 |n a b\n1 |n c\n", 1, Lexicon(table))
    assert table.vocabulary == {}


def test_a_long_line_and_long_names_are_read() -> None:
    names = [b"w%d" % k for k in range(200_000)]
    block = b"1 |n " + b" ".join(names) + b"\n1 | " + b"x" * 10**6 + b"\n"
    got = as_scan(scan(block, 1, Lexicon(NameTable(None, False))), block)
    assert [len(row) for row in got.rows] == [200_000, 1]
    assert got.faults == []


@given(blocks)
def test_names_of_lines_are_counted_as_the_slow_twin_reads_them(block: bytes) -> None:
    columns = Columns(2**18)
    lines = [line for line in lines_of(block) if line]
    parsed = []
    for line in lines:
        if len(twin.scan(line, 1, columns).rows) == 1:
            parsed.append(line)
    text = b"\n".join(parsed)
    stop = np.cumsum([len(line) + 1 for line in parsed], dtype=np.int64) - 1
    start = stop - np.array([len(line) for line in parsed], np.int64)
    for with_columns in (True, False):
        counts = NameCounts(1000, 10**6)
        count_names(text, start, stop, Lexicon(NameTable(2**18, True)), counts, with_columns)
        expected: dict[bytes, int] = {}
        for line in parsed:
            row = twin.parse(line, columns)
            assert row
            for name in dict.fromkeys(name for name, value in row.features if value):
                if with_columns or columns.column_of(name) != _as_int(name):
                    counted = name if with_columns else bare(name)
                    expected[counted] = expected.get(counted, 0) + 1
        assert dict(zip(counts.names(), counts.arrays()[2].tolist(), strict=True)) == expected


def _as_int(name: bytes) -> int | None:
    return int(name) if name.isdigit() and str(int(name)) == name.decode() else None
