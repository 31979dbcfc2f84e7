"""Experts: you choose who errs, and Weighted Majority learns whom to trust."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from thresher import theory
from thresher.certifier import certify
from thresher.errors import RequestError
from thresher.lab.game.elsewhere import elsewhere
from thresher.lab.game.moves import words_of
from thresher.lab.typography import pretty
from thresher.learners.finite.weighted_majority import WeightedMajority
from thresher.parameters import exact
from thresher.streams.batch import Batch


def experts(count: int, beta: str, moves: str) -> dict[str, Any]:
    """Weighted Majority while you choose who errs; a move is the set of those, in hexadecimal.

    The right answer is +1 and -1 by turns.

    >>> game = experts(4, "1/2", "7.7.1")
    >>> game["mistakes"], game["weights"], game["best"]
    (2, ['1/8', '1/4', '1/4', '1'], 0)
    """
    if not 2 <= count <= 16:
        raise RequestError("there are 2 to 16 experts in the game.")
    factor = exact(beta)
    player = WeightedMajority(count, beta if factor is None else factor)
    rows: list[dict[int, float]] = []
    labels: list[int] = []
    played: list[dict[str, Any]] = []
    wrong = [0] * count
    for word in words_of(moves):
        try:
            erring = int(word, 16)
        except ValueError:
            raise RequestError(f"{word[:20]!r} names no experts.") from None
        if not 0 <= erring < 1 << count:
            raise RequestError(f"there are only {count} experts.")
        label = 1 if len(rows) % 2 == 0 else -1
        errs = [bool(erring >> i & 1) for i in range(count)]
        row = {i: float(-label if one else label) for i, one in enumerate(errs)}
        said = int(player.predict_one(row))
        player.learn_one(row, label)
        wrong = [w + one for w, one in zip(wrong, errs, strict=True)]
        rows.append(row)
        labels.append(label)
        played.append({"erring": erring, "said": said, "label": label, "wrong": said != label})
    certificate = certify(player, Batch.of(rows, labels)) if rows else None
    weights = [player.power_base**-w if player.power_base else Fraction(not w) for w in wrong]
    theorem = None if certificate is None else certificate.theorem
    return {
        "rounds": played,
        "weights": [str(weight) for weight in weights],
        "sizes": [float(weight) for weight in weights],
        "stored": player.weights.tolist(),
        "errors": wrong,
        "best": min(wrong),
        "total": str(sum(weights, Fraction(0))),
        "mistakes": player.mistakes,
        "next": 1 if len(rows) % 2 == 0 else -1,
        "bound": None if certificate is None else certificate.allowed,
        "theorem": theorem,
        "statement": "" if theorem is None else pretty(getattr(theory, theorem).statement),
        **elsewhere(
            [*zip(rows, labels, strict=True)], f"weighted_majority:beta={player.beta}", count
        ),
    }
