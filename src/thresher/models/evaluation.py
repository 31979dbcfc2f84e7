"""Evaluation: a model's predictions held against the labels of data it has not learned from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import LabelError, SourceError
from thresher.models.events import Progressed, Warned
from thresher.models.input_data import InputData
from thresher.models.opening import scheme_of
from thresher.models.scorecard import Scorecard
from thresher.models.scoring import ScoredStream, scored
from thresher.streams.batch import Batch
from thresher.streams.label_scheme import LabelScheme, canonical

if TYPE_CHECKING:
    from thresher.models.model import Model
    from thresher.models.run_record import RunRecord
    from thresher.streams.reading import Stream


class Evaluation:
    """A test of a model on a stream: whoever goes through it gets events, and then has the card.

    Memory is bounded, however long the stream and however many the classes; each row is scored
    once, and nothing is learned.

    Parameters
    ----------
    model
        Whose predictions are tested.
    data
        Rows with labels.
    window
        How many last rows to tell the error of, too; None: none.
    record
        Who takes note of every row, for a report.
    """

    def __init__(
        self,
        model: Model,
        data: InputData,
        window: int | None = None,
        record: RunRecord | None = None,
    ) -> None:
        self.model, self.data, self.record = model, data, record
        self.card = Scorecard.of(model, window)
        self._scored = ScoredStream(model, data, labels=True)

    @property
    def stream(self) -> Stream:
        """What is read, as the model reads it."""
        return self._scored.stream

    def __iter__(self) -> Iterator[Progressed | Warned]:
        stream, learner = self._scored.stream, self.model.learner
        assert stream.scheme is not None
        rows, total_bytes = 0, stream.total_bytes
        for chunk, scores in self._scored:
            given = numbers_on_card(self.card, stream.scheme, stream.label_names, chunk.label)
            said = learner.predicted_numbers(scores)
            self.card.add(scores, said, given)
            if self.record is not None:
                self.record.tested(learner, scores, (given, said), chunk)
            rows += len(scores)
            yield Progressed(rows, chunk.position, total_bytes)
        for remark in stream.bad.remarks():
            yield Warned(remark)
        if not rows:
            raise SourceError(self.data.named, "there is not a single row to test on")


def evaluate(
    model: Model,
    data: Any,
    y: Any = None,
    *,
    window: int | None = None,
    on_event: Callable[[Progressed | Warned], object] | None = None,
    **reading: Any,
) -> Scorecard:
    """How well a model predicts the labels of data.

    Parameters
    ----------
    model
        Whose predictions are tested. It learns nothing.
    data
        A file, a pattern or several of them, an `InputData`, or rows: anything that `learn` takes.
    y
        The labels of rows, called as in the training data, unless `data` is a `Batch`.
    window
        How many last rows to tell the error of, too (`Scorecard.window`).
    on_event
        Called with what happens while files are read.
    reading
        How to read files, where it is not as in training: ``format="json"``, ``on_bad="skip"``;
        see `InputData.described`.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.OneVersusRest(th.Perceptron(n_features=2))
    >>> _ = learner.learn([[1, 0], [0, 1], [1, 0]], ["law", "art", "law"])
    >>> card = evaluate(th.Model(learner=learner), [[0, 1], [1, 1], [1, 0]], ["art", "art", "tax"])
    >>> card.error, card.unseen
    (0.6666666666666666, ['tax'])
    >>> card.confusion
    {('art', 'law'): 1, ('art', 'art'): 1, ('tax', 'law'): 1}
    """
    if (files := InputData.of_paths(data, **reading)) is not None:
        evaluation = Evaluation(model, files, window)
        for event in evaluation:
            if on_event is not None:
                on_event(event)
        return evaluation.card
    rows = model.rows(data)
    card = Scorecard.of(model, window)
    given = _given(model, card, data, y, len(rows))
    for part, scores in scored(model.learner, rows):
        card.add(scores, model.learner.predicted_numbers(scores), given[part])
    return card


def numbers_on_card(
    card: Scorecard, scheme: LabelScheme, names: Sequence[str], label: NDArray[Any]
) -> NDArray[np.int64]:
    """The labels of rows, which count in `names`, by their numbers on the card.

    Only the labels that occur are looked up, each once.
    """
    table: NDArray[np.int64] = np.empty(len(names), np.int64)
    for number in np.flatnonzero(np.bincount(label)).tolist():
        name = names[number]
        if scheme.several:
            table[number] = card.number_of(name)
        elif (sign := scheme.sign(name)) is None:
            row = int(np.argmax(label == number))
            raise LabelError(f"row {row}: found the label {name}, expected {scheme.expected()}.")
        else:
            table[number] = sign > 0
    return np.take(table, label)


def _given(model: Model, card: Scorecard, X: Any, y: Any, n_rows: int) -> NDArray[np.int64]:
    """The labels of rows in memory, by their numbers on the card."""
    if y is None and isinstance(X, Batch):
        if X.signed and not model.learner.several:
            return X.number.astype(np.int64)
        y = X.labels
    if y is None:
        raise LabelError("rows without labels are nothing to test on; give y, a label per row.")
    listed = [_name(label) for label in y]
    if len(listed) != n_rows:
        raise LabelError(f"found {len(listed)} labels for {n_rows} rows; give one label per row.")
    scheme = scheme_of(InputData(paths=()), model.labels)
    if model.learner.several:
        scheme.allow_several(certain=True)
    scheme.decide(Counter(listed))
    names = list(dict.fromkeys(listed))
    number = {name: r for r, name in enumerate(names)}
    return numbers_on_card(
        card, scheme, names, np.array([number[name] for name in listed], np.intp)
    )


def _name(label: object) -> str:
    """What a label of a program would be called in a file."""
    return canonical(str(int(label) if isinstance(label, bool | np.bool_) else label))
