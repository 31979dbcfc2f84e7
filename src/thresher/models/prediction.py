"""Prediction: what a model says of rows without looking at their labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from thresher.models.input_data import InputData
from thresher.models.scoring import ScoredStream, scored
from thresher.streams.labels import Label, named

if TYPE_CHECKING:
    from thresher.models.model import Model
    from thresher.streams.bad_lines import BadLinePolicy


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """The predictions of some rows, in order.

    Examples
    --------
    >>> two = Prediction(
    ...     names=("ham", "spam"),
    ...     scores=np.array([1.5, -2.0]),
    ...     numbers=np.array([1, 0], np.int32),
    ...     bad_after=[1],
    ... )
    >>> two.labels.tolist(), two.with_gaps(two.labels, None).tolist()
    (['spam', 'ham'], ['spam', None, 'ham'])
    """

    #: What the classes are called in the data, by number.
    names: tuple[Label, ...]
    #: A column for each class; with two classes one number a row, large for the second class.
    scores: NDArray[np.float64]
    #: The class predicted for each row; -1 while the model knows none.
    numbers: NDArray[np.int32]
    #: A column for each class, if they were asked for.
    probabilities: NDArray[np.float64] | None = None
    #: After how many of the rows each bad line stood.
    bad_after: list[int]

    @classmethod
    def of(
        cls,
        model: Model,
        scores: NDArray[np.float64],
        *,
        probabilities: bool = False,
        bad_after: list[int] | None = None,
    ) -> Prediction:
        """What the scores of some rows say; no row is scored again."""
        learner = model.learner
        return cls(
            names=learner.classes if learner.several else model.label_names,
            scores=scores,
            numbers=learner.predicted_numbers(scores),
            probabilities=learner.probabilities_of(scores) if probabilities else None,
            bad_after=bad_after or [],
        )

    @property
    def labels(self) -> NDArray[Any]:
        """The label predicted for each row, as the data call it; None without classes."""
        return named(self.names, self.numbers)

    def best(self, k: int) -> NDArray[np.intp]:
        """The numbers of the `k` best classes of each row, best first; ties as in `numbers`."""
        if self.scores.ndim == 1:
            return np.stack((self.numbers, 1 - self.numbers), axis=1)[:, :k].astype(np.intp)
        return np.argsort(-self.scores, axis=1, kind="stable")[:, :k]

    def with_gaps(self, values: NDArray[Any], missing: Any) -> NDArray[Any]:
        """Values of the rows, and `missing` for each bad line, so that both stand in order."""
        return np.insert(values, self.bad_after, missing, axis=0) if self.bad_after else values


class Predictions:
    """The predictions for a stream, chunk by chunk, while it is read.

    Memory is bounded, however long the stream and however many the classes; each row is scored
    once. Labels in the data are not looked at and may be missing.

    Parameters
    ----------
    model
        Who predicts.
    data
        What to read.
    probabilities
        Whether probabilities are wanted, too; a learner that knows none is refused.
    """

    def __init__(self, model: Model, data: InputData, *, probabilities: bool = False) -> None:
        if probabilities:
            model.learner.require_probabilities()
        self._scored = ScoredStream(model, data, labels=False)
        self._probabilities = probabilities

    @property
    def bad(self) -> BadLinePolicy:
        """What happened to bad lines."""
        return self._scored.stream.bad

    def __iter__(self) -> Iterator[Prediction]:
        for chunk, scores in self._scored:
            yield Prediction.of(
                self._scored.model,
                scores,
                probabilities=self._probabilities,
                bad_after=np.searchsorted(chunk.line, [bad.line for bad in chunk.bad]).tolist(),
            )


def predict(model: Model, data: Any, **reading: Any) -> NDArray[Any]:
    """The label of each row, called as in the training data.

    Parameters
    ----------
    model
        Who predicts.
    data
        A file, a pattern or several of them, an `InputData`, or rows: anything that `learn` takes.
    reading
        How to read files, where it is not as in training: ``format="json"``, ``on_bad="skip"``;
        see `InputData.described`.

    Returns
    -------
    Labels in the order of the rows, as an array of objects; None for a bad line that was skipped.
    A model of a learner that was trained in a program, with -1 and +1, answers by these numbers.

    Examples
    --------
    >>> import thresher as th
    >>> learner = th.OneVersusRest(th.Perceptron(n_features=2))
    >>> _ = learner.learn([[1, 0], [0, 1], [1, 0]], ["law", "art", "law"])
    >>> predict(th.Model(learner=learner), [[0, 1], [1, 1]]).tolist()
    ['art', 'law']
    """
    signs = not (model.learner.several or model.labels.decided)
    parts = [
        part.with_gaps(named(model.learner.classes, part.numbers) if signs else part.labels, None)
        for part in _answers(model, data, reading, probabilities=False)
    ]
    return np.concatenate(parts) if parts else np.empty(0, object)


def predict_probabilities(model: Model, data: Any, **reading: Any) -> NDArray[np.float64]:
    """The probability of each class, a column, for each row; nan for a bad line that was skipped.

    The arguments are those of `predict`. Classes are in the order of their numbers; with two, the
    second one counts as +1.
    """
    parts = []
    for part in _answers(model, data, reading, probabilities=True):
        assert part.probabilities is not None
        parts.append(part.with_gaps(part.probabilities, np.nan))
    n_classes = len(model.learner.classes)
    return np.concatenate(parts) if parts else np.empty((0, n_classes))


def _answers(
    model: Model, data: Any, reading: dict[str, Any], *, probabilities: bool
) -> Iterator[Prediction]:
    """The predictions for data in any form."""
    if (files := InputData.of_paths(data, **reading)) is not None:
        yield from Predictions(model, files, probabilities=probabilities)
        return
    if probabilities:
        model.learner.require_probabilities()
    rows = model.rows(data)
    for _, scores in scored(model.learner, rows):
        yield Prediction.of(model, scores, probabilities=probabilities)
