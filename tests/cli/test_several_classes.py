"""Training on streams of several classes."""

from __future__ import annotations

import json
import os
import signal
from fractions import Fraction
from pathlib import Path

import pytest

import thresher as th
from tests.cli.class_streams import COLOURS, batch_of, by_hand, class_rows, svmlight
from tests.cli.running import loaded, run
from thresher.cli.progress import ProgressTable
from thresher.models.events import Progressed
from thresher.models.file import load_model, save_model
from thresher.models.model import Model

BITS = ["--bits", "6"]


def default() -> th.Committee:
    return th.Committee(64)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.svm").write_text(svmlight(class_rows(300)))
    (tmp_path / "b.svm").write_text(svmlight(class_rows(250, (*COLOURS, "grey"), seed=5)))
    return tmp_path


def test_more_than_two_labels_are_as_many_classes(folder: Path) -> None:
    result = run("train", "a.svm", "-o", "m.thr", *BITS)
    assert result.exit_code == 0
    said = result.stderr.splitlines()
    assert said[:3] == [
        "data     a.svm; svmlight",
        "learner  committee for each class (the default while all classes fit into 2 GiB); 64 "
        "features (--bits 6), names hashed with seed 0",
        "labels are names of classes, 3 classes so far: blue, red, green",
    ]
    assert said[4].split()[-5:-1] == ["100.00%", "blue", "-", "4"]
    expected = by_hand(default(), class_rows(300))
    assert loaded("m.thr") == expected
    assert f"mistakes  {expected.mistakes}, " in result.stdout
    assert "false alarms" not in result.stdout
    assert "classes   3\n" in result.stdout


def test_json_says_what_the_learner_did(folder: Path) -> None:
    told = json.loads(run("train", "a.svm", "-o", "m.thr", *BITS, "--json", "-q").stdout)
    learner = th.OneVersusRest(default())
    mistaken = learner.learn(batch_of(class_rows(300))).mistaken
    assert (told["learner"], told["classes"]) == ("one_versus_rest", ["blue", "red", "green"])
    assert told["labels"]["classes"] == "several"
    assert (told["mistakes"], told["false_negatives"]) == (int(mistaken.sum()), None)
    assert told["parameters"]["learner"] == "Committee(n_features=64)"
    for point in told["progress"]:
        assert point["mistakes"] == int(mistaken[: point["rounds"]].sum())


@pytest.mark.parametrize(
    ("words", "learner"),
    [
        (["--learner", "winnow"], th.Winnow(64, journal_bytes=0)),
        (["--learner", "perceptron", "--journal"], th.Perceptron(64)),
        (["--learner", "committee"], th.Committee(64)),
        (["--learner", "arow:r=2"], th.AROW(64, r=2.0, journal_bytes=0)),
        (["--learner", "AROW", "--bias"], th.AROW(64, bias=True, journal_bytes=0)),
        (["--calibrate", "platt"], th.Calibrated(default(), "platt")),
    ],
    ids=str,
)
def test_a_two_class_learner_gets_one_for_each_class(
    folder: Path, words: list[str], learner: object
) -> None:
    assert run("train", "a.svm", "-o", "m.thr", *BITS, *words).exit_code == 0
    assert loaded("m.thr") == by_hand(learner, class_rows(300))


@pytest.mark.parametrize(
    "learner",
    [
        th.MulticlassPerceptron(64),
        th.MulticlassPassiveAggressive(64),
        th.MulticlassNormalizedWinnow(64, eta=Fraction(1, 10)),
        th.MulticlassSignedWinnow(64, eta=Fraction(1, 10)),
        th.SparseNetwork(64),
    ],
    ids=lambda learner: learner.name,
)
def test_a_learner_for_all_classes_is_taken_as_it_is(
    folder: Path, learner: th.MulticlassPerceptron
) -> None:
    eta = ["--eta", "1/10"] if "winnow" in learner.name else []
    named = ["--learner", learner.name, *eta, "--journal"]
    assert run("train", "a.svm", "-o", "m.thr", *BITS, *named).exit_code == 0
    learner.learn(batch_of(class_rows(300)))
    assert loaded("m.thr") == learner


@pytest.mark.parametrize("chunk", ["1", "700", "1000000"])
def test_chunks_and_threads_change_nothing(folder: Path, chunk: str) -> None:
    words = ["train", "a.svm", "b.svm", *BITS, "-q"]
    run(*words, "-o", "m.thr")
    run(*words, "-o", "n.thr", "--chunk-bytes", chunk, "--threads", "3")
    assert loaded("m.thr") == loaded("n.thr")


def test_a_vocabulary_is_shared_by_all_classes(folder: Path) -> None:
    (folder / "words.vw").write_text("a | x y\nb | y z\nc | z w\na | x\n")
    assert run("train", "words.vw", "-o", "m.thr", "--vocabulary").exit_code == 0
    model = load_model("m.thr")
    assert dict(model.name_table.vocabulary) == {"x": 0, "y": 1, "z": 2, "w": 3}
    several = th.OneVersusRest(th.Committee(names=th.Vocabulary()))
    several.learn([{"x": 1, "y": 1}, {"y": 1, "z": 1}, {"z": 1, "w": 1}, {"x": 1}], list("abca"))
    assert model.learner == several


def test_positive_still_makes_two_classes(folder: Path) -> None:
    result = run("train", "a.svm", "-o", "m.thr", "--positive", "red")
    assert "label red counts as +1, every other as -1" in result.stderr
    assert isinstance(loaded("m.thr"), th.Committee)


# ---- an open set of classes ------------------------------------------------------------


def test_a_class_may_appear_after_the_first_thousand_rows(folder: Path) -> None:
    rows = [*class_rows(5000), ("late", [1, 2]), *class_rows(20, ("late", "red"), seed=3)]
    (folder / "long.svm").write_text(svmlight(rows))
    result = run("train", "long.svm", "-o", "m.thr", *BITS, "--chunk-bytes", "900")
    assert "3 classes so far" in result.stderr
    assert "classes   4\n" in result.stdout
    assert loaded("m.thr") == by_hand(default(), rows)


def test_two_numbers_are_two_classes_unless_more_are_announced(folder: Path) -> None:
    rows = [(label, [k % 7]) for k, label in enumerate(["1", "2"] * 700)] + [("3", [1]), ("1", [2])]
    (folder / "n.svm").write_text(svmlight(rows))
    result = run("train", "n.svm", "-o", "m.thr")
    assert result.exit_code == 2
    assert "n.svm:1401: found the label 3, expected the label 1 or 2" in result.stderr
    assert "use --multiclass" in result.stderr
    assert run("train", "n.svm", "-o", "m.thr", *BITS, "--multiclass").exit_code == 0
    assert loaded("m.thr") == by_hand(default(), rows)


@pytest.mark.parametrize("labels", [["spam"] * 30, ["7"] * 30])
def test_fewer_classes_than_three_must_be_announced(folder: Path, labels: list[str]) -> None:
    (folder / "n.svm").write_text("".join(f"{label} 1:1\n" for label in labels))
    result = run("train", "n.svm", "-o", "m.thr")
    assert result.exit_code == 2
    assert "Or keep them as classes: --multiclass." in result.stderr
    assert run("train", "n.svm", "-o", "m.thr", *BITS, "--multiclass").exit_code == 0
    assert loaded("m.thr").classes == tuple(dict.fromkeys(labels))
    assert set(run("predict", "m.thr", "n.svm").stdout.split()) <= set(labels)


@pytest.mark.parametrize(
    ("n_classes", "learner"),
    [(150, default()), (1000, th.MulticlassPassiveAggressive(64))],
    ids=str,
)
def test_many_classes(
    folder: Path, n_classes: int, learner: th.Committee | th.MulticlassPassiveAggressive
) -> None:
    rows = [(f"class_{k % n_classes}", [k % 61, 61 + k % 3]) for k in range(1100)]
    (folder / "many.svm").write_text(svmlight(rows))
    named = ["--learner", learner.name, "--journal"] if learner.several else []
    assert run("train", "many.svm", "-o", "m.thr", *BITS, *named).exit_code == 0
    if isinstance(learner, th.Committee):
        assert loaded("m.thr") == by_hand(learner, rows)
    else:
        learner.learn(batch_of(rows))
        assert loaded("m.thr") == learner
    tested = run("test", "m.thr", "many.svm").stdout
    assert "area under ROC  not given for more than 100 classes" in tested
    assert "confused most" in tested
    assert len(tested.splitlines()) == 4 + n_classes + 2 + 23 + 1


def test_measurements_are_not_classes(folder: Path) -> None:
    (folder / "n.svm").write_text("".join(f"{k / 7} 1:1\n" for k in range(40)))
    result = run("train", "n.svm", "-o", "m.thr")
    assert result.exit_code == 2
    assert "there are 40 different numbers among the labels of the first 40 rows" in result.stderr
    assert run("train", "n.svm", "-o", "m.thr", *BITS, "--multiclass").exit_code == 0


def test_more_classes_than_memory_is_for_are_refused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thresher.models.multiclass.MUCH_MEMORY", 2000)
    warned = run("train", "a.svm", "-o", "m.thr", *BITS)
    assert warned.exit_code == 0
    assert warned.stderr.count("warning: 3 classes with a learner each take 0.0 GB") == 1
    monkeypatch.setattr("thresher.models.multiclass.TOO_MUCH_MEMORY", 2500)
    refused = run("train", "a.svm", "-o", "n.thr", *BITS)
    assert refused.exit_code == 2
    assert "--learner multiclass_passive_aggressive" in refused.stderr
    assert not Path("n.thr").exists()
    assert run("train", "a.svm", "-o", "n.thr", *BITS, "--learner", "arow").exit_code == 0


# ---- names -----------------------------------------------------------------------------

HOSTILE = [
    "a b", "a,b", "a\tb", "a\nb", "é", "日本", " ", "?", "null", "\x1b[2J", "\u202eevil", "-",
    "None", "'\"", "\\n", "#", "|", "x" * 300,
]  # fmt: skip


def test_labels_stay_the_names_they_are(folder: Path) -> None:
    lines = [
        json.dumps({"label": name, "features": {f"f{k}": 1, "all": 1}})
        for _ in range(3)
        for k, name in enumerate(HOSTILE)
    ]
    (folder / "h.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    assert run("train", "h.jsonl", "-o", "m.thr", "--bits", "10", "--passes", "3").exit_code == 0
    assert list(loaded("m.thr").classes) == HOSTILE
    told = run("predict", "m.thr", "h.jsonl", "--json").stdout.splitlines()
    assert [json.loads(line)["label"] for line in told[: len(HOSTILE)]] == HOSTILE
    plain = run("predict", "m.thr", "h.jsonl").stdout
    assert len(plain.splitlines()) == len(lines)
    assert "\x1b" not in plain
    for command in (["test", "m.thr", "h.jsonl"], ["inspect", "m.thr"]):
        shown = run(*command)
        assert shown.exit_code == 0
        assert "\x1b" not in shown.stdout
        assert max(map(len, shown.stdout.splitlines()[-30:])) < 200


# ---- stopping and going on -------------------------------------------------------------

SETTINGS = [
    [],
    ["--learner", "multiclass_passive_aggressive"],
    ["--learner", "winnow", "--journal"],
    ["--learner", "committee", "--calibrate", "isotonic"],
    ["--vocabulary"],
    ["--passes", "3", "--holdout", "7"],
]


@pytest.mark.parametrize("words", SETTINGS, ids=" ".join)
@pytest.mark.parametrize("chunks", [1, 7, 12])
def test_an_interrupted_run_that_goes_on_leaves_the_same_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], chunks: int
) -> None:
    bits = [] if "--vocabulary" in words else BITS
    command = ["train", "a.svm", "b.svm", "-o", "m.thr", *bits, *words, "--chunk-bytes", "900"]
    assert run(*command).exit_code == 0
    expected = (folder / "m.thr").read_bytes()
    (folder / "m.thr").unlink()
    count = 0

    def live(self: ProgressTable, event: Progressed) -> None:
        nonlocal count
        count += 1
        if count == chunks:
            os.kill(os.getpid(), signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(ProgressTable, "live", live)
        stopped = run(*command)
    assert stopped.exit_code == 130
    gone_on = run(*stopped.stderr.splitlines()[-1].split()[1:])
    assert gone_on.exit_code == 0, gone_on.stderr
    assert (folder / "m.thr").read_bytes() == expected


def test_a_finished_model_goes_on_with_other_data_and_a_new_class(folder: Path) -> None:
    run("train", "a.svm", "-o", "m.thr", *BITS)
    result = run("train", "b.svm", "-o", "n.thr", "--resume", "m.thr")
    assert "4 classes so far: blue, red, green, grey" in result.stderr
    run("train", "a.svm", "b.svm", "-o", "both.thr", *BITS)
    assert loaded("n.thr") == loaded("both.thr")
    assert load_model("n.thr").kept == load_model("both.thr").kept


def test_classes_that_a_program_has_numbered_stay_numbers(folder: Path) -> None:
    learner = th.MulticlassPerceptron(64)
    learner.learn([{1: 1}, {2: 1}], [10, 20])
    save_model(Model(learner=learner), "m.thr")
    (folder / "n.svm").write_text("10 1:1\n20 2:1\n30 3:1\n")
    assert run("train", "n.svm", "-o", "n.thr", "--resume", "m.thr").exit_code == 0
    assert loaded("n.thr").classes == (10, 20, 30)
    assert "mistakes  0, 0.00%" in run("test", "n.thr", "n.svm").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--learner", "one_versus_rest"], "name the learner for each class"),
        (["--learner", "calibrated"], "say `train --calibrate isotonic`"),
        (["--learner", "multiclass_perceptron", "--positive", "red"], "takes them by name"),
        (["--multiclass", "--positive", "red"], "takes them by name"),
        (["--learner", "multiclass_perceptron", "--calibrate", "platt"], "name another one"),
        (
            ["--learner", "winnow", "--features", "30", "--claim", "disjunction:k=2"],
            "speaks of two classes, and there are more",
        ),
        (["--resume", "old.thr", "--positive", "red"], "several classes, known by name"),
        (["--resume", "old.thr", "--learner", "winnow"], "the model has a learner committee"),
        (["--resume", "old.thr", "--calibrate", "platt"], "the model has calibration None"),
        (["--resume", "two.thr", "--multiclass"], "the model has several classes False"),
    ],
)
def test_what_does_not_go_together_is_refused(folder: Path, words: list[str], said: str) -> None:
    assert run("train", "a.svm", "-o", "old.thr", *BITS).exit_code == 0
    assert run("train", "a.svm", "-o", "two.thr", *BITS, "--positive", "red").exit_code == 0
    result = run("train", "a.svm", "-o", "m.thr", *words)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert not Path("m.thr").exists()


def test_a_row_that_counts_more_is_taken_where_the_learner_can(folder: Path) -> None:
    (folder / "w.vw").write_text("a 2 | x\nb 1 | y\nc 0.5 | z\n")
    assert run("train", "w.vw", "-o", "m.thr", *BITS, "--learner", "arow").exit_code == 0
    refused = run("train", "w.vw", "-o", "m.thr", *BITS, "--learner", "multiclass_perceptron")
    assert "w.vw:1: this row has importance 2" in refused.stderr


def test_bad_lines_are_left_out_as_with_two_classes(folder: Path) -> None:
    good = class_rows(50)
    lines = svmlight(good).splitlines(keepends=True)
    (folder / "bad.svm").write_text("".join([*lines[:20], "red 1:x\n", *lines[20:]]))
    result = run("train", "bad.svm", "-o", "m.thr", *BITS, "--on-bad", "skip")
    assert "bad       1 line left out" in result.stdout
    assert loaded("m.thr") == by_hand(default(), good)


@pytest.mark.parametrize("words", [[], ["--multiclass"], ["--vocabulary"]])
def test_more_classes_than_committees_fit_are_told_apart_by_arow(
    folder: Path, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    size = th.OneVersusRest(th.Committee(64)).bytes_of_a_class
    monkeypatch.setattr("thresher.models.arrangement.MUCH_MEMORY", 2 * size)
    columns = BITS if "--vocabulary" not in words else []
    named = "".join(f"{name} | {' '.join(f'w{c}' for c in on)}\n" for name, on in class_rows(300))
    (folder / "a.vw").write_text(named + "".join(f"red | x{k}\n" for k in range(70)))
    for chunk in ("1", "700", "1000000"):
        result = run(
            "train", "a.vw", "-o", f"{chunk}.thr", *columns, *words, "--chunk-bytes", chunk
        )
        assert "arow for each class (the default here: a committee for each" in result.stderr
        assert loaded(f"{chunk}.thr") == loaded("1.thr")
    each = loaded("1.thr").each_class
    assert (each.parameters["scaling"], each.parameters["bias"]) == ("online", True)
    named_one = run("train", "a.vw", "-o", "m.thr", *columns, *words, "--learner", "committee")
    assert "committee for each class;" in named_one.stderr


def test_who_named_a_learner_hears_no_reason(folder: Path) -> None:
    (folder / "two.svm").write_text("1 1:1\n-1 2:1\n")
    assert "learner  committee (the default: it needs no tuning); " in said_of(folder)
    assert "learner  committee; " in said_of(folder, "--learner", "Committee")
    assert "learner  perceptron (the default for a claim: theorems speak of its mistakes); " in (
        said_of(folder, "--claim", "separator:margin=1/10")
    )


def said_of(folder: Path, *words: str) -> str:
    result = run("train", folder / "two.svm", "-o", folder / "m.thr", *words)
    assert result.exit_code == 0
    return result.stderr


@pytest.mark.parametrize("name", ["perceptron", "arow", "multiclass_passive_aggressive"])
@pytest.mark.parametrize("said", ["--journal", "--no-journal", None])
def test_busy_learners_keep_a_journal_only_if_asked_to(
    folder: Path, name: str, said: str | None
) -> None:
    (folder / "two.svm").write_text("1 1:1\n0 2:1\n1 3:1\n0 1:1 2:1\n")
    words = ["--learner", name, *([said] if said else [])]
    assert run("train", "two.svm", "-o", "m.thr", *BITS, *words).exit_code == 0
    kept = len(loaded("m.thr").journal) > 0
    assert kept == (said == "--journal" or (said is None and name == "perceptron"))


@pytest.mark.parametrize(("label", "hint"), [("2", True), ("\x01", False)])
def test_only_a_sound_label_may_be_of_a_third_class(folder: Path, label: str, hint: bool) -> None:
    rows = "".join(f"{k % 2} {k}:1\n" for k in range(1200))
    (folder / "late.svm").write_text(f"{rows}{label} 3:1\n")
    result = run("train", "late.svm", "-o", "m.thr", "--features", "1200", columns=300)
    assert result.exit_code == 2
    assert "late.svm:1201: found the label" in result.stderr
    assert ("use --multiclass" in result.stderr) == hint
