"""No line takes more memory than the limit allows, whatever the format."""

from __future__ import annotations

import gzip
import os
import threading
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.streams.reads import everything
from tests.streams.test_reading import slow_files
from thresher.kernels.rows.named_rows import NameTable
from thresher.streams.bad_lines import BadLinePolicy
from thresher.streams.read_settings import ReadSettings
from thresher.streams.reading import read_stream
from thresher.streams.recipe import Recipe

#: By format: what a file begins with, how a line begins, what it goes on with, how it ends.
FORMATS = {
    "svmlight": (b"", b"1 1:1 #", b"x", b""),
    "vw": (b"", b"1 |", b" a", b""),
    "text": (b"", b"1\t", b"word ", b""),
    "json": (b"", b'{"label": "1", "a": "', b"x", b'"}'),
    "csv": (b"label,a\n", b"1,", b"x", b""),
    "quoted csv": (b"label,a\n", b'1,"', b"x, y", b'"'),
}
PACKED = {"plain": lambda data: data, "packed": gzip.compress}
each_format = pytest.mark.parametrize("name", FORMATS)


def line_of(name: str, size: int) -> bytes:
    """A line of a format, of so many bytes."""
    _, begin, more, end = FORMATS[name]
    whole = begin + more * size
    return whole[: size - len(end)] + end


def recipe_of(name: str) -> Recipe:
    return Recipe(format=name.split()[-1], categorical=("a",) if "csv" in name else ())


@each_format
@pytest.mark.parametrize("packing", PACKED)
@pytest.mark.parametrize("hashed", [True, False])
@pytest.mark.parametrize("chunk_bytes", [1, 300, 1 << 20])
def test_a_line_above_the_limit_is_a_bad_line_in_every_format(
    tmp_path: Path, name: str, packing: str, hashed: bool, chunk_bytes: int
) -> None:
    first = FORMATS[name][0]
    lines = [line_of(name, size) for size in (50, 200, 201, 60, 5000, 40, 1000)]
    file = tmp_path / "rows"
    file.write_bytes(PACKED[packing](first + b"\n".join(lines)))
    settings = ReadSettings(threads=2, chunk_bytes=chunk_bytes, max_line_bytes=200)
    names = NameTable(1000 if hashed else None, hashed)
    found = everything(file, recipe=recipe_of(name), names=names, settings=settings)
    header = first.count(b"\n")
    assert found.error is None
    assert [number - header for _, number, _, _ in found.rows] == [1, 2, 4, 6]
    assert [(bad.line - header, bad.found, bad.raw[:30]) for bad in found.bad] == [
        (3, "a line of 201 bytes", lines[2][:30]),
        (5, "a line of 5000 bytes", lines[4][:30]),
        (7, "a line of 1000 bytes", lines[6][:30]),
    ]
    expected = "lines of at most 200 bytes; of this one only the first 65536 bytes are kept"
    assert {bad.expected for bad in found.bad} == {expected}


@pytest.mark.parametrize("chunk_bytes", [1, 300, 1 << 20])
def test_a_record_over_many_lines_is_left_where_it_ends(tmp_path: Path, chunk_bytes: int) -> None:
    file = tmp_path / "rows.csv"
    text = 'label,a\n1,x\n1,"{}"\n0,"y\nz"\n1,x\n'
    file.write_text(text.format('"",line\n' * 100))
    settings = ReadSettings(threads=2, chunk_bytes=chunk_bytes, max_line_bytes=200)
    stream = read_stream(
        file, names=NameTable(1000, True), bad=BadLinePolicy("skip"), settings=settings
    )
    lines = [line for chunk in stream.chunks() for line in chunk.line.tolist()]
    assert lines == [2, 104, 106]
    assert stream.bad.count == 1
    assert str(stream.bad.first).endswith(
        ":3: found a record of 804 bytes in 101 lines (a quote that is never closed?), expected "
        "records of at most 200 bytes; of this one only the first 65536 bytes are kept"
    )


@pytest.mark.parametrize("chunk_bytes", [1, 300, 1 << 20])
def test_a_quote_that_is_never_closed_is_a_record_above_the_limit(
    tmp_path: Path, chunk_bytes: int
) -> None:
    file = tmp_path / "rows.csv"
    file.write_text('label,a\n1,x\n1,"x\n' + "0,y\n" * 500)
    settings = ReadSettings(threads=2, chunk_bytes=chunk_bytes, max_line_bytes=200)
    found = everything(file, recipe=Recipe(format="csv"), settings=settings)
    assert [number for _, number, _, _ in found.rows] == [2]
    assert [(bad.line, bad.found[:40]) for bad in found.bad] == [
        (3, "a record of 2005 bytes in 502 lines (a quote"[:40])
    ]
    short = everything(file, recipe=Recipe(format="csv"))
    assert [bad.expected for bad in short.bad] == ["a closing quote"]


@given(cells=st.lists(st.text('ab",\n\r', max_size=12), max_size=6), chunk_bytes=st.integers(1, 60))
@slow_files
def test_which_records_are_too_long_does_not_depend_on_the_size_of_chunks(
    tmp_path: Path, cells: list[str], chunk_bytes: int
) -> None:
    file = tmp_path / "rows.csv"
    file.write_bytes(b"label,a\n" + "\n".join(f"1,{cell}" for cell in cells).encode())

    def found(chunk: int) -> tuple[list[tuple[int, str]], list[int]]:
        settings = ReadSettings(threads=2, chunk_bytes=chunk, max_line_bytes=9)
        stream = read_stream(
            file, names=NameTable(99, True), bad=BadLinePolicy("skip"), settings=settings
        )
        chunks = list(stream.chunks())
        bad = [(line.line, line.found) for chunk in chunks for line in chunk.bad]
        return bad, [line for chunk in chunks for line in chunk.line.tolist()]

    assert found(chunk_bytes) == found(1 << 20)


@each_format
@pytest.mark.parametrize("source", ["plain", "packed", "pipe"])
def test_a_line_without_end_takes_memory_near_the_limit_and_not_near_its_length(
    tmp_path: Path, name: str, source: str
) -> None:
    limit, length = 1 << 20, 1 << 25
    first, begin, more, _ = FORMATS[name]
    # The quote is not closed before the next line has one.
    data = first + begin + more * (length // len(more)) + b"\n" + line_of(name, 40) + b"\n"
    path = tmp_path / "rows"
    if source == "pipe":
        os.mkfifo(path)
        writer = threading.Thread(target=path.write_bytes, args=(data,))
        writer.start()
    else:
        path.write_bytes(PACKED[source](data))
    tracemalloc.start()
    try:
        settings = ReadSettings(threads=2, max_line_bytes=limit)
        found = everything(path, recipe=recipe_of(name), settings=settings)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(found.bad) == 1
    assert peak < 8 * limit
