"""Recipe: how the lines of a file become rows; a model keeps it, so that predicting reads alike."""

from __future__ import annotations

from dataclasses import asdict, field, fields
from typing import Any, Self

from thresher.errors import ParameterError
from thresher.records import record
from thresher.streams.sources.transcoding import known_encoding

#: The longest sequence of words or characters that is a feature, and the widest window.
LONGEST_SEQUENCE = 16


@record(kw_only=True)
class NGrams:
    """Which features a text has: word n-grams, character n-grams, orthogonal sparse bigrams.

    Examples
    --------
    >>> NGrams()
    NGrams(words=(1, 2), characters=None, sparse_bigrams=None, counts=False)
    """

    #: Lengths of word sequences, from and to; None for none.
    words: tuple[int, int] | None = (1, 2)
    #: Lengths of character sequences, from and to; None for none.
    characters: tuple[int, int] | None = None
    #: Window of the orthogonal sparse bigrams (5 in the paper of Siefkes et al. 2004), or None.
    sparse_bigrams: int | None = None
    #: Whether a feature that occurs k times has value k; otherwise 1.
    counts: bool = False

    def __post_init__(self) -> None:
        for name in ("words", "characters"):
            found = getattr(self, name)
            if found is not None and not (
                isinstance(found, tuple)
                and len(found) == 2
                and all(type(length) is int for length in found)
                and 1 <= found[0] <= found[1] <= LONGEST_SEQUENCE
            ):
                must = f"two lengths (from, to) between 1 and {LONGEST_SEQUENCE}, or None"
                raise ParameterError("NGrams", name, must, found)
        window = self.sparse_bigrams
        if window is not None and not (type(window) is int and 2 <= window <= LONGEST_SEQUENCE):
            must = f"a window from 2 to {LONGEST_SEQUENCE} words, or None"
            raise ParameterError("NGrams", "sparse_bigrams", must, window)
        if not (self.words or self.characters or self.sparse_bigrams):
            must = "given, or characters, or sparse_bigrams"
            raise ParameterError("NGrams", "words", must, None, "A text needs features.")


@record(kw_only=True)
class Recipe:
    """What a reader must know besides the bytes. The defaults suit most files."""

    #: Name of a format, or None: look at the name of the file and at its first lines.
    format: str | None = None
    #: Encoding of formats of lines; lines with bytes that are none of it are bad. None: UTF-8, and
    #: texts with other bytes are read all the same (`formats/mending.py` says how) and counted.
    encoding: str | None = None
    #: svmlight: whether index 1 is column 0. Otherwise an index is the column it names.
    one_based: bool = False
    #: JSON lines, CSV, Parquet: the field or column that holds the label.
    label_field: str = "label"
    #: CSV, Parquet: columns to read as numbers, as categories, or not at all; others are detected.
    numeric: tuple[str, ...] = ()
    categorical: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    #: CSV: the separator, or None: a tab in .tsv files, otherwise what the header suggests.
    separator: str | None = None
    #: VW text: whether a prediction to begin from, behind the importance, is passed over.
    ignore_initial: bool = False
    #: Raw text: whether the label stands behind the text, after the last tab.
    label_last: bool = False
    #: Raw text: which features a text has.
    text: NGrams = field(default_factory=NGrams)
    #: Which features make pairs, such as "colour,size" or "all"; see `Pairs`.
    pairs: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.encoding is not None:
            object.__setattr__(self, "encoding", known_encoding(self.encoding))
        mark: object = self.separator
        if mark is not None and not (
            isinstance(mark, str) and len(mark) == 1 and mark.isascii() and mark not in '"\r\n'
        ):
            must = "one character of ASCII, such as ';' or a tab, and no quote or line end"
            raise ParameterError("Recipe", "separator", must, mark)

    def to_dict(self) -> dict[str, Any]:
        """The recipe as JSON-ready values."""
        return asdict(self)

    @classmethod
    def from_dict(cls, saved: dict[str, Any]) -> Self:
        """The recipe that `to_dict` described."""
        known = {f.name for f in fields(cls)}
        if unknown := sorted(saved.keys() - known):
            raise ParameterError("Recipe", "a field", f"one of {sorted(known)}", unknown[0])
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in saved.items()
        }
        if "text" in given:
            text: dict[str, Any] = given["text"]
            lists = {name: tuple(value) for name, value in text.items() if isinstance(value, list)}
            given["text"] = NGrams(**(text | lists))
        return cls(**given)
