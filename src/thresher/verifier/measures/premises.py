"""What a declared class of targets presupposes of the data, measured on the data.

A theorem about a declared class speaks of streams of a certain kind: values 0 and 1, so many
columns, votes of every expert, rows of bounded length. On other streams it says nothing, whether
the learner made few mistakes or many.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from thresher.theory import Committee, Concept, Conjunction, Disjunction, Experts, KOfR, Separator
from thresher.verifier.measures.margins import squared_norms
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replayed_run import ReplayedRun


@dataclass(frozen=True, slots=True)
class Premise:
    """One thing a theorem takes for granted, and what was found."""

    what: str
    met: bool
    found: str


def premises_of(run: ReplayedRun, concept: Concept) -> Iterator[Premise]:
    """Every premise of a claim about the data, met or not.

    >>> from thresher.verifier.algorithms import ALGORITHMS
    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> given = {"n_features": 3, "literals": False}
    >>> stream = read_rows([[1, 0, 2]], [1])
    >>> run = ReplayedRun(ALGORITHMS["elimination"], given, stream, None)
    >>> [p.found for p in premises_of(run, Disjunction(k=1, n=2)) if not p.met]
    ['the value 2', 'column 2']
    """
    if isinstance(concept, KOfR | Disjunction | Conjunction):
        yield from _about_a_boolean_target(run.stream, concept)
    elif isinstance(concept, Experts | Committee):
        yield from _about_votes(run, concept)
    elif isinstance(concept, Separator):
        yield from _about_a_separator(run.stream, concept)


def _about_a_boolean_target(
    stream: LabelledRows, concept: KOfR | Disjunction | Conjunction
) -> Iterator[Premise]:
    relevant = concept.r if isinstance(concept, KOfR) else concept.k
    fitting = relevant <= concept.n and (
        not isinstance(concept, KOfR) or 1 <= concept.k <= relevant
    )
    yield Premise("the class has a target", fitting, f"{concept}")
    other = stream.value[stream.value != 1.0]
    yield Premise(
        "every value is 0 or 1", not len(other), f"the value {other[0]:g}" if len(other) else ""
    )
    yield Premise(
        f"there is no feature beyond the {concept.n} declared",
        stream.width <= concept.n,
        f"column {stream.width - 1}",
    )


def _about_votes(run: ReplayedRun, concept: Experts | Committee) -> Iterator[Premise]:
    stream, n = run.stream, concept.n
    fitting = n > 0 and (not isinstance(concept, Committee) or 1 <= concept.k <= n)
    yield Premise("the class has a target", fitting, f"{concept}")
    yield Premise(f"there are {n} experts", run.features == n, f"{run.features}")
    odd = stream.value[np.abs(stream.value) != 1.0]
    yield Premise("a vote is -1 or +1", not len(odd), f"the value {odd[0]:g}" if len(odd) else "")
    silent = np.flatnonzero(np.diff(stream.row_start) != n)
    found = f"in round {silent[0] + 1} some do not" if len(silent) else ""
    yield Premise("every expert votes in every round", not len(silent), found)


def _about_a_separator(stream: LabelledRows, concept: Separator) -> Iterator[Premise]:
    # Signs are something to speak of in norm 1 alone.
    signs = (0, 1) if concept.norm == 1 else (1,)
    sensible = concept.norm in (1, 2) and concept.signed in signs and concept.margin > 0
    yield Premise("the class has a target", sensible, f"{concept}")
    if concept.norm == 2:
        largest = max(squared_norms(longest_rows(stream), bias=False), default=Fraction(0))
        met, found = largest <= concept.radius**2, f"one of length {float(largest) ** 0.5:.6g}"
        yield Premise(f"no row is longer than {concept.radius}", met, found)
        return
    reach = Fraction(float(np.max(np.abs(stream.value), initial=0.0)))
    yield Premise(
        f"no value is larger than {concept.radius}", reach <= concept.radius, f"{float(reach):g}"
    )


def longest_rows(stream: LabelledRows) -> LabelledRows:
    """The rows that may be the longest; rounding cannot hide one that is.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> longest_rows(read_rows([[3, 4], [1, 0], [0, 5]], [1, 1, 1])).value.tolist()
    [3.0, 4.0, 5.0]
    """
    squares = np.empty(len(stream))
    for first, stop in stream.blocks():
        part = stream.part(first, stop)
        squares[first:stop] = np.bincount(part.row, part.value**2, len(part))
    slack = (np.diff(stream.row_start) + 4.0) * 2.0**-52
    least = np.max(squares * (1.0 - slack), initial=0.0)
    # Squares of values below 1e-150 vanish.
    return stream.take(np.flatnonzero(squares * (1.0 + slack) + 1e-290 >= least))
