"""The exact worst case of any learner on a tiny class, by exploring all its states."""

from __future__ import annotations

import pickle
from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import inf
from typing import Any, NamedTuple, Protocol, Self

import numpy as np

from thresher.errors import ParameterError
from thresher.games.assemble import of_dicts
from thresher.games.targets import Target
from thresher.streams import Batch

Instance = Mapping[int, float]


class Explorable(Protocol):
    """A player that can be copied; its state is `state_key()` or, without one, its `dual`."""

    def predict_one(self, features: Mapping[Any, float], /) -> int:
        """-1 or +1."""

    def learn_one(self, features: Mapping[Any, float], label: int, /) -> object:
        """Take notice of the right answer."""

    def copy(self) -> Self:
        """An independent player in the same state."""


@dataclass(frozen=True, slots=True)
class WorstStream:
    """The most mistakes a learner can be made to make, and a stream that does it."""

    #: `math.inf` when a mistake lies on a loop.
    mistakes: int | float
    #: The concept that labels the stream.
    concept: Target
    #: A stream from the start that forces the mistakes, or that leads to the loop.
    sequence: Batch
    #: Rows that bring the learner back to the state before them, with a mistake on the way.
    loop: Batch | None


class Edge(NamedTuple):
    """One round: where it leads, which instance it shows, and whether it is a mistake."""

    to: int
    instance: int
    mistake: bool


def cube(n_features: int) -> list[dict[int, float]]:
    """All binary rows with `n_features` features.

    >>> cube(2)
    [{}, {1: 1.0}, {0: 1.0}, {0: 1.0, 1: 1.0}]
    """
    return [
        {i: 1.0 for i, bit in enumerate(bits) if bit} for bits in product((0, 1), repeat=n_features)
    ]


def worst_case(
    learner: Explorable,
    concepts: Iterable[Target],
    instances: Sequence[Instance],
    max_states: int = 100_000,
) -> WorstStream:
    """The worst case of `learner` over all streams labelled by one of the concepts.

    For each concept the states that the learner can reach are the nodes of a graph, and the
    rounds that change its state or are mistakes are the edges. A mistake on an edge inside a
    strongly connected component can be repeated for ever; otherwise the components form an
    acyclic graph, and the worst case is its path with the most mistakes.

    Parameters
    ----------
    learner
        A fresh learner; it is copied, never changed.
    concepts
        The concept class.
    instances
        The rows that may be shown; see :func:`cube`.
    max_states
        Where to give up; a loop is found as soon as its states are known.

    >>> from thresher.games import disjunction
    >>> class Elimination:
    ...     def __init__(self, left):
    ...         self.left = frozenset(left)
    ...     def predict_one(self, features):
    ...         return 1 if self.left & features.keys() else -1
    ...     def learn_one(self, features, label):
    ...         if label < 0:
    ...             self.left = self.left.difference(features)
    ...     def copy(self):
    ...         return Elimination(self.left)
    ...     def state_key(self):
    ...         return self.left
    >>> worst = worst_case(Elimination(range(4)), [disjunction([0])], cube(4))
    >>> worst.mistakes, list(worst.sequence)
    (3, [{3: 1.0}, {2: 1.0}, {1: 1.0}])
    """
    best: WorstStream | None = None
    unlabelled = of_dicts((x, 1) for x in instances)
    for concept in concepts:
        labels = concept.labels(unlabelled).tolist()
        graph = _reachable(learner, instances, labels, max_states)
        mistakes, path, loop = _longest(graph)
        if best is None or mistakes > best.mistakes:
            rows = [(instances[i], labels[i]) for i in path]
            back = [(instances[i], labels[i]) for i in loop]
            best = WorstStream(mistakes, concept, of_dicts(rows), of_dicts(back) if loop else None)
    if best is None:
        raise ParameterError("worst_case", "concepts", "at least one concept", "none")
    return best


def _key(learner: Any) -> Hashable:
    if hasattr(learner, "state_key"):
        key: Hashable = learner.state_key()
        return key
    if hasattr(learner, "dual"):
        dual = learner.dual
        # Adding 0 turns -0.0 into 0.0: the same state must have the same bytes.
        return (dual + 0).tobytes() if isinstance(dual, np.ndarray) else pickle.dumps(dual)
    raise ParameterError(
        "worst_case", "learner", "something with state_key() or dual", type(learner).__name__
    )


def _reachable(
    learner: Explorable, instances: Sequence[Instance], labels: Sequence[int], max_states: int
) -> list[list[Edge]]:
    """The graph of states, or as much of it as has a loop; node 0 is the start."""
    number = {_key(learner): 0}
    states = [learner.copy()]
    graph: list[list[Edge]] = []
    # Where there is a loop the states may have no end, so it is looked for on the way.
    look_at = min(256, max_states)
    while len(graph) < len(states):
        if len(states) > look_at:
            partial = [*graph, *([] for _ in states[len(graph) :])]
            if _loop(partial, _components(partial)) is not None:
                return partial
            if look_at == max_states:
                raise ParameterError(
                    "worst_case", "max_states", "enough to hold all states", max_states
                )
            look_at = min(4 * look_at, max_states)
        state = states[len(graph)]
        edges = []
        for i, (x, y) in enumerate(zip(instances, labels, strict=True)):
            mistake = state.predict_one(x) != y
            after = state.copy()
            after.learn_one(x, y)
            to = number.setdefault(_key(after), len(states))
            if to == len(states):
                states.append(after)
            if mistake or to != len(graph):
                edges.append(Edge(to, i, mistake))
        graph.append(edges)
    return graph


def _loop(graph: list[list[Edge]], component: list[int]) -> tuple[int, Edge] | None:
    """A mistake that stays within a component, with the node it starts from."""
    for node, edges in enumerate(graph):
        for edge in edges:
            if edge.mistake and component[edge.to] == component[node]:
                return node, edge
    return None


def _longest(graph: list[list[Edge]]) -> tuple[int | float, list[int], list[int]]:
    """The most mistakes from node 0, a path of instances, and a loop if there is one."""
    component = _components(graph)
    found = _loop(graph, component)
    if found is not None:
        node, edge = found
        back = _walk(graph, edge.to, node, component)
        return inf, _walk(graph, 0, node, None), [edge.instance, *back]
    # Components are numbered from the sinks up, so every edge leads to a known value.
    members: list[list[int]] = [[] for _ in range(max(component) + 1)]
    for node, c in enumerate(component):
        members[c].append(node)
    value = [0] * len(members)
    way_out: list[tuple[int, Edge] | None] = [None] * len(members)
    for c, nodes in enumerate(members):
        for node in nodes:
            for edge in graph[node]:
                if component[edge.to] != c and edge.mistake + value[component[edge.to]] > value[c]:
                    value[c] = edge.mistake + value[component[edge.to]]
                    way_out[c] = (node, edge)
    path: list[int] = []
    node = 0
    while (out := way_out[component[node]]) is not None:
        path += [*_walk(graph, node, out[0], component), out[1].instance]
        node = out[1].to
    return value[component[0]], path, []


def _walk(graph: list[list[Edge]], start: int, end: int, component: list[int] | None) -> list[int]:
    """Instances that lead from one node to another, within the component if one is given."""
    came: dict[int, tuple[int, int]] = {}
    seen, queue = {start}, deque([start])
    while end not in seen:
        node = queue.popleft()
        for edge in graph[node]:
            inside = component is None or component[edge.to] == component[start]
            if inside and edge.to not in seen:
                seen.add(edge.to)
                came[edge.to] = (node, edge.instance)
                queue.append(edge.to)
    path = []
    while end != start:
        end, instance = came[end]
        path.append(instance)
    return path[::-1]


def _components(graph: list[list[Edge]]) -> list[int]:
    """The strongly connected component of every node, numbered in reverse topological order."""
    n = len(graph)
    order, low, component = [-1] * n, [0] * n, [-1] * n
    counter, n_components = 0, 0
    held: list[int] = []
    # Tarjan's algorithm with its own stack; every node is reachable from node 0.
    work = [(0, iter(graph[0]))]
    order[0] = low[0] = counter
    held.append(0)
    while work:
        node, edges = work[-1]
        for edge in edges:
            if order[edge.to] < 0:
                counter += 1
                order[edge.to] = low[edge.to] = counter
                held.append(edge.to)
                work.append((edge.to, iter(graph[edge.to])))
                break
            if component[edge.to] < 0:
                low[node] = min(low[node], order[edge.to])
        else:
            work.pop()
            if work:
                low[work[-1][0]] = min(low[work[-1][0]], low[node])
            if low[node] == order[node]:
                while component[node] < 0:
                    component[held.pop()] = n_components
                n_components += 1
    return component
