"""Labels: -1/+1 inside, 0/1 and others where they come in; and the names of several classes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import LabelError

#: What a class is called.
Label = str | int
#: The classes of whoever tells two apart: a sign is its own name.
SIGNS: tuple[Label, ...] = (-1, 1)


def named(classes: tuple[Label, ...] | list[Label], number: NDArray[Any]) -> NDArray[Any]:
    """The labels behind numbers of classes; None for -1.

    >>> named(("ham", "spam"), np.array([1, 0, -1])).tolist()
    ['spam', 'ham', None]
    """
    table = np.empty(len(classes) + 1, object)
    table[:-1] = classes
    found: NDArray[Any] = table[number]
    return found


def as_labels(y: Any, n_rows: int, positive: object = None) -> NDArray[np.int8]:
    """Labels as -1/+1.

    Without `positive`, -1 and 0 mean -1 and 1 means +1, whatever else is in the batch, so
    that a stream cut into batches keeps its meaning; a batch with both -1 and 0 is refused.

    >>> as_labels([0, 1, 1], 3).tolist()
    [-1, 1, 1]
    >>> as_labels(["no", "yes"], 2, positive="yes").tolist()
    [-1, 1]
    >>> as_labels([1, 2], 2)
    Traceback (most recent call last):
    thresher.errors.LabelError: row 1: found label 2, but labels must be -1/+1 or 0/1. \
Name the label that counts as +1: Batch.of(X, y, positive=2).
    """
    if isinstance(y, np.ma.MaskedArray):
        raise LabelError("found masked labels: leave their rows out.", "y[~y.mask] is the others.")
    labels = np.asarray(list(y) if isinstance(y, Iterator) else y)
    if labels.ndim != 1:
        raise LabelError(f"labels are a list of 1 dimension, found {labels.ndim}.")
    if len(labels) != n_rows:
        raise LabelError(f"found {len(labels)} labels for {n_rows} rows; give one label per row.")
    if positive is not None:
        return _by_name(labels, positive)
    if labels.dtype == np.int8 and not np.any((labels != 1) & (labels != -1)):
        return np.ascontiguousarray(labels)
    up = np.asarray(labels == 1)
    down = np.asarray(labels == -1)
    zero = np.asarray(labels == 0)
    odd = np.flatnonzero(~(up | down | zero)) if up.ndim else np.arange(len(labels))
    if len(odd):
        found = labels[odd[0]].item() if labels.dtype != object else labels[odd[0]]
        raise LabelError(
            f"row {odd[0]}: found label {found!r}, but labels must be -1/+1 or 0/1. "
            f"Name the label that counts as +1: Batch.of(X, y, positive={found!r})."
        )
    if np.any(down) and np.any(zero):
        raise LabelError(
            f"row {np.flatnonzero(zero)[0]}: found label 0, but row {np.flatnonzero(down)[0]} has "
            "-1. Labels are either -1/+1 or 0/1."
        )
    return np.where(up, 1, -1).astype(np.int8)


def _by_name(labels: NDArray[Any], positive: object) -> NDArray[np.int8]:
    up = np.asarray(labels == positive)
    if up.ndim == 0:
        up = np.zeros(len(labels), bool)
    others = {*labels[~up].tolist()}
    if len(others) > 1:
        shown = ", ".join(repr(label) for label in sorted(others, key=repr)[:5])
        raise LabelError(
            f"two labels are expected, {positive!r} and one other, found {len(others)} others: "
            f"{shown}."
        )
    return np.where(up, 1, -1).astype(np.int8)
