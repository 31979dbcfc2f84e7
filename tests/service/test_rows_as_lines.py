"""Rows over the wire make the rows that the same cells, or the same text, make in a file."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from thresher.errors import FormatError, ServiceError, ThresherError
from thresher.kernels.rows.named_rows import NameTable
from thresher.service.examples import inputs_for
from thresher.service.messages import Example
from thresher.service.texts import MOST_LOOKED_UP, MOST_PIECES, Texts, most_bytes
from thresher.streams.formats.csv_table import CsvTable
from thresher.streams.formats.detection import format_named, opened
from thresher.streams.recipe import NGrams, Recipe

COLUMNS = ("age", "2", "a=b", "a.b", "größe", "job", "\\3", 'with "quotes"', "a,b")
RECIPES = (
    Recipe(format="csv", numeric=COLUMNS[:5], categorical=COLUMNS[5:]),
    Recipe(format="csv", numeric=COLUMNS[5:], categorical=COLUMNS[:5], label_field="y"),
    Recipe(format="csv", numeric=COLUMNS[:4], categorical=COLUMNS[4:], pairs=("all",)),
)
numbers = st.one_of(st.integers(-(10**20), 10**20), st.floats(-1e100, 1e100), st.none())
words = st.one_of(
    st.none(),
    st.sampled_from(["clerk", "", " blanks ", "NA", "3", "two\nlines", 'a "b"', "x,y", "\\1"]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=6),
)


@st.composite
def rows(draw: st.DrawFn) -> tuple[Recipe, list[dict[str, Any]]]:
    recipe = draw(st.sampled_from(RECIPES))
    order = draw(st.permutations(COLUMNS))
    cells = st.tuples(*(numbers if name in recipe.numeric else words for name in order))
    found = draw(st.lists(cells, max_size=4))
    return recipe, [dict(zip(order, row, strict=True)) for row in found]


def written(recipe: Recipe, given: list[dict[str, Any]], header: list[str]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_ALL)
    writer.writerow([*header, recipe.label_field])
    for row in given:
        cells = ["" if row[name] is None else _number_text(row[name]) for name in header]
        writer.writerow([*cells, "yes"])
    return out.getvalue().replace("\r\n", "\n").encode()


def _number_text(cell: Any) -> str:
    return repr(cell) if isinstance(cell, float) else str(cell)


def arrays(scanned: Any) -> list[list[Any]]:
    assert not len(scanned.bad), scanned.bad[0]
    found = scanned.row_start, scanned.column, scanned.value.view(np.int64), scanned.label
    return [*(one.tolist() for one in found), scanned.label_names]


def scans(recipe: Recipe, lines: bytes, table: NameTable) -> list[list[Any]]:
    """Lines of the log, as a reader has them."""
    made: Any = opened(format_named("json"), replace(recipe, label_field="label"), table, True)
    return arrays(made.scan("request", lines, 1))


@given(rows(), st.sampled_from([(7, True), (2**20, True), (None, False)]))
def test_a_row_of_columns_is_the_row_of_the_same_cells_in_csv(
    found: tuple[Recipe, list[dict[str, Any]]], kind: tuple[int | None, bool]
) -> None:
    recipe, given_rows = found
    header = list(given_rows[0]) if given_rows else [*COLUMNS]
    body = written(recipe, given_rows, header)
    tables = [NameTable(*kind) for _ in range(3)]
    reader = CsvTable(recipe, tables[0], add=True)
    wanted = arrays(reader.scan("file", body[reader.begin("file.csv", body) :], 1))
    inputs = inputs_for(recipe)
    sent = [Example(Raw(json.dumps(row).encode()), label="yes") for row in given_rows]
    assert scans(recipe, inputs.to_learn(sent), tables[1]) == wanted
    assert scans(recipe, inputs.lines_in("text/csv", body, 10), tables[2]) == wanted
    assert tables[0].vocabulary == tables[1].vocabulary == tables[2].vocabulary


CLOSED = Recipe(format="csv", numeric=("age",), categorical=("job",), label_field="y")


def line(features: str, recipe: Recipe = CLOSED) -> str:
    return inputs_for(recipe).to_predict([Example(Raw(features.encode()))]).decode()


@pytest.mark.parametrize(
    ("features", "kept"),
    [
        ('{"age": 41, "job": "clerk"}', '{"age":41,"job":"clerk"}'),
        ('{"job": "clerk", "age": 4.10}', '{"job":"clerk","age":4.10}'),
        ('{"age": "41", "job": 41}', '{"age":41.0,"job":"41"}'),
        ('{"age": " 1e3 ", "job": 1.50}', '{"age":1000.0,"job":"1.50"}'),
        ('{"age": null, "job": null}', "{}"),
        ('{"age": "NA", "job": "NA"}', '{"job":"NA"}'),
        ('{"age": "", "job": ""}', "{}"),
        ('{"shoes": 3, "y": "yes", "age": 0}', '{"age":0}'),
        ('{\n "age":\n 41}', '{"age":41}'),
    ],
)
def test_columns_mean_what_they_meant_in_the_file(features: str, kept: str) -> None:
    assert line(features) == f'{{"features":{kept}}}\n'


@pytest.mark.parametrize(
    ("features", "told"),
    [
        ('{"age": "old"}', "found 'old' in column 'age', expected a number"),
        ('{"age": true}', "found 'true' in column 'age', expected a number"),
        ('{"age": {"years": 41}}', "expected a number"),
        ('{"age": [41]}', "expected a number"),
        ('{"age": "1e999"}', "expected a number"),
        ('{"job": {"title": "clerk"}}', "expected a text, as the files have it"),
        ('{"job": ["clerk"]}', "expected a text"),
        ('{"job": false}', "expected a text"),
        ('{"job": "a\\u0000b"}', "without it"),
        ('["age"]', "features are an object"),
        ('"age"', "features of a row are an object"),
        ("", "features of a row are an object"),
    ],
)
def test_a_cell_that_no_file_could_have_is_refused(features: str, told: str) -> None:
    with pytest.raises(ServiceError, match=told):
        line(features)


def test_a_model_of_parquet_reads_columns_that_nobody_spoke_of_as_json_has_them() -> None:
    recipe = Recipe(format="parquet", categorical=("zip",), ignored=("id",), label_field="y")
    sent = '{"zip": 12345, "age": 41, "tags": ["a", "b"], "id": 7, "y": 1}'
    assert line(sent, recipe) == ('{"features":{"zip":"12345","age":41,"tags":["a", "b"]}}\n')
    with pytest.raises(ServiceError, match="learned from parquet"):
        inputs_for(recipe).lines_in("text/csv", b"zip\n1\n", 10)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"age,title\n41,clerk\n", "there is no column 'job'"),
        (b"age,job,job\n41,clerk,x\n", "two columns are called 'job'"),
        (b"age,job\nold,clerk\n", "request:2: found 'old', expected a number in column age"),
        (b"age,job\n41\n", "request:2: found 1 fields, expected 2"),
        (b'age,job\n41,"clerk\n', "expected a closing quote"),
        (b"age,job\n41,\xff\n", "request:2"),
        (b"age,job\n41,a\0b\n", "request:2"),
        (b"age,job\n" + b"41,x\n" * 11, "11 rows"),
    ],
)
def test_a_table_in_text_is_held_to_the_header_that_the_model_knows(body: bytes, told: str) -> None:
    with pytest.raises((FormatError, ThresherError), match=told):
        inputs_for(CLOSED).lines_in("text/csv", body, 10)


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (b"", b""),
        (b"age,job\n", b""),
        (b"job;age;more\nclerk;41;x\n", b'{"features":{"job":"clerk","age":41.0}}\n'),
        (b"age\tjob\ty\n41\tclerk\tyes\n",
         b'{"label":"yes","features":{"age":41.0,"job":"clerk"}}\n'),
        (b'\xef\xbb\xbfage,job\r\n?,"a\nb"\r\n', b'{"features":{"job":"a\\nb"}}\n'),
    ],
)  # fmt: skip
def test_a_table_in_text_may_have_its_columns_in_any_order(body: bytes, lines: bytes) -> None:
    assert inputs_for(CLOSED).lines_in("text/tab-separated-values", body, 10) == lines


# ---- texts ----------------------------------------------------------------------------------


def texts(**said: Any) -> Texts:
    return Texts(Recipe(format="text", **said))


@given(st.text(st.characters(exclude_categories=["Cs"])), st.sampled_from(["ham", "1", "é è"]))
def test_a_text_is_one_line_whatever_it_has_inside(text: str, label: str) -> None:
    (found,) = texts().to_learn([Example(label=label, text=text)]).split(b"\n")[:-1]
    assert found.count(b"\t") == 1
    assert b"\r" not in found
    assert b"\0" not in found
    as_blank = text.translate(dict.fromkeys(map(ord, "\t\n\r\0"), " "))
    assert found.decode() == f"{label}\t{as_blank}"


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (b"ham\tsee you\nspam\tcash\n", b"ham\tsee you\nspam\tcash\n"),
        (b"\xef\xbb\xbfham\tsee you\r\n", b"ham\tsee you\r\n"),
        (b"label\ttext\nham\tsee you\n", b"\nham\tsee you\n"),
        (b"text\tlabel\nsee you\tham\n", b"\nham\tsee you\n"),
        (b"ham\tcaf\xe9 \0\n", b"ham\tcaf\xc3\xa9  \n"),
    ],
)
def test_a_body_of_texts_is_read_as_a_file_is(body: bytes, lines: bytes) -> None:
    assert texts().lines_in("text/plain", body, 10) == lines


def test_labels_behind_texts_are_put_before_them_in_the_log() -> None:
    inputs = texts(label_last=True)
    assert inputs.lines_in("text/plain", b"see you\tham\n", 10) == b"ham\tsee you\n"
    assert inputs.to_learn([Example(text="see you", label="ham")]) == b"ham\tsee you\n"


def test_lines_that_have_their_labels_on_the_other_side_are_refused() -> None:
    lines = b"".join(b"text number %d\t%b\n" % (k, (b"ham", b"spam")[k % 2]) for k in range(9))
    with pytest.raises(ServiceError, match="seem to have it behind it"):
        texts().lines_in("text/plain", lines, 10)
    assert texts().lines_in("text/plain", b"tweet\tclass\n" + lines, 10).startswith(b"\nham\ttext")


def test_bytes_of_an_encoding_that_was_named_are_not_guessed() -> None:
    body = b"ham\tcaf\xe9\n"
    assert texts(encoding="utf-8").lines_in("text/plain", body, 10) == body


@pytest.mark.parametrize(
    ("row", "told"),
    [
        (Example(label="ham"), "reads texts, and the row has none"),
        (Example(Raw(b'{"a": 1}'), label="ham", text="x"), "a text and no features"),
        (Example(text="x"), "has no label"),
        (Example(text="x", label=""), "has no label"),
        (Example(text="x", label="a\tb"), "no tab"),
        (Example(text="x", label="a\nb"), "no tab"),
        (Example(text="x", label="\0"), "no tab"),
        (Example(text="x", label=" "), "is not blank"),
        (Example(text="x", label=1e40), "found the label 1e\\+40"),
        (Example(text="x", label="ham", importance=2.0), "importance 2"),
    ],
)
def test_a_row_that_no_line_of_text_can_have_is_refused(row: Example, told: str) -> None:
    with pytest.raises(ServiceError, match=told):
        texts().to_learn([row])


@pytest.mark.parametrize(
    "grams",
    [NGrams(), NGrams(words=None, characters=(1, 16)), NGrams(words=(1, 16), sparse_bigrams=16)],
)
def test_texts_are_bounded_before_they_are_cut(grams: NGrams) -> None:
    most = most_bytes(grams)
    words_each = 0 if grams.words is None else grams.words[1] - grams.words[0] + 1
    pairs_each = 0 if grams.sparse_bigrams is None else grams.sparse_bigrams - 1
    letters_each = 0 if grams.characters is None else grams.characters[1] - grams.characters[0] + 1
    worst = (words_each + pairs_each) * most / 2 + letters_each * most
    assert worst <= MOST_PIECES
    inputs = texts(text=grams)
    with pytest.raises(ServiceError, match="bytes of text"):
        inputs.to_predict([Example(text="a" * most)])
    with pytest.raises(ServiceError, match="bytes of text"):
        inputs.lines_in("text/plain", b"a" * (most + 1), 10)


def test_texts_of_a_vocabulary_have_a_smaller_bound() -> None:
    most = most_bytes(NGrams(), MOST_LOOKED_UP)
    assert most == 1 << 19
    with pytest.raises(ServiceError, match="bytes of text"):
        inputs_for(Recipe(format="text"), hashed=False).to_predict([Example(text="a" * most)])


@pytest.mark.parametrize("format_", ["text", "csv", "json"])
def test_a_body_of_a_type_that_a_model_does_not_read_is_refused(format_: str) -> None:
    wrong = {"text": "text/csv", "csv": "text/plain", "json": "text/csv"}[format_]
    with pytest.raises(ServiceError, match="Send application/json") as caught:
        inputs_for(Recipe(format=format_)).lines_in(wrong, b"", 10)
    assert caught.value.status == 415
