"""Dask collections on workers: what tests/sklearn/test_dask_classifier.py finds in one process."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any

import dask.array as da
import dask.bag as db
import dask.dataframe as dd
import distributed
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from thresher.errors import ClusterError, UnsoundBatchError
from thresher.sklearn import AROWClassifier, CommitteeClassifier, PerceptronClassifier
from thresher.sklearn.dask import DaskClassifier

N = 240
X = (np.random.default_rng(0).random((N, 12)) < 0.4).astype(np.float64)
Y = np.where(X @ np.random.default_rng(1).normal(size=12) > 0.1, "yes", "no")


def collections() -> dict[str, tuple[Any, Any]]:
    """The same rows, cut into four."""
    array, labels = da.from_array(X, chunks=(60, 12)), da.from_array(Y, chunks=60)
    frame = pd.DataFrame(X, columns=list("abcdefghijkl")).assign(label=Y)
    dicts = [
        ({str(at): float(row[at]) for at in np.flatnonzero(row)}, y)
        for row, y in zip(X, Y, strict=True)
    ]
    return {
        "array": (array, labels),
        "blocks of SciPy": (array.map_blocks(csr_array), labels),
        "frame": (dd.from_pandas(frame, npartitions=4), "label"),
        "bag": (db.from_sequence(dicts, npartitions=4), None),
    }


@pytest.mark.parametrize("kind", collections())
def test_workers_learn_what_one_process_learns(client: Any, kind: str) -> None:
    data, y = collections()[kind]
    here, apart = (
        DaskClassifier(AROWClassifier(max_iter=2), client=one).fit(data, y)
        for one in (None, client)
    )
    assert apart.estimator_.learner_ == here.estimator_.learner_
    assert apart.partition_mistakes_ == here.partition_mistakes_
    assert len(here.partition_mistakes_[0]) == 4
    assert apart.score(data, y) == here.score(data, y)
    # A client that was given is not closed.
    assert client.status == "running"


def test_workers_learn_several_classes_as_one_process_does(client: Any) -> None:
    classes = np.array(["a", "b", "c"])
    several = classes[np.argmax(X @ np.random.default_rng(2).normal(size=(12, 3)), axis=1)]
    rows, y = da.from_array(X, chunks=(60, 12)), da.from_array(several, chunks=60)
    here, apart = (
        DaskClassifier(CommitteeClassifier(max_iter=2), client=one).fit(rows, y)
        for one in (None, client)
    )
    assert apart.partition_mistakes_ == here.partition_mistakes_
    assert np.array_equal(apart.predict_proba(X), here.predict_proba(X))
    assert apart.score(rows, y) == here.score(rows, y)


def test_what_workers_keep_is_learned_from_and_predicted_there(client: Any) -> None:
    data, y = collections()["array"]
    here = DaskClassifier(AROWClassifier(max_iter=2)).fit(data, y)
    with client.as_current():
        kept, labels = client.persist([data + 0.0, y])
        apart = DaskClassifier(AROWClassifier(max_iter=2), client=client).fit(kept, labels)
        answers = apart.predict(kept)
        assert answers.chunks == labels.chunks
        assert client.compute(answers).result().tolist() == here.predict(X).tolist()
    assert apart.estimator_.learner_ == here.estimator_.learner_


def dies_once(block: Any, mark: str) -> Any:
    """Rows whose worker is lost over them, the first time."""
    if not os.path.exists(mark):
        Path(mark).write_text("here")
        os.kill(os.getpid(), signal.SIGKILL)
    return block


def test_a_worker_that_is_killed_changes_no_bit(client: Any, tmp_path: Path) -> None:
    data, y = collections()["array"]
    here = DaskClassifier(PerceptronClassifier(max_iter=2)).fit(data, y)
    fatal = data.map_blocks(dies_once, str(tmp_path / "mark"), meta=X[:0])
    apart = DaskClassifier(PerceptronClassifier(max_iter=2), client=client).fit(fatal, y)
    assert (tmp_path / "mark").exists()
    assert apart.estimator_.learner_ == here.estimator_.learner_


def waits(block: Any, seconds: float) -> Any:
    time.sleep(seconds)
    return block


def breaks(block: Any) -> Any:
    raise OSError("the disk is gone")


def test_a_partition_that_cannot_be_had_is_named(client: Any) -> None:
    data, y = collections()["array"]
    model = DaskClassifier(AROWClassifier(), client=client)
    unsound = da.from_array(np.where(np.arange(N)[:, None] == 100, np.nan, X), chunks=(60, 12))
    with pytest.raises(UnsoundBatchError, match="epoch 1, partition 2 of 4: Input X contains NaN"):
        model.fit(unsound, y)
    with pytest.raises(
        ClusterError, match=r"epoch 1, partition \d of 4: OSError: the disk is gone"
    ):
        model.fit(data.map_blocks(breaks, meta=X[:0]), y)
    with pytest.raises(
        ClusterError, match=r"not done within 4 seconds: epoch 1, partition \d of 4"
    ):
        model.set_params(deadline=4.0).fit(data.map_blocks(waits, 5.0, meta=X[:0]), y)
    assert not hasattr(model, "estimator_")


def test_a_client_that_is_closed_is_told_as_such(cluster: Any) -> None:
    client = distributed.Client(cluster, set_as_default=False)
    client.close()
    with pytest.raises(ClusterError, match="the client is closed"):
        DaskClassifier(AROWClassifier(), client=client).fit(*collections()["array"])
