"""Whoever comes by the command line is told what to type; a Python caller what to write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import thresher as th
from tests.cli.running import run
from thresher.cli.remedies import REMEDIES, SENTENCES, phrased
from thresher.errors import DimensionError
from thresher.models.file import load_model, save_model

SPAM = "spam | a\nham | b\n"
FILES = {
    "rows.svm": "1 1:1\n0 2:1\n",
    "far.svm": "1 1:1\n0 70:1\n",
    "spam.vw": SPAM,
    "three.vw": SPAM + "eggs | c\n",
    "numbers.svm": "".join(f"{n / 7} 1:1\n" for n in range(40)),
    "column.vw": "1 | 1\n0 | 70\n",
    "far.jsonl": '{"label": 1, "70": 1}\n',
    "far.csv": "label,70\n1,2\n",
    "late.csv": "label,a\n" + "1,2\n" * 1000 + "1,x\n",
    "numbers.csv": "1,2\n3,4\n",
    "numbered.csv": "0,1\n-1,0.5\n+1,2\n-1,3\n",
    "no_label.csv": "y,x\n1,2\n",
    "no_label.tsv": "y\tx\n1\t2\n",
    "what.txt": "lorem ipsum\ndolor sit\n",
    "weighted.vw": "1 2.5 | a\n0 | b\n",
    "blank.csv": "label,c\n1,a b\n0,c d\n",
    "names.vw": "1 | a b c\n0 | d\n",
    "late.svm": "1 1:1\n0 2:1\n" * 600 + "2 3:1\n",
    "rows.jsonl": '{"label": 1, "a": 1}\n{"label": 0, "b": 1}\n',
    "other.vw": "1 | a\n0 | b\n",
    "one.vw": "spam | a\n",
    "json_rows": '{"label": 1, "a": 1}\n{"label": 0, "b": 1}\n',
    "initial.vw": "1 1.0 0.5 | a\n",
    "mail.txt": "ham\tsee you\nspam\tfree cash\n",
    "long.txt": f"ham\tsee {'you' * 200}\nspam\tfree cash\n",
    "nameless.jsonl": '{"label": 1, "": 1}\n{"label": 0, "": -1}\n',
    "mixed.jsonl": '{"label": 0, "a": 1}\n{"label": 0, "a": "x"}\n{"label": 1}\n',
    "shared.csv": "label,c\n" + "1,a\n0,b\n" * 2,
    "wide.csv": f"label,{','.join(f'x{n}' for n in range(1601))}\n" + f"0{',1' * 1601}\n" * 2,
    "classes.svm": "".join(f"{n % 3 + 5} {n % 3}:1\n" for n in range(60)),
}
TRAIN = ("-o", "m.thr", "-q")
#: The code, the command that meets the error, and what it is to be told.
CASES = [
    ("names", ("train", "names.vw", *TRAIN, "--vocabulary", "--features", 2), "--bits"),
    ("label.undecidable", ("train", "one.vw", *TRAIN), "--positive spam; every other then"),
    ("label.undecidable", ("train", "one.vw", *TRAIN), "Or keep them as classes: --multiclass."),
    ("line.encoding", ("train", "latin.csv", *TRAIN), "name it: --encoding latin-1, or utf-16;"),
    ("format.utf_16", ("train", "utf_16.txt", *TRAIN), "in UTF-16. Say --encoding utf-16."),
    (
        "source.byte_order",
        ("train", "mail.txt", *TRAIN, "--encoding", "utf-16"),
        "mail.txt: this is not utf-16, which begins with a byte order mark. Name the encoding it "
        "has: --encoding utf-8, or utf-16-le or utf-16-be if there is no mark.",
    ),
    ("line.initial", ("train", "initial.vw", *TRAIN), "--ignore-initial passes over such"),
    ("line.from_one", ("train", "far.svm", *TRAIN, "--features", 70), "from 1, say --one-based;"),
    (
        "format.contradicts",
        ("predict", "text.thr", "json_rows"),
        "look like json. Say which it is: --format json, or --format text.",
    ),
    (
        "format.contradicts",
        ("train", "json_rows", *TRAIN, "--resume", "text.thr"),
        "look like json. Say which it is: --format json, or --format text.",
    ),
    (
        "resume.other_format",
        ("train", "rows.jsonl", *TRAIN, "--resume", "text.thr"),
        "Convert it first (thresher convert), or say --format text if the name is wrong.",
    ),
    ("label.measurements", ("train", "numbers.svm", *TRAIN), "say --multiclass; --positive LABEL"),
    (
        "label.which",
        ("verify", "run.json", "spam.svm"),
        "Say which one counts as +1: --positive LABEL.",
    ),
    ("line.column", ("train", "far.svm", *TRAIN, "--bits", 4), "0 to 15. A larger --bits allows"),
    ("line.column", ("train", "column.vw", *TRAIN, "--bits", 4), "0 to 15. A larger --bits"),
    ("line.column", ("train", "far.jsonl", *TRAIN, "--bits", 4), "below 16. A larger --bits"),
    ("line.column", ("train", "far.csv", *TRAIN, "--bits", 4), "does not. A larger --bits"),
    ("line.category", ("train", "late.csv", *TRAIN), "--categorical a reads it as categories."),
    ("line.label", ("train", "no_label.csv", *TRAIN), "Another field: --label-field."),
    ("line.label", ("train", "no_label.tsv", *TRAIN), "a tab and a text are --format text."),
    ("format.header", ("train", "numbers.csv", *TRAIN), "is the label: --label-field."),
    ("format.header", ("train", "numbered.csv", *TRAIN), "the label: perhaps --label-field 0?"),
    ("format.unknown", ("train", "what.txt", *TRAIN), "--format, with one of parquet, arrow"),
    ("format.to_write", ("convert", "rows.svm", "-o", "x.y", "-q"), "Say it with --to: svmlight"),
    ("binary.columns", ("train", "far.thb", *TRAIN, "--bits", 4), "with --bits or --features."),
    ("binary.foreign", ("train", "rows.svm", *TRAIN, "--format", "binary"), "with --format."),
    ("model.foreign", ("predict", "rows.svm", "rows.svm"), "`thresher train -o MODEL` writes."),
    (
        "writing.importance",
        ("convert", "weighted.vw", "-o", "w.svm", "-q"),
        "JSON lines instead, or say --ignore-importance.",
    ),
    (
        "writing.importance",
        ("convert", "weighted.vw", "-o", "w.csv", "-q"),
        "JSON lines instead, or say --ignore-importance.",
    ),
    ("writing.name", ("convert", "blank.csv", "-o", "b.vw", "-q"), "hash the names with --bits;"),
    (
        "export.example_format",
        ("inspect", "binary.thr", "--example", "1 3:1"),
        "give a JSON object. Or say in which format it is: --format.",
    ),
    ("export.no_names", ("inspect", "bare.thr", "--collisions"), "`thresher train` keeps them"),
    ("export.committee", ("export", "m0.thr"), "--to json; or train a single learner, such as"),
    ("export.committee_top", ("export", "m0.thr", "--to", "js", "--top", 3), "Leave --top out."),
    (
        "export.pairs",
        ("export", "pairs.thr", "--to", "onnx"),
        "Say --to c, --to js, --to json or --to sql, which make the pairs.",
    ),
    (
        "export.sql_pairs",
        ("export", "crossed.thr", "--to", "sql"),
        "the hash of each pair. Say --to c, --to js or --to json.",
    ),
    (
        "export.lost_names",
        ("export", "long.thr", "--to", "sql"),
        "Say --to c, --to js or --to json; or train with --vocabulary.",
    ),
    (
        "export.sql_name",
        ("export", "nameless.thr", "--to", "sql"),
        "a column called '' is nothing that SQL can hold. Say --to c, --to js or --to json.",
    ),
    (
        "export.sql_mixed",
        ("export", "mixed.thr", "--to", "sql"),
        "the field 'a' has numbers and texts, and a column of a table has one type. Say --to c,",
    ),
    (
        "export.sql_scaling",
        ("export", "scaled.thr", "--to", "sql"),
        "Say --to c, --to js, --to onnx or --to json; or train without scaling.",
    ),
    (
        "export.sql_shared",
        ("export", "shared.thr", "--to", "sql"),
        "Train with more --bits or with --vocabulary, or say --to c, --to js or --to json.",
    ),
    (
        "export.sql_wide",
        ("export", "wide.thr", "--to", "sql"),
        "Keep fewer with --top, or say --to c, --to js or --to json.",
    ),
    (
        "export.one_table",
        ("export", "joint.thr", "--class", "5"),
        "a learner for each class: --learner arow.",
    ),
    (
        "fault.importance",
        ("train", "weighted.vw", *TRAIN, "--learner", "elimination"),
        "Take another learner, or --ignore-importance.",
    ),
    (
        "importance.product",
        ("train", "weighted.vw", *TRAIN, "--class-weight", "1:1e9"),
        "weighted.vw:1: importance and the largest weight of a class make",
    ),
    (
        "fault.weighted",
        ("race", "weighted.vw", "--bits", 4, "-q"),
        "--ignore-importance gives all the weight 1.",
    ),
    (
        "fault.learned_weights",
        ("certify", "weighted.thr", "weighted.vw", "-q"),
        "train it with --ignore-importance to get one.",
    ),
    (
        "nothing_to_certify.importance",
        ("certify", "heavy.thr", "weighted.vw", "--ignore-importance", "-q"),
        "a certificate does not say how much. Train with --ignore-importance to get one.",
    ),
    ("line.other_format", ("predict", "m0.thr", "json_rows"), "say --format json."),
    (
        "line.other_format_resumed",
        ("train", "json_rows", *TRAIN, "--resume", "m0.thr"),
        "If it is json, convert it first (thresher convert)",
    ),
    ("line.third_class", ("train", "late.svm", *TRAIN), "which came late, say --multiclass."),
    (
        "resume.another_learner",
        ("train", "rows.svm", *TRAIN, "--resume", "m0.thr", "--learner", "winnow"),
        "Leave --learner out, or train a new model.",
    ),
    (
        "resume.other_data",
        ("train", "late.svm", *TRAIN, "--resume", "stopped.thr"),
        "or --skip-rows 0 to continue with other data.",
    ),
    (
        "label.another_positive",
        ("test", "m0.thr", "rows.svm", "--positive", "0"),
        "--positive 0: to this model the label 1 counts as +1.",
    ),
    (
        "label.no_positive",
        ("test", "joint.thr", "classes.svm", "--positive", "5"),
        "--positive 5: this model tells several classes apart by name.",
    ),
    ("source.once", ("train", "-", *TRAIN, "--passes", 2), "or leave --passes out."),
    (
        "request.takes_no_names",
        ("train", "rows.svm", *TRAIN, "--learner", "weighted_majority", "--vocabulary"),
        "takes no names: no --vocabulary, no --seed.",
    ),
    (
        "request.said_of_the_data",
        ("train", "rows.svm", *TRAIN, "--learner", "winnow:n_features=3"),
        "say --features or --bits instead of",
    ),
    (
        "request.calibrates_another",
        ("train", "rows.svm", *TRAIN, "--learner", "calibrated"),
        "say `train --calibrate isotonic` or platt.",
    ),
    (
        "request.one_for_each_class",
        ("train", "rows.svm", *TRAIN, "--learner", "one_versus_rest"),
        "such as --learner arow",
    ),
    (
        "request.calibrates_one_for_each",
        ("train", "rows.svm", *TRAIN, "--learner", "multiclass_perceptron", "--calibrate", "platt"),
        "--calibrate takes one learner for each class",
    ),
    (
        "request.claim_of_two_classes",
        (
            "train",
            "classes.svm",
            *TRAIN,
            "--claim",
            "disjunction:k=1",
            "--learner",
            "winnow",
            "--features",
            9,
        ),
        "--positive LABEL makes two of them.",
    ),
    (
        "request.biased_already",
        ("train", "rows.svm", *TRAIN, "--bias"),
        "committee has a constant feature already: leave --bias out.",
    ),
    (
        "request.keeps_no_journal",
        ("train", "rows.svm", *TRAIN, "--journal"),
        "committee keeps no journal: it changes in every round. Take another learner, such as",
    ),
    (
        "request.no_class_weights",
        ("train", "rows.svm", *TRAIN, "--learner", "elimination", "--class-weight", "1:2"),
        "elimination gives every class the same weight: take another learner, or leave",
    ),
    (
        "request.over_concepts",
        ("trace", "rows.svm", "--learner", "halving"),
        "such as --concepts disjunctions --features 5.",
    ),
    (
        "request.weight_of_no_class",
        ("train", "rows.svm", *TRAIN, "--class-weight", "spam:2"),
        "--class-weight names the label spam, and the data has the label",
    ),
    (
        "request.weight_within_the_rest",
        ("train", "spam.svm", *TRAIN, "--positive", "eggs", "--class-weight", "ham:3"),
        "--class-weight names the label ham; with --positive eggs it names 'eggs' or 'not eggs'",
    ),
    (
        "request.weights_of_a_model",
        ("train", "rows.svm", *TRAIN, "--resume", "m0.thr", "--class-weight", "1:2"),
        "m0.thr has its learner, and what classes count: leave --class-weight out.",
    ),
    (
        "request.classes_by_name",
        ("train", "rows.svm", *TRAIN, "--learner", "multiclass_perceptron", "--positive", "1"),
        "--positive makes two classes",
    ),
    (
        "request.format_without_names",
        ("convert", "names.vw", "-o", "n.svm", "-q", "--vocabulary"),
        "--vocabulary keeps names, which svmlight cannot hold.",
    ),
    (
        "request.no_such_setting",
        ("generate", "words", "--rows", 3, "--set", "zzz=1"),
        "--set zzz: words has",
    ),
    (
        "request.of_random_streams",
        ("generate", "words", "--rows", 3, "--noise", "0.1"),
        "is for random streams, not for words.",
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that something is wrong with, and a few that are needed to find that out."""
    path = tmp_path_factory.mktemp("remedies")
    for name, text in FILES.items():
        (path / name).write_text(text)
    joint = ("--learner", "multiclass_perceptron")
    linear = ("-q", "--learner", "perceptron")
    narrow = ("-q", "--learner", "winnow", "--features", 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        for words in (
            ("train", "classes.svm", "-o", "joint.thr", "-q", *joint),
            ("convert", "far.svm", "-o", "far.thb", "-q"),
            ("certify", "rows.svm", "-o", "run.json", "-q", "--learner", "perceptron"),
            ("train", "far.thb", "-o", "binary.thr", "-q"),
            ("train", "rows.svm", "-o", "m0.thr", "-q"),
            ("train", "mail.txt", "-o", "text.thr", "-q"),
            ("train", "names.vw", "-o", "pairs.thr", *linear, "--pairs", "all"),
            ("train", "rows.svm", "-o", "crossed.thr", *linear, "--pairs", "all"),
            ("train", "long.txt", "-o", "long.thr", *linear),
            ("train", "nameless.jsonl", "-o", "nameless.thr", *linear),
            ("train", "mixed.jsonl", "-o", "mixed.thr", *linear),
            ("train", "rows.svm", "-o", "scaled.thr", "-q", "--learner", "arow:scaling=l2"),
            ("train", "shared.csv", "-o", "shared.thr", *narrow),
            ("train", "wide.csv", "-o", "wide.thr", *linear),
            ("train", "weighted.vw", "-o", "heavy.thr", "-q"),
            ("train", "weighted.vw", "-o", "weighted.thr", *linear, "--ignore-importance"),
        ):
            assert run(*words).exit_code == 0, words
        model = load_model("m0.thr")
        model.history = (replace(model.history[0], finished=False),)
        save_model(model, "stopped.thr")
        th.Perceptron(n_features=8).save("bare.thr")
        (path / "spam.svm").write_text("spam 1:1\nham 2:1\neggs 3:1\n")
        (path / "latin.csv").write_bytes("label,größe\n1,2\n".encode("latin-1"))
        (path / "utf_16.txt").write_text(FILES["mail.txt"], encoding="utf-16")
    return path


@pytest.mark.parametrize(("code", "words", "told"), CASES)
def test_an_error_says_what_to_type(
    folder: Path, monkeypatch: pytest.MonkeyPatch, code: str, words: tuple[object, ...], told: str
) -> None:
    monkeypatch.chdir(folder)
    result = run(*words)
    assert result.exit_code == 2
    about_options = code.startswith("request.")
    assert result.stderr.startswith("Usage: " if about_options else "error: ")
    assert told in result.stderr
    assert "Recipe(" not in result.stderr
    assert about_options or "n_features" not in result.stderr


def test_every_remedy_is_told_by_some_command() -> None:
    # No command asks a learner for a column it has not: their streams know how many there are.
    unlikely = {"dimension", "fault.much_memory"}
    assert {code for code, *_ in CASES} | unlikely == REMEDIES.keys() | SENTENCES.keys()
    assert phrased(DimensionError(0, 70, 8)).endswith("Train with --features 71 or more.")


def test_bad_lines_that_are_skipped_are_spoken_of_in_the_same_words(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    words = ("train", "far.svm", "-o", "m.thr", "-q", "--bits", 4)
    skipped = run(*words, "--on-bad", "skip")
    assert "1 bad line was skipped" in skipped.stderr
    assert "A larger --bits allows more, up to 30." in skipped.stderr
    run(*words, "--on-bad", "quarantine", "bad.txt")
    assert "A larger --bits allows more, up to 30." in (folder / "bad.txt").read_text()
