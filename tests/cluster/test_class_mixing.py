from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.reference import committee_mixing as committee_twin
from tests.reference import mixing as twin
from thresher.cluster import table_mixing, train
from thresher.cluster.engine import InProcess
from thresher.cluster.mixing import change_between, mixed
from thresher.errors import ClusterError
from thresher.models.file import load_model, model_bytes

N = 6
row = st.dictionaries(st.integers(0, N - 1), st.sampled_from([1.0, -0.5, 0.25]), max_size=4)
rows = st.lists(st.tuples(row, st.sampled_from("abcd")), max_size=6)
shards = st.lists(rows, min_size=2, max_size=4)

EACH: list[Any] = [
    th.Perceptron(n_features=N),
    th.AROW(n_features=N, bias=True, scaling="online"),
    th.AdaGrad(n_features=N),
    th.Committee(n_features=N),
]
TABLES: list[Any] = [
    th.MulticlassPerceptron(n_features=N, bias=True),
    th.MulticlassPerceptron(n_features=N, update="uniform", classes=["d", "a"]),
    th.MulticlassPassiveAggressive(n_features=N),
    th.MulticlassNormalizedWinnow(n_features=N, eta=1),
    th.MulticlassSignedWinnow(n_features=N, eta="1/2"),
]


def learned(learner: Any, stream: Any) -> Any:
    own = learner.copy()
    if stream:
        own.learn([given for given, _ in stream], [label for _, label in stream])
    return own


def combined(learner: Any, streams: Any) -> Any:
    """A learner from shards of these streams, and these."""
    before = learner.shared_numbers()
    after = [learned(learner, stream) for stream in streams]
    changes = [change_between(before, one.shared_numbers()) for one in after]
    return learner.with_shared(mixed(before, changes)), after


def order_of(*streams: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(label for stream in streams for _, label in stream))


# ---- one learner for each class ----------------------------------------------------------------


@pytest.mark.parametrize("each", EACH, ids=lambda one: one.name)
@settings(deadline=None, max_examples=30)
@given(rows, shards)
def test_classes_stand_in_the_order_in_which_one_machine_meets_them(
    each: Any, first: Any, streams: Any
) -> None:
    found, after = combined(learned(th.OneVersusRest(each), first), streams)
    assert found.classes == order_of(first, *streams)
    assert found.n_rounds == len(first) + sum(map(len, streams))
    before = learned(th.OneVersusRest(each), first).mistakes
    assert found.mistakes == before + sum(one.mistakes - before for one in after)
    found.learn([{0: 1.0}], ["e"])


@pytest.mark.parametrize("each", EACH, ids=lambda one: one.name)
@settings(deadline=None, max_examples=30)
@given(rows, shards)
def test_a_class_that_comes_late_is_combined_as_if_it_had_been_stated(
    each: Any, first: Any, streams: Any
) -> None:
    # Rows of a class that nobody has met are those of the background, in every shard.
    known = order_of(first, *streams)
    late, _ = combined(learned(th.OneVersusRest(each), first), streams)
    stated, _ = combined(learned(th.OneVersusRest(each, classes=known), first), streams)
    for label in known:
        one, other = (own.learner_of(label).learned_state() for own in (late, stated))
        assert {name: array.tolist() for name, array in one.items()} == {
            name: array.tolist() for name, array in other.items()
        }


@settings(deadline=None, max_examples=30)
@given(rows, shards)
def test_perceptrons_of_classes_are_averaged_as_by_the_twin(first: Any, streams: Any) -> None:
    began = learned(th.OneVersusRest(EACH[0]), first)
    known = order_of(first, *streams)
    found, _ = combined(began, streams)
    after = [
        learned(learned(th.OneVersusRest(EACH[0], classes=known), first), stream)
        for stream in streams
    ]
    before = learned(th.OneVersusRest(EACH[0], classes=known), first)
    for label in known:
        lines = [one.learner_of(label).dual.tolist() for one in after]
        slow = twin.average(lines, before.learner_of(label).dual.tolist())
        assert found.learner_of(label).dual.tolist() == slow


@settings(deadline=None, max_examples=30)
@given(rows, shards)
def test_committees_of_classes_are_combined_as_by_the_twin(first: Any, streams: Any) -> None:
    known = order_of(first, *streams)
    began = learned(th.OneVersusRest(EACH[3], classes=known), first)
    found, after = combined(began, streams)
    shared = [one.shared_numbers().each for one in (began, *after, found)]
    for place in range(len(known) + 1):
        then, *now, result = (committee_twin.plain(one, place) for one in shared)
        slow = committee_twin.mixed(EACH[3]._chosen, then, now)
        assert result._replace(parts={}) == slow._replace(parts={})
        assert all(result.parts[name] == slow.parts[name] for name in result.parts)


@pytest.mark.parametrize("each", EACH, ids=lambda one: one.name)
@settings(deadline=None, max_examples=30)
@given(rows, rows)
def test_one_shard_alone_is_left_as_it_is(each: Any, first: Any, stream: Any) -> None:
    began = learned(th.OneVersusRest(each), first)
    found, (after,) = combined(began, [stream])
    one, other = (own.learned_state() for own in (found, after))
    assert {name: array.tolist() for name, array in one.items()} == {
        name: array.tolist() for name, array in other.items()
    }


def test_who_waits_for_its_class_stays_unsure_however_many_shards_there_are() -> None:
    each = th.AROW(n_features=2)
    began = th.OneVersusRest(each, classes=["a", "late"])
    stream = [({0: 1.0}, "a"), ({1: 1.0}, "b")] * 9
    found, _ = combined(began, [stream] * 5)
    assert found.learner_of("late").variances.tolist() == [0.25, 0.25]
    assert found.learner_of("a").variances.min() < 0.1
    # It waits on, and the first row of its class ends that.
    found.learn([{1: 1.0}] * 3, ["b"] * 3)
    assert found.learner_of("late").variances.tolist() == [0.25, 0.25]
    found.learn([{1: 1.0}] * 2, ["late"] * 2)
    assert found.learner_of("late").variances[1] < 0.25


def test_committees_that_are_not_side_by_side_are_combined_too() -> None:
    began = th.OneVersusRest(th.Committee(n_features=N), class_weight={"a": 0.0})
    streams = [[({0: 1.0}, "a"), ({1: 1.0}, "b")], [({2: 1.0}, "b"), ({0: 0.5}, "c")]]
    found, _ = combined(began, streams)
    assert isinstance(began.shared_numbers().each, tuple)
    assert found.classes == ("a", "b", "c")


# ---- one table of duals ------------------------------------------------------------------------


def numbers_of(learner: Any, label: str) -> list[float]:
    """The duals of a class, the bias last; 0 where there are none."""
    shared = learner.shared_numbers()
    found = [0.0] * (N + 1)
    if label in shared.classes:
        r = shared.classes.index(label)
        for column, line in zip([N, *shared.columns.tolist()], shared.duals.tolist(), strict=True):
            found[column] = line[r]
    return found


@pytest.mark.parametrize("learner", TABLES, ids=lambda one: one.name)
@settings(deadline=None, max_examples=40)
@given(rows, shards, st.sampled_from([1 << 18, 1]))
def test_tables_are_averaged_as_by_the_twin(
    learner: Any, first: Any, streams: Any, together: int
) -> None:
    began = learned(learner, first)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(table_mixing, "TOGETHER", together)
        found, after = combined(began, streams)
    stated = learner.classes
    known = tuple(dict.fromkeys([*stated, *order_of(first, *streams)]))
    assert found.classes == known
    for label in known:
        slow = twin.average([numbers_of(one, label) for one in after], numbers_of(began, label))
        assert numbers_of(found, label) == slow
    touched = {c for one in after for c in one.shared_numbers().columns.tolist()}
    assert set(found.shared_numbers().columns.tolist()) == touched
    assert found.n_rounds == len(first) + sum(map(len, streams))
    assert found.updates == began.updates + sum(one.updates - began.updates for one in after)
    assert not found.journal.complete or not found.updates
    found.learn([{0: 1.0}], ["e"])


@pytest.mark.parametrize("learner", TABLES, ids=lambda one: one.name)
@given(rows, rows)
def test_one_table_alone_is_left_as_it_is(learner: Any, first: Any, stream: Any) -> None:
    found, (after,) = combined(learned(learner, first), [stream])
    one, other = (own.learned_state() for own in (found, after))
    assert {name: array.tolist() for name, array in one.items()} == {
        name: array.tolist() for name, array in other.items()
    }


def test_whole_duals_of_classes_are_summed_exactly() -> None:
    began = th.MulticlassPerceptron(n_features=1, classes=["a", "b"])
    streams = [[({0: float(x)}, "b")] for x in (1, 3, 4)]
    found, _ = combined(began, streams)
    assert found.weights_of("b")[0].tolist() == [float(Fraction(8, 3))]


# ---- whole runs --------------------------------------------------------------------------------

LEARNERS = ["committee", "arow", "perceptron", "multiclass_perceptron",
            "multiclass_passive_aggressive"]  # fmt: skip


def write(folder: Path, *classes: str, n: int = 40) -> str:
    """Files with classes of their own; the pattern that names them."""
    target = np.random.default_rng(5).normal(size=(8, 20))
    for number, known in enumerate(classes):
        random = np.random.default_rng(number)
        lines = []
        for _ in range(n):
            on = np.sort(random.choice(20, 4, replace=False))
            label = max(known, key=lambda name: target["abcdefgh".index(name), on].sum())
            lines.append(f"{label} " + " ".join(f"{i}:{1 + i % 3}" for i in on) + "\n")
        (folder / f"part-{number}.svm").write_text("".join(lines))
    return str(folder / "part-*.svm")


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_run_with_several_classes_does_not_depend_on_who_is_done_first(
    tmp_path: Path, learner: str
) -> None:
    # The third shard lacks classes, the last has one that nobody met before.
    files = write(tmp_path, "abc", "cbad", "b", "eab")
    settings: dict[str, Any] = {"n_features": 32, "shards": 4, "epochs": 2}
    models = [
        train(files, learner, **settings, client=engine)
        for engine in (None, InProcess(seed=1), InProcess(seed=2))
    ]
    assert len({model_bytes(model) for model in models}) == 1
    alone = th.train(files, learner, n_features=32)
    assert models[0].learner.classes == alone.learner.classes
    assert models[0].test(files).rows == 160
    assert {*models[0].predict(files)} <= {*"abcde"}


@pytest.mark.parametrize("learner", LEARNERS)
def test_one_shard_of_several_classes_learns_what_one_machine_learns(
    tmp_path: Path, learner: str
) -> None:
    files = write(tmp_path, "abc", "cbad")
    alone = th.train(files, learner, n_features=32, passes=2, journal=False)
    model = train(files, learner, n_features=32, shards=1, epochs=2)
    one, other = (own.learner.learned_state() for own in (model, alone))
    assert {n: a.tolist() for n, a in one.items()} == {n: a.tolist() for n, a in other.items()}
    assert model.learner.mistakes == alone.learner.mistakes


class Stopping(InProcess):
    """Is lost in the second epoch."""

    left = 2

    def gather(self, tasks: Any, seconds: float) -> Any:
        self.left -= 1
        if not self.left:
            raise ClusterError("lost.")
        return super().gather(tasks, seconds)


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_run_with_several_classes_is_taken_up_again(tmp_path: Path, learner: str) -> None:
    files, path = write(tmp_path, "abc", "cd", "ea"), tmp_path / "m.thr"
    settings: dict[str, Any] = {"n_features": 32, "shards": 3, "epochs": 3}
    with pytest.raises(ClusterError, match="lost"):
        train(files, learner, **settings, client=Stopping(), save_to=path)
    assert sorted(map(str, load_model(path).learner.classes)) == ["a", "b", "c", "d", "e"]
    whole = train(files, learner, **settings)
    assert model_bytes(train(files, **settings, resume=path)) == model_bytes(whole)


def test_several_classes_have_a_committee_each_by_default(tmp_path: Path) -> None:
    model = train(write(tmp_path, "abc", "ab"), n_features=32, shards=2)
    assert model.learner.plain_name == "committee for each class"


def test_labels_are_names_of_classes_if_that_is_said(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"part-{number}.svm").write_text("0 0:1\n1 1:1\n" * 9)
    made = th.OneVersusRest(th.Perceptron(n_features=4))
    model = train(tmp_path / "part-*.svm", made, shards=2)
    assert model.learner.classes == ("0", "1")


def test_whoever_says_that_there_are_several_classes_is_believed(tmp_path: Path) -> None:
    path = tmp_path / "two.svm"
    path.write_text("1 0:1\n2 1:1\n" * 20)
    model = train(path, "perceptron", n_features=N, shards=2, multiclass=True)
    assert isinstance(model.learner, th.OneVersusRest)
    assert model.learner.classes == ("1", "2")
