"""Files that are often given instead of data in lines, told by how they begin."""

from __future__ import annotations

from os.path import splitext

from thresher.errors import FormatError

_UNPACK = "Unpack it, and give the file that is in it."
_TABLE = "Save the table as CSV or Parquet."
#: First bytes, what they are the beginning of, and what to do with it.
_BEGINNINGS = (
    (b"PK\x03\x04", "a ZIP archive or a workbook of Excel", f"{_UNPACK} {_TABLE}"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", _UNPACK),
    (b"\xd0\xcf\x11\xe0", "a document of Microsoft Office", _TABLE),
    (b"%PDF-", "a PDF document", _TABLE),
    (b"SQLite format 3\0", "a database of SQLite", _TABLE),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", _TABLE),
    (b"MATLAB 5.0 MAT-file", "a file of MATLAB", _TABLE),
    (b"\x93NUMPY", "an array of NumPy", "Load it in Python, and give it to `learn` of a learner."),
)
#: Where a tar archive says that it is one.
_TAR = slice(257, 262)
_CSV_OF_ARFF = (
    "Write it as CSV: the names of the @attribute lines in one line, separated by commas, and "
    "below it the lines after @data."
)


def refuse_foreign(file: str, head: bytes) -> None:
    """Raise an error that names the format and a way out, if it is one that is not read.

    >>> refuse_foreign("mail.svm", b"1 3:1")
    >>> refuse_foreign("votes.arff", b"% 1984\\n\\n@RELATION vote\\n")
    Traceback (most recent call last):
    thresher.errors.FormatError: votes.arff: this is a table in ARFF, which is not read. Write it \
as CSV: the names of the @attribute lines in one line, separated by commas, and below it the \
lines after @data.
    """
    for beginning, what, remedy in _BEGINNINGS:
        if head.startswith(beginning):
            raise _foreign(file, what, remedy)
    if head[_TAR] == b"ustar":
        raise _foreign(file, "a tar archive", _UNPACK)
    lines = (line.strip() for line in head.split(b"\n"))
    first = next((line for line in lines if line and not line.startswith(b"%")), b"")
    if first.lower().startswith(b"@relation") or splitext(file)[1].lower() == ".arff":
        raise _foreign(file, "a table in ARFF", _CSV_OF_ARFF)

    if b"\n" not in head and head.count(b"\r") > 1:
        raise FormatError(
            f"{file}: its lines end with a carriage return alone.",
            "Let them end with a line feed: tr '\\r' '\\n' does that.",
            code="format.line_ends",
        )


def _foreign(file: str, what: str, remedy: str) -> FormatError:
    return FormatError(f"{file}: this is {what}, which is not read.", remedy, code="format.foreign")
