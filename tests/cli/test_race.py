from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import thresher as th
from tests.cli.class_streams import batch_of, by_hand, class_rows, svmlight
from tests.cli.running import run
from thresher.cli.main import thresher
from thresher.models.usual_learners import (
    BASELINE,
    TRACKING_LEARNERS,
    USUAL_LEARNERS,
    USUAL_MULTICLASS_LEARNERS,
)
from thresher.streams import load_mushrooms


@pytest.fixture(scope="module")
def mushrooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    stream, _ = load_mushrooms(order=1)
    file = tmp_path_factory.mktemp("race") / "mushrooms.svm"
    rows = (
        " ".join([f"{label:+d}", *(f"{column}:1" for column in row)])
        for row, label in stream.examples()
    )
    file.write_text("\n".join(rows) + "\n")
    return file


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    file = tmp_path / "odd.svm"
    file.write_text("# head\n1 0:1\n-1 1:0.5\n1 0:-2 3:1\n-1 1:1\n")
    return file


def test_the_table_says_who_was_wrong_how_often(mushrooms: Path) -> None:
    words = ("--features", 98, "--learner", "winnow", "--learner", "elimination")
    result = run("race", mushrooms, *words, columns=120)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].split()[:2] == ["learner", "mistakes"]
    table = {line.split()[1]: line.split() for line in lines[1:4]}
    assert table["winnow"][2:7] == ["61", "1.08%", "0.00%", "92", "WinnowDisjunction"]
    assert table["elimination"][2:6] == ["19", "0.34%", "0.00%", "73"]
    assert lines[3].split()[:4] == ["c", "commoner", "label", "2,160"]
    assert any("⠉" in line or "⣀" in line for line in lines[4:])
    # The commoner label is far behind, leaves at the top, and does not flatten the others.
    assert lines[5].startswith("61 |")
    assert lines[5].endswith("bc")
    assert result.stderr == "svmlight, labels -1/1: 1 counts as +1\n"


def test_without_names_the_usual_learners_run(mushrooms: Path) -> None:
    result = run("race", mushrooms, "--features", 98, "--no-bounds", "--no-plot")
    titles = {line[3:].split("  ")[0] for line in result.stdout.splitlines()[1:]}
    assert titles == {*USUAL_LEARNERS, BASELINE}


@pytest.mark.parametrize("width", [40, 80])
def test_everything_fits_the_terminal(mushrooms: Path, width: int) -> None:
    result = run("race", mushrooms, "--features", 98, "--no-bounds", columns=width)
    assert max(map(len, result.stdout.splitlines())) <= width


def test_letters_are_drawn_where_the_encoding_has_no_braille(mushrooms: Path) -> None:
    words = ["race", str(mushrooms), "--features", "98", "--no-bounds", "--learner", "winnow"]
    result = CliRunner(charset="ascii").invoke(thresher, words)
    assert result.exit_code == 0
    assert result.stdout.isascii()
    assert "aaa" in result.stdout


def test_json_has_counts_bounds_and_curves(mushrooms: Path) -> None:
    words = ("--learner", "winnow", "--learner", "winnow:beta=1/2", "--json")
    result = run("race", mushrooms, "--features", 98, *words)
    told = json.loads(result.stdout)
    assert told["rounds"] == 5644
    winnow = next(one for one in told["learners"] if one["learner"] == "winnow")
    assert (winnow["mistakes"], winnow["false_negatives"], winnow["false_positives"]) == (
        61,
        30,
        31,
    )
    assert (winnow["theorem"], winnow["allowed"]) == ("WinnowDisjunction", 92)
    assert winnow["last"] == {"from_round": 4233, "to_round": 5644, "mistakes": 0}
    assert winnow["curve"]["mistakes"][-1] == 61
    assert [one["learner"] for one in told["learners"]][-1] == BASELINE


@pytest.mark.parametrize("chunk", [3000, 50_000, 10**6])
def test_counts_and_curves_do_not_depend_on_chunks_or_threads(mushrooms: Path, chunk: int) -> None:
    words = ("--features", 98, "--no-bounds", "-o", "-", "--threads", 1 + chunk % 3)
    result = run("race", mushrooms, *words, "--chunk-bytes", chunk)
    points = list(csv.DictReader(io.StringIO(result.stdout)))
    assert {point["learner"] for point in points} == {*USUAL_LEARNERS, BASELINE}
    winnow = [point for point in points if point["learner"] == "winnow"]
    stream, _ = load_mushrooms(order=1)
    early = th.Winnow(98).learn(stream[:800]).mistakes
    assert winnow[100] == {"learner": "winnow", "rounds": "800", "mistakes": str(early)}
    assert winnow[-1] == {"learner": "winnow", "rounds": "5644", "mistakes": "61"}


def test_the_curves_go_to_a_file_beside_the_table(mushrooms: Path, tmp_path: Path) -> None:
    file = tmp_path / "curves.csv"
    words = ("--learner", "winnow", "--no-bounds", "--no-plot", "-o", file)
    result = run("race", mushrooms, "--features", 98, *words)
    assert file.read_text().splitlines()[0] == "learner,rounds,mistakes"
    assert len(result.stdout.splitlines()) == 3


def test_a_feature_that_somebody_could_not_take_is_called_by_its_name(tmp_path: Path) -> None:
    file = tmp_path / "mail.csv"
    file.write_text("label,age,length\n" + "1,1,1\n0,1,0.5\n" * 3 + "1,1,40\n")
    result = run("race", file, "--learner", "winnow", "--no-plot", "--no-bounds")
    assert f"{file}:8: Winnow needs features in [0, 1], feature 'length' is 40.0." in result.stdout
    advice = run("trace", file, "--learner", "winnow", "--bits", 10)
    assert "feature 'length' is 40.0" in advice.stderr


def test_a_learner_that_cannot_take_a_row_is_out_and_the_others_go_on(odd: Path) -> None:
    words = ("--learner", "winnow", "--learner", "perceptron", "--features", 8, "--no-plot")
    result = run("race", odd, *words, columns=100)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[-1] == (
        f"winnow is out: {odd}:4: Winnow needs features in [0, 1], feature 0 is -2.0. "
        "Scale or binarise the features first."
    )
    assert lines[3].split() == ["c", "winnow", "out", "row", "3"]
    told = json.loads(run("race", odd, *words, "--json").stdout)
    out = {
        one["learner"]: (one["rounds"], one["out_in_round"], one["out_at"])
        for one in told["learners"]
    }
    assert out["winnow"] == (2, 3, f"{odd}:4")
    assert out["perceptron"] == (4, None, None)


def test_a_claim_shows_what_it_allows_and_when_it_fell(mushrooms: Path) -> None:
    words = (
        "--learner",
        "winnow",
        "--learner",
        "perceptron",
        "--claim",
        "disjunction:k=2",
        "--json",
    )
    told = json.loads(run("race", mushrooms, "--features", 98, *words).stdout)["learners"]
    winnow, perceptron = sorted(told, key=lambda one: one["learner"])[1:][::-1]
    assert (winnow["allowed"], winnow["refuted_in_round"]) == (37, 225)
    assert (perceptron["allowed"], perceptron["refuted_in_round"]) == (None, None)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--learner", "winow"], "winow"),
        (["--learner", "winnow:gamma=1"], "gamma"),
        (["--learner", "winnow", "--learner", "winnow"], "given twice"),
        (["--claim", "nonsense"], "nonsense"),
        (["-o", "no/such/folder/x.csv"], "no/such/folder"),
    ],
)
def test_what_is_asked_for_wrongly_is_refused(odd: Path, words: list[str], said: str) -> None:
    result = run("race", odd, *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_an_empty_file_is_no_race(tmp_path: Path) -> None:
    (tmp_path / "empty.svm").write_text("# nothing\n")
    result = run("race", tmp_path / "empty.svm")
    assert result.exit_code == 2
    assert "no row" in result.stderr


# ---- several classes, and the committee ------------------------------------------------


def test_the_committee_is_allowed_what_it_lost_itself(mushrooms: Path) -> None:
    told = json.loads(
        run("race", mushrooms, "--features", "98", "--learner", "committee", "--json").stdout
    )
    learner = th.Committee(98)
    for batch in th.read(mushrooms, n_features=98):
        learner.learn(batch)
    (first, _) = told["learners"]
    assert (first["mistakes"], first["theorem"]) == (learner.mistakes, "LogarithmicLoss")
    assert learner.mistakes <= first["allowed"] <= learner.bound().max_mistakes()
    words = ["race", mushrooms, "--learner", "committee", "--features", "98", "--no-bounds"]
    assert json.loads(run(*words, "--json").stdout)["learners"][0]["allowed"] is None


@pytest.fixture
def colours(tmp_path: Path) -> Path:
    file = tmp_path / "colours.svm"
    file.write_text(svmlight(class_rows(400)))
    return file


def test_several_classes_race_as_they_would_learn_alone(colours: Path) -> None:
    result = run("race", colours, "--bits", "6", "--json")
    assert result.stderr == "svmlight, labels are the names of classes, 3 so far\n"
    told = {one["learner"]: one for one in json.loads(result.stdout)["learners"]}
    assert {*told} == {*USUAL_MULTICLASS_LEARNERS, BASELINE}
    alone = by_hand(th.AROW(64, bias=True), class_rows(400))
    assert told["arow:bias=yes"]["mistakes"] == alone.mistakes
    assert told["arow:bias=yes"]["false_negatives"] is None
    one_table = th.MulticlassPerceptron(64)
    one_table.learn(batch_of(class_rows(400)))
    assert told["multiclass_perceptron"]["mistakes"] == one_table.mistakes


def test_the_commonest_label_is_what_to_beat(colours: Path) -> None:
    told = json.loads(run("race", colours, "--learner", "perceptron", "--json").stdout)
    counts: dict[str, int] = {}
    wrong = 0
    for label, _ in class_rows(400):
        wrong += not counts or max(counts, key=counts.__getitem__) != label
        counts[label] = counts.get(label, 0) + 1
    found = {one["learner"]: one["mistakes"] for one in told["learners"]}
    assert found[BASELINE] == wrong


@pytest.mark.parametrize("chunk", [1, 900])
def test_counts_of_several_classes_do_not_depend_on_chunks(colours: Path, chunk: int) -> None:
    words = ["race", colours, "--bits", "6", "-o", "-", "-q"]
    assert run(*words).stdout == run(*words, "--chunk-bytes", chunk).stdout


def test_whoever_takes_too_much_memory_leaves(
    colours: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.models.runner.MUCH_MEMORY", 10_000)
    words = ["race", colours, "--bits", "6", "--learner", "committee", "--learner", "arow"]
    told = {one["learner"]: one for one in json.loads(run(*words, "--json").stdout)["learners"]}
    assert "3 classes would take" in told["committee"]["out"]
    assert told["arow"]["out"] is None


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--claim", "disjunction:k=2"], "speaks of two classes"),
        (["--multiclass", "--positive", "red"], "--positive makes two classes"),
        (["--learner", "one_versus_rest"], "name the learner for each class"),
    ],
)
def test_what_does_not_suit_several_classes_is_refused(
    colours: Path, words: list[str], said: str
) -> None:
    result = run("race", colours, *words)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())


def test_two_labels_race_as_classes_if_asked(odd: Path) -> None:
    result = run("race", odd, "--multiclass", "--learner", "perceptron", "--no-plot")
    assert result.exit_code == 0
    assert "labels are the names of classes, 2 so far" in result.stderr


def test_variants_that_forget_run_along_and_the_last_rows_are_told_alone(tmp_path: Path) -> None:
    drifting = ("--set", "n_features=40,r=2", "-n", 2000, "--drift", 500, "--seed", 3)
    run("generate", "disjunctions", *drifting, "-o", tmp_path / "d.svm")
    words = ("race", tmp_path / "d.svm", "--features", 40, "--tracking", "--window", 100)
    told = {one["learner"]: one for one in json.loads(run(*words, "--json").stdout)["learners"]}
    assert {*TRACKING_LEARNERS, *USUAL_LEARNERS} <= told.keys()
    for one in told.values():
        assert one["window"]["rows"] == 100
        assert one["out"] is not None or one["window"]["worst"]["error"] >= one["error"]
    shown = run(*words, "--learner", "winnow", "--no-plot").stdout
    assert "last 100" in shown.splitlines()[0]
    assert len(shown.splitlines()) == 3 + len(TRACKING_LEARNERS)


def test_tracking_is_for_several_classes_too(tmp_path: Path) -> None:
    (tmp_path / "c.svm").write_text("red 0:1\nblue 1:1\ngreen 2:1\n" * 5)
    words = ("race", tmp_path / "c.svm", "--bits", 4, "--tracking", "--json")
    told = {one["learner"]: one for one in json.loads(run(*words).stdout)["learners"]}
    assert set(TRACKING_LEARNERS) <= told.keys()
