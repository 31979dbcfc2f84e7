"""Dask arrays, frames and bags, worked on in this process; tests/cluster has workers."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask import delayed
from scipy.sparse import csr_array
from sklearn import config_context
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_svmlight_file
from sklearn.exceptions import NotFittedError

import thresher as th
from tests.cluster.data import N_FEATURES, rows
from tests.sklearn.cuts import NAMES, N, X, Y, array, cut, dicts
from thresher.cluster import train
from thresher.cluster.engine import InProcess
from thresher.errors import (
    LabelError,
    MissingPackageError,
    ParameterError,
    SortedRowsWarning,
    UnsoundBatchError,
)
from thresher.sklearn import (
    AdaGradClassifier,
    AROWClassifier,
    CommitteeClassifier,
    PassiveAggressiveClassifier,
    PerceptronClassifier,
    SignedWinnowClassifier,
    WinnowClassifier,
)
from thresher.sklearn.dask import DaskClassifier
from thresher.sklearn.dask.answers import answered
from thresher.sklearn.dask.partitions import Partitions

ESTIMATORS = (
    PerceptronClassifier(max_iter=2),
    PassiveAggressiveClassifier(max_iter=2),
    AROWClassifier(max_iter=2),
    AdaGradClassifier(max_iter=2),
    WinnowClassifier(max_iter=2),
    SignedWinnowClassifier(),
)


def dual(learner: Any) -> Any:
    return learner.dual


def same(one: DaskClassifier, other: DaskClassifier) -> bool:
    here, there = one.estimator_.learner_, other.estimator_.learner_
    return bool(here == there and one.partition_mistakes_ == other.partition_mistakes_)


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)
def test_one_partition_is_learned_as_on_one_machine(estimator: Any) -> None:
    model = DaskClassifier(estimator).fit(*cut(N))
    alone = clone(estimator).fit(X, Y)
    assert np.array_equal(dual(model.estimator_.learner_), dual(alone.learner_))
    assert np.array_equal(model.decision_function(array(N)).compute(), alone.decision_function(X))
    assert model.estimator_.mistakes_ == alone.mistakes_
    assert model.estimator_.n_rounds_ == alone.n_rounds_
    assert model.estimator_.n_iter_ == alone.n_iter_
    # Parameters are those that were given.
    assert model.estimator_.get_params() == estimator.get_params()


@pytest.mark.parametrize("estimator", ESTIMATORS, ids=lambda one: type(one).__name__)
def test_a_matrix_in_memory_is_one_partition(estimator: Any) -> None:
    assert same(DaskClassifier(estimator).fit(X, Y), DaskClassifier(estimator).fit(*cut(N)))


@pytest.mark.parametrize(
    ("estimator", "learner"),
    [
        (PerceptronClassifier(max_iter=3), "perceptron:bias=true"),
        (AROWClassifier(max_iter=3), "arow:bias=true"),
        (AdaGradClassifier(max_iter=3), "adagrad:bias=true"),
        (WinnowClassifier(max_iter=3), "winnow"),
    ],
)
def test_partitions_learn_what_files_learn_that_are_cut_alike(
    tmp_path: Path, estimator: Any, learner: str
) -> None:
    lines = [rows(60, seed) for seed in range(3)]
    # As long as one another, so that each file is a shard.
    width = [max(map(len, each)) for each in zip(*lines, strict=True)]
    for number, each in enumerate(lines):
        text = "".join(f"{line:<{w}}\n" for line, w in zip(each, width, strict=True))
        (tmp_path / f"part-{number}.svm").write_text(text)
    model = train(tmp_path / "part-*.svm", learner, n_features=N_FEATURES, shards=3, epochs=3)
    files = [
        load_svmlight_file(tmp_path / f"part-{n}.svm", n_features=N_FEATURES, zero_based=True)
        for n in range(3)
    ]
    dense = da.from_array(np.vstack([x.toarray() for x, _ in files]), chunks=(60, N_FEATURES))
    labels = da.from_array(np.concatenate([y for _, y in files]), chunks=60)
    apart = DaskClassifier(estimator).fit(dense, labels)
    shards = model.history[0].shards
    assert shards is not None
    assert apart.partition_mistakes_ == list(shards.mistakes)
    assert np.array_equal(dual(apart.estimator_.learner_), dual(model.learner))


def test_the_cuts_decide_and_not_who_is_done_first() -> None:
    one, other = (
        DaskClassifier(AROWClassifier(max_iter=3), client=client).fit(*cut((50, 100, 90)))
        for client in (None, InProcess(seed=5))
    )
    assert same(one, other)
    assert not same(one, DaskClassifier(AROWClassifier(max_iter=3)).fit(*cut((100, 50, 90))))


def test_arrays_dense_sparse_and_of_unknown_sizes_are_the_same() -> None:
    estimator = AROWClassifier(max_iter=2)
    known = DaskClassifier(estimator).fit(*cut(80))
    sparse = array(80).map_blocks(csr_array)
    assert same(known, DaskClassifier(estimator).fit(sparse, array(80, Y)))
    pieces = [delayed(csr_array)(X[at : at + 80]) for at in (0, 80, 160)]
    blocks = [da.from_delayed(one, (np.nan, 12), dtype=float) for one in pieces]
    unknown = da.concatenate(blocks, allow_unknown_chunksizes=True)
    model = DaskClassifier(estimator).fit(unknown, array(80, Y))
    assert same(known, model)
    assert np.isnan(model.predict(unknown).shape[0])
    assert model.predict(unknown).compute().tolist() == known.predict(X).tolist()
    assert model.score(unknown, array(80, Y)) == known.score(X, Y)


def test_a_frame_has_its_labels_in_a_series_or_in_a_column() -> None:
    frame = pd.DataFrame(X, columns=NAMES).assign(label=Y)
    cuts = dd.from_pandas(frame, npartitions=3)
    estimator = AROWClassifier(max_iter=2)
    column = DaskClassifier(estimator).fit(cuts, "label")
    series = DaskClassifier(estimator).fit(cuts[NAMES], cuts["label"])
    assert same(column, series)
    assert same(column, DaskClassifier(estimator).fit(cuts[NAMES], array(80, Y)))
    assert same(column, DaskClassifier(estimator).fit(*cut(80)))
    assert column.feature_names_in_.tolist() == NAMES
    assert column.score(cuts, "label") == series.score(cuts[NAMES], cuts["label"])
    # The column of the labels is no feature, whether or not it is there.
    assert column.predict(cuts).compute().equals(column.predict(cuts[NAMES]).compute())


def test_frames_are_answered_with_series_and_frames_of_their_index() -> None:
    frame = pd.DataFrame(X, columns=NAMES, index=np.arange(N) * 2)
    cuts = dd.from_pandas(frame, npartitions=3)
    model = DaskClassifier(PerceptronClassifier()).fit(cuts, array(80, Y))
    answers = model.predict(cuts)
    assert answers.divisions == cuts.divisions
    found = answers.compute()
    assert found.index.equals(frame.index)
    assert found.tolist() == model.estimator_.predict(frame).tolist()
    scores = model.decision_function(cuts).compute()
    assert scores.tolist() == model.estimator_.decision_function(frame).tolist()


def test_bags_are_hashed_as_learn_one_does() -> None:
    learner = th.AROW(n_features=256, bias=True)
    for row, label in zip(dicts(), Y, strict=True):
        learner.learn_one(row, 1 if label == "yes" else -1)
    pairs = db.from_sequence(list(zip(dicts(), Y.tolist(), strict=True)), npartitions=1)
    model = DaskClassifier(AROWClassifier(), n_features=256).fit(pairs)
    assert np.array_equal(dual(model.estimator_.learner_), learner.dual)
    assert model.estimator_.mistakes_ == learner.mistakes
    bag = db.from_sequence(dicts(), npartitions=4)
    scores = model.decision_function(bag).compute()
    assert scores.tolist() == [learner.score_one(row) for row in dicts()]
    assert model.predict(bag).numblocks == (4,)
    assert model.predict(bag).compute().tolist() == model.predict(dicts()).tolist()


def test_a_bag_of_pairs_is_two_bags() -> None:
    rows_of, labels = db.from_sequence(dicts(), npartitions=3), db.from_sequence(Y, npartitions=3)
    pairs = db.from_sequence(list(zip(dicts(), Y.tolist(), strict=True)), npartitions=3)
    one = DaskClassifier(AROWClassifier(max_iter=2), n_features=64).fit(pairs)
    two = DaskClassifier(AROWClassifier(max_iter=2), n_features=64).fit(rows_of, labels)
    assert same(one, two)
    assert one.score(pairs) == two.score(rows_of, labels) > 0.5


def test_texts_in_frames_become_names_as_for_a_learner() -> None:
    frame = pd.DataFrame({"size": X[:, 0], "colour": np.where(X[:, 1] > 0, "red", "blue")})
    learner = th.AROW(n_features=128, bias=True)
    learner.learn(frame, np.where(Y == "yes", 1, -1))
    model = DaskClassifier(AROWClassifier(), n_features=128)
    model.fit(dd.from_pandas(frame, npartitions=1), array(N, Y))
    assert np.array_equal(dual(model.estimator_.learner_), learner.dual)
    cuts = dd.from_pandas(frame, npartitions=3)
    assert model.predict(cuts).compute().tolist() == model.predict(frame).tolist()


def test_a_frame_of_numbers_is_read_by_name_where_names_were_learned() -> None:
    model = DaskClassifier(PerceptronClassifier()).fit([{"a": 1}, {"b": 1}] * 9, ["x", "y"] * 9)
    numbers = pd.DataFrame({"b": [1.0, 0.0], "a": [0.0, 1.0]})
    assert model.predict(numbers).tolist() == ["y", "x"]
    assert model.predict(dd.from_pandas(numbers, npartitions=1)).compute().tolist() == ["y", "x"]
    # A partition with nothing in its column of texts.
    parts = [pd.DataFrame({"t": [t] * 9, "a": [0.0, 1.0, 2.0] * 3}) for t in ("red", np.nan)]
    frame = dd.from_delayed(list(map(delayed, parts)), meta=parts[0][:0], verify_meta=False)
    labels = db.from_sequence(["x", "y", "y"] * 6, npartitions=2)
    dicts = [[{"t=red": 1.0, "a": a} for a in parts[0].a], [{"a": a} for a in parts[1].a]]
    given = db.from_sequence([row for part in dicts for row in part], npartitions=2)
    one, other = (clone(model).fit(rows, labels) for rows in (frame, given))
    assert same(one, other)


def test_partitions_without_rows_do_nothing() -> None:
    full, holed = cut(120), cut((0, 120, 0, 120))
    one, other = (DaskClassifier(AROWClassifier(max_iter=2)).fit(*data) for data in (full, holed))
    assert same(one, other)
    assert other.predict(holed[0]).chunks == holed[1].chunks
    assert other.predict(holed[0]).compute().tolist() == one.predict(full[0]).compute().tolist()
    assert other.score(*holed) == one.score(*full)
    empty = cut((120, 120))[0][:0], array(120, Y)[:0]
    with pytest.raises(UnsoundBatchError, match="not a single row"):
        DaskClassifier(AROWClassifier()).fit(*empty)


@pytest.mark.parametrize(
    "labels", [np.array([0, 1]), np.array([-1.0, 1.0]), np.array([False, True])]
)
def test_labels_are_any_two_values(labels: Any) -> None:
    y = labels[(Y == "yes").astype(int)]
    model = DaskClassifier(PerceptronClassifier()).fit(array(80), array(80, y))
    assert model.classes_.tolist() == labels.tolist()
    answers = model.predict(array(80))
    assert answers.dtype == labels.dtype
    assert set(answers.compute().tolist()) == set(labels.tolist())


def test_a_partition_may_have_one_class_alone() -> None:
    order = np.argsort(Y, kind="stable")
    cuts = array(80, X[order]), array(80, Y[order])
    with pytest.warns(SortedRowsWarning, match="stand together"):
        model = DaskClassifier(PerceptronClassifier()).fit(*cuts)
    assert model.classes_.tolist() == ["no", "yes"]


def test_partial_fit_is_an_epoch_and_goes_on() -> None:
    once = DaskClassifier(PerceptronClassifier(max_iter=2)).fit(*cut(80))
    model = DaskClassifier(PerceptronClassifier())
    for _ in range(2):
        model.partial_fit(*cut(80), classes=["no", "yes"])
    assert model.estimator_.learner_ == once.estimator_.learner_
    assert model.partition_mistakes_ == once.partition_mistakes_
    before = pickle.dumps(model.estimator_.learner_)
    with pytest.raises(
        LabelError, match=r"epoch 1, partition 2 of 3: found the classes \['what'\]"
    ):
        model.partial_fit(array(80), array(80, np.where(np.arange(N) == 100, "what", Y)))
    assert pickle.dumps(model.estimator_.learner_) == before
    with pytest.raises(LabelError, match="classes must be passed"):
        DaskClassifier(PerceptronClassifier()).partial_fit(*cut(80))


def test_weights_of_rows_and_classes_count_as_on_one_machine() -> None:
    weight = np.random.default_rng(3).random(N)
    for given in (None, "balanced", {"no": 2.0}):
        estimator = PerceptronClassifier(class_weight=given)
        model = DaskClassifier(estimator).fit(*cut(N), sample_weight=array(N, weight))
        alone = clone(estimator).fit(X, Y, sample_weight=weight)
        assert np.array_equal(model.estimator_.coef_, alone.coef_)
        assert model.score(*cut(80), sample_weight=array(80, weight)) == pytest.approx(
            alone.score(X, Y, sample_weight=weight), abs=1e-12
        )
    with pytest.raises(ParameterError, match="balanced"):
        DaskClassifier(PerceptronClassifier(class_weight="balanced")).partial_fit(
            *cut(N), classes=["no", "yes"]
        )
    bag = db.from_sequence(weight.tolist(), npartitions=3)
    short = bag.map_partitions(lambda part: part[:79] if weight[80] in part else part)
    with pytest.raises(UnsoundBatchError, match=r"partition 2 of 3: .* with shape .79,"):
        DaskClassifier(PerceptronClassifier()).fit(*cut(80), sample_weight=short)


def test_the_values_of_all_partitions_decide_how_rows_are_scaled() -> None:
    large = X.copy()
    large[200, 3] = 7.0
    model = DaskClassifier(WinnowClassifier()).fit(array(80, large), array(80, Y))
    assert model.estimator_.scaling_ == "online"
    assert model.estimator_.scaling == "auto"
    assert DaskClassifier(WinnowClassifier()).fit(*cut(80)).estimator_.scaling_ is None
    first = DaskClassifier(WinnowClassifier()).partial_fit(
        array(80, large), array(80, Y), classes=["no", "yes"]
    )
    assert first.estimator_.scaling_ == "online"


def test_the_theorem_for_mixing_says_what_is_allowed() -> None:
    model = DaskClassifier(PerceptronClassifier(max_iter=3)).fit(*cut(80))
    assert model.theorem_ is not None
    assert model.theorem_.shards == 3
    assert sum(map(sum, model.partition_mistakes_)) <= model.theorem_.max_mistakes()
    assert DaskClassifier(PerceptronClassifier()).fit(*cut(80)).theorem_ is None
    weighted = DaskClassifier(PerceptronClassifier(max_iter=3))
    weighted.fit(*cut(80), sample_weight=array(80, np.linspace(0.5, 2.0, N)))
    assert weighted.theorem_ is None


def test_probabilities_are_arrays_and_frames_with_a_column_for_each_class() -> None:
    estimator = CommitteeClassifier().fit(X, Y)
    alone = estimator.predict_proba(X)
    found = answered(estimator, None, "predict_proba", Partitions.of(array(80), "X"))
    assert found.chunks == ((80, 80, 80), (2,))
    assert np.array_equal(found.compute(), alone)
    cuts = dd.from_pandas(pd.DataFrame(X), npartitions=3)
    frame = answered(estimator, None, "predict_proba", Partitions.of(cuts, "X"))
    assert list(frame.columns) == ["no", "yes"]
    assert np.array_equal(frame.compute().to_numpy(), alone)


def test_it_is_cloned_searched_and_pickled_as_other_estimators() -> None:
    client = InProcess()
    model = DaskClassifier(AROWClassifier(r=2.0), client=client, deadline=9.0).fit(*cut(80))
    again = clone(model)
    assert is_classifier(again)
    assert not hasattr(again, "estimator_")
    # A client cannot be copied.
    assert again.client is client
    assert (again.deadline, again.estimator.r) == (9.0, 2.0)
    assert again.set_params(estimator__r=3.0, deadline=5.0).get_params()["estimator__r"] == 3.0
    read = pickle.loads(pickle.dumps(model))
    assert read.client is None
    assert read.predict(X).tolist() == model.predict(X).tolist()
    assert read.estimator_.learner_ == model.estimator_.learner_
    with pytest.raises(NotFittedError):
        again.predict(array(80))
    assert not hasattr(model, "predict_proba")
    with config_context(enable_metadata_routing=True):
        asked = clone(model.set_fit_request(sample_weight=True)).get_metadata_routing()
        assert asked.fit.requests["sample_weight"] is True


def test_names_of_columns_are_forgotten_with_their_rows() -> None:
    frame = dd.from_pandas(pd.DataFrame(X, columns=NAMES), npartitions=3)
    model = DaskClassifier(AROWClassifier()).fit(frame, array(80, Y))
    assert model.feature_names_in_.tolist() == NAMES
    assert not hasattr(model.fit(*cut(80)), "feature_names_in_")


def test_partitions_whose_rows_weigh_nothing_are_as_if_they_were_not_there() -> None:
    weights = array(80, np.where(np.arange(N) < 80, 0.0, 2.0))
    model = DaskClassifier(AROWClassifier(max_iter=2))
    model.fit(*cut(80), sample_weight=weights)
    others = [given[80:] for given in (*cut(80), weights)]
    without = clone(model).fit(*others[:2], sample_weight=others[2])
    assert same(model, without)
    found = model.score(*cut(80), sample_weight=weights)
    assert found == without.score(*others[:2], sample_weight=others[2])
    with pytest.raises(LabelError, match="not a single row"):
        model.score(*cut(80), sample_weight=0.0 * weights)
    with pytest.raises(UnsoundBatchError, match="not a single row that counts"):
        model.partial_fit(*cut(80), sample_weight=0.0 * weights)


def test_without_dask_a_cluster_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackageError, match=r"thresher\[dask\]"):
        DaskClassifier(AROWClassifier(), client="local:2").fit(X, Y)


def test_a_thread_that_imports_dask_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "distributed.py").write_text(
        "import time; time.sleep(0.5)\ndef default_client(): raise ValueError\n"
    )
    script = (
        "import sys, threading\n"
        "from thresher.sklearn.dask.classifier import _in_force\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "threading.Thread(target=__import__, args=('distributed',)).start()\n"
        "while 'distributed' not in sys.modules: pass\n"
        "assert _in_force() is None\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


def test_dask_is_not_needed_to_import_it_or_for_a_matrix() -> None:
    code = (
        "import sys; sys.modules['dask'] = sys.modules['distributed'] = None\n"
        "from thresher.sklearn import AROWClassifier\n"
        "from thresher.sklearn.dask import DaskClassifier\n"
        "model = DaskClassifier(AROWClassifier()).fit([[1, 0], [0, 1]] * 9, [0, 1] * 9)\n"
        "print(model.predict([[1, 0], [0, 1]]).tolist())"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[0, 1]\n"
