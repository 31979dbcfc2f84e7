"""Texts, cut into features by C and by JavaScript exactly as the model cuts them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.export.runners import InC, InJavaScript
from thresher.models.input_data import InputData
from thresher.models.model import Model
from thresher.models.opening import open_for_model
from thresher.streams.recipe import NGrams, Recipe

LINES = """spam\tFREE cash now!! Win 2814032 prizes, it's FREE
ham\tlunch at noon, don't be late
spam\tcash 7 07 prizes 2814032 né NÉ 日本 'quoted' x'y''z
ham\tsee you  at\t 7   o'clock... 100% sure \u00a0 ünïcödé
spam\tcall 08001234567 now c:ash ~2 <b>free</b>
ham\t\\backslash\\ "quotes" and a lone ' 😀😀 emoji
"""
ASKED = [
    "", " ", "7", "FREE 2814032", "'", "''a''", "a'b'c'", "né", "ÉÀ É", "😀", "a\tb\r\nc\x0b\x0cd",
    "win win WIN 7 7", "x" * 3000, "lunch at noon, don't be late", "it's it''s 'it's'",
    "\u2028\u00a0", "don't 日本日本 100%", "cash ~2 now", "c:as",
]  # fmt: skip
RECIPES = {
    "words": NGrams(),
    "pairs": NGrams(words=(1, 2)),
    "long": NGrams(words=(2, 3), counts=True),
    "characters": NGrams(words=None, characters=(1, 4)),
    "bigrams": NGrams(words=None, sparse_bigrams=12),
    "all": NGrams(words=(1, 2), characters=(3, 5), sparse_bigrams=5, counts=True),
}
LEARNERS: dict[str, Callable[[], Any]] = {
    "hashed": lambda: th.AROW(2**12),
    "crowded": lambda: th.PassiveAggressive(16, bias=True),
    "vocabulary": lambda: th.AROW(bias=True),
    "strongest": lambda: th.Winnow(64, threshold=9),
    "committee": lambda: th.Committee(2**12),
}


@pytest.mark.parametrize(
    ("learner", "recipe"),
    [("hashed", recipe) for recipe in RECIPES]
    + [(name, "all") for name in LEARNERS if name not in ("hashed", "strongest")]
    + [("strongest", "pairs"), ("committee", "words")],
)
def test_a_text_scores_as_it_does_in_the_model(learner: str, recipe: str, tmp_path: Path) -> None:
    path = tmp_path / "mail.txt"
    path.write_bytes((LINES * 3).encode())
    made: Any = LEARNERS[learner]()
    model = th.train(
        path, made, positive="spam", recipe=Recipe(format="text", text=RECIPES[recipe])
    )
    assert isinstance(model, Model)
    texts = [*ASKED, *(line.split("\t", 1)[1] for line in LINES.splitlines())]
    # In a file a line ends at a line end; a space means the same.
    lines = [text.replace("\r", " ").replace("\n", " ") for text in texts]
    path.write_bytes("".join(f"spam\t{line} \n" for line in lines).encode())
    stream = open_for_model(model, InputData.described(path), labels=False)
    scores = np.concatenate([model.learner.scores(chunk.rows) for chunk in stream.chunks()])
    for runner in (InC(model, tmp_path), InJavaScript(model)):
        for text, score in zip(texts, scores.tolist(), strict=True):
            assert runner.text(text)[0] == [score], text


def test_a_number_in_a_text_is_a_word(tmp_path: Path) -> None:
    """As a column, 7 would be another one than the hash of "7"."""
    learner = th.Perceptron(64)
    learner.learn([{"7": 1.0}], [-1])
    model = Model(learner=learner, recipe=Recipe(format="text"))
    for runner in (InC(model, tmp_path), InJavaScript(model)):
        assert runner.text("7")[0] == runner.named([("7", 1.0)])[0] == [-1.0]
        assert runner.row({7: 1.0})[0] == [learner.score_one({7: 1.0})]


def test_javascript_says_what_is_no_row() -> None:
    learner = th.Perceptron(64)
    learner.learn([{"a": 1.0}], [-1])
    made = InJavaScript(Model(learner=learner))
    assert "a column or a name" in made.fails("{7: 1}")
    assert "finite" in made.fails("{a: NaN}")
    assert "finite" in made.fails("{a: 'many'}")
    assert "a row is an object" in made.fails("'a text'")
    assert made._answer("{a: true, b: 0}") == ([-1.0], "-1")
    assert made._answer("new Map([['a', 2]])") == ([-2.0], "-1")
