"""KeptNames: names that survive hashing, so that a weight can be called by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from threading import Thread
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from thresher.errors import StateError
from thresher.kernels.rows.named_rows import NameTable
from thresher.kernels.scanning.crossing import halves
from thresher.kernels.scanning.lexicon import Lexicon
from thresher.kernels.scanning.name_counts import LONGEST_NAME, NameCounts
from thresher.streams.chunk import Chunk
from thresher.streams.pairs import Pairs
from thresher.streams.recipe import Recipe

DEFAULT_LIMIT = 2**20
DEFAULT_BYTES = 2**26
#: So many bytes of text take longer to go through than a thread to begin.
WORTH_A_THREAD = 2**16


class _Work(Thread):
    """Something that is done meanwhile; what goes wrong in it is raised where it is finished."""

    def __init__(self, task: Callable[[], None]) -> None:
        super().__init__(name="thresher-names", daemon=True)
        self._task = task
        self._error: BaseException | None = None

    def run(self) -> None:
        try:
            self._task()
        except BaseException as error:  # raised again by `finish`
            self._error = error

    def finish(self) -> None:
        """Wait until it is done."""
        self.join()
        if self._error is not None:
            raise self._error


class KeptNames:
    """The names behind hashed columns, from the rows that changed the learner.

    A weight comes from updates and from nowhere else, so those rows have all the names that
    matter. At most `limit` names, of at most `max_bytes` bytes together, are kept. When there are
    more, half of them go: the names in the fewest updates, among equals the latest to come. With
    features of 0 and 1 a name that was in u updates has moved its weight by at most u steps,
    so names of large weights stay. What is kept depends on the stream alone, not on how it was
    read, and not on whether the table was saved and loaded on the way.

    A vocabulary has all its names; this table is then empty, and asks the vocabulary.

    Parameters
    ----------
    names
        The table that gives the learner its columns.
    limit, max_bytes
        How many names are kept, and how many bytes of them. Names of more than 512 bytes are not.
    recipe
        How lines become rows: whether they get pairs of features, which have names, too.

    Examples
    --------
    >>> kept = KeptNames(NameTable(16, True))
    >>> kept.add([["free", "cash"], ["free"]])
    >>> len(kept), kept.updates()
    (2, {'free': 2, 'cash': 1})
    >>> [kept.name_of(column) for column in (NameTable(16, True).column_of("free"), 3)]
    [['free'], []]
    """

    def __init__(
        self,
        names: NameTable,
        limit: int = DEFAULT_LIMIT,
        max_bytes: int = DEFAULT_BYTES,
        recipe: Recipe | None = None,
    ) -> None:
        self.table = names
        self._recipe = Recipe() if recipe is None else recipe
        self._held = NameCounts(limit, max_bytes, Pairs.of(self._recipe.pairs))
        self._at_work: _Work | None = None
        self._by_column: tuple[object, dict[int, list[str]]] = (None, {})

    @property
    def _counts(self) -> NameCounts:
        """The table, with everything in it that was handed over."""
        work, self._at_work = self._at_work, None
        if work is not None:
            work.finish()
        return self._held

    @property
    def limit(self) -> int:
        """How many names are kept at most."""
        return self._counts.limit

    @property
    def max_bytes(self) -> int:
        """How many bytes the names have at most."""
        return self._counts.max_bytes

    @property
    def dropped(self) -> int:
        """How often a name was dropped, or not taken because it is too long."""
        return self._counts.dropped

    def __len__(self) -> int:
        return len(self._counts) if self.table.hashed else len(self.table.vocabulary)

    def takes(self, format_: Any, chunk: Chunk) -> bool:
        """Whether there are names to keep in a chunk that this format has read."""
        named = chunk.start is not None and not getattr(format_, "nameless", False)
        return self.table.hashed and named

    def add_rows(self, format_: Any, chunk: Chunk, updated: NDArray[np.bool_]) -> None:
        """Take the names of the rows of a chunk that changed the learner.

        Much text is gone through by a thread of its own, while the learner goes on; the next
        chunk, and whoever asks for names, waits for it.

        Parameters
        ----------
        format_
            The format that the chunk was read by.
        updated
            For each row of the chunk, whether it changed the learner.
        """
        if not self.takes(format_, chunk):
            return
        assert chunk.start is not None
        self._recipe = format_.recipe
        counts, places = self._counts, chunk.start[updated]
        if chunk.records is not None:
            format_.count_names_in(chunk.records, places, counts)
            return
        assert chunk.stop is not None
        count = partial(format_.count_names, chunk.text, places, chunk.stop[updated], counts)
        if int((chunk.stop[updated] - places).sum()) < WORTH_A_THREAD:
            count()
        else:
            self._at_work = _Work(count)
            self._at_work.start()

    def add(self, rows: Iterable[Iterable[str]]) -> None:
        """Take names row by row; a name counts once in a row."""
        if self.table.hashed:
            for names in rows:
                self._counts.count_row([name.encode("utf-8") for name in names])

    def updates(self) -> dict[str, int]:
        """In how many updates each name was, oldest name first."""
        _, _, rows = self._counts.arrays()
        names = (name.decode("utf-8") for name in self._counts.names())
        return dict(zip(names, rows.tolist(), strict=True))

    def columns(self) -> dict[int, list[str]]:
        """The names of each column that has any; in most updates first, then the older."""
        if not self.table.hashed:
            return {column: [name] for name, column in self.table.vocabulary.items()}
        # A name seen again changes the order, so the sum of all counts is part of the state.
        rows = self._counts.arrays()[2]
        state = (len(rows), int(rows.sum()), self.dropped)
        if self._by_column[0] != state:
            names = self._counts.names()
            columns = self._columns_of(names)
            found: dict[int, list[str]] = {}
            for k in np.argsort(-rows, kind="stable").tolist():
                column = columns[k]
                assert column is not None
                found.setdefault(column, []).append(names[k].decode("utf-8"))
            self._by_column = (state, found)
        return self._by_column[1]

    def _columns_of(self, names: list[bytes]) -> list[int | None]:
        """The columns of the names; a number that is a column may be half of that of a pair."""
        plain = Lexicon(self.table, False, False)
        pairs = Pairs.of(self._recipe.pairs)
        if pairs is None:
            return plain.columns_of(names)
        joined = Lexicon(self.table, False, self._recipe.format != "text", pairs)
        return [(plain if halves(name) is None else joined).columns_of([name])[0] for name in names]

    def name_of(self, column: int) -> list[str]:
        """The names that share a column; none if none was kept."""
        return self.columns().get(column, [])

    def to_arrays(self) -> dict[str, NDArray[Any]]:
        """The table as arrays, for a file; columns are left out, for they follow from the names."""
        text, stop, rows = self._counts.arrays()
        limits = np.array([self.limit, self.max_bytes, self.dropped], np.int64)
        return {"text": text, "stop": stop, "updates": rows, "limits": limits}

    @classmethod
    def from_arrays(
        cls, names: NameTable, arrays: Mapping[str, NDArray[Any]], recipe: Recipe | None = None
    ) -> Self:
        """The table that `to_arrays` described; goes on exactly where that one stood."""
        text, stop, rows, limits = _checked(arrays)
        limit, max_bytes, dropped = limits.tolist()
        kept = cls(names, limit, max_bytes, recipe)
        try:
            kept._counts.restore(text, stop, rows, dropped)
        except ValueError as error:
            raise StateError(f"the table of names is damaged: {error}.") from None
        return kept

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, KeptNames):
            return NotImplemented
        ours, theirs = self.to_arrays(), other.to_arrays()
        return self.table == other.table and all(
            np.array_equal(ours[name], theirs[name]) for name in ours
        )

    __hash__ = None  # type: ignore[assignment]


def _checked(arrays: Mapping[str, NDArray[Any]]) -> tuple[NDArray[Any], ...]:
    """The arrays of a table of names, if they are one."""
    fields = {"text": np.uint8, "stop": np.int64, "updates": np.int64, "limits": np.int64}
    for name, dtype in fields.items():
        array = arrays.get(name)
        if array is None or array.dtype != dtype or array.ndim != 1:
            raise StateError(
                f"the table of names is damaged: {name} must be a list of {dtype.__name__}."
            )
    text, stop, rows, limits = (np.ascontiguousarray(arrays[name]) for name in fields)
    start = np.concatenate((np.zeros(1, np.int64), stop[:-1]))
    for must, holds in (
        ("there are three limits, none negative", len(limits) == 3 and bool(np.all(limits >= 0))),
        ("each name has a count", len(stop) == len(rows)),
        ("names end behind one another", bool(np.all(start[: len(stop)] <= stop))),
        ("the last name ends with the text", len(text) == (stop[-1] if len(stop) else 0)),
        ("names are short", bool(np.all(stop - start[: len(stop)] <= LONGEST_NAME))),
        ("every name was in an update", bool(np.all(rows >= 1))),
    ):
        if not holds:
            raise StateError(f"the table of names is damaged; this is not so: {must}.")
    try:
        whole = text.tobytes()
        for first, last in zip(start.tolist(), stop.tolist(), strict=False):
            whole[first:last].decode("utf-8")
    except UnicodeDecodeError:
        raise StateError("the table of names is damaged: a name is not UTF-8.") from None
    return text, stop, rows, limits
