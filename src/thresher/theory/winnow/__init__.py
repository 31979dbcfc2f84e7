"""What is proven about Winnow with a threshold."""

from thresher.theory.winnow.any_threshold import WinnowAnyThreshold
from thresher.theory.winnow.attribute_errors import WinnowAttributeErrors
from thresher.theory.winnow.comparator import WinnowComparator
from thresher.theory.winnow.disjunction import WinnowDisjunction
from thresher.theory.winnow.disjunction_clean import WinnowDisjunctionClean
from thresher.theory.winnow.false_positives import WinnowFalsePositives
from thresher.theory.winnow.k_dnf import WinnowKDNF, conjunctions
from thresher.theory.winnow.promotions import promotions
from thresher.theory.winnow.thick_thresholds import WinnowThickThresholds
from thresher.theory.winnow.tuning import optimal_beta, optimal_threshold
from thresher.theory.winnow.warm_start import WinnowWarmStart
from thresher.theory.winnow.zeroing import WinnowZeroing

__all__ = [
    "WinnowAnyThreshold",
    "WinnowAttributeErrors",
    "WinnowComparator",
    "WinnowDisjunction",
    "WinnowDisjunctionClean",
    "WinnowFalsePositives",
    "WinnowKDNF",
    "WinnowThickThresholds",
    "WinnowWarmStart",
    "WinnowZeroing",
    "conjunctions",
    "optimal_beta",
    "optimal_threshold",
    "promotions",
]
