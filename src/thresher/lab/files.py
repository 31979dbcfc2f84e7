"""Files that are given to the lab: read once, with all that was found out on the way."""

from __future__ import annotations

import shlex
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from thresher.errors import FormatError, RequestError, SourceError, ThresherError
from thresher.lab.streams import MOST_FEATURES, MOST_VALUES, LabStream, bytes_of, pieces, room_for
from thresher.learners.multiclass.arrangement import arranged
from thresher.models.choice import LearnerChoice
from thresher.models.input_data import InputData
from thresher.models.labelled import LabelledStream, Piece, labelled_stream
from thresher.models.opening import names_for_all
from thresher.pictures.names import plain
from thresher.streams.batch import Batch

#: Rows that show what columns hold; bad lines and columns that are listed.
LOOKED_AT, MOST_LISTED = 500, 60
#: Columns that are read; what learns takes no more than `MOST_FEATURES`.
WIDEST = 1 << 24
#: What somebody may say about a file, beside its path.
SAID = ("format", "positive", "label_field", "separator", "ignored", "numeric", "categorical")
#: Who is shown learning a file, of two classes and of several; whoever comes first is shown first.
OF_TWO = ("committee", "arow:bias=yes", "perceptron:bias=yes", "perceptron")
OF_SEVERAL = (
    "committee", "arow:bias=yes", "multiclass_passive_aggressive", "multiclass_perceptron",
    "perceptron",
)  # fmt: skip
#: Formats whose columns are numbers, which are no names.
_BY_NUMBER = ("svmlight", "binary")


class Column(msgspec.Struct):
    """A column of the file, as it was read."""

    name: str
    #: "number", "category" or "word".
    kind: str
    example: str


class Look(msgspec.Struct):
    """What was read, before anything is learned from it."""

    name: str
    format: str
    rows: int
    #: What labels mean, in words; how often each occurs; which counts as +1.
    labels: str
    counts: dict[str, int]
    positive: str | None
    features: int
    columns: list[Column]
    more_columns: int
    bad: list[str]
    bad_lines: int
    remarks: list[str]
    #: Where the file is longer than the lab looks at.
    cut: bool
    command: str
    #: Whether there are more than two classes, and who is shown learning them.
    several: bool
    learners: list[str]


class ReadFile(msgspec.Struct):
    """A file in memory: its rows, and what was found out."""

    look: Look
    stream: LabStream
    path: str
    said: dict[str, Any]
    n_bytes: int = 0


def learners_for(n_classes: int, n_features: int) -> list[str]:
    """Who learns so many classes; who would take too much memory for each is left out.

    >>> learners_for(3, 100) == [*OF_SEVERAL], learners_for(5000, 100_000)
    (True, ['multiclass_passive_aggressive', 'multiclass_perceptron'])
    """

    def fits(text: str) -> bool:
        learner = LearnerChoice.parse(text).create(n_features=min(n_features, MOST_FEATURES))
        return room_for(arranged(learner, several=True), n_classes)

    return [text for text in OF_SEVERAL if fits(text)]


def file_stream(path: str, **said: Any) -> LabStream:
    """The rows of a file, as the lab reads them."""
    return read_file(path, Path(path).name, said).stream


def read_file(path: str, name: str, said: dict[str, Any], key: str = "") -> ReadFile:
    """Read a file as `said`, bad lines skipped and remembered; it is called `name` in messages.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp(), "tiny.csv")
    >>> _ = file.write_text("odor,size,label\\nfoul,3,bad\\nnone,4,good\\nfoul\\n")
    >>> found = read_file(str(file), "tiny.csv", {})
    >>> found.look.format, found.look.rows, found.look.positive, found.look.bad
    ('csv', 2, 'good', ['tiny.csv:4: found 1 fields, expected 3, as the header has'])
    >>> [(column.name, column.kind) for column in found.look.columns]
    [('odor', 'category'), ('size', 'number')]
    """
    try:
        return _Reading(path, name, said, key).read()
    except ThresherError as error:
        raise _renamed(error, path, name) from None
    except (OSError, UnicodeError) as error:
        raise RequestError(f"{name} cannot be read: {error}.") from None


def _renamed(error: ThresherError, path: str, name: str) -> RequestError:
    """The error in the words of the lab: the file by its own name, and no talk of arguments."""
    remedy = error.remedy
    if isinstance(error, FormatError):
        remedy = (
            "The lab reads text (svmlight, Vowpal Wabbit, CSV, JSON lines, labelled texts) and "
            "Parquet; this looks like none of them."
        )
    elif error.code == "line.label":
        remedy = "Say below which column has the label."
    return RequestError(error.what.replace(path, name), remedy, code=error.code)


class _Reading:
    """One pass over a file."""

    def __init__(self, path: str, name: str, said: dict[str, Any], key: str) -> None:
        self.path, self.name, self.said, self.key = path, name, said, key
        self.kept: list[Batch] = []
        self.columns: dict[str, Column] = {}
        self.counts: Counter[str] = Counter()
        self.bad: list[str] = []
        self.rows = self.values = 0
        self.several = self.cut = False

    def _data(self, **policy: Any) -> InputData:
        said = {key: value for key, value in self.said.items() if value not in (None, "", ())}
        data = InputData.described(self.path, **said, **policy).looked_at()
        assert data.look is not None
        # Numbers of columns are no names, and keep their places.
        data.look.close()
        by_name = data.look.format not in _BY_NUMBER
        width = {"vocabulary": True} if by_name else {"n_features": WIDEST}
        return InputData.described(self.path, **width, **said, **policy)

    def read(self) -> ReadFile:
        data = self._data(on_bad="skip")
        self.table = names_for_all(data)
        with labelled_stream(
            data, names=self.table, several=None, ignore_importance=True
        ) as stream:
            for piece in stream:
                self._take(piece)
                if self.values > MOST_VALUES:
                    self.cut = True
                    break
            if not self.rows:
                self._refuse()
            remarks = [self._plain(one) for one in stream.stream.bad.remarks()]
            if not self.bad and stream.stream.bad.first is not None:
                self.bad = [self._plain(stream.stream.bad.first)]
            return self._found(stream, remarks)

    def _plain(self, said: object) -> str:
        """A remark or a bad line in which the file has its own name."""
        return str(said).replace(self.path, self.name)

    def _take(self, piece: Piece) -> None:
        self.several |= piece.several
        if len(self.bad) < MOST_LISTED:
            self.bad += [self._plain(one) for one in piece.chunk.bad[:MOST_LISTED]]
        first = self.rows
        self.rows += len(piece.batch)
        self.values += len(piece.batch.column)
        names = piece.stream.label_names
        for label, rows in zip(*np.unique(piece.chunk.label, return_counts=True), strict=True):
            self.counts[names[int(label)]] += int(rows)
        self.kept.append(piece.batch)
        for row in range(max(0, min(len(piece.batch), LOOKED_AT - first))):
            self._look_at(piece.names_in(row), piece.stream.format)

    def _look_at(self, row: dict[int, str], format_: str) -> None:
        for name in row.values():
            column, equals, value = name.partition("=")
            if format_ not in ("csv", "json", "parquet", "arrow"):
                column, kind, value = name, "number" if format_ in _BY_NUMBER else "word", ""
            else:
                kind = "category" if equals else "number"
            self.columns.setdefault(column, Column(column, kind, value))

    def _refuse(self) -> None:
        """Say why there is no row: the first bad line, or nothing at all."""
        with labelled_stream(self._data(on_bad="stop"), several=None, ignore_importance=True) as s:
            for _ in s:
                pass
        raise SourceError(self.name, "there is not a single row in it. Give a file with rows")

    def _found(self, stream: LabelledStream, remarks: list[str]) -> ReadFile:
        batch = Batch.joined(self.kept)
        scheme = stream.stream.scheme
        width = 1 + int(np.max(batch.column, initial=0))
        look = Look(
            name=self.name,
            format=stream.stream.format,
            rows=self.rows,
            labels=f"{len(batch.classes):,} classes" if self.several else stream.labels,
            counts=dict(self.counts.most_common(MOST_LISTED)),
            positive=None if self.several or scheme is None else scheme.positive,
            features=width,
            columns=[*self.columns.values()][:MOST_LISTED],
            more_columns=max(0, len(self.columns) - MOST_LISTED),
            bad=self.bad[:MOST_LISTED],
            bad_lines=stream.stream.bad.count,
            remarks=remarks,
            cut=self.cut,
            command=" ".join(["thresher train", *self._words()]),
            several=self.several,
            learners=learners_for(len(batch.classes), width) if self.several else [*OF_TWO],
        )
        made = self._stream(stream, batch, width)
        return ReadFile(look, made, self.path, self.said, bytes_of(batch))

    def _words(self) -> list[str]:
        """The file and what was said about it, as the command line takes them."""
        words = [shlex.quote(self.name)]
        for key, value in self.said.items():
            if value not in (None, "", ()):
                text = ",".join(value) if isinstance(value, tuple | list) else str(value)
                option = {"ignored": "ignore"}.get(key, key.replace("_", "-"))
                words.append(f"--{option} {shlex.quote(text)}")
        return words

    def _stream(self, stream: LabelledStream, batch: Batch, width: int) -> LabStream:
        names = {column: name for name, column in self.table.vocabulary.items()}
        scheme = stream.stream.scheme
        positive = str(scheme.positive if scheme else "+1")
        others = [label for label in self.counts if label != positive]
        negative = others[0] if len(others) == 1 else f"not {positive}"
        return LabStream(
            text=f"file:{self.key}",
            title=self.name,
            batches=lambda: pieces(batch),
            n_features=width,
            name_of=lambda column: plain(names.get(column, column)),
            labels=("", "") if self.several else (plain(negative), plain(positive)),
            several=self.several,
            rows=len(batch),
            file=" ".join([*self._words(), *([] if not names else ["--vocabulary"])]),
            said=self.said,
            remark=stream.stream.format,
        )
