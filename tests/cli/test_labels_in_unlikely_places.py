"""Labels that are missing, misspelt or too many for one table of scores."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import thresher as th
from tests.cli.running import run
from thresher.models import scoring

TEXTS = "".join(f"{'spam' if k % 2 else 'ham'}\tfree cash {k % 2}\n" for k in range(20))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_whoever_asks_for_words_has_texts(folder: Path) -> None:
    (folder / "texts.tsv").write_text(TEXTS)
    asked = run("train", "texts.tsv", "-o", "m.thr", "--words", "1-2", "--positive", "spam")
    assert asked.exit_code == 0
    assert "texts.tsv; text" in asked.stderr
    (folder / "rows.svm").write_text("1 1:1\n-1 2:1\n")
    assert "rows.svm; svmlight" in run("train", "rows.svm", "-o", "r.thr", "--words", "1").stderr


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        (
            "a.tsv",
            "y\tx\n1\t2\n",
            "a.tsv:2: found no label, expected a label in the field 'label'; the columns are y, x. "
            "Another field: --label-field. Lines of a label, a tab and a text are --format text.",
        ),
        (
            "a.csv",
            "y,x\n1,2\n",
            "a.csv:2: found no label, expected a label in the field 'label'; the columns are y, x. "
            "Another field: --label-field.",
        ),
        (
            "b.csv",
            "size,credit risk\n1,good\n2,bad\n3,good\n",
            "b.csv:2: found no label, expected a label in the field 'label'; the columns are size, "
            "credit risk. Perhaps --label-field 'credit risk'?",
        ),
        (
            "a.vw",
            "| a\n",
            "a.vw:1: found no label, expected a label before the first bar. "
            "--on-bad skip skips lines without a label.",
        ),
    ],
)
@pytest.mark.parametrize("options", [[], ["--positive", "spam"]])
def test_a_missing_label_is_said_to_be_missing_where_it_should_be(
    folder: Path, name: str, text: str, said: str, options: list[str]
) -> None:
    (folder / name).write_text(text)
    result = run("train", name, "-o", "m.thr", "-q", *options)
    assert result.exit_code == 2
    assert result.stderr == f"error: {said}\n"


def test_labels_a_tab_and_texts_are_a_table_only_where_somebody_says_so(folder: Path) -> None:
    (folder / "a.tsv").write_text(TEXTS)
    assert run("train", "a.tsv", "-o", "m.thr", "-q").exit_code == 0
    assert th.Model.load("m.thr").recipe.format == "text"
    table = run("train", "a.tsv", "-o", "m.thr", "-q", "--format", "csv")
    assert table.exit_code == 2
    assert table.stderr == (
        "error: a.tsv:2: found no label, expected a label in the field 'label'; the columns are "
        "ham, free cash 0. Perhaps --label-field 'free cash 0'? Lines of a label, a tab and a text "
        "are --format text.\n"
    )


def test_a_positive_label_that_no_row_has_is_no_secret(folder: Path) -> None:
    (folder / "rows.svm").write_text("4 1:1\n5 2:1\n6 3:1\n")
    missed = run("train", "rows.svm", "-o", "m.thr", "-q", "--positive", "7")
    assert missed.exit_code == 0
    assert "warning: no row has the label 7, which counts as +1; found 4, 5, 6\n" in missed.stderr
    assert run("train", "rows.svm", "-o", "m.thr", "-q", "--positive", "5").stderr == ""


def test_answers_do_not_depend_on_how_many_scores_are_computed_together(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"c{k % 7} {k % 7}:1 {7 + k % 5}:1" for k in range(100)]
    (folder / "a.svm").write_text("\n".join(lines))
    for k in (0, 1, 13, 14, 15, 50, 98, 99):
        lines[k] = f"c1 bad{k}"
    (folder / "b.svm").write_text("\n".join(lines))
    run("train", "a.svm", "-o", "m.thr", "-q", "--bits", "5")
    words = ["m.thr", "b.svm", "--on-bad", "skip"]
    commands = (["predict", *words], ["predict", *words, "--top", "2"], ["test", *words, "--json"])
    whole = [run(*command).stdout for command in commands]
    answers = whole[0].splitlines()
    assert [k for k, answer in enumerate(answers) if answer == "?"] == [
        0, 1, 13, 14, 15, 50, 98, 99,
    ]  # fmt: skip
    assert [a for a in answers if a != "?"] == [x.split()[0] for x in lines if "bad" not in x]
    for together in (1, 7, 21, 98, 693):
        monkeypatch.setattr(scoring, "SCORES_TOGETHER", together)
        assert [run(*command).stdout for command in commands] == whole


def test_too_little_memory_is_said_and_is_no_verdict(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise MemoryError("Unable to allocate 32 GiB")

    (folder / "rows.svm").write_text("1 1:1\n-1 2:1\n")
    run("train", "rows.svm", "-o", "m.thr", "-q")
    monkeypatch.setattr(th.Committee, "scores", full)
    result = run("predict", "m.thr", "rows.svm")
    assert result.exit_code == 2
    assert result.stderr == "error: there is not enough memory. Unable to allocate 32 GiB\n"


@pytest.mark.parametrize("name", ["a.svm", "a.jsonl", "a.csv"])
def test_large_numbers_that_differ_are_different_classes(folder: Path, name: str) -> None:
    labels = [str(2**53 + k) for k in range(3)] * 10
    if name == "a.svm":
        lines = [f"{label} {label[-1]}:1" for label in labels]
    elif name == "a.csv":
        lines = ["label,x"] + [f"{label},{label[-1]}" for label in labels]
    else:
        lines = [f'{{"label": {label}, "x": {label[-1]}}}' for label in labels]
    (folder / name).write_text("\n".join(lines))
    run("train", name, "-o", "m.thr", "-q", "--bits", "5")
    assert th.load("m.thr").classes == tuple(map(str, labels[:3]))


# What a terminal would obey: a colour by one character of eight bits, a line turned round, an end
# of line, and escape itself, which only some formats let through.
OBEYED = ["\x9b31mred", "\u202eturned", "two\u2028lines", "\x1b[2Jgone", "a\nerror: b"]


@pytest.mark.parametrize("label", OBEYED)
@pytest.mark.parametrize("reader", ["own", "streams"])
def test_no_label_in_a_message_moves_the_cursor(folder: Path, label: str, reader: str) -> None:
    (folder / "good.svm").write_text("1 0:1\n-1 1:1\n" * 3)
    assert run("train", "good.svm", "-o", "m.thr", "--learner", "perceptron").exit_code == 0
    assert run("certify", "m.thr", "good.svm", "-o", "c.json").exit_code == 0
    lines = [json.dumps({"label": one, "x": 1}) for one in ("1", "-1", label)]
    (folder / "bad.jsonl").write_text("\n".join(lines) + "\n")
    asked = [run("verify", "c.json", "bad.jsonl", "--label-field", "label")]
    if not label.isascii():
        # Lines of svmlight have no label with a control character of ASCII.
        (folder / "bad.svm").write_text(f"1 0:1\n-1 1:1\n{label} 0:1\n", encoding="utf-8")
        asked.append(run("verify", "c.json", "bad.svm", "--reader", reader))
    for done in asked:
        assert done.exit_code == 2
        said = done.stderr
        assert said.endswith("\n")
        assert label.encode("unicode_escape").decode() in said
        assert not any(mark in said for mark in ("\x9b", "\u202e", "\u2028", "\x1b", "\nerror: b"))
