"""Several classes in Dask arrays, frames and bags: answers as the ordinary classifier has them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest

from tests.sklearn.cuts import NAMES, N, X, array, dicts
from thresher.cluster import train
from thresher.errors import LabelError
from thresher.sklearn import (
    AROWClassifier,
    CommitteeClassifier,
    MulticlassPerceptronClassifier,
    PerceptronClassifier,
)
from thresher.sklearn.dask import DaskClassifier

SEVERAL = np.array(["a", "b", "c", "d"])
Y = SEVERAL[np.argmax(X @ np.random.default_rng(2).normal(size=(12, 4)), axis=1)]
#: As if "d" had not come yet.
EARLY = np.where(Y == "d", "a", Y)
ESTIMATORS = (
    PerceptronClassifier,
    AROWClassifier,
    CommitteeClassifier,
    MulticlassPerceptronClassifier,
)
each_estimator = pytest.mark.parametrize("kind", ESTIMATORS, ids=lambda kind: kind.__name__)


def asked(model: Any, rows: Any) -> list[Any]:
    """All answers to rows, computed."""
    methods = ["predict", "decision_function"]
    methods += ["predict_proba"] if hasattr(model, "predict_proba") else []
    found = [getattr(model, method)(rows) for method in methods]
    return [np.asarray(one.compute() if hasattr(one, "compute") else one) for one in found]


def same(one: list[Any], other: list[Any]) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


@each_estimator
@pytest.mark.parametrize("new_classes", [False, True])
def test_one_partition_is_learned_as_by_the_estimator(kind: Any, new_classes: bool) -> None:
    estimator = kind(max_iter=2, new_classes=new_classes)
    model = DaskClassifier(estimator).fit(array(N), array(N, Y))
    alone = kind(max_iter=2, new_classes=new_classes).fit(X, Y)
    assert same(asked(model, array(N)), asked(alone, X))
    assert model.estimator_.mistakes_ == alone.mistakes_
    assert model.score(array(N), array(N, Y)) == alone.score(X, Y)


@each_estimator
def test_arrays_frames_and_bags_have_the_answers_of_the_fitted_estimator(kind: Any) -> None:
    frame = pd.DataFrame(X, columns=NAMES)
    frames = dd.from_pandas(frame.assign(label=Y), npartitions=4)
    rows = db.from_sequence(dicts(), npartitions=4)
    model = DaskClassifier(kind(max_iter=2)).fit(array(60), array(60, Y))
    of_frame = DaskClassifier(kind(max_iter=2)).fit(frames, "label")
    of_bag = DaskClassifier(kind(max_iter=2)).fit(rows, array(60, Y))
    for one in (model, of_frame, of_bag):
        assert one.classes_.tolist() == SEVERAL.tolist()
        assert [len(each) for each in one.partition_mistakes_] == [4, 4]
        assert one.theorem_ is None
    assert same(asked(model, array(60)), asked(model.estimator_, X))
    assert same(asked(of_frame, frames), asked(of_frame.estimator_, frame))
    assert of_bag._hashed is not None
    matrix = of_bag._hashed.matrix(dicts())
    assert same(asked(of_bag, rows), asked(of_bag.estimator_, matrix))
    assert model.decision_function(array(60)).chunks == ((60,) * 4, (4,))
    scores = of_frame.decision_function(frames).compute()
    assert scores.columns.tolist() == SEVERAL.tolist()
    assert scores.index.equals(frame.index)
    share = np.mean(of_frame.estimator_.predict(frame) == Y)
    assert of_frame.score(frames, "label") == pytest.approx(share)


def test_partitions_learn_what_files_learn_that_are_cut_alike(tmp_path: Path) -> None:
    # Each file is a shard of as many bytes; in both, classes are known once they have come.
    for part in range(4):
        lines = []
        for row, label in zip(X[60 * part :][:60], Y[60 * part :][:60], strict=True):
            text = label + "".join(f" {at}:1" for at in np.flatnonzero(row))
            lines.append(f"{text:<60}\n")
        (tmp_path / f"part-{part}.svm").write_text("".join(lines))
    files = train(tmp_path / "part-*.svm", "arow:bias=true", n_features=12, shards=4, epochs=2)
    model = DaskClassifier(AROWClassifier(new_classes=True))
    model.partial_fit(array(60), array(60, Y)).partial_fit(array(60), array(60, Y))
    shards = files.history[0].shards
    assert shards is not None
    assert model.partition_mistakes_ == list(shards.mistakes)
    of = files.learner.classes
    assert sorted(of) == SEVERAL.tolist()
    scores = files.learner.scores(X)[:, [of.index(name) for name in SEVERAL.tolist()]]
    assert np.array_equal(model.decision_function(X), scores)


@each_estimator
def test_a_class_may_come_with_a_later_partition_or_call(kind: Any) -> None:
    """A classifier that was told `new_classes` learns what the estimator does, from one part."""
    alone = kind(new_classes=True).partial_fit(X, EARLY).partial_fit(X, Y)
    model = DaskClassifier(kind(new_classes=True)).partial_fit(array(N), array(N, EARLY))
    assert model.classes_.tolist() == ["a", "b", "c"]
    model.partial_fit(array(N), array(N, Y))
    assert model.classes_.tolist() == SEVERAL.tolist()
    assert same(asked(model, array(N)), asked(alone, X))
    # And of several partitions, if the last alone knows the last class.
    late = np.concatenate([EARLY[::-1][:180], Y[::-1][180:]])
    rows = array(60, X[::-1])
    model = DaskClassifier(kind(new_classes=True)).partial_fit(rows, array(60, late))
    assert model.classes_.tolist() == SEVERAL.tolist()
    assert model.decision_function(rows).compute().shape == (N, 4)
    assert model.predict(rows).compute().tolist() == model.estimator_.predict(X[::-1]).tolist()


def test_a_class_that_was_not_stated_is_refused_and_leaves_no_trace() -> None:
    model = DaskClassifier(PerceptronClassifier())
    model.partial_fit(array(60), array(60, EARLY), classes=["a", "b", "c"])
    before = asked(model, X)
    with pytest.raises(LabelError, match=r"partition 1 of 4: found the classes \['d'\]"):
        model.partial_fit(array(60), array(60, Y))
    with pytest.raises(LabelError, match=r"found the classes \['e'\]"):
        model.partial_fit(array(60), array(60, EARLY), classes=["a", "b", "c", "e"])
    assert same(asked(model, X), before)
    assert model.classes_.tolist() == ["a", "b", "c"]


def test_what_classes_weigh_is_counted_over_all_partitions() -> None:
    model = DaskClassifier(AROWClassifier(class_weight="balanced")).fit(array(N), array(N, Y))
    alone = AROWClassifier(class_weight="balanced").fit(X, Y)
    assert same(asked(model, X), asked(alone, X))
    # Cut by class: what each class weighs is known from all partitions together.
    order = np.argsort(Y, kind="stable")
    sizes = tuple(int(np.sum(name == Y)) for name in SEVERAL)
    cut = da.from_array(X[order], chunks=(sizes, 12)), da.from_array(Y[order], chunks=(sizes,))
    with pytest.warns(UserWarning, match="same label"):
        apart = DaskClassifier(AROWClassifier(class_weight="balanced")).fit(*cut)
    assert apart.estimator_._of_class == alone._of_class
