from __future__ import annotations

from pathlib import Path

import pytest

import thresher as th
from thresher.errors import ParameterError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.formats.raw_text import RawText
from thresher.streams.labelled_rows import read
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.streams.recipe import NGrams, Recipe

MAIL = b"""\
spam\tFREE cash, free CASH!
ham\tlunch at 12?
spam\tfree lunch
"""


def test_a_file_is_recognised_and_read(tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_bytes(b"\xef\xbb\xbf" + MAIL.replace(b"\n", b"\r\n"))
    stream = read(file, positive="spam", recipe=Recipe(text=NGrams(words=(1, 1), counts=True)))
    (batch,) = list(stream)
    table = NameTable(2**20, True)
    assert stream.format == "text"
    assert list(batch) == [
        {table.column_of("free"): 2.0, table.column_of("cash"): 2.0},
        dict.fromkeys(sorted(table.column_of(w) or 0 for w in ("lunch", "at", "12")), 1.0),
        {table.column_of("free"): 1.0, table.column_of("lunch"): 1.0},
    ]
    assert batch.label.tolist() == [1, -1, 1]


def test_a_learner_fed_from_text_knows_the_words(tmp_path: Path) -> None:
    file = tmp_path / "mail.tsv"
    file.write_bytes(MAIL)
    learner = th.Perceptron(n_features=2**18)
    for batch in read(file, n_features=2**18, recipe=Recipe(text=NGrams(words=(1, 1)))):
        learner.learn(batch)
    by_dicts = th.Perceptron(n_features=2**18)
    by_dicts.learn_one({"free": 1, "cash": 1}, +1)
    by_dicts.learn_one({"lunch": 1, "at": 1, "12": 1}, -1)
    by_dicts.learn_one({"free": 1, "lunch": 1}, +1)
    assert learner.weights.tolist() == by_dicts.weights.tolist()
    assert learner.predict_one({"lunch": 1, "at": 1}) == -1


@pytest.mark.parametrize("chunk_bytes", [1, 9, 10**6])
@pytest.mark.parametrize("hashed", [True, False])
def test_rows_do_not_depend_on_how_the_file_is_cut(
    tmp_path: Path, chunk_bytes: int, hashed: bool
) -> None:
    file = tmp_path / "mail.txt"
    file.write_bytes(MAIL * 4)
    recipe = Recipe(format="text", text=NGrams(words=(1, 2), characters=(2, 3), sparse_bigrams=4))

    def read_all(settings: ReadSettings) -> tuple[list[dict[int, float]], dict[str, int]]:
        table = NameTable(64 if hashed else None, hashed)
        stream = read_stream(file, names=table, recipe=recipe, settings=settings)
        return [row for chunk in stream.chunks() for row in chunk.rows], table.vocabulary

    assert read_all(ReadSettings(chunk_bytes=chunk_bytes)) == read_all(ReadSettings())


def test_pairs_of_words_in_a_million_features_are_the_default(tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_bytes(MAIL)
    (batch,) = list(read(file))
    table = NameTable(2**20, True)
    names = ("free", "free lunch", "lunch")
    assert list(batch)[2] == dict.fromkeys(sorted(table.column_of(name) or 0 for name in names), 1)


def test_names_of_a_line_come_with_their_columns() -> None:
    table = NameTable(1024, True)
    text = b"x\ta\ny\tFree cash free\n"
    start, stop = 4, len(text) - 1
    reader = RawText(Recipe(text=NGrams(words=(1, 1), sparse_bigrams=2)), table)
    assert reader.names(text, start, stop) == [
        (table.column_of(name), name) for name in ("free", "cash", "free ~1 cash", "cash ~1 free")
    ]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"words": (2, 1)}, r"words must be two lengths .* found \(2, 1\)"),
        ({"words": (0, 1)}, "words must be two lengths"),
        ({"words": (1, 17)}, "between 1 and 16"),
        ({"characters": 3}, "characters must be two lengths .* found 3"),
        ({"characters": (1, True)}, "characters must be two lengths"),
        ({"sparse_bigrams": 1}, "sparse_bigrams must be a window from 2 to 16 words"),
        ({"words": None}, "words must be given, or characters, or sparse_bigrams"),
    ],
)
def test_features_that_cannot_be_are_refused(wrong: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        NGrams(**wrong)  # type: ignore[arg-type]
    saved = Recipe().to_dict() | {"text": wrong}
    with pytest.raises(ParameterError, match=message):
        Recipe.from_dict(saved)


def test_a_recipe_survives_being_saved() -> None:
    recipe = Recipe(text=NGrams(words=(1, 3), characters=(3, 5), sparse_bigrams=5, counts=True))
    assert Recipe.from_dict(recipe.to_dict()) == recipe


@pytest.mark.parametrize("chunk_bytes", [1, 7, 1 << 20])
@pytest.mark.parametrize("header", [b"label\ttext\n", b"\xef\xbb\xbfCLASS\tReview\r\n"])
def test_a_header_of_texts_is_no_row_of_any_file(
    tmp_path: Path, header: bytes, chunk_bytes: int
) -> None:
    files = [tmp_path / "a.tsv", tmp_path / "b.tsv"]
    for file in files:
        file.write_bytes(header + b"ham\tsee you\nlabel\ttext\n")
    settings = ReadSettings(chunk_bytes=chunk_bytes)
    stream = read_stream(
        files, names=NameTable(64, True), recipe=Recipe(format="text"), settings=settings
    )
    chunks = list(stream.chunks())
    assert [line for chunk in chunks for line in chunk.line.tolist()] == [2, 3, 2, 3]
    assert stream.label_names == ["ham", "label"]


def test_a_header_alone_is_no_row_though_its_line_has_no_end(tmp_path: Path) -> None:
    (tmp_path / "a.tsv").write_text("label\ttext")
    stream = read_stream(
        tmp_path / "a.tsv", names=NameTable(64, True), recipe=Recipe(format="text")
    )
    assert sum(len(chunk.rows) for chunk in stream.chunks()) == 0
