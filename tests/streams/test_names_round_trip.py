"""Names of any kind through every format that keeps names: as they were, or refused by name."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from thresher.errors import NotWritableError
from thresher.kernels.rows.named_rows import NameTable
from thresher.models.conversion import convert
from thresher.models.input_data import InputData
from thresher.streams.reading import read_stream
from thresher.streams.recipe import NGrams, Recipe
from thresher.streams.rows import Rows
from thresher.streams.writers import Examples, writing
from thresher.streams.writers.column_names import ColumnNames

FORMATS = ("vw", "json", "csv", "tsv", "parquet", "arrow")
SUFFIX = {"vw": ".vw", "json": ".jsonl", "csv": ".csv", "tsv": ".tsv"}
ODD = [
    "7", "0", "007", "2814032", "2147483647", "2147483648", "1e3", "-7", "+7", "7.5", "\\7",
    "\\\\7", "\\", "\\x", "", " ", "a b", " a", "a ", "a\tb", "a\nb", "a\r\nb", 'say "hi"', '"',
    "'", "a,b",
    "a;b", "a:b", "a:1", ":1", "a|b", "|", "a^b", "^", "^b", "a^", "ns^7", "ns^a:b", "#", "#a",
    "label", "features", "weight", "a=b", "a.b", "NA", "?", "nan", "true", "é", "日本", "\ufeffa",
    "\x01", "\x1f", "\x7f", "\u00a0", "\u2028", "{", "}", "%s", "\0",
]  # fmt: skip
names = st.sampled_from(ODD) | st.text(st.characters(codec="utf-8"), max_size=6)
values = st.sampled_from([1.0, 2.0, 0.5, -3.25, 1e-300, 123456789.0])
rows = st.lists(st.dictionaries(names, values, max_size=4), min_size=1, max_size=5)


def written(
    rows: list[dict[str, float]], format_: str, folder: Path, *, words: bool
) -> Path | None:
    """The rows in a file; None if they were refused by the name of a feature."""
    table = NameTable(None, False)
    for row in rows:
        for name in row:
            table.vocabulary.setdefault(name, len(table.vocabulary))
    by_column = [{table.vocabulary[name]: value for name, value in row.items()} for row in rows]
    known = Rows.of([dict(sorted(row.items())) for row in by_column])
    labels = np.arange(len(rows), dtype=np.int32) % 2
    examples = Examples(known, labels, ("ham", "spam"))
    file = folder / f"rows{SUFFIX.get(format_, '.' + format_)}"
    refused = ""
    try:
        with writing(str(file), format_, names=ColumnNames(table, words=words)) as writer:
            writer.write(examples)
    except NotWritableError as error:
        refused = str(error)
    assert not refused or any(repr(name) in refused for row in rows for name in row)
    return None if refused else file


def read_back(file: Path, table: NameTable, format_: str) -> list[dict[int, float]]:
    recipe = Recipe(format="csv" if format_ == "tsv" else format_)
    stream = read_stream(file, names=table, recipe=recipe)
    return [row for chunk in stream.chunks() for row in chunk.rows]


@pytest.mark.parametrize("format_", FORMATS)
@settings(max_examples=40)
@given(rows)
@example([{name: 1.0} for name in ODD if name.isalnum() or name.startswith("\\")])
def test_words_are_read_back_as_words_or_refused_by_name(
    format_: str, rows: list[dict[str, float]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = written(rows, format_, Path(folder), words=True)
        if file is None:
            return
        kept = NameTable(None, False)
        by_name = read_back(file, kept, format_)
        called = dict(enumerate(kept.vocabulary))
        assert [{called[c]: v for c, v in row.items()} for row in by_name] == rows
        hashed = NameTable(2**30, True)
        assert read_back(file, hashed, format_) == [
            {c: v for c, v in sorted((hashed.column_of(name) or 0, v) for name, v in row.items())}
            for row in rows
        ]


@pytest.mark.parametrize("format_", FORMATS)
@settings(max_examples=40)
@given(rows)
def test_names_as_they_are_written_stay_as_they_are(
    format_: str, rows: list[dict[str, float]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = written(rows, format_, Path(folder), words=False)
        if file is None:
            return
        kept = NameTable(None, False, as_written=True)
        by_name = read_back(file, kept, format_)
        called = dict(enumerate(kept.vocabulary))
        assert [{called[c]: v for c, v in row.items()} for row in by_name] == rows


@pytest.mark.parametrize("format_", [f for f in FORMATS if f != "vw"])
def test_a_converted_text_gives_the_rows_of_the_text(tmp_path: Path, format_: str) -> None:
    text = tmp_path / "mail.txt"
    text.write_text("ham\tcall 2814032 at 7 o'clock\nspam\tcode 007, call 0900 9\n")
    file = tmp_path / f"mail{SUFFIX.get(format_, '.' + format_)}"
    convert(text, file, to=format_)
    table = NameTable(2**20, True)
    plain = read_stream(text, names=table, recipe=Recipe(format="text"))
    assert read_back(file, table, format_) == [r for c in plain.chunks() for r in c.rows]


def test_single_words_go_through_vw_text_and_pairs_are_refused_with_a_remedy(
    tmp_path: Path,
) -> None:
    text, file = tmp_path / "mail.txt", tmp_path / "mail.vw"
    text.write_text("ham\tcall 2814032 at 7\nspam\tcode 007\n")
    with pytest.raises(NotWritableError, match=r"'call 2814032' cannot be written in VW text"):
        convert(text, file)
    convert(InputData(paths=(str(text),), given={"words": (1, 1)}), file)
    assert file.read_text() == "ham | call \\2814032 at \\7\nspam | code 007\n"
    table = NameTable(2**20, True)
    plain = read_stream(text, names=table, recipe=Recipe(text=NGrams(words=(1, 1))))
    assert read_back(file, table, "vw") == [r for c in plain.chunks() for r in c.rows]
