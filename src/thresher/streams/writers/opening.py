"""From the name of a file to a writer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from thresher.errors import FormatError
from thresher.streams.formats.binary_frame import Columns
from thresher.streams.writers.examples import Writer
from thresher.streams.writers.sink import sink

Names = Sequence[str] | None
_PACKED = (".gz", ".zst")


def _class(home: str) -> Any:
    module, _, name = home.partition(":")
    return getattr(import_module(f"thresher.streams.writers.{module}"), name)


def _either(plain: str, named: str) -> Callable[[Any, Names, Columns], Writer]:
    """A writer of columns, and one of names where there are names."""

    def opened(file: Any, names: Names, columns: Columns) -> Writer:
        writer: Writer = _class(plain)(file) if names is None else _class(named)(file, names)
        return writer

    return opened


#: By name: the suffixes, whether names of features can be kept, and how a writer is made.
WRITABLE: dict[str, tuple[tuple[str, ...], bool, Callable[[Any, Names, Columns], Writer]]] = {
    "svmlight": (
        (".svm", ".svmlight", ".libsvm"),
        False,
        lambda file, names, columns: _class("svmlight:SvmlightWriter")(file),
    ),
    "vw": ((".vw",), True, _either("vw_text:VwWriter", "vw_text:NamedVwWriter")),
    "json": (
        (".jsonl", ".json", ".ndjson"),
        True,
        _either("json_lines:JsonWriter", "json_lines:NamedJsonWriter"),
    ),
    "csv": (
        (".csv",),
        True,
        lambda file, names, columns: _class("csv_table:CsvWriter")(file, names),
    ),
    "tsv": (
        (".tsv",),
        True,
        lambda file, names, columns: _class("csv_table:CsvWriter")(file, names, "\t"),
    ),
    "parquet": (
        (".parquet",),
        True,
        lambda file, names, columns: _class("parquet:ArrowWriter")(file, names),
    ),
    "arrow": (
        (".arrow", ".feather"),
        True,
        lambda file, names, columns: _class("parquet:ArrowWriter")(file, names, "arrow"),
    ),
    "binary": (
        (".thb",),
        False,
        lambda file, names, columns: _class("binary:BinaryWriter")(file, columns),
    ),
}


def format_of(path: str, given: str | None = None) -> str:
    """The format to write a file in: the one given, or what the name of the file says.

    >>> format_of("mail.vw.gz"), format_of("-", "svmlight")
    ('vw', 'svmlight')
    """
    if given is not None:
        if given in WRITABLE:
            return given
        raise FormatError(f"{given!r} cannot be written. Formats are: {', '.join(WRITABLE)}.")
    name = path
    for ending in _PACKED:
        name = name.removesuffix(ending)
    for format_, (suffixes, _, _) in WRITABLE.items():
        if name.lower().endswith(suffixes):
            return format_
    raise FormatError(
        f"{path}: the name does not say which format to write.",
        f"Say it with format=: {', '.join(WRITABLE)}.",
        code="format.to_write",
        path=path,
        formats=list(WRITABLE),
    )


@contextmanager
def writing(
    path: str, format_: str, *, names: Names = None, columns: Columns | None = None
) -> Iterator[Writer]:
    """A writer of a file, or of standard output for `-`; finished when the block ends well.

    Parameters
    ----------
    path, format_
        Where to, and one of `WRITABLE`.
    names
        The name of each column, where names are to be written; it may grow meanwhile.
    columns
        What columns mean, for the binary format, which remembers it.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import thresher as th
    >>> from thresher.streams.writers import Examples
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "tiny.svm"
    >>> with writing(str(path), "svmlight") as writer:
    ...     writer.write(Examples.of(th.Batch.of([{3: 1, 7: 0.5}, {}], [1, -1])))
    >>> print(path.read_text(), end="")
    1 3:1 7:0.5
    -1
    """
    with sink(path) as file:
        writer = WRITABLE[format_][2](file, names, columns or Columns())
        try:
            yield writer
            writer.finish()
        except BaseException:
            writer.abandon()
            raise
