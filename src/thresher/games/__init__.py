"""Games against learners: adversaries, worst cases, and random streams with a known secret."""

from typing import Any

from thresher.deprecation import renamed
from thresher.games.catalogue import ClassEntry, Entry, concept_classes, streams
from thresher.games.circle import circle
from thresher.games.disjunctions import (
    all_but_one,
    binary_search,
    dense_disjunction,
    elimination,
)
from thresher.games.eg_worst_case import eg_rows, eg_worst_case
from thresher.games.experts import best_expert, sign_patterns, splitter
from thresher.games.loops import (
    balanced_loop,
    committee_ties,
    eg_too_fast,
    float64_victim,
    winnow_loop,
)
from thresher.games.multiclass import MulticlassPlayer, multiclass_orthonormal
from thresher.games.nested import nested, nested_separator
from thresher.games.orthonormal import (
    LowerBoundAdversary,
    identical_shards,
    lower_bound,
    orthonormal,
    thick,
)
from thresher.games.planted_stream import MulticlassStream, PlantedStream
from thresher.games.players import BooleanPlayer, PartialFitPlayer, Player, play
from thresher.games.random_concepts import KOfR, conjunctions, disjunctions, literals
from thresher.games.random_margins import Committees, Experts, Separators
from thresher.games.random_stream import RandomStream, expert_stream
from thresher.games.targets import (
    Quorum,
    Separator,
    Target,
    conjunction,
    disjunction,
    expert,
)
from thresher.games.winnow_greedy import greedy_winnow, singletons
from thresher.games.winnow_worst_case import WinnowWorstCase, optimal_winnow
from thresher.games.worst_case import Explorable, WorstStream, cube, worst_case

__all__ = [
    "BooleanPlayer",
    "ClassEntry",
    "Committees",
    "Entry",
    "Experts",
    "Explorable",
    "KOfR",
    "LowerBoundAdversary",
    "MulticlassPlayer",
    "MulticlassStream",
    "PartialFitPlayer",
    "PlantedStream",
    "Player",
    "Quorum",
    "RandomStream",
    "Separator",
    "Separators",
    "Target",
    "WinnowWorstCase",
    "WorstStream",
    "all_but_one",
    "balanced_loop",
    "best_expert",
    "binary_search",
    "circle",
    "committee_ties",
    "concept_classes",
    "conjunction",
    "conjunctions",
    "cube",
    "dense_disjunction",
    "disjunction",
    "disjunctions",
    "eg_rows",
    "eg_too_fast",
    "eg_worst_case",
    "elimination",
    "expert",
    "expert_stream",
    "float64_victim",
    "greedy_winnow",
    "identical_shards",
    "literals",
    "lower_bound",
    "multiclass_orthonormal",
    "nested",
    "nested_separator",
    "optimal_winnow",
    "orthonormal",
    "play",
    "sign_patterns",
    "singletons",
    "splitter",
    "streams",
    "thick",
    "winnow_loop",
    "worst_case",
]


def __getattr__(name: str) -> Any:
    return renamed(__name__, name)
