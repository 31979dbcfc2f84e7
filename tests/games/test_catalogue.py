"""The catalogue lists every construction, and each keeps its promises."""

from __future__ import annotations

from typing import Any

import pytest

from tests.reference import players as slow
from thresher import games
from thresher.errors import ParameterError
from thresher.games import (
    Entry,
    MulticlassStream,
    PlantedStream,
    RandomStream,
    concept_classes,
    streams,
)
from thresher.streams import Batch

ENTRIES = streams()
every_entry = pytest.mark.parametrize("entry", ENTRIES.values(), ids=ENTRIES)


def player_for(entry: Entry) -> Any:
    return slow.MulticlassPerceptron(3) if entry.name == "multiclass" else slow.Perceptron()


@every_entry
def test_an_entry_builds_with_its_defaults_and_is_consistent(entry: Entry) -> None:
    stream = entry(player_for(entry))
    assert stream.name == entry.name
    assert stream.consistent
    assert len(stream) > 0
    assert stream.forced > 0
    assert stream.summary
    assert entry.summary.endswith(".")
    assert stream.bound is None or stream.forced <= stream.bound


@every_entry
def test_building_twice_gives_the_same_rows(entry: Entry) -> None:
    one, two = entry(player_for(entry)), entry(player_for(entry))
    if isinstance(one, PlantedStream):
        assert isinstance(two, PlantedStream)
        assert one.batch == two.batch
        assert one.batch.n_features <= one.n_features
    else:
        assert isinstance(two, MulticlassStream)
        assert (one.rows, one.label) == (two.rows, two.label)


@every_entry
def test_an_unknown_parameter_is_named(entry: Entry) -> None:
    with pytest.raises(ParameterError, match=r"a parameter must be one of .*, found 'flavour'"):
        entry(player_for(entry), flavour=3)


@pytest.mark.parametrize("name", ["lower-bound", "sign-patterns", "binary-search", "multiclass"])
def test_a_stream_that_answers_a_player_needs_one(name: str) -> None:
    with pytest.raises(ParameterError, match="this stream answers a player"):
        ENTRIES[name]()


def test_the_catalogue_holds_every_construction_and_cannot_be_changed() -> None:
    builders = {entry.build.__name__ for entry in ENTRIES.values()}
    streams_by_hand = {
        name
        for name in games.__all__
        if getattr(getattr(games, name), "__annotations__", {}).get("return")
        in ("PlantedStream", "MulticlassStream")
    }
    assert builders == streams_by_hand
    assert len(builders) == len(ENTRIES) == 22
    with pytest.raises(TypeError):
        ENTRIES["new"] = None  # type: ignore[index]


@pytest.mark.parametrize(
    ("build", "found"),
    [
        (lambda: games.orthonormal(0), "n must be at least 1, found 0"),
        (lambda: games.identical_shards(3, 0), "copies must be at least 1"),
        (lambda: games.thick(3, -1), "tau must be at least 0"),
        (lambda: games.splitter(4, 4, 1), "beta must be between 0 and 1"),
        (lambda: games.nested(1), "n must be between 2 and 14, found 1"),
        (lambda: games.elimination(3, 4), "r must be between 0 and 3, found 4"),
        (lambda: games.winnow_loop(-1), "repeats must be at least 0"),
    ],
)
def test_impossible_parameters_are_refused(build: Any, found: str) -> None:
    with pytest.raises(ParameterError, match=found):
        build()


@pytest.mark.parametrize("name", concept_classes())
def test_a_concept_class_builds_with_its_defaults_and_is_realisable(name: str) -> None:
    entry = concept_classes()[name]
    stream = RandomStream(entry(), 300)
    assert len(stream.target.contradictions(stream.batch())) == 0
    assert entry.name == name
    assert entry.summary.endswith(".")
    with pytest.raises(ParameterError, match=r"a parameter must be one of n_features, .*'x'"):
        entry(x=1)


def test_playing_a_batch_counts_mistakes_of_one_pass() -> None:
    batch: Batch = games.orthonormal(4).batch
    assert games.play(slow.Perceptron(), batch) == 4
    assert games.play(slow.Perceptron(), batch, passes=3) == 4
