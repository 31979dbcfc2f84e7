"""A game at the command line and in Python: its rows and labels, and the learner that met them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from thresher.lab.programs import constructed, spoken

Moves = Sequence[tuple[Mapping[int, float], int]]


def elsewhere(moves: Moves, learner: str, n_features: int) -> dict[str, Any]:
    """What to type to see a learner meet the rows of a game; nothing before the first move.

    >>> told = elsewhere([({0: 1.0}, -1), ({1: 1.0}, 1)], "perceptron", 4)
    >>> print(*told["commands"], sep="\\n")
    printf '%s\\n' '-1 0:1' '+1 1:1' > game.svm
    thresher trace game.svm --features 4 --learner perceptron
    >>> exec(told["python"])
    {0: 1.0} said +1, was -1
    {1: 1.0} said +1, was +1
    1 mistakes
    """
    if not moves:
        return {"commands": [], "python": ""}
    lines = [
        " ".join([f"{label:+d}", *(f"{column}:{value:g}" for column, value in row.items())])
        for row, label in moves
    ]
    imports, made = constructed(learner, n_features)
    rows = ", ".join(f"({dict(row)!r}, {label})" for row, label in moves)
    program = (
        *imports, "",
        f"learner = {made}",
        f"for row, label in [{rows}]:",
        "    said = learner.learn_one(row, label)",
        '    print(f"{row} said {said:+d}, was {label:+d}")',
        'print(learner.mistakes, "mistakes")',
    )  # fmt: skip
    quoted = " ".join(f"'{line}'" for line in lines)
    return {
        "commands": [
            f"printf '%s\\n' {quoted} > game.svm",
            f"thresher trace game.svm --features {n_features} {spoken(learner)}",
        ],
        "python": "\n".join(program),
    }
