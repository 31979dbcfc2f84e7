"""Theorems about learners with several classes, by Kesler's construction.

A comparator has weights for every class: column ``r * block + i`` of the witness is the weight of
feature i for class r, in the learner's order of classes. A block is as wide as the stream, and
one wider where there is a constant feature, which comes last. In a round with label y and its
worst rival r, u.z = u_y.x - u_r.x for the row z that has x in block y and -x in block r: these
rows, all labelled +1, are a stream of two classes, with margins and losses as there.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from thresher.theory import (
    MistakeBound,
    MulticlassHinge,
    MulticlassNormalizedWinnowHinge,
    MulticlassNovikoff,
    MulticlassSignedWinnowHinge,
)
from thresher.verifier.measures.margins import Margins
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.class_order import ClassOrder
from thresher.verifier.replays.multiclass_winnow import step_of
from thresher.verifier.replays.playing import UNIT
from thresher.verifier.witness import Comparator, Witness

#: Weights of a comparator, and scores of all rounds: more are not measured.
MOST_NUMBERS = 2**25


class Blocks:
    """The rounds of a run as rows of two blocks each, against the worst rival of a comparator."""

    def __init__(self, run: ReplayedRun, comparator: Comparator) -> None:
        self.run, self.comparator = run, comparator
        self.order = ClassOrder.of(run.stream, run.parameters)
        self.n_classes = len(self.order.classes)
        self.width = run.stream.width + run.bias

    @property
    def measurable(self) -> bool:
        """Whether there are features and rivals, and room for what is computed."""
        size = self.n_classes * max(self.width, len(self.run.stream))
        if self.n_classes < 2 or not self.width or size > MOST_NUMBERS:
            return False
        return self.comparator.fits(self.n_classes * self.width)

    def margins(self) -> Margins:
        """The leads of the label over its worst rival, in every round."""
        rows = block_rows(self.run.stream, self.order.label, self.rivals(), self.run.bias)
        return Margins(rows, self.comparator)

    def rivals(self) -> NDArray[np.int32]:
        """The class other than the label that the comparator scores highest, the first of them."""
        stream, label = self.run.stream, self.order.label
        u = self.comparator.dense(self.n_classes * self.width).reshape(self.n_classes, self.width)
        rounds = np.arange(len(stream))
        scores, size = self._scores(u), np.zeros(len(stream))
        for line in np.abs(u):
            own = np.bincount(stream.row, line[stream.column] * np.abs(stream.value), len(stream))
            size = np.maximum(size, own + (line[-1] if self.run.bias else 0.0))
        scores[label, rounds] = -np.inf
        rival: NDArray[np.int32] = np.argmax(scores, axis=0).astype(np.int32)
        k = stream.binary_places
        if k is not None and float(np.max(size, initial=0.0)) * 2.0**k < 2.0**52:
            return rival
        # Where scores are nearer to the largest than rounding allows to tell, look closely.
        error = size * (np.diff(stream.row_start) + 4.0) * UNIT + 1e-290
        near = scores >= scores[rival, rounds] - 2 * error
        for t in np.flatnonzero(near.sum(axis=0) > 1).tolist():
            rival[t] = max(np.flatnonzero(near[:, t]).tolist(), key=lambda r: self._exact(u, r, t))
        return rival

    def _scores(self, u: NDArray[np.float64]) -> NDArray[np.float64]:
        stream = self.run.stream
        found = np.empty((self.n_classes, len(stream)))
        for line, own in zip(u, found, strict=True):
            own[:] = np.bincount(stream.row, line[stream.column] * stream.value, len(stream))
            own += line[-1] if self.run.bias else 0.0
        return found

    def _exact(self, u: NDArray[np.float64], r: int, t: int) -> Fraction:
        """u_r.x in one round; `max` takes the first of equals."""
        inside = self.run.stream.inside(t, t + 1)
        pairs = zip(
            u[r, self.run.stream.column[inside]].tolist(),
            self.run.stream.value[inside].tolist(),
            strict=True,
        )
        constant = Fraction(u[r, -1]) if self.run.bias else Fraction(0)
        return sum((Fraction(w) * Fraction(x) for w, x in pairs), constant)

    def errors(self) -> int:
        """In how many rounds the comparator itself predicts another class, the first of equals."""
        rival = self.rivals()
        margins = Margins(
            block_rows(self.run.stream, self.order.label, rival, self.run.bias), self.comparator
        )
        wrong = margins.below(lambda _: Fraction(0))
        open_ = np.flatnonzero(~wrong & (rival < self.order.label))
        ties = open_[np.abs(margins.approximate[open_]) <= margins.error[open_]].tolist()
        return int(np.count_nonzero(wrong)) + sum(margins.at(t) == 0 for t in ties)


def block_rows(
    stream: LabelledRows, label: NDArray[np.int32], rival: NDArray[np.int32], bias: bool
) -> LabelledRows:
    """+x in the block of the label and -x in that of the rival, for every row.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[5, 7]], ["b"], ["a", "b"])
    >>> rows = block_rows(stream, np.array([1], np.int32), np.array([0], np.int32), True)
    >>> rows.column.tolist(), rows.value.tolist()
    ([0, 1, 2, 3, 4, 5], [-5.0, -7.0, -1.0, 5.0, 7.0, 1.0])
    """
    n, width = len(stream), stream.width + bias
    length = np.diff(stream.row_start)
    row, column, value = stream.row, stream.column.astype(np.int64), stream.value
    if bias:
        end = stream.row_start[1:]
        row = np.insert(row, end, np.arange(n))
        column, value = np.insert(column, end, width - 1), np.insert(value, end, 1.0)
        length = length + 1
    first, second = np.minimum(label, rival), np.maximum(label, rival)
    start = np.concatenate(([0], np.cumsum(2 * length)))
    own = np.arange(len(row)) - np.repeat(start[:-1] // 2, length)
    columns, values = np.empty(2 * len(row), np.int64), np.empty(2 * len(row))
    for half, block in ((0, first), (1, second)):
        at = start[row] + half * length[row] + own
        columns[at] = block[row].astype(np.int64) * width + column
        values[at] = np.where(block == label, 1.0, -1.0)[row] * value
    return LabelledRows(start, columns.astype(np.int32), values, np.ones(n, np.int8))


def idle_mistakes(run: ReplayedRun) -> int:
    """Mistakes that left all weights as they were."""
    return int(run.replay.facts["idle_mistakes"][0])


def multiclass_perceptron_bounds(run: ReplayedRun, witness: Witness) -> Iterator[MistakeBound]:
    """The margin of a separator, or the losses at a level."""
    blocks = Blocks(run, witness.comparator)
    if not blocks.measurable:
        return
    margins, idle = blocks.margins(), idle_mistakes(run)
    radius_squared = max(run.mistake_norms, default=Fraction(0))
    size = witness.comparator.norm_squared
    level = margins.smallest() if witness.level is None else witness.level
    if level is None or level <= 0:
        return
    if witness.level is None and not idle:
        yield MulticlassNovikoff(radius_squared, size, level)
        return
    yield MulticlassHinge(radius_squared, size, level, margins.hinge_loss(level), idle)


def multiclass_winnow_bounds(
    run: ReplayedRun, witness: Witness, *, signed: bool
) -> Iterator[MistakeBound]:
    """The same for exponentiated learners, with the step that they had."""
    u, blocks = witness.comparator, Blocks(run, witness.comparator)
    if not blocks.measurable or (min(u.numerators, default=0) < 0 and not signed):
        return
    margins = blocks.margins()
    level = margins.smallest() if witness.level is None else witness.level
    if level is None or level <= 0:
        return
    theorem = MulticlassSignedWinnowHinge if signed else MulticlassNormalizedWinnowHinge
    yield theorem(
        n_features=max(run.features, run.stream.width, 1),
        classes=blocks.n_classes,
        margin=level,
        radius=run.mistake_radius if run.mistakes else Fraction(1),
        comparator_norm=u.norm_1,
        comparator=tuple(map(abs, u.weights)),
        eta=Fraction(step_of(run.parameters)),
        loss=margins.hinge_loss(level),
        idle=idle_mistakes(run),
    )


def errors_over_classes(run: ReplayedRun, witness: Witness) -> int | None:
    """In how many rounds the comparator of all classes is wrong."""
    blocks = Blocks(run, witness.comparator)
    return blocks.errors() if blocks.measurable else None
