"""Texts at the command line: nothing need be said about them, and what was decided is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import run
from thresher.models.file import load_model

SMS = "ham\tsee you at 7\nspam\tfree cash now\nham\tlunch at 12\nspam\tcash prize\n" * 5


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("sms.tsv").write_text(SMS)
    return tmp_path


def test_a_file_of_texts_is_trained_on_without_an_option() -> None:
    result = run("train", "sms.tsv", "-o", "m.thr")
    assert result.exit_code == 0
    assert "sms.tsv; text (a label and a text in each line; a table with a header is --format " in (
        result.stderr
    )
    assert "labels ham/spam: spam counts as +1 (--positive ham reverses this)" in (result.stderr)
    model = load_model("m.thr")
    assert model.name_table.n_features == 2**20
    assert model.recipe.text.words == (1, 2)
    assert run("test", "m.thr", "sms.tsv").exit_code == 0


def test_the_other_way_round_and_single_words_are_to_be_had() -> None:
    run("train", "sms.tsv", "-o", "m.thr", "--positive", "ham", "--words", "1", "--bits", "18")
    model = load_model("m.thr")
    assert (model.labels.positive, model.name_table.n_features) == ("ham", 2**18)
    assert model.recipe.text.words == (1, 1)


def test_a_race_says_which_label_is_positive() -> None:
    result = run("race", "sms.tsv", "--learner", "perceptron", "--learner", "winnow")
    assert result.exit_code == 0
    assert "text, labels ham/spam: spam counts as +1 (--positive ham reverses" in result.stderr


@pytest.mark.parametrize("command", ["predict", "test"])
def test_a_model_of_texts_reads_what_the_name_of_a_file_says(command: str) -> None:
    run("train", "sms.tsv", "-o", "m.thr", "--words", "1")
    run("convert", "sms.tsv", "-o", "sms.vw", "--words", "1")
    run("convert", "sms.tsv", "-o", "sms.jsonl", "--words", "1")
    texts = run(command, "m.thr", "sms.tsv")
    for name in ("sms.vw", "sms.jsonl"):
        result = run(command, "m.thr", name)
        assert (result.exit_code, result.stdout) == (0, texts.stdout)
        format_ = name.removeprefix("sms.").removesuffix("l")
        assert f"{name} was read as {format_}, as its name says; the model learned from text" in (
            result.stderr
        )


def test_a_bad_byte_does_not_stop_a_corpus_and_is_spoken_of() -> None:
    Path("mail.txt").write_bytes(SMS.encode() + "ham\tcafé\n".encode("latin-1"))
    result = run("train", "mail.txt", "-o", "m.thr", "-q")
    assert result.exit_code == 0
    assert "1 line was read with bytes that are not UTF-8 taken as Windows-1252" in result.stderr
    assert "mail.txt:21: found bytes that are not UTF-8" in result.stderr
    assert "with --encoding utf-8, lines that are not UTF-8 are bad lines" in result.stderr
    strict = run("train", "mail.txt", "-o", "m.thr", "-q", "--encoding", "utf-8")
    assert strict.exit_code == 2
    assert "mail.txt:21: found the byte 0xe9" in strict.stderr


def test_an_encoding_is_kept_in_the_model_and_may_be_another_for_other_data() -> None:
    Path("latin.txt").write_bytes((SMS + "ham\tcafé au lait\n").encode("latin-1"))
    Path("utf_8.txt").write_text(SMS + "ham\tcafé au lait\n")
    Path("utf_16.txt").write_text(SMS + "ham\tcafé au lait\n", encoding="utf-16")
    assert run("train", "latin.txt", "-o", "m.thr", "--encoding", "latin-1").exit_code == 0
    assert load_model("m.thr").recipe.encoding == "iso8859-1"
    scores = run("predict", "m.thr", "latin.txt", "--scores").stdout
    assert run("predict", "m.thr", "utf_8.txt", "--scores", "--encoding", "utf-8").stdout == scores
    assert run("predict", "m.thr", "utf_16.txt", "--scores", "--encoding", "utf-16").stdout == (
        scores
    )


def test_a_table_without_a_label_is_told_which_column_may_hold_it() -> None:
    Path("credit.csv").write_text("age,Risk\n30,good\n40,bad\n50,good\n")
    result = run("train", "credit.csv", "-o", "m.thr")
    assert result.exit_code == 2
    assert "the columns are age, Risk. Perhaps --label-field Risk?" in result.stderr
    assert run("train", "credit.csv", "-o", "m.thr", "--label-field", "Risk").exit_code == 0


def test_a_certificate_of_texts_is_verified_with_the_words_that_it_names() -> None:
    run("train", "sms.tsv", "-o", "m.thr", "--words", "1", "--learner", "perceptron")
    certified = run("certify", "m.thr", "sms.tsv", "-o", "run.json")
    assert certified.exit_code == 0
    assert "--format text" in certified.stderr + certified.stdout
    words = ("--format", "text", "--words", "1-1", "--features", str(2**20))
    assert run("verify", "run.json", "sms.tsv", *words).exit_code == 0
    other = run("verify", "run.json", "sms.tsv", *words, "--positive", "ham")
    assert other.exit_code == 1


@pytest.mark.parametrize("words", [[], ["--format", "text"]])
def test_a_header_above_texts_is_passed_over_and_spoken_of(words: list[str]) -> None:
    texts = "".join(f"ham\tsee you at {k}\nspam\tfree cash {k}\n" for k in range(20))
    Path("bare.tsv").write_text(texts)
    Path("headed.tsv").write_text("Label\tText\n" + texts)
    result = run("train", "headed.tsv", "-o", "headed.thr", *words)
    assert result.exit_code == 0
    assert "the first line, 'Label\\tText', is a header, and no row" in result.stderr
    assert "labels ham/spam: spam counts as +1" in result.stderr
    assert "header, and no row" not in run("train", "bare.tsv", "-o", "bare.thr").stderr
    headed, bare = (run("predict", f"{name}.thr", f"{name}.tsv") for name in ("headed", "bare"))
    assert (headed.exit_code, headed.stdout) == (0, bare.stdout)


def test_the_proof_of_a_run_over_texts_with_a_header_is_verified() -> None:
    texts = "".join(f"ham\tsee you at {k}\nspam\tfree cash {k}\n" for k in range(20))
    Path("headed.tsv").write_text("label\ttext\n" + texts)
    words = ["--learner", "perceptron", "--journal"]
    assert run("train", "headed.tsv", "-o", "m.thr", *words).exit_code == 0
    certified = run("certify", "m.thr", "headed.tsv", "-o", "m.json")
    assert certified.exit_code == 0, certified.stderr
    verified = run("verify", "m.json", "headed.tsv", "--model", "m.thr")
    assert verified.exit_code == 0, verified.stderr
