"""Shown: what a learner looks like in a notebook, and what its proof follows."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from thresher.errors import AuditError

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner
    from thresher.pictures import Svg
    from thresher.proofs import Audit, Potential


class Shown:
    """How a learner shows itself; pictures and proofs are imported when somebody looks."""

    @property
    def plain_name(self) -> str:
        """What it is, in a word or three.

        >>> import thresher as th
        >>> th.OneVersusRest(th.Calibrated(th.AROW(n_features=4))).plain_name
        'calibrated arow for each class'
        """
        learner = cast("Learner", self)
        each = learner.each_class
        return learner.name if each is None else f"{each.plain_name} for each class"

    def own_audit(self, comparator: Any = None) -> Audit | None:
        """The audit of its journal, where a potential is known; None otherwise."""
        learner = cast("Learner", self)
        audited: Any = learner.uncalibrated
        proofs = import_module("thresher.proofs.envelope")
        if learner.several or audited.name not in proofs.COLUMNS:
            return None
        try:
            audit: Audit = audited.audit(comparator=comparator)
        except AuditError:
            # It is a variation of which no proof is known.
            return None
        return audit

    def proof_course(self) -> Potential | None:
        """What the proof behind it follows, update by update; None where nobody knows.

        >>> import thresher as th
        >>> learner = th.Winnow(n_features=4)
        >>> _ = learner.learn([[1, 1, 0, 0], [0, 1, 1, 1]], [+1, -1])
        >>> found = learner.proof_course()
        >>> found.name, found.after(1), found.after(2)
        ('sum of the weights', (Fraction(6, 1), Fraction(8, 1)), (Fraction(4, 1), Fraction(6, 1)))
        """
        audit = self.own_audit()
        if audit is None:
            return None
        found: Potential | None = import_module("thresher.proofs.envelope").potential_of(audit)
        return found

    def plot(self) -> Svg:
        """Its heaviest weights as bars; of one without weights, an empty picture that says why.

        >>> import thresher as th
        >>> th.Perceptron(3).with_dual([0.5, -2.0, 0.0]).plot()
        Svg(440 x 52: perceptron: 2 heaviest features)
        """
        models = import_module("thresher.models.model")
        picture: Svg = models.Model(learner=self).plot()
        return picture

    def _repr_html_(self) -> str:
        learner, pictures = cast("Learner", self), import_module("thresher.pictures")
        rows = [
            ("rounds", f"{learner.n_rounds:,}"),
            ("mistakes", f"{learner.mistakes:,}"),
            *((name, value) for name, value in learner.parameters.items() if value is not None),
        ]
        journal = None if learner.several else learner.journal
        picture = None
        if journal is not None and journal.complete and learner.changes_only_on_mistakes:
            steps = [(0, 0), *((int(t) + 1, k) for k, t in enumerate(journal.round_number, 1))]
            picture = pictures.sparkline([*steps, (learner.n_rounds, learner.mistakes)])
        shown: str = pictures.display(self.plain_name, rows, picture)
        return shown
