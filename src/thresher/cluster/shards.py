"""Shards: files cut at line ends into shares of even size, in an order that the files decide."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from typing import BinaryIO

from thresher.addresses import shown
from thresher.errors import ClusterError, SourceError
from thresher.parameters import checked_count
from thresher.records import record
from thresher.streams.first_look import decoded_by
from thresher.streams.recipe import Recipe
from thresher.streams.sources.source import (
    STDIN,
    STDIN_NAME,
    ByteSource,
    is_kept,
    opened_anywhere,
    stored_size,
)

#: Formats whose lines stand for themselves, wherever a file is cut between two of them. A table or
#: a text may have a header; binary files, Parquet and Arrow are no lines at all.
CUT_BETWEEN_LINES = ("svmlight", "vw", "json")
#: A shard has about so many bytes where nobody says how many shards there are to be; but there are
#: no more than so many, for every one more makes the average of all move less.
USUAL_BYTES, MOST_UNASKED = 64 << 20, 16
MOST_SHARDS = 100_000
#: The same where nothing depends on the number of shards but who does what: a worker reads one in
#: a blink, and a history that names them all stays readable. Of 4 MiB, each took twice as long per
#: byte, for what it takes to open and to end a stream.
USUAL_BLOCK, MOST_BLOCKS = 16 << 20, 8192
_LOOK = 1 << 16


@record(repr=False)
class Piece:
    """A file, or some of its lines: the bytes from `start` to `stop`."""

    path: str
    start: int
    stop: int
    #: Whether that is all there is of the file; if not, how many bytes it has.
    whole: bool = True
    size: int | None = None

    @property
    def ends(self) -> bool:
        """Whether the end of the file is in it."""
        return self.whole or self.stop == self.size

    def __repr__(self) -> str:
        """As `str`: a worker writes the arguments of a task that failed to its log."""
        return str(self)

    def __str__(self) -> str:
        """As errors and a model's history call it: a part of a file has its bytes behind it.

        >>> str(Piece("a.svm", 0, 70)), str(Piece("a.svm", 70, 99, whole=False))
        ('a.svm', 'a.svm[70:99]')
        """
        path = shown(self.path)
        return path if self.whole else f"{path}[{self.start}:{self.stop}]"


@record
class Shard:
    """What one task reads: pieces of files, in order."""

    number: int
    pieces: tuple[Piece, ...]

    @property
    def n_bytes(self) -> int:
        """Bytes as stored."""
        return sum(piece.stop - piece.start for piece in self.pieces)

    def __str__(self) -> str:
        """For errors: its number, counted from 1, and what is in it.

        >>> print(Shard(2, (Piece("a.svm", 0, 9), Piece("b.svm", 0, 9), Piece("c.svm", 0, 9))))
        shard 3 (a.svm to c.svm)
        """
        return f"shard {self.number + 1} ({self.files})"

    @property
    def files(self) -> str:
        """What is in it, from the first piece to the last."""
        first, last = str(self.pieces[0]), str(self.pieces[-1])
        return first if first == last else f"{first} to {last}"


def cut(paths: Sequence[str], recipe: Recipe, n_shards: int | None = None) -> tuple[Shard, ...]:
    """Files as shards: the same for the same files, whoever reads them and however many do.

    The files are thought of as one long stream, which is cut into as many shares. A file that is
    not cut belongs to the share that has its middle, and a share may come out empty: then there
    are fewer shards.

    Parameters
    ----------
    paths
        The files, in order; patterns have been expanded.
    recipe
        How lines become rows; it names the format.
    n_shards
        How many; None: one for 64 MiB, and 16 at most.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder, recipe = pathlib.Path(tempfile.mkdtemp()), Recipe(format="svmlight")
    >>> for name, rows in (("a.svm", 6), ("b.svm", 1), ("c.svm", 1)):
    ...     _ = (folder / name).write_text("1 0:1\\n" * rows)
    >>> shards = cut([str(folder / name) for name in ("a.svm", "b.svm", "c.svm")], recipe, 2)
    >>> [[str(piece).rpartition("/")[2] for piece in shard.pieces] for shard in shards]
    [['a.svm[0:24]'], ['a.svm[24:36]', 'b.svm', 'c.svm']]
    """
    _require_different(paths)
    sizes = [_size(path) for path in paths]
    total = sum(sizes)
    if n_shards is None:
        n_shards = min(MOST_UNASKED, max(1, -(-total // USUAL_BYTES)))
    checked_count("cluster", "shards", n_shards, 1, MOST_SHARDS)
    shares: list[list[Piece]] = [[] for _ in range(n_shards)]
    before = 0
    for path, size in zip(paths, sizes, strict=True):
        for share, piece in _pieces(path, size, before, (total, n_shards), recipe):
            shares[share].append(piece)
        before += size
    filled = [pieces for pieces in shares if pieces]
    return tuple(Shard(number, tuple(pieces)) for number, pieces in enumerate(filled))


def require_sizes(shard: Shard) -> None:
    """Refuse a file that was cut and has become longer: nobody would read the rest."""
    for piece in shard.pieces:
        if piece.whole or piece.size is None:
            continue
        now = stored_size(piece.path)
        if now != piece.size:
            raise ClusterError(
                f"{shown(piece.path)}: it had {piece.size:,} bytes when it was cut into parts, and "
                f"has {now:,}.",
                "A file must not change while it is read: begin again.",
                code="cluster.changed",
            )


def usual_number(paths: Sequence[str]) -> int:
    """How many shards of a usual size there are, where nothing depends on their number."""
    total = sum(stored_size(path) or 0 for path in paths)
    return min(MOST_SHARDS, max(1, -(-total // USUAL_BYTES)))


def _pieces(
    path: str, size: int, before: int, of: tuple[int, int], recipe: Recipe
) -> list[tuple[int, Piece]]:
    """The pieces of a file with the shares they belong to; `before` it are so many bytes."""
    total, n_shards = of
    first, last = (
        min(n_shards - 1, place * n_shards // max(total, 1))
        for place in (before, before + size - 1)
    )
    if not size or first == last or not _may_be_cut(path, recipe):
        middle = min(n_shards - 1, (before + size // 2) * n_shards // max(total, 1))
        return [(middle, Piece(path, 0, size))]
    borders = [-(-share * total // n_shards) - before for share in range(first + 1, last + 1)]
    with opened_anywhere(path) as file:
        ends = [0, *(_line_end(file, border, size) for border in borders), size]
    return [
        (share, Piece(path, start, stop, whole=(start, stop) == (0, size), size=size))
        for share, start, stop in zip(range(first, last + 1), ends[:-1], ends[1:], strict=True)
        if start < stop
    ]


def _may_be_cut(path: str, recipe: Recipe) -> bool:
    """Whether the lines of a file can be read from any of them on."""
    if recipe.format not in CUT_BETWEEN_LINES or decoded_by(recipe) is not None:
        return False
    with closing(ByteSource(path)) as source:
        source.head(1)
        return not source.packed


def _line_end(file: BinaryIO, at: int, size: int) -> int:
    """The first place from `at` on behind a line end, or the end of the file."""
    place = at - 1
    file.seek(place)
    while block := file.read(_LOOK):
        found = block.find(b"\n")
        if found >= 0:
            return place + found + 1
        place += len(block)
    return size


def _require_different(paths: Sequence[str]) -> None:
    """Refuse a file that is given twice: results and bad lines of pieces are known by its name."""
    seen: set[str] = set()
    for name in map(shown, paths):
        if name in seen:
            raise SourceError(
                name,
                "is given more than once, and shards are known by the names of their files",
                "Give it once. To learn from all files several times, ask for more passes.",
            )
        seen.add(name)


def require_files(paths: Sequence[str]) -> None:
    """Refuse a pipe, and whatever else cannot be read by others; nothing is opened."""
    for path in paths:
        if not is_kept(path):
            raise _no_file(path)


def _size(path: str) -> int:
    size = stored_size(path)
    if size is None:
        raise _no_file(path)
    return size


def _no_file(path: str) -> SourceError:
    name = STDIN_NAME if path == STDIN else shown(path)
    return SourceError(name, "workers read files, and this is none", "Put it into a file first.")
