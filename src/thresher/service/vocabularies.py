"""Vocabularies that grow with a stream: how large they may become, and what is refused then."""

from __future__ import annotations

from thresher.errors import ServiceError
from thresher.kernels.rows.named_rows import NameTable

#: Names that a vocabulary may have, and bytes of one.
MOST_NAMES, LONGEST_NAME = 1 << 20, 1_000


def require_room(table: NameTable, new: NameTable) -> None:
    """Refuse rows for whose names a vocabulary has no room.

    What is on its way to the log is not counted: a vocabulary may pass the bound by what fits into
    the requests that wait.

    Parameters
    ----------
    table
        The vocabulary, which stays as it is.
    new
        All names of the rows.
    """
    for name in new.vocabulary:
        if len(name) > LONGEST_NAME:
            raise _no_room(
                f"found a name of {len(name)} characters, and a vocabulary keeps names of at most "
                f"{LONGEST_NAME}."
            )
    unknown = sum(name not in table.vocabulary for name in new.vocabulary)
    most = MOST_NAMES if table.growing else min(MOST_NAMES, table.n_features)
    if len(table.vocabulary) + unknown > most:
        raise _no_room(
            f"with the {unknown} new names of this request the vocabulary would have "
            f"{len(table.vocabulary) + unknown}, and it has at most {most}."
        )


def require_short(table: NameTable) -> None:
    """Refuse a vocabulary that is too large already."""
    if len(table.vocabulary) > MOST_NAMES or (table.growing and table.n_features > MOST_NAMES):
        raise _no_room(
            f"the vocabulary has {len(table.vocabulary)} names, and a service takes {MOST_NAMES}."
        )


def _no_room(what: str) -> ServiceError:
    return ServiceError(
        what,
        "Rows of known names are learned and predicted all the same. Hashed names have no bound: "
        "make a model without a vocabulary, and let it learn from `thresher store export`.",
        code="service.vocabulary",
    )
