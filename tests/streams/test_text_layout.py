"""Texts with the label behind them, and headers above them."""

from __future__ import annotations

from pathlib import Path

import pytest

from thresher.errors import LabelError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.formats.text_header import names_columns
from thresher.streams.label_scheme import LabelScheme
from thresher.streams.labelled_rows import read
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import Stream, read_stream
from thresher.streams.recipe import Recipe

MAIL = [("ham", f"see you at {k}") if k % 3 else ("spam", f"free cash {k}") for k in range(12)]
FIRST = "".join(f"{label}\t{text}\n" for label, text in MAIL)
LAST = "".join(f"{text}\t{label}\n" for label, text in MAIL)


def rows(stream: Stream) -> list[tuple[dict[int, float], int]]:
    return [example for batch in stream for example in batch.examples()]


@pytest.mark.parametrize("name", ["mail.tsv", "mail.txt"])
@pytest.mark.parametrize("lines", [LAST, LAST.replace("\n", "\r\n"), "\ufeff" + LAST])
def test_labels_behind_texts_are_recognised_and_told(tmp_path: Path, name: str, lines: str) -> None:
    file, plain = tmp_path / name, tmp_path / "plain.txt"
    file.write_bytes(lines.encode())
    plain.write_text(FIRST)
    stream = read(file)
    assert rows(stream) == rows(read(plain))
    assert (stream.format, stream.recipe.label_last) == ("text", True)
    (said,) = stream.bad.remarks()
    assert said.endswith(f"{name}: the lines were read with the label behind the text")
    assert read(plain).bad.remarks() == []


@pytest.mark.parametrize("chunk_bytes", [1, 30, 10**6])
def test_rows_with_labels_behind_them_do_not_depend_on_how_the_file_is_cut(
    tmp_path: Path, chunk_bytes: int
) -> None:
    file = tmp_path / "mail.txt"
    file.write_text(LAST)
    whole = rows(read(file))
    cut = read_stream(
        file,
        names=NameTable(2**20, True),
        scheme=LabelScheme(),
        settings=ReadSettings(chunk_bytes=chunk_bytes),
    )
    assert rows(cut) == whole


def test_a_recipe_says_what_few_lines_do_not_show(tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_text("ok\tham\nfree\tspam\nno tab\n")
    recipe = Recipe(format="text", label_last=True)
    stream = read_stream(file, names=NameTable(64, True), recipe=recipe)
    (chunk,) = stream.chunks()
    assert [stream.label_names[k] for k in chunk.label[:2]] == ["ham", "spam"]
    assert chunk.label[2] == -1
    assert stream.names_in(chunk, 0) == [(NameTable(64, True).column_of("ok"), "ok")]


def test_a_bad_line_is_kept_as_it_stood(tmp_path: Path) -> None:
    file, bad = tmp_path / "mail.txt", tmp_path / "bad.txt"
    file.write_text("ok\tham\nfree cash\tspam\n" * 600 + "odd one\teggs\n")
    policy = BadLinePolicy("quarantine", quarantine=bad)
    assert len(rows(read(file, recipe=Recipe(label_last=True), on_bad=policy))) == 1200
    assert bad.read_text().endswith("\nodd one\teggs\n")


def test_texts_in_the_place_of_labels_are_refused_with_the_remedy(tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_text("".join(f"word {k}\tother {k}\n" for k in range(50)))
    with pytest.raises(LabelError, match=r"'word 0': texts rather .* Recipe\(label_last=True\)"):
        rows(read_stream(file, names=NameTable(64, True), scheme=LabelScheme(classes="any")))


@pytest.mark.parametrize(
    ("line", "columns"),
    [
        ("category\tmessage", "label first"),
        ("sentiment\ttext", "label first"),
        ("class\ttweet", "label first"),
        ("Class\tanything", "label first"),
        ("v1\tv2", "label first"),
        ("kind\tmessage", "label first"),
        ("tweet\tsentiment", "label last"),
        ("y\tyes", None),
        ("kind\twords", None),
        ("spam\tfree", None),
        ("spam\tmessage", None),
        ("label\ttwo words", None),
        ("label\tclass", None),
        ("label\ttext\tmore", None),
        ("label\t5", None),
        ("label\t", None),
        ("label", None),
    ],
)
def test_the_words_of_a_line_make_it_a_header(line: str, columns: str | None) -> None:
    assert names_columns(line.encode(), "label") == columns


@pytest.mark.parametrize("header", ["class\ttweet\n", "Sentiment\tReview\r\n", "sort\tnote\n"])
def test_a_header_is_no_row_and_is_told(tmp_path: Path, header: str) -> None:
    file, bare = tmp_path / "mail.txt", tmp_path / "bare.txt"
    file.write_bytes((header + FIRST).encode())
    bare.write_text(FIRST)
    stream = read(file, recipe=Recipe(label_field="sort"))
    assert rows(stream) == rows(read(bare))
    (said,) = stream.bad.remarks()
    assert "mail.txt: the first line, " in said
    assert said.endswith(", is a header, and no row")


def test_a_header_says_on_which_side_the_label_stands(tmp_path: Path) -> None:
    file, bare = tmp_path / "mail.tsv", tmp_path / "bare.txt"
    file.write_text("message\tlabel\nok then\tham\ncash now\tspam\n")
    bare.write_text("ham\tok then\nspam\tcash now\n")
    assert rows(read(file)) == rows(read(bare))


def test_a_first_line_that_may_be_a_header_is_a_row_and_told(tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_text("sort\tnote\n" + FIRST)
    stream = read(file, positive="spam")
    assert len(rows(stream)) == 13
    (said,) = stream.bad.remarks()
    assert said.endswith(
        "mail.txt: the first line, 'sort\\tnote', was read as a row. If it is a header, say so: "
        "Recipe(label_field='sort')."
    )
