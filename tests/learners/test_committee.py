from __future__ import annotations

import pickle
import resource
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.reference.committee import Committee as Twin
from thresher.errors import ExportError, HypothesisError, NotCertifiableError, ParameterError
from thresher.learners.two_class.committee_members import DEFAULT_MEMBERS, Member
from thresher.theory import MixtureOfExperts


def noisy(seed: int, rows: int = 300, n: int = 12) -> tuple[Any, Any]:
    random = np.random.default_rng(seed)
    X = random.integers(0, 3, (rows, n)).astype(float)
    return X, np.where(X @ random.normal(size=n) + random.normal(size=rows) > 0, 1, -1)


def test_the_table_of_members_adds_up() -> None:
    X, y = noisy(0)
    learner = th.Committee(12)
    rounds = learner.learn(X, y)
    standings = learner.members
    assert [standing.name for standing in standings[:2]] == ["arow 10 scaled", "arow 1 presence"]
    assert [standing.name for standing in standings[8:]] == [
        "arow 10 standard",
        "arow 100 standard",
        "arow 10 squares",
        "means 10 standard",
        "arow 10 pairs",
        "matrix 1 standard",
        "arow 3 hats",
        "average",
        "combination",
    ]
    assert sum(standing.prior for standing in standings) == pytest.approx(1.0)
    assert learner.mistakes == rounds.mistakes
    label = np.where(y > 0, 1, -1)
    assert learner.log_loss == pytest.approx(-np.log(0.5 + 0.5 * label * rounds.scores).sum())
    before = th.Committee(12)
    assert [standing.mistakes for standing in before.members] == [0] * 17
    assert before.log_loss == 0.0


def test_a_committee_of_one_predicts_as_its_member() -> None:
    X, y = noisy(1)
    alone = th.Committee(12, members=[("arow", 1.0, "presence")])
    rounds = alone.learn(X, y)
    # But for rows between the two, where the constant of the combination decides.
    assert abs(alone.members[0].mistakes - rounds.mistakes) <= 3
    # The same rule in double precision, on the rows as that member sees them.
    single = th.AROW(12, r=1.0, bias=True)
    theirs = single.learn(np.sign(X), y)
    assert alone.members[0].mistakes == theirs.mistakes


def test_rows_longer_than_a_stretch_are_learned_as_by_the_slow_twin() -> None:
    random = np.random.default_rng(3)
    X = random.choice([0.5, 1.0, 2.0, -3.0], (6, 600))
    y = [1, -1, 1, 1, -1, -1]
    learner = th.Committee(600)
    twin = Twin([(member.rule, member.rows, member.setting) for member in DEFAULT_MEMBERS])
    rows = [dict(enumerate(row.tolist())) for row in X]
    expected = twin.learn(zip(rows, y, strict=True))
    assert learner.learn(X, y).scores.tolist() == expected
    assert learner.scores(X).tolist() == [twin.score(row) for row in rows]


def test_later_rows_are_no_part_of_a_round() -> None:
    """The weights of rows to come are fetched early; they must be no more than fetched."""
    X, y = noisy(4)
    whole, single = th.Committee(12), th.Committee(12)
    whole.learn(X, y)
    for row, label in zip(X, y, strict=True):
        single.learn(row.reshape(1, -1), [label])
    assert whole == single


def test_the_bound_is_that_against_the_expert_it_favours_most() -> None:
    favoured = []
    for seed in range(6):
        X, y = noisy(seed, rows=8)
        learner = th.Committee(12)
        learner.learn(X, y)
        bounds = [
            MixtureOfExperts(expert_loss=e.log_loss, prior=e.prior, rounds=8).bound()
            for e in learner.members
        ]
        assert learner.bound().bound() == min(bounds)
        least = min(e.log_loss for e in learner.members)
        favoured.append(learner.members[bounds.index(min(bounds))].log_loss == least)
    # A member may have the least loss, and start with less weight than pays off.
    assert not all(favoured)


def test_lone_effects_are_what_a_feature_alone_adds_to_the_combination() -> None:
    random = np.random.default_rng(8)
    X = (random.random((600, 12)) < 0.3).astype(float)
    y = np.where(X @ random.normal(size=12) + random.normal(size=600) > 0, 1, -1)
    learner = th.Committee(12)
    learner.learn(X, y)
    twin = Twin([(member.rule, member.rows, member.setting) for member in DEFAULT_MEMBERS])
    rows = [{int(i): 1.0 for i in np.flatnonzero(row)} for row in X]
    twin.learn(zip(rows, y.tolist(), strict=True))
    lone = learner.lone_effects()
    assert sorted(lone.column.tolist()) == list(range(12))
    assert np.all(np.diff(np.abs(lone.adds)) <= 0)
    for i, adds in zip(lone.column.tolist(), lone.adds.tolist(), strict=True):
        row = {i: 1.0}
        odds = twin.opinions(twin.scores_of(row, twin.columns.seen(row)))[1][-1]
        # A score is divided by its root mean square, for the constant without this row.
        assert adds + lone.constant == pytest.approx(odds, rel=0.02, abs=0.02)


def test_names_are_hashed_or_kept() -> None:
    stream: list[tuple[dict[str, float], int]] = [
        ({"free": 1, "cash": 2.0}, 1),
        ({"meeting": 1}, -1),
        ({"free": 1}, 1),
    ] * 5
    kept, hashed = th.Committee(), th.Committee(2**10)
    for features, label in stream:
        assert kept.learn_one(features, label) == hashed.learn_one(features, label)
    assert kept.vocabulary == {"free": 0, "cash": 1, "meeting": 2}
    assert kept.predict_one({"meeting": 1}) == hashed.predict_one({"meeting": 1}) == -1
    lone = hashed.lone_effects()
    adds = dict(zip(lone.column.tolist(), lone.adds.tolist(), strict=True))
    assert adds[hashed.column_of("free") or 0] > 0 > adds[hashed.column_of("meeting") or 0]


def test_other_members_survive_pickling() -> None:
    X, y = noisy(5)
    grid = [("adagrad", 0.5, "unit"), Member("means", 1.0, "scaled")]
    learner = th.Committee(12, members=grid)
    learner.learn(X[:100], y[:100])
    again = pickle.loads(pickle.dumps(learner))
    assert again == learner
    assert np.array_equal(again.learn(X, y).scores, learner.learn(X, y).scores)
    assert "adagrad" in repr(learner)


def test_there_is_no_journal_and_nothing_to_certify_from_it() -> None:
    X, y = noisy(6)
    learner = th.Committee(12)
    learner.learn(X, y)
    assert not learner.journal.complete
    assert (len(learner.journal), learner.journal.omitted) == (0, len(X))
    with pytest.raises(NotCertifiableError, match=r"does not show every mistake|not complete"):
        th.certify(learner, claim=th.theory.Disjunction(k=2, n=12))
    with pytest.raises(ExportError, match="mixes learners"):
        learner.linear_form()
    with pytest.raises(NotCertifiableError):
        th.Committee(12).learn(X, y, claim=th.theory.Disjunction(k=2, n=12))


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ([], "up to 8 members"),
        ([DEFAULT_MEMBERS[0]] * 9, "up to 8 members, and up to 7 for narrow streams, found '9 and"),
        ([DEFAULT_MEMBERS[12]] * 8, "found '0 and 8'"),
        ([("matrix", 1.0, "pairs")], "found 'matrix on pairs'"),
        ([("adagrad", 1.0, "standard")], "found 'adagrad on standard'"),
        ([("means", 1.0, "hats")], "found 'means on hats'"),
        ([("arow", 1.0)], "triples"),
        (["arow"], "triples"),
        ([("winnow", 1.0, "unit")], "arow or adagrad or means"),
        ([("arow", 1.0, "raw")], "scaled or presence or unit or root"),
        ([("arow", 0.0, "unit")], "from 1e-6 to 1e6"),
        ([("arow", True, "unit")], "from 1e-6 to 1e6"),
        ([("arow", float("nan"), "unit")], "from 1e-6 to 1e6"),
    ],
)
def test_members_that_cannot_be_are_refused(members: Any, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        th.Committee(3, members=members)


def test_the_order_in_which_members_are_given_matters_only_for_who_is_named_first() -> None:
    X, y = noisy(9, rows=100)
    seats_first = [DEFAULT_MEMBERS[13], DEFAULT_MEMBERS[8], DEFAULT_MEMBERS[0]]
    one, other = (th.Committee(12, members=grid) for grid in (seats_first, seats_first[::-1]))
    assert [m.name for m in one.members[:3]] == [
        "arow 10 scaled",
        "arow 10 standard",
        "matrix 1 standard",
    ]
    assert np.array_equal(one.learn(X, y).scores, other.learn(X, y).scores)


def test_a_weight_of_1_is_no_weight_and_one_of_0_changes_only_the_count_of_rounds() -> None:
    X, y = noisy(10)
    plain, ones, classes = (
        th.Committee(12),
        th.Committee(12),
        th.Committee(12, class_weight={-1: 1.0, 1: 1.0}),
    )
    weight = np.ones(len(y))
    expected = plain.learn(X, y).scores
    weight[0] = 0.5
    ones.learn(X[:1], y[:1], importance=[0.0])
    assert ones.learned_state().keys() == plain.learned_state().keys()
    assert ones.n_rounds == 1
    assert np.array_equal(ones.learn(X, y, importance=np.ones(len(y))).scores, expected)
    assert np.array_equal(classes.learn(X, y).scores, expected)
    assert ones.bound().bound() > 0
    assert not np.array_equal(th.Committee(12).learn(X, y, importance=weight).scores, expected)


def test_a_heavy_class_is_missed_less_often() -> None:
    random = np.random.default_rng(11)
    X = random.normal(size=(3000, 6))
    y = np.where(X[:, 0] + 1.5 * random.normal(size=3000) > 2.0, 1, -1)
    even, heavy = th.Committee(6), th.Committee(6, class_weight={1: 6.0})
    even.learn(X, y)
    heavy.learn(X, y)
    assert heavy.false_negatives < 0.7 * even.false_negatives
    assert heavy.false_positives > even.false_positives
    assert np.mean(1.0 + heavy.scores(X)) > 1.5 * np.mean(1.0 + even.scores(X))


def test_the_theorem_is_not_claimed_for_rows_with_weights() -> None:
    X, y = noisy(12, rows=40)
    learner = th.Committee(12)
    learner.learn(X, y, importance=np.full(40, 2.0))
    assert learner.variations == ("importance",)
    with pytest.raises(HypothesisError, match="rows that weigh 1 each, measured 40 rows"):
        learner.bound()
    with pytest.raises(NotCertifiableError):
        th.certify(learner, X, y)
    assert th.Committee(12, class_weight=(1.0, 2.0)).variations == ("class_weight=(1.0, 2.0)",)


def test_a_row_twice_and_a_row_of_weight_2_teach_alike() -> None:
    """Not the same: the second time a row is met with what the first has taught."""
    X, y = noisy(13)
    twice, double = th.Committee(12), th.Committee(12)
    twice.learn(np.repeat(X, 2, axis=0), np.repeat(y, 2))
    double.learn(X, y, importance=np.full(len(y), 2.0))
    agree = np.mean((twice.scores(X) >= 0) == (double.scores(X) >= 0))
    assert agree > 0.95


def test_a_feature_that_was_seen_and_changed_nothing_has_begun_all_the_same() -> None:
    # Two features say +1, so that a row with both is right by more than AROW asks for, and the
    # feature that is new in it stays as it was.
    learner = th.Committee(4, members=[("arow", 0.1, "scaled")])
    learner.learn([[1.0, 0, 0, 0], [0, 0, 1.0, 0]] * 50, [1] * 100)
    learner.learn([[1.0, 1.0, 1.0, 0]], [1])
    assert not learner.learned_state()["weight"][1].any()
    twin = pickle.loads(pickle.dumps(learner))
    for one in (learner, twin):
        one.learn([[0, 1.0, 0, 0], [0, 1.0, 1.0, 0]], [-1, -1])
    assert twin == learner
    assert np.isfinite(twin.scores([[1.0, 1.0, 1.0, 1.0]])).all()


def test_features_that_nobody_learned_from_take_no_memory() -> None:
    def pages() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    before = pages()
    learners = [th.Committee(2**20) for _ in range(4)]
    for learner in learners:
        learner.learn([{0: 1.0, 2**20 - 1: 2.0}], [1])
    # The largest values take 8 MB each; the weights would take 64 MB.
    assert (pages() - before) * resource.getpagesize() < 4 * 32 * 2**20
