"""You are the learner, against an adversary that forces as many mistakes as a theorem says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from thresher import theory
from thresher.errors import RequestError
from thresher.games import LowerBoundAdversary, PlantedStream, Player, binary_search
from thresher.lab.game.elsewhere import elsewhere
from thresher.lab.game.moves import margin_of, sign_of, words_of
from thresher.lab.typography import pretty
from thresher.models.written import whole_number


class _AskedError(Exception):
    """The adversary shows a row for which no answer was given yet."""

    def __init__(self, features: Mapping[int, float]) -> None:
        self.features = sorted(features)


class _You:
    """Whoever sits at the page, as a player of a game: the answers so far, then a question."""

    def __init__(self, answers: list[int]) -> None:
        self._answers = iter(answers)
        self.played: list[dict[str, Any]] = []

    def predict_one(self, features: Mapping[Any, float], /) -> int:
        said = next(self._answers, None)
        if said is None:
            raise _AskedError(features)
        self.played.append({"row": sorted(features), "said": said})
        return said

    def learn_one(self, features: Mapping[Any, float], label: int, /) -> None:
        last = self.played[-1]
        last["label"], last["wrong"] = label, last["said"] != label


def learner(kind: str, setting: str, moves: str) -> dict[str, Any]:
    """You predict, and an adversary answers; moves are your predictions.

    >>> learner("lower-bound", "1/2", "p.m")["row"]
    [2]
    >>> game = learner("binary-search", "8/2", "p.p.p.p")
    >>> game["mistakes"], game["over"], game["target"]
    (4, True, 'x3 or x7')
    """
    other = "winnow" if kind == "binary-search" else "perceptron"
    you = _You([sign_of(word) for word in words_of(moves)])
    stream: PlantedStream | None = None
    asked: list[int] | None = None
    lower: theory.LowerBound
    play: Callable[[Player], PlantedStream]
    if kind == "lower-bound":
        gamma = margin_of(setting)
        unit_vectors = LowerBoundAdversary(gamma)
        n, play = unit_vectors.rounds, unit_vectors.play
        lower = theory.MarginLower(margin_squared=gamma**2, n_features=n)
    elif kind == "binary-search":
        first, _, second = setting.partition("/")
        n, r = whole_number(first) or 0, whole_number(second) or 0
        if not 1 <= r <= n <= 64:
            raise RequestError(f"{setting[:20]!r} is not features/relevant such as 16/2.")
        lower = theory.DisjunctionLower(n_features=n, relevant=r)
        play = partial(binary_search, n_features=n, r=r)
    else:
        raise RequestError(f"there is no adversary {kind[:20]!r}; take lower-bound, binary-search.")
    try:
        stream = play(you)
    except _AskedError as question:
        asked = question.features
    return {
        "rounds": you.played,
        "row": asked,
        "rows": n,
        "mistakes": sum(bool(one["wrong"]) for one in you.played),
        "bound": lower.min_mistakes(),
        "statement": pretty(lower.statement),
        "over": stream is not None,
        "target": "" if stream is None else str(stream.target),
        # Somebody else at the same rows.
        **elsewhere(
            [(dict.fromkeys(one["row"], 1.0), one["label"]) for one in you.played], other, n
        ),
    }
