"""DecisionLists: if this literal then that label, otherwise the next test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.concepts.concept_class import Code, ConceptClass
from thresher.parameters import checked_count


@dataclass(frozen=True)
class DecisionLists(ConceptClass):
    r"""Decision lists whose tests are single literals (Rivest 1987).

    A list reads "if :math:`l_1` then :math:`b_1`, else if :math:`l_2` then :math:`b_2`, ...,
    else :math:`b`"; the first true literal decides.

    Parameters
    ----------
    n_variables
        Number of features, :math:`n`; a feature is 0 or 1.
    k
        The largest number of variables a list may depend on; None: all of them.

    **Each function is here once**, although many lists describe it. Consecutive tests with
    the same label may be swapped, so they form a layer without order; and the last test and
    the default may change places. What is left is: a sequence of layers with alternating
    labels, the last of two variables or more, then the opposite label; or a single
    literal; or a constant. With :math:`F_j` the number of ordered set partitions of j
    elements (1, 1, 3, 13, 75, ...), exactly

    .. math:: E_j = 2^{j+1} (F_j - j F_{j-1}) \quad (j \ge 2), \qquad E_0 = E_1 = 2

    functions depend on all of j given variables, and the class has
    :math:`\sum_{j \le k} \binom nj E_j` members: 4, 14, 96, 1050, 15036 for n = 1 to 5.

    Examples
    --------
    >>> [len(DecisionLists(n)) for n in range(1, 6)]
    [4, 14, 96, 1050, 15036]
    >>> print(list(DecisionLists(3))[-1])
    if not x2 then -, else if not x0 or not x1 then +, else -
    """

    n_variables: int
    k: int | None = None

    def __post_init__(self) -> None:
        n = checked_count("DecisionLists", "n_variables", self.n_variables, 1)
        object.__setattr__(self, "n_variables", n)
        if self.k is not None:
            object.__setattr__(self, "k", checked_count("DecisionLists", "k", self.k, 0, n))

    @property
    def _longest(self) -> int:
        return self.n_variables if self.k is None else self.k

    @property
    def size(self) -> int:
        """The number of different functions, by the formula above."""
        partitions = [1]
        for j in range(1, self._longest + 1):
            partitions.append(sum(comb(j, i) * partitions[j - i] for i in range(1, j + 1)))
        essential = [2, 2] + [
            2 ** (j + 1) * (partitions[j] - j * partitions[j - 1])
            for j in range(2, self._longest + 1)
        ]
        return sum(comb(self.n_variables, j) * essential[j] for j in range(self._longest + 1))

    # A code is one integer per test, 2 * literal + (1 if its label is +1), literal n + i being
    # the negation of x_i; unused tests hold the number of a literal that is never true; the
    # default label, 0 or 1, comes last.

    @property
    def _width(self) -> int:
        return self._longest + 1

    @property
    def _unused(self) -> int:
        return 4 * self.n_variables

    @property
    def _largest(self) -> int:
        return self._unused

    def _stream(self) -> Iterator[Code]:
        for j in range(self._longest + 1):
            padding = (self._unused,) * (self._longest - j)
            for variables in combinations(range(self.n_variables), j):
                for tests, default in self._lists(variables):
                    yield (*tests, *padding, default)

    def _lists(self, variables: Code) -> Iterator[tuple[Code, int]]:
        """Every function that depends on all of the variables: its tests and its default."""
        n = self.n_variables
        if len(variables) < 2:
            # A constant has no test; of "if x then +" and "if not x then -" one is enough.
            for negated_or_label in (0, 1):
                if variables:
                    yield (2 * (variables[0] + n * negated_or_label) + 1,), 0
                else:
                    yield (), negated_or_label
            return
        for layers in _ordered_partitions(variables):
            if len(layers[-1]) < 2:
                continue
            flat = [(i, depth) for depth, layer in enumerate(layers) for i in layer]
            for first in (1, 0):
                default = (first + len(layers)) % 2
                for negated in product((0, n), repeat=len(flat)):
                    yield (
                        tuple(
                            2 * (i + shift) + (first + depth) % 2
                            for (i, depth), shift in zip(flat, negated, strict=True)
                        ),
                        default,
                    )

    def name_of(self, code: Code) -> str:
        """The list in words, one clause per layer."""
        n = self.n_variables
        layers: list[tuple[int, list[str]]] = []
        for test in code[:-1]:
            if test == self._unused:
                break
            literal, label = divmod(test, 2)
            if not layers or layers[-1][0] != label:
                layers.append((label, []))
            layers[-1][1].append(f"x{literal}" if literal < n else f"not x{literal - n}")
        if not layers:
            return "always" if code[-1] else "never"
        clauses = [f"if {' or '.join(names)} then {'-+'[label]}" for label, names in layers]
        return ", else ".join([*clauses, "-+"[code[-1]]])

    def votes(self, codes: NDArray[Any], on: NDArray[np.int32]) -> NDArray[np.bool_]:
        """The label of the first true test, or the default."""
        n = self.n_variables
        on_variables = np.zeros(n, bool)
        on_variables[on] = True
        holds = np.repeat(np.concatenate((on_variables, ~on_variables, [False])), 2)
        # The test at place j bids 2 j + its label if it holds; the lowest bid has the answer.
        default, nothing = 2 * (self._width - 1), 2 * self._width
        label = np.arange(len(holds), dtype=codes.dtype) % 2
        lowest = codes[-1] + default
        for place, tests in enumerate(codes[:-1]):
            np.minimum(lowest, np.where(holds, 2 * place + label, nothing)[tests], out=lowest)
        return np.asarray(lowest % 2 == 1)


def _ordered_partitions(items: Sequence[int]) -> Iterator[list[Code]]:
    """Every way to split the items into a sequence of non-empty sets."""
    if not items:
        yield []
        return
    for size in range(len(items), 0, -1):
        for first in combinations(items, size):
            rest = [i for i in items if i not in first]
            for others in _ordered_partitions(rest):
                yield [first, *others]
