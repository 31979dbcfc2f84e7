from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.reference.committee import Committee as Twin
from thresher.errors import ExportError, NotCertifiableError, ParameterError
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
    assert [standing.name for standing in standings[8:]] == ["average", "combination"]
    assert sum(standing.prior for standing in standings) == 1.0
    assert learner.mistakes == rounds.mistakes
    label = np.where(y > 0, 1, -1)
    assert learner.log_loss == pytest.approx(-np.log(0.5 + 0.5 * label * rounds.scores).sum())
    before = th.Committee(12)
    assert [standing.mistakes for standing in before.members] == [0] * 10
    assert before.log_loss == 0.0


def test_a_committee_of_one_predicts_as_its_member() -> None:
    X, y = noisy(1)
    alone = th.Committee(12, members=[("arow", 1.0, "presence")])
    rounds = alone.learn(X, y)
    assert alone.members[0].mistakes == rounds.mistakes
    # The same rule in double precision, on the rows as that member sees them.
    single = th.AROW(12, r=1.0, bias=True)
    theirs = single.learn(np.sign(X), y)
    assert alone.members[0].mistakes == theirs.mistakes
    assert np.array_equal(rounds.predictions, theirs.predictions)


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
        views = twin.views({i: 1.0})
        scores = [float(member.score(views[member.rows])) for member in twin.members]
        odds = twin.opinions(scores)[1][-1]
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
    with pytest.raises(ExportError, match="mixes eight learners"):
        learner.linear_form()
    with pytest.raises(NotCertifiableError):
        th.Committee(12).learn(X, y, claim=th.theory.Disjunction(k=2, n=12))


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ([], "1 to 8 members"),
        ([DEFAULT_MEMBERS[0]] * 9, "1 to 8 members, found 9"),
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
