"""Halving: the version space as a tree of questions, which loses half its leaves at a mistake."""

from __future__ import annotations

from typing import Any

from thresher import theory
from thresher.concepts import MistakeTree, mistake_tree
from thresher.errors import RequestError
from thresher.lab.game.elsewhere import elsewhere
from thresher.lab.game.moves import MOST_ROWS, sign_of, words_of
from thresher.lab.typography import pretty
from thresher.learners.finite.halving import Halving
from thresher.models.concept_choice import concept_class

#: What is learned from in the tree: small enough to be drawn whole.
TREES = ("disjunctions/3", "disjunctions/4", "conjunctions/3", "thresholds/8", "singletons/6")


def halving(kind: str, moves: str) -> dict[str, Any]:
    """The version space as a tree of questions; moves are the labels you give on the way down.

    >>> game = halving("disjunctions/3", "m.m")
    >>> game["left"], game["mistakes"], game["rounds"][0]["before"], game["rounds"][0]["after"]
    (2, 2, 8, 4)
    """
    if kind not in TREES:
        raise RequestError(f"there is no tree {kind[:30]!r}; there are {', '.join(TREES)}.")
    name, _, size = kind.partition("/")
    concepts = concept_class(name, int(size))
    player = Halving(concepts)
    tree = mistake_tree(concepts)
    node: MistakeTree = tree
    played: list[dict[str, Any]] = []
    for word in words_of(moves)[: tree.depth]:
        label = sign_of(word)
        row = dict.fromkeys(node.point, 1.0)
        before = player.version_space_size
        said = int(player.predict_one(row))
        player.learn_one(row, label)
        after = player.version_space_size
        played.append(
            {"point": node.point, "said": said, "label": label, "wrong": said != label,
             "before": before, "after": after}
        )  # fmt: skip
        below = node.positive if label > 0 else node.negative
        assert below is not None
        node = below
    theorem = theory.HalvingClass(n_concepts=concepts.size)
    says = int(player.predict_one(dict.fromkeys(node.point, 1.0))) if node.point else None
    return {
        "tree": _plain(tree),
        "depth": tree.depth,
        "rounds": played,
        "point": node.point,
        "says": says,
        "left": player.version_space_size,
        "size": concepts.size,
        "names": [one.name for one in player.consistent()][:MOST_ROWS],
        "mistakes": player.mistakes,
        "bound": theorem.max_mistakes(),
        "statement": pretty(theorem.statement),
        "over": node.positive is None,
        "concept": node.concept or "",
        **elsewhere(
            [(dict.fromkeys(one["point"], 1.0), one["label"]) for one in played],
            f"halving:concepts={name}",
            int(size),
        ),
    }


def _plain(tree: MistakeTree) -> dict[str, Any]:
    if tree.positive is None or tree.negative is None:
        return {"concept": tree.concept}
    return {"point": tree.point, "p": _plain(tree.positive), "m": _plain(tree.negative)}
