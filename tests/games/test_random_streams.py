"""Random streams are what they say: realisable, as noisy as asked for, and cut anywhere."""

from __future__ import annotations

import tracemalloc
from collections import Counter
from fractions import Fraction
from itertools import islice, pairwise
from math import floor
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference import players as slow
from thresher.errors import ParameterError
from thresher.games import (
    Committees,
    Experts,
    KOfR,
    Quorum,
    RandomStream,
    Separator,
    Separators,
    best_expert,
    conjunctions,
    disjunctions,
    expert_stream,
    literals,
    play,
)
from thresher.games.assemble import joined
from thresher.games.random_concepts import Round
from thresher.games.random_margins import quota
from thresher.games.random_sets import around, random_ranks, random_sets
from thresher.games.random_stream import _batch
from thresher.streams import Batch

CLASSES: dict[str, Any] = {
    "disjunctions, sparse": disjunctions(1000, r=3, active=8),
    "disjunctions, dense": disjunctions(40, r=2, active=30),
    "disjunction of all but one": disjunctions(6, r=5, active=1),
    "conjunctions": conjunctions(60, r=4, active=20),
    "k of r": KOfR(80, k=3, r=7, active=12),
    "k of r with surplus": KOfR(80, k=2, r=7, active=12, surplus=5),
    "literals": literals(50, r=5, negated=2, active=10),
    "negations only": literals(50, r=3, negated=3, active=10),
    "committees, odd": Committees(30, k=5),
    "committees, even": Committees(30, k=4, active=10, surplus=2),
    "simplex margin": Committees(64, k=8, margin="1/2"),
    "signed simplex": Committees(64, k=7, active=20, signed=True, surplus=3),
    "separators, dense": Separators(12, margin=0.1),
    "separators, sparse": Separators(500, margin=0.25, active=20, k=6),
    "one feature": Separators(3, margin=0.5, active=1),
    "experts": Experts(9),
}
every_class = pytest.mark.parametrize("concepts", CLASSES.values(), ids=CLASSES)
DISJUNCTIONS = CLASSES["disjunctions, sparse"]


def nearest(rate: Fraction, rounds: int) -> int:
    """The rate times the rounds, to the nearest integer, halves up."""
    return floor(rate * rounds + Fraction(1, 2))


def lengths(batch: Batch) -> set[int]:
    """How many features the rows have."""
    return set(np.diff(batch.row_start).tolist())


@every_class
@pytest.mark.parametrize("seed", [0, 1])
def test_the_hidden_target_labels_every_row(concepts: Any, seed: int) -> None:
    stream = RandomStream(concepts, 1500, seed, balance="0.3")
    batch = stream.batch()
    assert len(batch) == 1500
    assert len(stream.target.contradictions(batch)) == 0
    assert int((batch.label > 0).sum()) == 450
    assert batch.n_features <= stream.n_features == concepts.n_features


@every_class
@given(
    size=st.sampled_from([1, 7, 100, 1023, 1024, 1025, 5000]),
    seed=st.integers(0, 2**64),
    noise=st.sampled_from([0, "1/10"]),
    drift=st.sampled_from([(), (1,), (500, 1024, 1100)]),
)
@settings(max_examples=4)
def test_the_rows_do_not_depend_on_how_the_stream_is_cut(
    concepts: Any, size: int, seed: int, noise: Any, drift: tuple[int, ...]
) -> None:
    stream = RandomStream(concepts, 1300, seed, "1/3", noise, noise, drift)
    whole = stream.batch()
    chunks = list(stream.chunks(size))
    assert [len(chunk) for chunk in chunks[:-1]] == [size] * (len(chunks) - 1)
    assert joined(chunks) == whole
    assert stream.part(900, 1200) == whole[900:1200]
    assert stream.part(1290, 9999) == whole[1290:]


@given(
    st.integers(0, 2500),
    st.fractions(0, 1, max_denominator=1000),
    st.fractions(0, 1, max_denominator=1000),
)
@settings(max_examples=30)
def test_the_share_of_positives_and_the_flips_are_exact(
    rounds: int, balance: Fraction, noise: Fraction
) -> None:
    clean = RandomStream(DISJUNCTIONS, rounds, 3, balance)
    noisy = RandomStream(DISJUNCTIONS, rounds, 3, balance, label_noise=noise)
    before, after = clean.batch(), noisy.batch()
    assert int((before.label > 0).sum()) == nearest(balance, rounds)
    assert len(noisy.target.contradictions(after)) == nearest(noise, rounds)
    assert int((before.label != after.label).sum()) == nearest(noise, rounds)
    assert np.array_equal(before.column, after.column)


def test_attribute_noise_spoils_exactly_so_many_rows() -> None:
    for concepts in (DISJUNCTIONS, CLASSES["literals"], CLASSES["k of r"]):
        clean = RandomStream(concepts, 3000, 1)
        noisy = RandomStream(concepts, 3000, 1, attribute_noise="0.05")
        pairs = list(zip(clean.batch().examples(), noisy.batch().examples(), strict=True))
        changed = [(set(x) ^ set(z), y == w) for (x, y), (z, w) in pairs if x != z]
        assert len(changed) == 150
        target = clean.target
        assert isinstance(target, Quorum)
        relevant = {*target.plain, *target.negated}
        assert all(len(toggled) == 1 and toggled <= relevant for toggled, _ in changed)
        assert all(same_label for _, same_label in changed)
        assert 0 < len(target.contradictions(noisy.batch())) <= 150


def test_a_spoiled_vote_is_turned() -> None:
    for concepts in (CLASSES["committees, odd"], CLASSES["separators, sparse"]):
        clean = RandomStream(concepts, 2000, 1).batch()
        noisy = RandomStream(concepts, 2000, 1, attribute_noise="1/20").batch()
        assert np.array_equal(clean.column, noisy.column)
        turned = clean.value != noisy.value
        assert int(turned.sum()) == 100
        assert np.array_equal(clean.value[turned], -noisy.value[turned])
    stream = RandomStream(CLASSES["committees, odd"], 2000, 1, attribute_noise="1/20")
    assert len(stream.target.contradictions(stream.batch())) > 0


@pytest.mark.parametrize(
    "name", ["disjunctions, sparse", "disjunctions, dense", "conjunctions", "literals"]
)
def test_every_row_has_the_number_of_active_features_asked_for(name: str) -> None:
    concepts = CLASSES[name]
    assert lengths(RandomStream(concepts, 2000).batch()) == {concepts.active}


@pytest.mark.parametrize("name", ["committees, even", "separators, sparse", "experts"])
def test_dense_classes_have_rows_of_one_length(name: str) -> None:
    concepts = CLASSES[name]
    width = concepts.n_features if name == "experts" else concepts.active
    assert lengths(RandomStream(concepts, 2000).batch()) == {width}


def test_positive_rows_have_exactly_k_true_literals_and_negative_ones_every_number_below() -> None:
    stream = RandomStream(CLASSES["k of r"], 4000)
    target = stream.target
    assert isinstance(target, Quorum)
    assert len(target.plain) == 7
    seen = Counter((y, len(set(x) & set(target.plain))) for x, y in stream.batch().examples())
    assert set(seen) == {(1, 3), (-1, 0), (-1, 1), (-1, 2)}
    surplus = RandomStream(CLASSES["k of r with surplus"], 4000)
    target = surplus.target
    assert isinstance(target, Quorum)
    seen = Counter((y, len(set(x) & set(target.plain))) for x, y in surplus.batch().examples())
    assert set(seen) == {(1, j) for j in range(2, 8)} | {(-1, 0), (-1, 1)}


@pytest.mark.parametrize(
    ("name", "margin"),
    [
        ("committees, odd", Fraction(1, 5)),
        ("committees, even", Fraction(1, 2)),
        ("simplex margin", Fraction(1, 2)),
        ("signed simplex", Fraction(1, 7)),
    ],
)
def test_the_smallest_margin_of_a_committee_is_the_one_promised(
    name: str, margin: Fraction
) -> None:
    stream = RandomStream(CLASSES[name], 1500)
    target = stream.target
    assert isinstance(target, Separator)
    assert target.l1_norm == 1
    assert target.margin_of(stream.batch()) == target.margin == margin
    assert set(np.unique(stream.batch().value)) == {-1.0, 1.0}


def test_a_signed_simplex_has_weights_of_both_signs() -> None:
    target = RandomStream(CLASSES["signed simplex"], 1).target
    assert isinstance(target, Separator)
    assert {w > 0 for w in target.weights.values()} == {True, False}


@pytest.mark.parametrize("name", ["separators, dense", "separators, sparse", "one feature"])
def test_separators_keep_norms_and_margin_exactly(name: str) -> None:
    concepts = CLASSES[name]
    stream = RandomStream(concepts, 1100, 5)
    batch = stream.batch()
    target = stream.target
    assert isinstance(target, Separator)
    assert target.norm_squared <= 1
    assert all(sum(Fraction(v) ** 2 for v in x.values()) <= 1 for x in batch)
    smallest = target.margin_of(batch)
    assert Fraction(concepts.margin) <= smallest < Fraction(concepts.margin) * Fraction(11, 10)
    assert play(slow.Perceptron(), batch, passes=100) <= 1 / Fraction(concepts.margin) ** 2


class Flat:
    """A generator whose one-dimensional normal variables are all 0: every margin is smallest."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def standard_normal(self, size: Any) -> Any:
        """Zeros for the margins, true variables for the rows."""
        return np.zeros(size) if isinstance(size, int) else self.rng.standard_normal(size)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.rng, name)


@pytest.mark.parametrize("margin", [1e-9, 0.01, 0.1, 0.999])
def test_even_the_smallest_margin_is_large_enough(margin: float) -> None:
    concepts = Separators(40, margin, active=15, k=4)
    rng = np.random.Generator(np.random.PCG64(3))
    target = concepts.draw(rng)
    label = np.where(np.arange(300) % 2, 1, -1).astype(np.int8)
    rounds = Round(label, np.zeros(300, bool), 0)
    flat: Any = Flat(rng)
    batch = _batch(concepts.rows(target, flat, rounds), label)
    assert Fraction(margin) <= target.margin_of(batch) < Fraction(margin) + Fraction(1, 10**8)
    assert all(sum(Fraction(v) ** 2 for v in x.values()) <= 1 for x in batch)


def test_irrelevant_features_are_equally_likely_whatever_the_row_needs() -> None:
    stream = RandomStream(KOfR(60, k=4, r=4, active=10), 8000)
    target = stream.target
    assert isinstance(target, Quorum)
    seen = np.bincount(stream.batch().column, minlength=60)
    others = np.delete(seen, target.plain)
    assert others.min() > 0.85 * others.mean()
    assert others.max() < 1.15 * others.mean()


def test_drift_draws_a_new_target_at_the_rounds_asked_for() -> None:
    stream = RandomStream(DISJUNCTIONS, 3000, 2, drift=(700, 2048))
    batch = stream.batch()
    targets = stream.targets
    assert len(set(targets)) == 3
    for target, first, stop in zip(targets, (0, 700, 2048), (700, 2048, 3000), strict=True):
        assert len(target.contradictions(batch[first:stop])) == 0
        assert stream.target_at(first) == stream.target_at(stop - 1) == target
    assert len(targets[0].contradictions(batch[700:2048])) > 100
    steady = RandomStream(DISJUNCTIONS, 3000, 2).batch()
    assert steady[:700] == batch[:700]


def test_a_longer_stream_begins_with_the_blocks_of_a_shorter_one() -> None:
    short, long = RandomStream(DISJUNCTIONS, 2048, 4), RandomStream(DISJUNCTIONS, 5000, 4)
    assert long.batch()[:2048] == short.batch()
    endless = RandomStream(DISJUNCTIONS, None, 4)
    assert joined(islice(endless.chunks(512), 4)) == short.batch()


def test_another_seed_gives_another_target_and_other_rows() -> None:
    one, two = RandomStream(DISJUNCTIONS, 50, 0), RandomStream(DISJUNCTIONS, 50, 1)
    assert one.target != two.target
    assert one.batch() != two.batch()
    assert one.batch() == RandomStream(DISJUNCTIONS, 50, 0).batch()


def test_a_long_stream_needs_little_memory() -> None:
    stream = RandomStream(disjunctions(10_000, r=3, active=20), 60_000)
    tracemalloc.start()
    rows = sum(len(chunk) for chunk in stream.chunks(2000))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert rows == 60_000
    assert peak < 6_000_000  # the whole stream holds 14 million bytes


@pytest.mark.parametrize(("rounds", "best"), [(300, 0), (300, 7), (1500, 150), (2100, 1050)])
def test_the_best_expert_makes_exactly_the_mistakes_asked_for(rounds: int, best: int) -> None:
    stream = expert_stream(12, rounds, best, seed=best)
    batch = stream.batch()
    target = stream.target
    assert isinstance(target, Separator)
    (index,) = target.weights
    assert best_expert(batch)[1] == best == len(target.contradictions(batch))
    dense = np.array([[x[i] for i in range(12)] for x in batch])
    wrong = (dense != batch.label[:, None]).sum(axis=0)
    assert wrong[index] == best
    assert set(np.delete(wrong, index).tolist()) == {nearest(Fraction(1, 2), rounds)}


@given(st.integers(0, 12), st.integers(0, 12), st.integers(1, 5))
def test_random_sets_are_sets_of_the_right_size(universe: int, size: int, n: int) -> None:
    size = min(size, universe)
    rng = np.random.Generator(np.random.PCG64(size))
    sets = random_sets(rng, n, universe, size)
    assert sets.shape == (n, size)
    for row in sets.tolist():
        assert row == sorted(set(row))
        assert all(0 <= i < universe for i in row)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_all_sets_are_equally_likely(size: int) -> None:
    rng = np.random.Generator(np.random.PCG64(7))
    counts = Counter(map(tuple, random_sets(rng, 20_000, 5, size).tolist()))
    expected = {1: 5, 2: 10, 3: 10, 4: 5}[size]
    assert len(counts) == expected
    chi_squared = sum((c - 20_000 / expected) ** 2 for c in counts.values()) * expected / 20_000
    assert chi_squared < 30  # 99.9 % of the time below 28 with 9 degrees of freedom


def test_ranks_are_permutations_and_around_leaves_out() -> None:
    rng = np.random.Generator(np.random.PCG64(1))
    assert all(sorted(row) == list(range(6)) for row in random_ranks(rng, 50, 6).tolist())
    left_out = np.array([0, 1, 5, 9])
    assert around(left_out, np.arange(6)).tolist() == [2, 3, 4, 6, 7, 8]


@given(st.fractions(0, 1), st.lists(st.integers(1, 50), min_size=1, max_size=8))
def test_quotas_add_up(rate: Fraction, steps: list[int]) -> None:
    ends = np.cumsum([0, *steps]).tolist()
    parts = [quota(rate, a, b) for a, b in pairwise(ends)]
    assert sum(parts) == nearest(rate, ends[-1])
    assert all(0 <= part <= step for part, step in zip(parts, steps, strict=True))


@pytest.mark.parametrize(
    "build",
    [
        lambda: disjunctions(10, r=0, active=2),
        lambda: disjunctions(10, r=11, active=2),
        lambda: disjunctions(10, r=2, active=0),
        lambda: disjunctions(10, r=2, active=9),
        lambda: disjunctions(5, r=5, active=1),
        lambda: KOfR(10, k=3, r=2, active=4),
        lambda: KOfR(10, k=2, r=3, active=5, surplus=2),
        lambda: literals(10, r=3, negated=4, active=5),
        lambda: Committees(10, k=11),
        lambda: Committees(10, k=3, active=2),
        lambda: Committees(10, k=3, margin=0),
        lambda: Separators(10, margin=1.0),
        lambda: Separators(10, margin=0.1, active=3, k=4),
        lambda: Experts(0),
        lambda: Experts(5, error_rate=2),
        lambda: RandomStream(DISJUNCTIONS, -1),
        lambda: RandomStream(DISJUNCTIONS, 10, seed=-1),
        lambda: RandomStream(DISJUNCTIONS, 10, balance="1.1"),
        lambda: RandomStream(DISJUNCTIONS, 10, label_noise=-0.1),
        lambda: RandomStream(DISJUNCTIONS, 10, drift=(5, 5)),
        lambda: RandomStream(DISJUNCTIONS, 10, drift=(0,)),
        lambda: RandomStream(DISJUNCTIONS, None).batch(),
        lambda: expert_stream(5, 100, best_mistakes=51),
        lambda: next(RandomStream(DISJUNCTIONS, 10).chunks(0)),
    ],
)
def test_impossible_parameters_are_refused(build: Any) -> None:
    with pytest.raises(ParameterError, match="must be"):
        build()
