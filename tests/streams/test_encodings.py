from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from thresher.errors import BadLineError, FormatError, ParameterError, SourceError
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.labelled_rows import read
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe

TEXTS = "ham\tcafé au lait\nspam\t“freë” cash\nham\tplain words\n"
TABLE = "label,größe,farbe\n1,2.5,grün\n0,1,weiß\n"
LINES = {
    "mail.txt": TEXTS,
    "table.csv": TABLE,
    "rows.jsonl": '{"label": "ja", "größe": 2}\n{"label": "nein", "farbe": "weiß"}\n',
    "rows.vw": "ja |größe groß\nnein | weiß\n",
    "rows.svm": "jä 1:1\nneiñ 2:1\n",
}


def rows_of(file: Path, **recipe: object) -> tuple[list[dict[int, float]], list[str]]:
    stream = read_stream(file, names=NameTable(2**20, True), recipe=Recipe(**recipe))  # type: ignore[arg-type]
    rows = [row for chunk in stream.chunks() for row in chunk.rows]
    return rows, stream.label_names


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16", "utf-16-be", "utf-8-sig"])
@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("packed", [False, True])
def test_an_encoding_changes_nothing_but_the_bytes(
    tmp_path: Path, name: str, encoding: str, packed: bool
) -> None:
    plain, other = tmp_path / name, tmp_path / f"other_{name}"
    plain.write_text(LINES[name], encoding="utf-8")
    stored = LINES[name].encode(encoding)
    other.write_bytes(gzip.compress(stored) if packed else stored)
    assert rows_of(other, encoding=encoding) == rows_of(plain)


@pytest.mark.parametrize("chunk_bytes", [1, 2, 3, 7])
def test_rows_do_not_depend_on_where_an_encoded_file_is_cut(
    tmp_path: Path, chunk_bytes: int
) -> None:
    file = tmp_path / "mail.txt"
    file.write_text(TEXTS * 5, encoding="utf-16")
    recipe = Recipe(encoding="utf-16")
    settings = ReadSettings(chunk_bytes=chunk_bytes)
    cut = read_stream(file, names=NameTable(64, True), recipe=recipe, settings=settings)
    whole = read_stream(file, names=NameTable(64, True), recipe=recipe)
    assert [row for chunk in cut.chunks() for row in chunk.rows] == [
        row for chunk in whole.chunks() for row in chunk.rows
    ]


def test_texts_with_other_bytes_are_read_as_windows_writes_them_and_counted(
    tmp_path: Path,
) -> None:
    good, bad = tmp_path / "good.txt", tmp_path / "bad.txt"
    good.write_text(TEXTS, encoding="utf-8")
    lines = TEXTS.encode("utf-8").splitlines(keepends=True)
    lines[1] = lines[1].decode().encode("cp1252")
    bad.write_bytes(b"".join(lines * 2))
    for chunk_bytes in (1, 10**6):
        policy = BadLinePolicy()
        stream = read_stream(
            bad,
            names=NameTable(2**20, True),
            bad=policy,
            settings=ReadSettings(chunk_bytes=chunk_bytes),
        )
        rows = [row for chunk in stream.chunks() for row in chunk.rows]
        assert rows == rows_of(good)[0] * 2
        assert policy.count == 0
        assert policy.remarks() == [
            "2 lines were read with bytes that are not UTF-8 taken as Windows-1252, the first: "
            f"{bad}:2: found bytes that are not UTF-8, expected text in UTF-8. If the text is in "
            "another encoding, name it: Recipe(encoding='latin-1'), or 'utf-16'."
        ]
        list(stream.chunks())
        assert policy.mended == 2, "a second pass counts nothing again"


def test_a_nul_in_a_text_is_a_blank(tmp_path: Path) -> None:
    file, other = tmp_path / "nul.txt", tmp_path / "blank.txt"
    file.write_bytes(b"ham\tone\0two\nspam\tthree\n")
    other.write_bytes(b"ham\tone two\nspam\tthree\n")
    assert rows_of(file, format="text") == rows_of(other, format="text")


def test_whoever_names_utf_8_hears_of_other_bytes(tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_bytes(b"ham\tx\nspam\ty\nham\tcaf\xe9\n")
    with pytest.raises(BadLineError, match=r"mail\.txt:3: found the byte 0xe9, .* name it"):
        list(read(file, recipe=Recipe(encoding="utf-8")))


def test_a_byte_that_the_encoding_lacks_makes_a_bad_line(tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_bytes(b"ham\tx\nspam\ty\x81\n")
    with pytest.raises(BadLineError, match=r"mail\.txt:2: "):
        list(read(file, recipe=Recipe(encoding="cp1252")))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("table.csv", TABLE),
        ("rows.jsonl", LINES["rows.jsonl"]),
        ("rows.vw", LINES["rows.vw"]),
        ("rows.svm", LINES["rows.svm"]),
    ],
)
def test_other_formats_stop_and_say_what_would_help(
    tmp_path: Path, name: str, content: str
) -> None:
    file = tmp_path / name
    file.write_bytes(content.encode("latin-1"))
    with pytest.raises((BadLineError, FormatError), match=r"Recipe\(encoding='latin-1'\)"):
        list(read(file))


@pytest.mark.parametrize("name", ["mail.txt", "mail.csv", "mail.svm", "mail.vw", "mail.jsonl"])
def test_utf_16_is_recognised_and_refused_with_its_name(tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_text(TEXTS, encoding="utf-16")
    with pytest.raises(FormatError, match=r"UTF-16\. Say Recipe\(encoding='utf-16'\)"):
        read(file)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("recipe", [Recipe(), Recipe(format="text")])
def test_utf_16_without_a_mark_is_recognised_by_its_zeros(
    tmp_path: Path, encoding: str, recipe: Recipe
) -> None:
    file = tmp_path / "mail.txt"
    file.write_text(TEXTS, encoding=encoding)
    with pytest.raises(FormatError, match=rf"UTF-16\. Say Recipe\(encoding='{encoding}'\)"):
        read(file, recipe=recipe)


@pytest.mark.parametrize("encoding", ["utf-16", "utf_32"])
@pytest.mark.parametrize("format_", [None, "text", "svmlight"])
def test_data_without_the_byte_order_mark_of_its_encoding_is_refused(
    tmp_path: Path, encoding: str, format_: str | None
) -> None:
    file = tmp_path / "mail.txt"
    file.write_text(TEXTS, encoding="utf-8")
    name = encoding.replace("_", "-")
    told = rf"mail\.txt: this is not {name}, .* byte order mark\. .*'utf-8'.* '{name}-le' or"
    with pytest.raises(SourceError, match=told):
        list(read(file, recipe=Recipe(encoding=encoding, format=format_)))


def test_half_a_character_makes_a_bad_line(tmp_path: Path) -> None:
    file = tmp_path / "mail.txt"
    file.write_bytes(b"ham\tx\nspam\ty +2AA-\n")
    with pytest.raises(BadLineError, match=r"mail\.txt:2: "):
        list(read(file, recipe=Recipe(encoding="utf-7", format="text")))


def test_an_encoding_must_be_known_and_of_text() -> None:
    for wrong in ("utf-9", "rot13", "hex", "idna", "punycode", 8):
        with pytest.raises(ParameterError, match="encoding must be the name of an encoding"):
            Recipe(encoding=wrong)  # type: ignore[arg-type]
    assert Recipe(encoding="Latin1") == Recipe(encoding="iso-8859-1")


def test_formats_that_are_no_lines_have_no_encoding(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="encoding must be left out: binary has its own"):
        read(_empty(tmp_path / "rows.thb"), recipe=Recipe(encoding="latin-1"))


def _empty(file: Path) -> Path:
    file.write_bytes(b"")
    return file
