from __future__ import annotations

import json
from pathlib import Path

import pytest

import thresher as th
from tests.cli.class_streams import by_hand, class_rows, svmlight
from tests.cli.running import noisy_rows, run
from thresher.models.choice import LearnerChoice
from thresher.streams import load_mushrooms

FIGURES = ("--features", 10_000, "--relevant", 20, "--active", 50)


@pytest.fixture(scope="module")
def mushrooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    stream, _ = load_mushrooms(order=1)
    file = tmp_path_factory.mktemp("advise") / "mushrooms.svm"
    rows = (
        " ".join([f"{label:+d}", *(f"{column}:1" for column in row)])
        for row, label in stream.examples()
    )
    file.write_text("\n".join(rows) + "\n")
    return file


def test_figures_are_enough() -> None:
    result = run("advise", *FIGURES)
    assert result.exit_code == 0
    assert "By the theorems, take winnow:beta=341/125,threshold=193." in result.stdout
    assert "(4 x 20 + 1)(50 + 1) = 4,131" in " ".join(result.stdout.split())
    last = result.stdout.splitlines()[-1]
    assert last == (
        "thresher train DATA --features 10000 -o model.thr "
        "--learner winnow:beta=341/125,threshold=193"
    )


def test_noise_changes_the_advice() -> None:
    result = run("advise", *FIGURES, "--noise", "0.01", "--rows", 10_000, "--json")
    told = json.loads(result.stdout)["advice"]
    assert (told["noise"], told["errors"]) == ("1/100", 100)
    assert told["choice"]["theorem"] == "WinnowAttributeErrors"
    assert told["choice"]["max_mistakes"] == 837


def test_every_learner_that_is_named_can_be_made() -> None:
    for noise in ([], ["--noise", "0"], ["--noise", "0.05"]):
        told = json.loads(run("advise", *FIGURES, *noise, "--json").stdout)
        named = [
            p["command_line"] for p in told["advice"]["promises"] if p["command_line"] is not None
        ]
        assert len(named) >= 3
        for text in named:
            LearnerChoice.parse(text).create(n_features=100)


def test_data_is_measured_and_raced_on(mushrooms: Path) -> None:
    told = json.loads(run("advise", mushrooms, "--json").stdout)
    assert (told["sample"]["rows"], told["sample"]["n_features"]) == (5644, 98)
    assert len(told["sample"]["disjunction"]) == 5
    assert told["advice"]["choice"]["command_line"] == "winnow:beta=2163/1000,threshold=10"
    counts = {one["learner"]: one["mistakes"] for one in told["race"]}
    assert counts["elimination"] == 19
    # Fewest mistakes among those that a single wrong label does not spoil.
    assert told["recommended"] == "winnow:beta=2163/1000,threshold=10"
    certain = json.loads(run("advise", mushrooms, "--noise", "0", "--json").stdout)
    assert certain["recommended"] == "elimination"


def test_only_a_sample_is_looked_at(mushrooms: Path) -> None:
    told = json.loads(run("advise", mushrooms, "--sample", 100, "--json").stdout)
    assert told["sample"]["rows"] == 100
    assert {one["rounds"] for one in told["race"]} == {100}


def test_the_words_say_what_was_measured(mushrooms: Path) -> None:
    result = run("advise", mushrooms, columns=90)
    text = " ".join(result.stdout.split())
    assert "5,644 rows, 2,156 of them positive; 98 features occur" in text
    assert "An 'or' of 5 of the features explains every label." in text
    assert "elimination made fewer mistakes, but a single wrong label spoils it" in text
    *_, last = result.stdout.splitlines()
    assert last == (
        f"thresher train {mushrooms} --features 128 -o model.thr "
        "--learner winnow:beta=2163/1000,threshold=10"
    )
    assert max(len(line) for line in result.stdout.splitlines()[:-1]) <= 90


def test_data_that_no_or_explains_is_left_to_the_race(tmp_path: Path) -> None:
    file = tmp_path / "x.svm"
    file.write_text("1 0:0.5 1:-2\n-1 0:1 2:3\n" * 10)
    result = run("advise", file)
    assert result.exit_code == 0
    assert "values are from -2 to 3" in " ".join(result.stdout.split())
    told = json.loads(run("advise", file, "--json").stdout)
    assert told["advice"] is None
    assert told["recommended"] == "committee"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "--features and --relevant"),
        (["--features", "10"], "--features and --relevant"),
        (["--features", "10", "--relevant", "11"], "relevant must be"),
        ([*FIGURES, "--noise", "much"], "--noise much"),
        ([*FIGURES, "--noise", "2"], "noise must be from 0 to 1"),
        (["nowhere.svm"], "nowhere.svm"),
    ],
)
def test_what_is_asked_for_wrongly_is_refused(words: list[str], said: str) -> None:
    result = run("advise", *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_there_must_be_rows(tmp_path: Path) -> None:
    (tmp_path / "empty.svm").write_text("\n")
    result = run("advise", tmp_path / "empty.svm")
    assert result.exit_code == 2


# ---- noise, real data, several classes -------------------------------------------------


def test_noise_that_leaves_no_promise_leads_to_the_committee() -> None:
    figures = ["--features", "10000", "--relevant", "20", "--active", "50", "--rows", "1000"]
    told = json.loads(run("advise", *figures, "--noise", "0.2", "--json").stdout)
    assert (told["advice"]["vacuous"], told["recommended"]) == (True, "committee")
    shown = run("advise", *figures, "--noise", "0.2").stdout
    assert "The theorems promise nothing here: take committee." in shown
    assert shown.splitlines()[-1].endswith("--learner committee")
    clean = json.loads(run("advise", *figures, "--json").stdout)
    assert clean["recommended"] == clean["advice"]["choice"]["command_line"]
    assert not any("committee" in reason for reason in clean["advice"]["reasons"])


def test_noisy_data_leads_to_the_committee_with_its_bound(tmp_path: Path) -> None:
    file = tmp_path / "noisy.svm"
    file.write_text(noisy_rows(800))
    told = json.loads(run("advise", file, "--json").stdout)
    assert told["recommended"] == "committee"
    learner = th.Committee(32)
    for batch in th.read(file, n_features=32):
        learner.learn(batch)
    (found,) = [one for one in told["race"] if one["learner"] == "committee"]
    assert found["allowed"] == learner.bound().max_mistakes()
    shown = " ".join(run("advise", file).stdout.split())
    assert f"which is {found['allowed']:,} on these rows" in shown
    assert "keeps no journal" in shown


def test_several_classes_are_raced_on(tmp_path: Path) -> None:
    file = tmp_path / "colours.svm"
    file.write_text(svmlight(class_rows(400)))
    told = json.loads(run("advise", file, "--json").stdout)
    assert (told["sample"]["rows"], told["sample"]["classes"]) == (400, 3)
    counts = {one["learner"]: one["mistakes"] for one in told["race"]}
    assert counts["arow:bias=yes"] == by_hand(th.AROW(32, bias=True), class_rows(400)).mistakes
    assert told["recommended"] in counts
    shown = run("advise", file).stdout
    assert "400 rows of 3 classes; the commonest, " in " ".join(shown.split())
    assert shown.splitlines()[-1] == (
        f"thresher train {file} --features 32 -o model.thr --learner {told['recommended']}"
    )


def test_learners_that_would_take_too_much_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.models.runner.MUCH_MEMORY", 4000)
    file = tmp_path / "colours.svm"
    file.write_text(svmlight(class_rows(100)))
    told = json.loads(run("advise", file, "--json").stdout)
    assert told["left_out"] == ["committee"]
    assert "Left out, for they would take more than 2 GB: committee." in run("advise", file).stdout
