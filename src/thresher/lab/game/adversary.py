"""You are the adversary: you show rows and choose labels, and a target must still exist."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from thresher import theory
from thresher.games import LowerBoundAdversary
from thresher.lab.evidence import number
from thresher.lab.game.elsewhere import elsewhere
from thresher.lab.game.moves import margin_of, sign_of, words_of
from thresher.lab.typography import pretty
from thresher.models.choice import LearnerChoice
from thresher.models.written import whole_number


def adversary(margin: str, learner: str, moves: str) -> dict[str, Any]:
    """You show unit vectors and choose labels; a move is a row and a label, such as `3m`.

    A label is refused where no separator of this margin would be left.

    >>> game = adversary("1/2", "perceptron", "0m.1p.0p")
    >>> game["forced"], game["bound"], game["used"], game["refused"]
    (1, 4, '1/2', 'x0 was labelled −1 in round 1: nothing labels it both ways.')
    """
    gamma = margin_of(margin)
    n = LowerBoundAdversary(gamma).rounds
    lower = theory.MarginLower(margin_squared=gamma**2, n_features=n)
    player = LearnerChoice.parse(learner).require_two_classes("the game has").create(n_features=n)
    labels: dict[int, tuple[int, int]] = {}
    played: list[dict[str, Any]] = []
    refused = ""
    for word in words_of(moves):
        row, label = whole_number(word[:-1]), sign_of(word[-1])
        row = -1 if row is None else row
        refused = _refusal(row, label, n, gamma, labels)
        if refused:
            break
        said = int(player.predict_one({row: 1.0}))
        player.learn_one({row: 1.0}, label)
        labels.setdefault(row, (label, len(played) + 1))
        played.append({"row": row, "said": said, "label": label, "wrong": said != label})
    forced = sum(bool(one["wrong"]) for one in played)
    fresh = next((row for row in range(n) if row not in labels), None)
    over = forced >= lower.min_mistakes() or fresh is None
    return {
        "rounds": played,
        "forced": forced,
        "bound": lower.min_mistakes(),
        "statement": pretty(lower.statement),
        "used": str(gamma**2 * len(labels)),
        "share": float(gamma**2 * len(labels)),
        "labels": {str(row): label for row, (label, _) in labels.items()},
        "rows": n,
        "next": fresh,
        "says": [int(player.predict_one({row: 1.0})) for row in range(n)],
        "refused": refused,
        "over": over,
        "separator": _separator(gamma, labels) if over else "",
        **elsewhere([({one["row"]: 1.0}, one["label"]) for one in played], learner, n),
    }


def _refusal(
    row: int, label: int, n: int, gamma: Fraction, labels: Mapping[int, tuple[int, int]]
) -> str:
    """Why a label is impossible; empty if it is not."""
    if not 0 <= row < n:
        return (
            f"there are {n} rows: with {n + 1} orthogonal ones a separator of margin {gamma} would "
            f"have squared length {number(gamma**2 * (n + 1))}, and only 1 is allowed."
        )
    if row in labels and labels[row][0] != label:
        was, when = labels[row]
        return f"x{row} was labelled {_signed(was)} in round {when}: nothing labels it both ways."
    return ""


def _signed(label: int) -> str:
    return "+1" if label > 0 else "−1"


def _separator(gamma: Fraction, labels: Mapping[int, tuple[int, int]]) -> str:
    terms = [f"{'+' if labels[row][0] > 0 else '−'} {gamma} x{row}" for row in sorted(labels)]
    return " ".join(terms).removeprefix("+ ")
