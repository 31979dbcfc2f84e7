"""Reports of several classes, and of runs that an earlier release recorded."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

import thresher as th
from tests.cli.class_streams import class_rows, svmlight
from tests.cli.running import noisy_rows
from tests.reports.test_report import harmless, told
from thresher.models.blame import blame
from thresher.reports.report import Report


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("several")
    (folder / "two.svm").write_text(noisy_rows(300))
    (folder / "classes.svm").write_text(svmlight(class_rows(300)))
    return folder


def _named_rows(file: Path) -> tuple[list[dict[int, float]], list[str]]:
    rows, labels = [], []
    for line in file.read_text().splitlines():
        label, *cells = line.split()
        labels.append(label)
        rows.append({int(cell.split(":")[0]): float(cell.split(":")[1]) for cell in cells})
    return rows, labels


def test_a_run_of_several_classes_tells_what_it_was_surest_of(folder: Path) -> None:
    file = folder / "classes.svm"
    model = th.train(file, "committee")
    facts = Report.of(model, told(model, file)).facts
    learner = model.learner.started_anew()
    rounds = learner.learn(*_named_rows(file))
    assert rounds.predicted is not None
    known = rounds.predicted >= 0
    bins = facts["calibration"]["bins"]
    assert sum(one["rows"] for one in bins) == np.count_nonzero(known)
    right = np.count_nonzero(~rounds.mistaken)
    assert sum(one["rows"] * one["positive"] for one in bins) == pytest.approx(right)
    # The probability of the class that was said, which is half of one more than its score.
    said = (1 + rounds.scores[known]) / 2
    assert sum(one["rows"] * one["mean"] for one in bins) == pytest.approx(said.sum())
    cost = np.where(rounds.mistaken & known, rounds.scores, -np.inf)
    worst = np.argsort(-cost, kind="stable")[: len(facts["costliest"])]
    assert [one["round"] for one in facts["costliest"]] == (worst + 1).tolist()
    labels, predictions = rounds.labels.tolist(), rounds.predictions.tolist()
    assert [(one["label"], one["predicted"]) for one in facts["costliest"]] == [
        (labels[t], predictions[t]) for t in worst
    ]
    page = harmless(Report.of(model, told(model, file)).html())
    assert {"Calibration", "Costliest rounds"} <= {*page.cards}


def test_the_weights_of_each_class_are_blamed_on_its_rounds(folder: Path) -> None:
    learner = th.OneVersusRest(th.Perceptron(30))
    learner.learn(*_named_rows(folder / "classes.svm"))
    model = th.Model(learner=learner)
    report = Report.of(model)
    assert [one["of"] for one in report.facts["blame"]] == [*map(str, learner.classes[:3])]
    for one in report.facts["blame"]:
        assert one["matches"]
        history = blame(model, one["names"][0], one["of"])
        assert (one["weight"], one["updates"]) == (history.weight, len(history.entries))
    assert "Blame" in harmless(report.html()).cards
    # A model that was trained from a file keeps no journal of each class.
    assert Report.of(th.train(folder / "classes.svm", "perceptron")).facts["blame"] == []


def test_a_run_that_release_0_2_0_recorded_by_sha_256_is_known_again(folder: Path) -> None:
    file = folder / "two.svm"
    model = th.train(file, "winnow", n_features=30)
    (training,) = model.history
    (source,) = training.sources
    for content, kind in ((file.read_bytes(), "run"), (file.read_bytes()[::-1], "test")):
        recorded = replace(source, blake3=None, sha256=sha256(content).hexdigest())
        old = replace(model, history=(replace(training, sources=(recorded,)),))
        assert told(old, file).kind == kind
