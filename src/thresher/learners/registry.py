"""The learners there are: one record for each, for the command line, model files and the package.

A record says where a learner lives and what one must know before importing it. All else is said
by the class itself (`Learner`), or by the theorems that name it.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import TYPE_CHECKING, Literal, NamedTuple

from thresher.errors import UnknownLearnerError

if TYPE_CHECKING:
    from thresher.learners.base.learner import Learner


class Record(NamedTuple):
    """One learner."""

    #: At the command line, in model files and in certificates.
    name: str
    #: The class, and what theorems call it.
    title: str
    #: The module below this package.
    home: str
    #: What it must be given beside numbers: a list of concepts, or another learner.
    needs: Literal["concepts", "learner"] | None = None
    #: Whether it tells classes apart by name.
    several: bool = False

    def load(self) -> type[Learner]:
        """The class, imported on first use: whoever wants one does not wait for all."""
        found: type[Learner] = getattr(import_module(f"thresher.learners.{self.home}"), self.title)
        return found


RECORDS = (
    Record("adagrad", "AdaGrad", "two_class.adagrad"),
    Record("arow", "AROW", "two_class.arow"),
    Record("balanced_winnow", "BalancedWinnow", "two_class.balanced_winnow"),
    Record("calibrated", "Calibrated", "calibration.calibrated", needs="learner"),
    Record("committee", "Committee", "two_class.committee"),
    Record("conjunction", "Conjunction", "two_class.conjunction"),
    Record("elimination", "Elimination", "two_class.elimination"),
    Record("halving", "Halving", "finite.halving", needs="concepts"),
    Record(
        "modified_balanced_winnow", "ModifiedBalancedWinnow", "two_class.modified_balanced_winnow"
    ),
    Record(
        "multiclass_normalized_winnow",
        "MulticlassNormalizedWinnow",
        "multiclass.winnow",
        several=True,
    ),
    Record(
        "multiclass_passive_aggressive",
        "MulticlassPassiveAggressive",
        "multiclass.passive_aggressive",
        several=True,
    ),
    Record("multiclass_perceptron", "MulticlassPerceptron", "multiclass.perceptron", several=True),
    Record("multiclass_signed_winnow", "MulticlassSignedWinnow", "multiclass.winnow", several=True),
    Record("normalized_winnow", "NormalizedWinnow", "two_class.normalized_winnow"),
    Record(
        "one_versus_rest", "OneVersusRest", "multiclass.one_versus_rest", "learner", several=True
    ),
    Record("p_norm_perceptron", "PNormPerceptron", "two_class.p_norm"),
    Record("passive_aggressive", "PassiveAggressive", "two_class.passive_aggressive"),
    Record("perceptron", "Perceptron", "two_class.perceptron"),
    Record(
        "randomized_weighted_majority", "RandomizedWeightedMajority", "finite.weighted_majority"
    ),
    Record("signed_winnow", "SignedWinnow", "two_class.signed_winnow"),
    Record("sparse_network", "SparseNetwork", "multiclass.sparse_network", several=True),
    Record("standard_optimal", "StandardOptimal", "finite.standard_optimal", needs="concepts"),
    Record("weighted_majority", "WeightedMajority", "finite.weighted_majority"),
    Record("winnow", "Winnow", "two_class.winnow"),
)

LEARNERS = {record.name: record for record in RECORDS}
TITLES = {record.title: record for record in RECORDS}


_BY_LETTERS = {record.name.replace("_", ""): record for record in RECORDS}


def record_of(name: str) -> Record:
    """The record of the learner with this name, in small letters or large ones.

    A hyphen may stand for an underscore, or nothing at all: a class has its name as well.

    >>> [record_of(name).title for name in ("balanced-winnow", "AROW", "BalancedWinnow")]
    ['BalancedWinnow', 'AROW', 'BalancedWinnow']
    """
    found = LEARNERS.get(name) or _BY_LETTERS.get(re.sub("[-_]", "", name).lower())
    if found is None:
        raise UnknownLearnerError(name, sorted(LEARNERS))
    return found


def learners_with(parameter: str) -> list[str]:
    """The learners at the command line that have a parameter of this name.

    >>> learners_with("zeroing")
    ['winnow']
    """
    plain = (record for record in RECORDS if record.needs is None)
    return [one.name for one in plain if parameter in inspect.signature(one.load()).parameters]


def learner_class(name: str) -> type[Learner]:
    """The class of learners with this name.

    >>> learner_class("balanced-winnow").__name__
    'BalancedWinnow'
    """
    return record_of(name).load()
