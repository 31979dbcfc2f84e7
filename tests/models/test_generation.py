"""Synthetic streams by description, without a terminal."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import thresher as th
from tests.streams.examples import joined
from thresher.errors import NotWritableError, RequestError
from thresher.games import PlantedStream, RandomStream, concept_classes, streams
from thresher.models.choice import LearnerChoice
from thresher.models.events import Progressed
from thresher.models.generation import Generation
from thresher.models.synthetic_streams import StreamDescription, generated
from thresher.streams import Rows


def test_a_description_gives_the_stream_of_the_games(tmp_path: Path) -> None:
    wanted = StreamDescription(
        kind="disjunctions", rows=300, seed=9, noise=Fraction(1, 20), parameters={"r": 4}
    )
    generation = Generation(wanted, str(tmp_path / "some.thb"))
    assert list(generation) == [Progressed(300, 300, 300)]
    expected = RandomStream(concept_classes()["disjunctions"](r=4), 300, 9, "1/2", "1/20")
    assert joined(tmp_path / "some.thb") == expected.batch()
    assert list(generation.stream.secret()) == [repr(target) for target in expected.targets]


def test_an_adversary_answers_the_learner_that_is_chosen() -> None:
    made = []
    for text, player in (("perceptron", th.Perceptron(16)), ("winnow:beta=2", th.Winnow(16, 2))):
        wanted = StreamDescription(
            kind="binary-search", parameters={"n_features": 16}, against=LearnerChoice.parse(text)
        )
        (piece,) = generated(wanted).pieces
        expected = streams()["binary-search"](player, n_features=16)
        assert isinstance(expected, PlantedStream)
        assert piece.rows.digest() == Rows.of(expected.batch).digest()
        made.append(piece.rows.digest())
    assert made[0] != made[1]


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (StreamDescription(kind="nonsense"), "there is no stream called 'nonsense'"),
        (StreamDescription(kind="words", noise=1), "noise is for random streams, not for words"),
        (StreamDescription(kind="nested", drift=(10,)), "drift is for random streams"),
        (
            StreamDescription(kind="words", parameters={"beta": 1}),
            "words has no parameter beta; it has n_features, active, tilt, real",
        ),
        (
            StreamDescription(kind="disjunctions", parameters={"q": 1}),
            "Parameters and their defaults: n_features=100",
        ),
    ],
)
def test_what_no_stream_has_is_refused_in_the_words_of_a_program(
    wanted: StreamDescription, says: str
) -> None:
    with pytest.raises(RequestError, match=says) as refused:
        generated(wanted)
    assert "--" not in str(refused.value)


def test_a_table_needs_an_end(tmp_path: Path) -> None:
    endless = StreamDescription(kind="words", rows=None)
    with pytest.raises(NotWritableError, match="csv needs an end"):
        Generation(endless, str(tmp_path / "some.csv"))
