"""How a feature's name finds its weight: hashed, or kept exactly in a vocabulary."""

from __future__ import annotations

from thresher.errors import ParameterError
from thresher.kernels.rows.named_rows import NameTable
from thresher.records import record


@record
class Hashed:
    """Names are hashed (MurmurHash3-32 of the UTF-8 bytes) into the learner's columns.

    Memory is fixed and no name is stored; two names may share a column. In one row they
    are then added up, or, for learners with bounded features, the stronger one counts.
    """

    seed: int = 0


@record
class Vocabulary:
    """Names are kept exactly; each new one gets the next free column."""


def name_table(
    owner: str, names: Hashed | Vocabulary | None, n_features: int | None, *, bounded: bool
) -> NameTable:
    """The table behind a learner's `names` parameter.

    The default is hashing where the number of features is known, a vocabulary otherwise.
    """
    if names is None:
        names = Vocabulary() if n_features is None else Hashed()
    if isinstance(names, Vocabulary):
        return NameTable(n_features, False, 0, bounded)
    if not isinstance(names, Hashed):
        raise ParameterError(owner, "names", "th.Hashed(seed) or th.Vocabulary()", names)
    if n_features is None:
        raise ParameterError(
            owner,
            "names",
            "th.Vocabulary() while n_features is None",
            names,
            "Hashing needs a number of columns: n_features=2**18.",
        )
    if not 0 <= names.seed < 2**32:
        raise ParameterError(owner, "the seed of Hashed", "from 0 to 2**32 - 1", names.seed)
    return NameTable(n_features, True, names.seed, bounded)
