from __future__ import annotations

from pathlib import Path

import pytest

from thresher.errors import BadLineError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.formats.vw_text import VwText
from thresher.streams.labelled_rows import read
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe

MAIL = b"""\
1 2.0 mail1|w free:2 cash |m:0.5 size:4 night
-1 'mail2 |w lunch 7
1 | 3 5:2 3
"""


def test_a_file_is_recognised_and_read(tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_bytes(b"\xef\xbb\xbf" + MAIL.replace(b"\n", b"\r\n"))
    table = NameTable(2**18, True)
    stream = read_stream(file, names=table)
    (chunk,) = [chunk for chunk in stream.chunks() if len(chunk.rows)]
    assert stream.format == "vw"
    named = {
        table.column_of(name): value
        for name, value in {"w^free": 2.0, "w^cash": 1.0, "m^size": 2.0, "m^night": 0.5}.items()
    }
    rows = list(chunk.rows)
    assert rows[0] == named
    assert rows[1] == {table.column_of("w^lunch"): 1.0, table.column_of("w^7"): 1.0}
    assert rows[2] == {3: 2.0, 5: 2.0}
    assert chunk.importance is not None
    assert chunk.importance.tolist() == [2.0, 1.0, 1.0]
    assert stream.label_names == ["1", "-1"]


@pytest.mark.parametrize("chunk_bytes", [1, 7, 40, 10**6])
@pytest.mark.parametrize("hashed", [True, False])
@pytest.mark.parametrize("threads", [1, 3])
def test_rows_do_not_depend_on_how_the_file_is_cut(
    tmp_path: Path, chunk_bytes: int, hashed: bool, threads: int
) -> None:
    file = tmp_path / "mail.vw"
    file.write_bytes(MAIL * 3 + b"1 |w bad:1x\n" + MAIL.replace(b"w", b"v"))

    def read_all(settings: ReadSettings) -> tuple[list[dict[int, float]], dict[str, int], str]:
        table = NameTable(64 if hashed else None, hashed)
        policy = BadLinePolicy("skip")
        stream = read_stream(file, names=table, bad=policy, settings=settings)
        rows = [row for chunk in stream.chunks() for row in chunk.rows]
        return rows, table.vocabulary, policy.report()

    cut = read_all(ReadSettings(chunk_bytes=chunk_bytes, threads=threads))
    assert cut == read_all(ReadSettings(threads=1))
    assert len(cut[0]) == 12
    assert len(cut[1]) == (0 if hashed else 12)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1 free cash", r"found no \| in '1 free cash', expected \[label"),
        ("1:2:0.4 | x", "found the label '1:2:0.4', expected one label, .* not supported"),
        ("shared | x", "found the label 'shared', expected one label, .* not supported"),
        ("1 x | y", "found the importance 'x', expected a number that is finite and not negative"),
        (
            "1 1 0.5 | y",
            r"found the initial prediction '0.5', expected none, or 0.* begins from one. "
            r"Recipe\(ignore_initial=True\) passes over",
        ),
        ("1 1 0 4 | y", "found '1 1 0 4 ', expected label, importance and tag before the first"),
        ("1 |a:x y", r"found the namespace '\|a:x', expected \|name or \|name:weight"),
        (
            "1 |" + 300 * "n",
            "found the namespace '.nnn.*', expected a namespace of at most 256 byt",
        ),
        ("1 | y:", "found the feature 'y:', expected a word, or a decimal number behind the colon"),
        ("1 | y:1e400", "found the feature 'y:1e400', expected a word, or a decimal number"),
        (
            "1 | 262144",
            "found the feature '262144', expected a column from 0 to 262143. If the number",
        ),
        ("1 | y:1e308 y:1e308", r"found values that add up to more .* '\| y:1e308 y:1e308', exp"),
        ("1 | a\0", "found the byte 0x00, expected text in UTF-8, without NUL bytes"),
    ],
)
def test_a_bad_line_says_where_what_and_what_instead(
    tmp_path: Path, line: str, message: str
) -> None:
    file = tmp_path / "mail.vw"
    file.write_text("1 | a\n" + line + "\n")
    with pytest.raises(BadLineError, match=rf"mail\.vw:2: {message}"):
        list(read(file))


def test_names_of_a_line_come_with_their_columns() -> None:
    table = NameTable(1024, True)
    text = b"1 | x\n1 |a y y |b z:0 | 7\n"
    start, stop = text.index(b"\n") + 1, len(text) - 1
    assert VwText(Recipe(), table).names(text, start, stop) == [
        (table.column_of("a^y"), "a^y"),
        (7, "7"),
    ]


def test_predicting_with_a_vocabulary_leaves_unknown_names_out() -> None:
    table = NameTable(None, False)
    VwText(Recipe(), table).scan("", b"1 |a x y\n", 1)
    scanned = VwText(Recipe(), table, False).scan("", b"1 |a z y |b x\n", 1)
    assert scanned.column.tolist() == [1]
    assert list(table.vocabulary) == ["a^x", "a^y"]
    assert VwText(Recipe(), table, False).names(b"1 |a z y", 0, 8) == [(1, "a^y")]


#: What `vw --invert_hash` of Vowpal Wabbit 9.11.9 calls the features of this line, and the values
#: that it has for them; one without a name it counts from the hash of its namespace.
AS_VOWPAL_WABBIT_WRITES = (
    "1 |ns:2 mood: calm mood:3 mood 7 |m a:b:c :5 :  7 free | :4 size:\t2.5",
    {
        "ns^mood^calm": 1.0, "ns^mood": 8.0, "ns^7": 2.0,
        "m^a^b:c": 1.0, "m^0": 5.0, "m^1": 7.0, "m^free": 1.0,
        "size": 2.5,
    },
    {0: 4.0},
)  # fmt: skip


def test_features_have_the_names_and_values_that_vowpal_wabbit_shows(tmp_path: Path) -> None:
    line, named, numbered = AS_VOWPAL_WABBIT_WRITES
    file = tmp_path / "mail.vw"
    file.write_text(f"{line}\n")
    table = NameTable(2**20, True)
    (chunk,) = [chunk for chunk in read_stream(file, names=table).chunks() if len(chunk.rows)]
    expected = {table.column_of(name): value for name, value in named.items()} | numbered
    assert next(iter(chunk.rows)) == expected


def test_predictions_to_begin_from_are_passed_over_on_demand(tmp_path: Path) -> None:
    file = tmp_path / "mail.vw"
    file.write_text("1 2.0 0.5 | a\n-1 1.0 -3 'tag | b\n")
    (batch,) = list(read(file, recipe=Recipe(ignore_initial=True)))
    assert batch.label.tolist() == [1, -1]
