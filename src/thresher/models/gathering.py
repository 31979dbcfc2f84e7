"""A whole stream in memory, for whoever must look at all of it at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from thresher.errors import NotCertifiableError
from thresher.models.multiclass import ClassNames
from thresher.streams.batch import Batch

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.models.arrangement import Arrangement
    from thresher.models.labelled import Piece

#: Rows and values of the longest stream that is certified: all of it is held in memory, some
#: forty bytes a value, and looked at in exact arithmetic.
MOST_ROWS, MOST_VALUES = 20_000_000, 200_000_000


def gathered(pieces: Iterable[Piece]) -> Batch:
    """The rows of all pieces in one batch; a stream too long is refused."""
    kept: list[Batch] = []
    rows = values = 0
    for piece in pieces:
        batch = piece.batch
        rows, values = rows + len(batch), values + len(batch.column)
        if rows > MOST_ROWS or values > MOST_VALUES:
            raise NotCertifiableError(
                f"the stream is too long to be certified: more than {MOST_ROWS:,} rows or "
                f"{MOST_VALUES:,} values, all of which are held in memory and looked at in exact "
                "arithmetic.",
                "Certify a part of it, or the journal of a trained model with a claim.",
            )
        kept.append(batch)
    return Batch.joined(kept)


def learned_from(
    pieces: Iterable[Piece], plan: Arrangement, learner: Learner, holdout: int | None = None
) -> tuple[Learner, Batch]:
    """A learner after it has learned all pieces, and their rows.

    Parameters
    ----------
    pieces
        The stream.
    plan, learner
        What was chosen, and the learner whose names the stream is read with. If the rows turn out
        to have several classes, the plan says who learns instead.
    holdout
        Rows whose number, counted from 1, this divides are not learned.
    """
    seen = 0
    kept: list[Piece] = []
    rename = ClassNames(learner)
    for piece in pieces:
        if not seen:
            scheme = piece.stream.scheme
            assert scheme is not None
            if scheme.several and learner.name_table is None:
                raise NotCertifiableError(f"{learner.name} tells two classes apart, not several.")
            learner = plan.settled(learner, scheme)
            rename = ClassNames(learner)
        number = seen + 1 + np.arange(len(piece.batch))
        rows = np.flatnonzero(number % holdout != 0) if holdout else number - seen - 1
        seen += len(piece.batch)
        with piece.blaming_lines(rows):
            learner.learn(rename(piece.batch.taken(rows) if holdout else piece.batch))
        kept.append(piece)
    return learner, gathered(kept)
