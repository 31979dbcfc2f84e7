"""Labelled rows for whoever looks at every one: batches, where they stand, and their names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from thresher.errors import ModelError, StreamFaultError
from thresher.models.events import Progressed, Understood, Warned
from thresher.models.opening import names_for_all, note_other_format, open_stream, scheme_of
from thresher.streams.label_scheme import LabelScheme

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from thresher.kernels.rows.named_rows import NameTable
    from thresher.learners.base.learner import Learner
    from thresher.models.input_data import InputData
    from thresher.models.model import Model
    from thresher.streams.batch import Batch
    from thresher.streams.chunk import Chunk
    from thresher.streams.reading import Stream


@dataclass(frozen=True, slots=True)
class Piece:
    """Some consecutive rows of a stream with their labels."""

    batch: Batch
    chunk: Chunk
    stream: Stream

    @property
    def several(self) -> bool:
        """Whether labels are the names of classes."""
        return self.stream.scheme is not None and self.stream.scheme.several

    def place(self, row: int) -> str:
        """File and line of a row."""
        return self.chunk.place(row)

    def names_in(self, row: int) -> dict[int, str]:
        """What the columns of a row are called in the file; those without a name are left out."""
        return dict(self.stream.names_in(self.chunk, row))

    def refuse_weights(self, *, learned: bool) -> None:
        """Complain about the first row that wants to count more or less than the others.

        A model that has `learned` the rows has done so with their weights, or without.
        """
        importance = self.chunk.importance
        if importance is None or (importance == 1.0).all():
            return
        row = int((importance != 1.0).argmax())
        fault = (
            f"{self.place(row)}: this row has importance {importance[row]:g}, and here every row "
            "counts once."
        )
        if learned:
            raise StreamFaultError(
                fault,
                "ignore_importance=True gives all the weight 1: right, if the model learned them "
                "so too.",
                code="fault.learned_weights",
            )
        raise StreamFaultError(
            fault, "ignore_importance=True gives all the weight 1.", code="fault.weighted"
        )

    def blaming_lines(
        self, rows: Sequence[int] | NDArray[np.int64] | None = None
    ) -> AbstractContextManager[None]:
        """Errors about a row, counted in `rows` or in all, name its file, line and feature."""
        return self.chunk.blaming_lines(rows, self.names_in)


class LabelledStream:
    """A stream, piece by piece; rows that do not all count alike are refused, or taken as if."""

    def __init__(
        self, stream: Stream, *, ignore_importance: bool = False, learned: bool = False
    ) -> None:
        self.stream = stream
        self.ignore_importance = ignore_importance
        #: Whether a model has learned it before.
        self.learned = learned

    @property
    def labels(self) -> str:
        """What labels mean, in words; with several classes, how many there are so far."""
        scheme, seen = self.stream.scheme, len(self.stream.label_names)
        more = f", {seen:,} so far" if scheme is not None and scheme.several else ""
        return f"{scheme}{more}"

    @property
    def _other_way(self) -> str | None:
        scheme = self.stream.scheme
        return scheme.negative if scheme is not None and scheme.in_order else None

    def __iter__(self) -> Iterator[Piece]:
        """The pieces that have rows, in order."""
        for chunk in self.stream.chunks():
            if len(chunk.rows):
                piece = Piece(self.stream.batch(chunk), chunk, self.stream)
                if not self.ignore_importance:
                    piece.refuse_weights(learned=self.learned)
                yield piece

    def events(self) -> Iterator[Piece | Understood | Progressed | Warned]:
        """The pieces, and between them what was found out about the stream, and how far it is."""
        rows, total_bytes = 0, self.stream.total_bytes
        for piece in self:
            if not rows:
                yield Understood(self.stream.format, self.labels, self._other_way)
            rows += len(piece.batch)
            yield Progressed(rows, piece.chunk.position, total_bytes)
            yield piece
        for remark in self.stream.bad.remarks():
            yield Warned(remark)


@contextmanager
def labelled_stream(
    data: InputData,
    learner: Learner | None = None,
    *,
    model: Model | None = None,
    names: NameTable | None = None,
    several: bool | None = False,
    ignore_importance: bool = False,
) -> Iterator[LabelledStream]:
    """Open the rows that the input data describe, for a learner, a model, or for anybody.

    Parameters
    ----------
    data
        What to read.
    learner
        Who is to see the rows; its names of features are used.
    model
        Instead of a learner: names, labels and how to read are as the model has them.
    names
        Instead of a learner: how names find their columns.
    several
        Whether there may be several classes; None: as the first rows show.
    ignore_importance
        Let rows with an importance other than 1 count as all others; without it they are refused.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from thresher.models.input_data import InputData
    >>> file = pathlib.Path(tempfile.mkdtemp(), "tiny.svm")
    >>> _ = file.write_text("1 0:1 7:1\\n0 3:1\\n")
    >>> with labelled_stream(InputData(paths=(str(file),))) as stream:
    ...     print([piece.batch for piece in stream], stream.labels)
    [Batch(2 rows, 3 values)] labels 0/1: 1 counts as +1
    """
    if model is not None:
        scheme = scheme_of(data, model.labels)
        recipe = data.recipe(model.recipe)
        stream = open_stream(data, model.name_table, recipe=recipe, scheme=scheme, add=False)
        note_other_format(model, data, stream)
    else:
        data = data.looked_at()
        if names is None:
            names = names_for_all(data) if learner is None else _names_of(learner)
        scheme = scheme_of(data, LabelScheme())
        if several is not False:
            scheme.allow_several(certain=several is True)
        stream = open_stream(data, names, scheme=scheme)
    with stream:
        yield LabelledStream(stream, ignore_importance=ignore_importance, learned=model is not None)


def _names_of(learner: Learner) -> NameTable:
    if learner.name_table is None:
        raise ModelError(f"{type(learner).__name__} takes no names of features.")
    return learner.name_table
