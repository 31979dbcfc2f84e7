"""Labels as they are written: which spellings are one label, and which labels are -1 and +1."""

from __future__ import annotations

import re
from math import isfinite

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BadLineError, LabelError

#: So many rows are looked at to find out what labels mean.
ROWS_TO_DECIDE = 1000
#: Or fewer, if they do not begin within so many bytes of the first.
BYTES_TO_DECIDE = 32 << 20
#: More labels than this are measurements, not classes.
MOST_LABELS = 1 << 16
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WHOLE = re.compile(r"([+-]?)0*([0-9]+)")
#: Pairs of labels that need no word: the second is +1.
_PAIRS = (("-1", "1"), ("0", "1"), ("1", "2"))


def one_spelling(label: str) -> str:
    """The spelling that stands for all those of a label.

    Numbers are one label if they are one double; but whole numbers written with digits alone are
    compared digit by digit. Every other text is itself.

    >>> [one_spelling(text) for text in ("+1", "01.0", "1e0", "-0", ".50", "1e400", "spam")]
    ['1', '1', '1', '0', '0.5', '1e400', 'spam']
    >>> one_spelling("9007199254740993"), one_spelling("9007199254740993.0")
    ('9007199254740993', '9007199254740992.0')
    """
    if not _NUMBER.fullmatch(label):
        return label
    value = float(label)
    if not isfinite(value):
        return label
    if whole := _WHOLE.fullmatch(label):
        sign, digits = whole[1], whole[2]
        return f"-{digits}" if sign == "-" and digits != "0" else digits
    return str(int(value)) if value == int(value) and abs(value) < 2**53 else repr(value)


def signs_of(
    number: NDArray[np.int32],
    names: tuple[str, ...],
    places: tuple[tuple[str, int], ...],
    positive: str | None,
    deciding: int | None = None,
) -> NDArray[np.int8]:
    """Labels, given by number, as -1 and +1.

    Parameters
    ----------
    number
        For each row, the place of its label in `names`.
    names
        The labels, in order of their first rows.
    places
        File and line of each label's first row, for messages.
    positive
        The label that counts as +1, every other one being -1. None: the labels of the first 1,000
        rows decide, or, if these have one label that is no number of a known pair, that one and
        the next other. -1/+1, 0/1 and 1/2 are known pairs; of two other labels the last in order
        is +1. No others may follow.
    deciding
        How many of the first rows may decide; None: all.
    """
    if positive is not None:
        wanted = one_spelling(positive)
        table = [1 if name == wanted else -1 for name in names]
    else:
        first = _first_labels(number[:deciding], names)
        negative, positive = _pair_of(first, names)
        table = []
        for name, (file, line) in zip(names, places, strict=True):
            if name not in (negative, positive):
                expected = f"the label {negative} or {positive}"
                raise BadLineError(
                    f"{file}:{line}: found the label {name}, expected {expected}.",
                    file=file,
                    line=line,
                )
            table.append(1 if name == positive else -1)
    return np.array([*table, 0], np.int8)[number]


def _first_labels(number: NDArray[np.int32], names: tuple[str, ...]) -> set[str]:
    """The labels that decide, out of those of the rows that may."""
    found = np.unique(number[:ROWS_TO_DECIDE]).tolist()
    if len(found) == 1 and not any(names[found[0]] in pair for pair in _PAIRS):
        found += number[number != found[0]][:1].tolist()
    return {names[k] for k in found}


def _place_in_order(label: str) -> tuple[int, float, str]:
    """Numbers come first, by value; then all other labels, character by character."""
    number = _NUMBER.fullmatch(label) is not None and isfinite(float(label))
    return (0, float(label), label) if number else (1, 0.0, label)


def _pair_of(first: set[str], names: tuple[str, ...]) -> tuple[str, str]:
    """The negative and the positive label, given those of the first rows and all labels."""
    if not first:
        return _PAIRS[0]
    if first == {"1"}:
        # The first other label says which pair it is; a 2 is too late then.
        other = next((name for name in names if name in ("-1", "0")), "-1")
        return other, "1"
    pair = next((pair for pair in _PAIRS if first <= {*pair}), None)
    if pair is None and len(first) == 2:
        below, above = sorted(first, key=_place_in_order)
        return below, above
    if pair is None:
        shown = ", ".join(sorted(first)[:5])
        raise LabelError(
            f"found the labels {shown}.",
            "Say which one counts as +1: positive=LABEL.",
            code="label.which",
        )
    return pair
