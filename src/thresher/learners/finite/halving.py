"""Halving: the majority vote of all concepts that were never wrong."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher.concepts import ENUMERATION_LIMIT, as_concept_class
from thresher.learners.base.journal import DEFAULT_BYTES
from thresher.learners.finite.version_space import VersionSpaceLearner
from thresher.parameters import checked_count
from thresher.proofs import Audit, AuditedRun, audit_run


class Halving(VersionSpaceLearner):
    r"""The Halving algorithm (Barzdins and Freivalds 1972, Angluin 1988, Littlestone 1988).

    With :math:`V_1 = C` a finite class, in round t the learner sees :math:`x_t`, predicts

    .. math:: \hat y_t = +1 \iff |\{f \in V_t : f(x_t) = +1\}| \ge \tfrac12 |V_t|,

    receives :math:`y_t`, and keeps :math:`V_{t+1} = \{f \in V_t : f(x_t) = y_t\}`. The version
    space shrinks in every round in which some concept was wrong, not only in mistaken rounds.

    The score is the number of votes for +1 minus the number against: a whole number, compared with
    0; a tie predicts +1. If no concept agrees with all labels, `realisable` is False,
    `emptied_in_round` says since when, and from then on the learner predicts +1 with score 0.

    **Theorem.** On labels given by a concept of C, Halving makes at most
    :math:`\lfloor \log_2 |C| \rfloor` mistakes.

    **Proof idea.** In a mistaken round at least half of V was wrong and is removed, so after
    M mistakes :math:`1 \le |V| \le |C|\, 2^{-M}`.

    **Cost.** Every round evaluates every remaining concept, at :math:`|V|` times the cost of a
    concept, and removes those that disagree with the label, after right rounds too. The learner
    stores a few bytes per remaining concept.

    Parameters
    ----------
    concepts
        A class from :mod:`thresher.concepts`; or a matrix of bits, one row per concept and
        :math:`2^n` columns (see :class:`~thresher.concepts.TruthTable`); or functions of a
        tuple of 0s and 1s (see :class:`~thresher.concepts.ListedConcepts`).
    n_variables
        Number of features; needed only for a list of functions.
    limit
        The largest number of concepts to hold in memory, a few bytes each.
    journal_bytes
        The most memory the journal may take.

    Examples
    --------
    The 8 disjunctions of 3 variables; the hidden one is x1. In the first round 6 of 8 say +1
    and the label is -1, which leaves "never" and "x1".

    >>> from thresher.concepts import Disjunctions
    >>> learner = Halving(Disjunctions(3))
    >>> rounds = learner.learn([{0: 1, 2: 1}, {1: 1}, {1: 1, 2: 1}], [-1, +1, +1])
    >>> rounds.scores.tolist(), rounds.predictions.tolist()
    ([4.0, 0.0, 1.0], [1, 1, 1])
    >>> rounds.version_space.tolist(), rounds.survivors.tolist()
    ([8, 2, 1], [2, 1, 1])
    >>> learner.mistakes, [concept.name for concept in learner.consistent()]
    (1, ['x1'])
    """

    name: ClassVar[str] = "halving"

    def __init__(
        self,
        concepts: Any,
        n_variables: int | None = None,
        *,
        limit: int = ENUMERATION_LIMIT,
        journal_bytes: int = DEFAULT_BYTES,
    ) -> None:
        found = as_concept_class(concepts, n_variables)
        super().__init__(
            found, found.codes(checked_count("Halving", "limit", limit, 1)), journal_bytes
        )

    def _sides(self, codes: NDArray[Any], says: NDArray[np.bool_]) -> tuple[int, int]:
        votes_for = int(np.count_nonzero(says))
        return votes_for, len(says) - votes_for

    def audit(self, X: Any = None, y: Any = None, *, comparator: bool | None = None) -> Audit:
        """Follow the version space through the journal; nothing changes.

        Parameters
        ----------
        X, y
            A stream, as for `learn`: a new learner over the same class is run over it and
            audited. Without it, the journal of this one.
        comparator
            True declares that a concept of the class gives the labels.

        Examples
        --------
        >>> from thresher.concepts import Disjunctions
        >>> audit = Halving(Disjunctions(3)).audit([{0: 1, 2: 1}, {1: 1}], [-1, +1])
        >>> audit.table["version_space"].tolist(), audit.table["most_concepts"].tolist()
        ([2, 1], [Fraction(4, 1), Fraction(4, 1)])
        """
        if X is not None:
            fresh = type(self)(
                self.concepts, limit=self.concepts.size, journal_bytes=self.journal_bytes
            )
            scores = fresh.learn(X, y).scores[fresh.journal.round_number]
            return fresh._audit(comparator, scores)
        return self._audit(comparator, None)

    def _audit(self, comparator: bool | None, scores: NDArray[np.float64] | None) -> Audit:
        counted = (self.false_negatives, self.false_positives)
        n = self.concepts.n_variables
        parameters = {"concepts": self.concepts}
        run = AuditedRun("halving", n, self.journal, parameters, counted=counted, scores=scores)
        return audit_run(run, comparator)
