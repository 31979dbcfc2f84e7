"""What release 0.2.0 wrote is still read: models, binary rows, certificates; to the bit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.cli.running import run

OLD = Path(__file__).parent / "version_0_2_0"
SAVED = json.loads((OLD / "expected.json").read_text("utf-8"))
DATA = SAVED["data"]

#: The rows that each learner was shown.
ROWS = {
    "binary": np.array(DATA["binary"]),
    "votes": np.array(DATA["votes"]),
    "real": np.array(DATA["real"]),
    "bounded": np.clip(np.array(DATA["real"]), -1, 1),
    "four": np.array(DATA["binary"])[:, :4],
    "words": [
        {f"w{column}": value for column, value in enumerate(row) if value} for row in DATA["binary"]
    ],
}
SEEN = {
    "perceptron": "real",
    "arow": "real",
    "adagrad": "real",
    "passive_aggressive": "real",
    "p_norm_perceptron": "real",
    "committee": "real",
    "calibrated": "real",
    "one_versus_rest": "real",
    "multiclass_perceptron": "real",
    "signed_winnow": "bounded",
    "standard_optimal": "four",
    "weighted_majority": "votes",
    "randomized_weighted_majority": "votes",
    "perceptron_words": "words",
    "winnow_hashed": "words",
    "one_versus_rest_calibrated": "words",
    "multiclass_passive_aggressive": "words",
}


@pytest.mark.parametrize("name", sorted(SAVED["expected"]))
def test_a_model_of_0_2_0_has_the_same_counts_and_scores(name: str) -> None:
    learner = th.load(OLD / f"{name}.thr")
    expected: dict[str, Any] = SAVED["expected"][name]
    assert (learner.n_rounds, learner.mistakes) == (expected["rounds"], expected["mistakes"])
    rows: Any = ROWS[SEEN.get(name, "binary")]
    scores = np.asarray(learner.scores(rows), float)[:5].ravel().tolist()
    assert [score.hex() for score in scores] == expected["scores"]


@pytest.mark.parametrize("name", sorted(SAVED["expected"]))
def test_a_model_of_0_2_0_is_saved_as_it_was(name: str, tmp_path: Path) -> None:
    again = tmp_path / "again.thr"
    learner = th.load(OLD / f"{name}.thr")
    learner.save(again)
    assert th.load(again) == learner


def test_a_committee_of_0_2_0_goes_on_with_its_eight_members() -> None:
    """To the bit as the release would have, and with the weights that it started with."""
    learner = th.load(OLD / "committee.thr", th.Committee)
    rows = ROWS["real"]
    learner.learn(rows, [1 if sum(row) > 0 else -1 for row in rows])
    assert [score.hex() for score in learner.scores(rows)[:3].tolist()] == [
        "0x1.601062714a268p-1",
        "0x1.24bbdbcf72d7bp-1",
        "-0x1.5b80aa1b13af0p-2",
    ]
    assert [member.prior for member in learner.members] == [0.0625] * 8 + [0.25, 0.25]
    assert learner.mistakes <= learner.bound().max_mistakes()


@pytest.mark.parametrize(
    ("name", "rows", "labels"),
    [
        ("perceptron", "real", "real"),
        ("winnow", "binary", "binary"),
        ("halving", "binary", "binary"),
        ("weighted_majority", "votes", "binary"),
        ("elimination", "binary", "binary"),
        ("normalized_winnow", "binary", "binary"),
    ],
)
def test_a_certificate_of_0_2_0_still_verifies(name: str, rows: str, labels: str) -> None:
    text = (OLD / f"{name}.certificate.json").read_text("utf-8")
    certificate = th.Certificate.from_json(text)
    verdict = th.verify(certificate, ROWS[rows], DATA["labels"][labels])
    assert verdict.holds, verdict


def test_a_new_class_in_a_model_of_0_2_0_starts_from_nothing() -> None:
    several = th.load(OLD / "one_versus_rest.thr")
    assert not any(name.startswith("background.") for name in several.learned_state())
    several.learn(ROWS["real"], ["a class of its own"] * len(ROWS["real"]))
    assert several.each_class is not None
    alone = several.each_class.copy()
    alone.learn(ROWS["real"], np.ones(len(ROWS["real"])))
    assert several.learner_of("a class of its own") == alone


def test_a_text_model_of_0_2_0_predicts_what_it_did() -> None:
    done = run("predict", OLD / "mail_text.thr", OLD / "mail.tsv", "--scores")
    assert done.stdout == (OLD / "mail_scores.txt").read_text("utf-8")


def test_binary_rows_of_0_2_0_are_those_of_the_text() -> None:
    text = run("predict", OLD / "mail_text.thr", OLD / "mail.tsv", "--scores")
    binary = run(
        "predict", OLD / "mail_text.thr", OLD / "mail.thb", "--format", "binary", "--scores"
    )
    assert binary.stdout == text.stdout


def test_a_model_of_several_classes_of_0_2_0_predicts_what_it_did() -> None:
    done = run("predict", OLD / "flowers.thr", OLD / "flowers.csv", "--top", "3")
    assert done.stdout == (OLD / "flowers_top.txt").read_text("utf-8")
