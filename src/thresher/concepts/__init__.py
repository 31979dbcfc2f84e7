"""Finite classes of Boolean functions: counted, enumerated, and how hard they are to learn."""

from typing import Any

from thresher.concepts.classics import all_functions, singletons, thresholds
from thresher.concepts.concept_class import ENUMERATION_LIMIT, BooleanFunction, ConceptClass
from thresher.concepts.counting_thresholds import CountingThresholds
from thresher.concepts.decision_lists import DecisionLists
from thresher.concepts.listed import ListedConcepts, as_concept_class
from thresher.concepts.literal_sets import Conjunctions, Disjunctions
from thresher.concepts.littlestone import littlestone_dimension
from thresher.concepts.mistake_tree import MistakeTree, mistake_tree
from thresher.concepts.truth_table import TruthTable
from thresher.deprecation import renamed

__all__ = [
    "ENUMERATION_LIMIT",
    "BooleanFunction",
    "ConceptClass",
    "Conjunctions",
    "CountingThresholds",
    "DecisionLists",
    "Disjunctions",
    "ListedConcepts",
    "MistakeTree",
    "TruthTable",
    "all_functions",
    "as_concept_class",
    "littlestone_dimension",
    "mistake_tree",
    "singletons",
    "thresholds",
]


def __getattr__(name: str) -> Any:
    return renamed(__name__, name)
