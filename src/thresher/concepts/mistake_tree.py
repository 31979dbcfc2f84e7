"""MistakeTree: the questions with which an adversary beats every learner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from thresher.concepts.littlestone import SEARCH_BUDGET, SubclassDimensions


@dataclass(frozen=True, slots=True)
class MistakeTree:
    """A complete tree of points, shattered by a class.

    At each inner node the adversary shows the point and calls either answer wrong; each
    leaf names a concept that gave all the answers on the way down. A tree of depth d
    therefore forces d mistakes on every deterministic learner, with labels some concept
    agrees with.

    Printed, the ``+`` branch comes first, and a point is the list of its features that are 1.
    """

    #: The features that are 1 at this node's point; empty at a leaf.
    point: tuple[int, ...]
    positive: MistakeTree | None = None
    negative: MistakeTree | None = None
    #: At a leaf, the name of a concept consistent with the path.
    concept: str | None = None

    @property
    def depth(self) -> int:
        """Number of mistakes the tree forces."""
        return 0 if self.positive is None else 1 + self.positive.depth

    def paths(self) -> Iterator[tuple[list[tuple[tuple[int, ...], int]], str]]:
        """Every path as its rounds (point and label), with the concept at its end."""
        if self.positive is None or self.negative is None:
            yield [], str(self.concept)
            return
        for label, branch in ((1, self.positive), (-1, self.negative)):
            for rounds, concept in branch.paths():
                yield [(self.point, label), *rounds], concept

    def _lines(self, head: str, indent: str) -> Iterator[str]:
        if self.positive is None or self.negative is None:
            yield f"{head}{self.concept}"
            return
        yield head + "{" + ", ".join(f"x{i}" for i in self.point) + "}?"
        yield from self.positive._lines(f"{indent}+ ", indent + "  ")
        yield from self.negative._lines(f"{indent}- ", indent + "  ")

    def __str__(self) -> str:
        return "\n".join(self._lines("", ""))


def mistake_tree(concepts: Any, budget: int = SEARCH_BUDGET) -> MistakeTree:
    """A mistake tree as deep as the class allows: its Littlestone dimension, to look at.

    Examples
    --------
    >>> from thresher.concepts import Disjunctions
    >>> print(mistake_tree(Disjunctions(2)))
    {x0}?
    + {x1}?
      + x0 or x1
      - x0
    - {x1}?
      + x1
      - never
    """
    dimensions = SubclassDimensions(concepts, budget)
    everything = dimensions.everything
    return _grown(dimensions, everything, dimensions.dimension(everything))


def _grown(dimensions: SubclassDimensions, subclass: int, depth: int) -> MistakeTree:
    if depth == 0:
        first = (subclass & -subclass).bit_length() - 1
        return MistakeTree((), concept=dimensions.table.name_of((first,)))
    point, negative, positive = dimensions.split(subclass)
    return MistakeTree(
        tuple(dimensions.table.point(point)),
        positive=_grown(dimensions, positive, depth - 1),
        negative=_grown(dimensions, negative, depth - 1),
    )
