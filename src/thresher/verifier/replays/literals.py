"""Rows over literals: a column for every variable, and one for its negation or its opposite."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from thresher.errors import CertificateError, NotCertifiableError
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replays.playing import Parameters

#: What a learner makes of further rows: see `Replay.leans`.
Leans: TypeAlias = Callable[[LabelledRows], NDArray[np.float64]]

#: The most literals that are written out at once, 32 bytes each on the way: for every value and
#: row of the stream, so that few rows do not ask for much room, and in any case.
PER_VALUE, SOME_LITERALS, MOST_LITERALS = 64, 2**23, 2**25


def spelled_out(stream: LabelledRows, n: int) -> LabelledRows:
    """Rows over 2n literals: column i where variable i is on, n + i where it is off.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> spelled_out(read_rows([[1, 0, 1]], [1]), 3).column.tolist()
    [0, 2, 4]
    """
    in_proportion = SOME_LITERALS + PER_VALUE * (len(stream) + len(stream.value))
    most = min(MOST_LITERALS, in_proportion)
    if len(stream) * n > most:
        raise NotCertifiableError(
            f"{len(stream)} rows spelled out over {n} variables and their negations are "
            f"{len(stream) * n} values; a check holds at most {most}.",
            "Leave out the features that are never on, or take fewer rows.",
        )
    # All negations, then those that are on in the place of theirs; in order they come first.
    column = np.tile(np.arange(n, dtype=np.int32), (len(stream), 1))
    column += n
    column[stream.row, stream.column] -= n
    column.sort(axis=1)
    column = column.reshape(-1)
    start = np.arange(len(stream) + 1, dtype=np.int64) * n
    return LabelledRows(start, column, np.ones(len(column)), stream.label)


def with_opposites(stream: LabelledRows, n: int) -> LabelledRows:
    """Rows over 2n features: x in the first n columns, -x in the others.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> found = with_opposites(read_rows([[0.5, 0, -1]], [1]), 3)
    >>> found.column.tolist(), found.value.tolist()
    ([0, 2, 3, 5], [0.5, -1.0, -0.5, 1.0])
    """
    if stream.width + n > 2**31:
        raise NotCertifiableError(f"{n} features and their opposites are more than there can be.")
    row = np.concatenate((stream.row, stream.row))
    # Stable: within a row the features come first, then their opposites.
    order = np.argsort(row, kind="stable")
    column = np.concatenate((stream.column, stream.column + n)).astype(np.int32)
    value = np.concatenate((stream.value, -stream.value))
    return LabelledRows(2 * stream.row_start, column[order], value[order], stream.label)


def as_kept(stream: LabelledRows, parameters: Parameters) -> LabelledRows:
    """The rows as the journal keeps them: over the literals where the learner learns those."""
    if not parameters.get("literals", False):
        return stream
    return spelled_out(stream, parameters["n_features"])


def as_kept_with_opposites(stream: LabelledRows, parameters: Parameters) -> LabelledRows:
    """The same for learners to whom a literal is a feature or its opposite."""
    if not parameters.get("literals", False):
        return stream
    return with_opposites(stream, parameters["n_features"])


def as_seen(stream: LabelledRows, parameters: Parameters) -> LabelledRows:
    """The rows of a journal as the learner saw them: the variables that are on."""
    if not parameters.get("literals", False):
        return stream
    on = stream.column < parameters["n_features"]
    counts = np.bincount(stream.row[on], minlength=len(stream))
    start = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return replace(stream, row_start=start, column=stream.column[on], value=stream.value[on])


def over_literals(
    leans: Leans | None,
    parameters: Parameters,
    spell: Callable[[LabelledRows, Parameters], LabelledRows],
) -> Leans | None:
    """The same about rows that are still to be spelled out."""
    return None if leans is None else lambda rows: leans(spell(rows, parameters))


def columns_of(parameters: Parameters) -> int:
    """How many columns the rows have that the learner works with."""
    return int(parameters["n_features"]) * (2 if parameters.get("literals", False) else 1)


def as_features(parameters: Parameters) -> Parameters:
    """The parameters of the same learner on rows in which literals are features."""
    return {**parameters, "n_features": columns_of(parameters), "literals": False}


def check_literals(parameters: Parameters, path: str) -> None:
    """Refuse rows that are scaled and spelled out: no learner has both."""
    if parameters.get("literals", False) and parameters.get("scaling") is not None:
        raise CertificateError.must_be(
            f"{path}.scaling", "null with literals", parameters["scaling"]
        )


def active_and_left(stream: LabelledRows, removed_in: NDArray[np.int64]) -> NDArray[np.float64]:
    """How many features of each row were left when it came, given the round each was removed in.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> active_and_left(read_rows([[1, 1]] * 3, [1] * 3), np.array([3, 1])).tolist()
    [2.0, 2.0, 1.0]
    """
    left = removed_in[stream.column] >= stream.row
    return np.bincount(stream.row, left, len(stream)).astype(np.float64)
