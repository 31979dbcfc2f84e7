"""Writer of Vowpal Wabbit text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import BinaryIO, ClassVar

from thresher.errors import NotWritableError
from thresher.kernels.scanning.scan_vw import LONGEST_NAMESPACE
from thresher.streams.writers.examples import Examples
from thresher.streams.writers.lines import LineWriter
from thresher.streams.writers.svmlight import is_one_word

#: What cuts a line of Vowpal Wabbit into its parts, and so cannot stand in a name.
_MARKS = frozenset([*map(chr, range(33)), "|"])
#: A name and a value that is a word, as the reader joins them: the name has no colon, and the value
#: does not begin like a number.
_WITH_WORD = re.compile(r"([^:]*)\^(?!(?:nan|inf|infinity)\Z)([^0-9.+^:-][^^:]*(?::.*)?)", re.I)


class VwWriter(LineWriter):
    """One line for each row, `label importance| name:value ...`.

    Columns are written as numbers in the default namespace, which is how they are read back.

    >>> from io import BytesIO
    >>> from thresher import Batch
    >>> from thresher.streams.writers.examples import Examples
    >>> file = BytesIO()
    >>> VwWriter(file).write(Examples.of(Batch.of([{3: 1, 7: 0.5}, {}], [1, -1])))
    >>> file.getvalue()
    b'1 | 3:1 7:0.5\\n-1 |\\n'
    """

    marks: ClassVar[tuple[bytes, bytes, bytes, bytes]] = (b" ", b" ", b":", b"\n")

    def head(self, label: str | None, importance: float) -> bytes:
        """The label and the importance, either of which may be absent."""
        if label is None and importance != 1.0:
            raise NotWritableError("it has an importance but no label, which VW text cannot hold.")
        if label is None:
            return b"|"
        if not is_one_word(label) or (_MARKS | {":"}) & set(label) or label.startswith("'"):
            raise NotWritableError(
                f"its label {label!r} would not be read as one label in VW text. "
                "Write JSON lines instead."
            )
        return (f"{label} |" if importance == 1.0 else f"{label} {importance!r} |").encode()


class NamedVwWriter(VwWriter):
    """The same with the names of the features: `ns^name` is `name` in the namespace `ns`.

    Parameters
    ----------
    file
        Where the bytes go.
    names
        The name of each column; it may grow.
    """

    def __init__(self, file: BinaryIO, names: Sequence[str]) -> None:
        super().__init__(file)
        self._names = names
        self._split: list[tuple[str, str]] = []

    def write(self, examples: Examples) -> None:
        """Write some more rows."""
        self._split += map(_in_namespace, self._names[len(self._split) :])
        kind, heads = self._heads(examples)
        lines = []
        for head, row in zip(kind.tolist(), examples.rows, strict=True):
            spaces: dict[str, list[str]] = {"": []}
            for column, value in row.items():
                space, name = self._split[column]
                if value != 1.0 and ":" in name:
                    raise _unwritable(self._names[column])
                spaces.setdefault(space, []).append(
                    f" {name}" if value == 1.0 else f" {name}:{value!r}"
                )
            parts = [f"{space}{''.join(inside)}" for space, inside in spaces.items() if inside]
            # The head ends with the first bar.
            lines.append(heads[head] + " |".join(parts).encode() + b"\n")
        self._file.write(b"".join(lines))
        self._n_rows += len(examples)


def _in_namespace(name: str) -> tuple[str, str]:
    if not name or _MARKS & set(name):
        raise _unwritable(name)
    value = ""
    inside = name
    if ":" in name:
        # A value that is a word and has a colon in it.
        if (parts := _WITH_WORD.fullmatch(name)) is None:
            raise _unwritable(name)
        inside, value = parts[1], f":{parts[2]}"
    space, _, rest = inside.partition("^")
    # Without a namespace the same name is read back; it only looks less like Vowpal Wabbit.
    fits = rest and 0 < len(space.encode()) <= LONGEST_NAMESPACE
    return (space, rest + value) if fits else ("", inside + value)


def _unwritable(name: str) -> NotWritableError:
    return NotWritableError(
        f"the feature name {name!r} cannot be written in VW text, where blanks, colons and bars "
        "end a name.",
        "Write JSON lines instead, columns without their names, or single words of a text.",
        code="writing.name",
        name=name,
    )
