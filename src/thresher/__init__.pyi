"""The public names, for type checkers; `__init__.py` finds them when they are used."""

from thresher import (
    certifier as certifier,
)
from thresher import (
    cluster as cluster,
)
from thresher import (
    concepts as concepts,
)
from thresher import (
    errors as errors,
)
from thresher import (
    games as games,
)
from thresher import (
    proofs as proofs,
)
from thresher import (
    theory as theory,
)
from thresher import (
    verifier as verifier,
)
from thresher.certifier.certification import certify as certify
from thresher.learners.base.journal import Journal as Journal
from thresher.learners.base.learner import Learner as Learner
from thresher.learners.base.rounds import Rounds as Rounds
from thresher.learners.calibration.calibrated import (
    Calibrated as Calibrated,
)
from thresher.learners.calibration.calibrated import (
    CalibratedRounds as CalibratedRounds,
)
from thresher.learners.finite.halving import Halving as Halving
from thresher.learners.finite.standard_optimal import StandardOptimal as StandardOptimal
from thresher.learners.finite.weighted_majority import (
    RandomizedWeightedMajority as RandomizedWeightedMajority,
)
from thresher.learners.finite.weighted_majority import (
    WeightedMajority as WeightedMajority,
)
from thresher.learners.multiclass.one_versus_rest import OneVersusRest as OneVersusRest
from thresher.learners.multiclass.passive_aggressive import (
    MulticlassPassiveAggressive as MulticlassPassiveAggressive,
)
from thresher.learners.multiclass.perceptron import MulticlassPerceptron as MulticlassPerceptron
from thresher.learners.multiclass.sparse_network import SparseNetwork as SparseNetwork
from thresher.learners.multiclass.winnow import (
    MulticlassNormalizedWinnow as MulticlassNormalizedWinnow,
)
from thresher.learners.multiclass.winnow import (
    MulticlassSignedWinnow as MulticlassSignedWinnow,
)
from thresher.learners.two_class.adagrad import AdaGrad as AdaGrad
from thresher.learners.two_class.arow import AROW as AROW
from thresher.learners.two_class.balanced_winnow import BalancedWinnow as BalancedWinnow
from thresher.learners.two_class.committee import Committee as Committee
from thresher.learners.two_class.conjunction import Conjunction as Conjunction
from thresher.learners.two_class.elimination import Elimination as Elimination
from thresher.learners.two_class.modified_balanced_winnow import (
    ModifiedBalancedWinnow as ModifiedBalancedWinnow,
)
from thresher.learners.two_class.normalized_winnow import NormalizedWinnow as NormalizedWinnow
from thresher.learners.two_class.p_norm import PNormPerceptron as PNormPerceptron
from thresher.learners.two_class.passive_aggressive import PassiveAggressive as PassiveAggressive
from thresher.learners.two_class.perceptron import Perceptron as Perceptron
from thresher.learners.two_class.signed_winnow import SignedWinnow as SignedWinnow
from thresher.learners.two_class.winnow import Winnow as Winnow
from thresher.models.comparison import race as race
from thresher.models.conversion import convert as convert
from thresher.models.file import load as load
from thresher.models.model import Model as Model
from thresher.models.scorecard import Scorecard as Scorecard
from thresher.models.train import train as train
from thresher.models.tuning import tune as tune
from thresher.names.tables import (
    Hashed as Hashed,
)
from thresher.names.tables import (
    Vocabulary as Vocabulary,
)
from thresher.reports.report import Report as Report
from thresher.streams.bad_lines import BadLinePolicy as BadLinePolicy
from thresher.streams.batch import Batch as Batch
from thresher.streams.conjunctions import Conjunctions as Conjunctions
from thresher.streams.labelled_rows import (
    read as read,
)
from thresher.streams.pairs import Pairs as Pairs
from thresher.streams.reading import (
    Stream as Stream,
)
from thresher.streams.recipe import (
    NGrams as NGrams,
)
from thresher.streams.recipe import (
    Recipe as Recipe,
)
from thresher.streams.rows import Rows as Rows
from thresher.verifier.certificate import Certificate as Certificate
from thresher.verifier.verification import verify as verify

__version__: str
__all__: list[str]
