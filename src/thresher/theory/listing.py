"""All theorems in one list, in the order of the documentation."""

from __future__ import annotations

from thresher.theory import (
    adagrad,
    dimension,
    exponentiated,
    finite,
    lower,
    mixing,
    multiclass,
    passive_aggressive,
    perceptron,
    quasi_additive,
    winnow,
)
from thresher.theory import risk as risk_bounds
from thresher.theory.theorem import Theorem

FAMILIES = {
    "Perceptron": perceptron,
    "Winnow with a threshold": winnow,
    "Normalised and signed Winnow": exponentiated,
    "The p-norm family": quasi_additive,
    "Passive-Aggressive": passive_aggressive,
    "AdaGrad": adagrad,
    "Finite classes and experts": finite,
    "Several classes": multiclass,
    "Lower bounds": lower,
    "Shattering": dimension,
    "From mistakes to risk": risk_bounds,
    "Many workers": mixing,
}


def families() -> dict[str, list[type[Theorem]]]:
    """The theorem classes of each family, by its title."""
    return {
        title: [
            item
            for name in package.__all__
            if isinstance(item := getattr(package, name), type) and issubclass(item, Theorem)
        ]
        for title, package in FAMILIES.items()
    }


def catalogue() -> list[type[Theorem]]:
    """Every theorem class; each has a name, learners, kind, statement and reference.

    >>> [theorem.name for theorem in catalogue() if "Elimination" in theorem.learners]
    ['EliminationDisjunction']
    """
    return [theorem for theorems in families().values() for theorem in theorems]
