"""Theorems about learners of a finite class, for streams that one of its concepts explains."""

from __future__ import annotations

from thresher.theory import HalvingClass, MistakeBound, OptimalLearner
from thresher.verifier.replays.concept_classes import class_size
from thresher.verifier.replays.littlestone import dimension_of
from thresher.verifier.replays.playing import Parameters


def halving_bounds(parameters: Parameters) -> list[MistakeBound]:
    """Every mistake halves the class."""
    return [HalvingClass(class_size(parameters["concepts"]))]


def optimal_bounds(parameters: Parameters) -> list[MistakeBound]:
    """Every mistake lowers the Littlestone dimension of the class."""
    return [OptimalLearner(dimension_of(parameters["concepts"]))]
