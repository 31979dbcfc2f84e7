"""`thresher report`, `thresher try` and `thresher train --report`: what is written where."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from tests.cli.running import noisy_rows, run
from tests.reports.pages import Page


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("a.svm").write_text(noisy_rows(90))
    Path("b.svm").write_text(noisy_rows(40, seed=5))
    assert run("train", "a.svm", "-o", "m.thr", "--learner", "winnow", "-q").exit_code == 0
    return tmp_path


def test_a_page_of_the_run_with_how_to_make_it_again() -> None:
    result = run("report", "m.thr", "a.svm", "-o", "r.html")
    assert result.exit_code == 0, result.stderr
    assert "allowed (Winnow" in result.stdout
    assert "in hindsight)" in result.stdout
    text = Path("r.html").read_text("utf-8")
    assert f"r.html ({len(text.encode()):,} bytes)" in result.stderr
    page = Page(text)
    commands = "\n".join(page.cards["Make it again"])
    assert "thresher train a.svm -o m.thr --learner winnow -q" in commands
    assert "thresher report m.thr a.svm -o r.html" in commands
    assert "thresher certify m.thr a.svm -o run.cert.json" in commands
    # The commands that it gives do what they say.
    assert run("certify", "m.thr", "a.svm", "-o", "run.cert.json", "-q").exit_code == 0
    again = run("report", "m.thr", "a.svm", "--certificate", "run.cert.json", "-o", "s.html")
    assert again.exit_code == 0
    assert "checked, and holds" in Page(Path("s.html").read_text("utf-8")).text


def test_standard_output_gets_the_page_and_nothing_else() -> None:
    result = run("report", "m.thr", "a.svm", "-o", "-", "-q")
    assert result.stdout.startswith("<!doctype html>")
    assert result.stdout.endswith("</html>\n")
    assert run("report", "m.thr", "a.svm", "-o", "r.html", "-q").exit_code == 0
    # But for the words of the command the page is the same.
    there, here = Path("r.html").read_text("utf-8"), result.stdout
    assert here.replace("-o - -q", "-o r.html -q") == there


def test_json_has_the_facts_of_the_page() -> None:
    result = run("report", "m.thr", "b.svm", "--json")
    found = json.loads(result.stdout)
    assert found["command"] == "report"
    assert found["data"]["is"] == "test"
    card = json.loads(run("test", "m.thr", "b.svm", "--json", "-q").stdout)
    assert found["mistakes"]["made"] == card["mistakes"] == card["curve"]["mistakes"][-1]
    assert found["roc"]["area"] == card["area_under_roc"]
    bare = json.loads(run("report", "m.thr", "--json").stdout)
    assert bare["data"] is None
    assert bare["verdict"]["made"] == bare["model"]["mistakes"]


def test_a_certificate_that_does_not_hold_is_a_no() -> None:
    words = ("--learner", "perceptron", "-q")
    assert run("certify", "a.svm", *words, "-o", "other.cert.json").exit_code == 0
    result = run("report", "m.thr", "a.svm", "--certificate", "other.cert.json", "-o", "r.html")
    assert result.exit_code == 1
    assert "the claim does not hold" in Page(Path("r.html").read_text("utf-8")).text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("report", "m.thr", "a.svm"), "say where the page goes: -o report.html"),
        (("report", "m.thr", "a.svm", "-o", "m.thr"), "-o m.thr: this is one of the inputs"),
        (("report", "n.thr", "-o", "r.html"), "n.thr: there is no such file"),
        (("report", "m.thr", "a.svm", "-o", "no/r.html"), "there is no folder no"),
        (("report", "m.thr", "-o", "other.thr"), "holds a model; nothing was written"),
        (
            ("train", "a.svm", "-o", "x.thr", "--report", "x.thr"),
            "--report x.thr: the model goes there",
        ),
        (("train", "a.svm", "-o", "x.thr", "--report", "a.svm"), "--report a.svm: this is one"),
        (("train", "a.svm", "-o", "x.thr", "--report", "other.thr"), "--report other.thr: this"),
        (("train", "a.svm", "-o", "x.thr", "--report", "-"), "--report: results go to standard"),
        (("try", "a.svm", "--into", "nowhere"), "--into nowhere: there is no such folder"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(words: tuple[str, ...], said: str) -> None:
    Path("other.thr").write_bytes(Path("m.thr").read_bytes())
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    result = run(*words)
    assert result.exit_code == 2
    assert said in result.stderr
    assert before == {path.name: path.read_bytes() for path in Path().iterdir()}


def test_train_writes_the_page_that_report_writes() -> None:
    result = run("train", "a.svm", "-o", "n.thr", "--learner", "winnow", "--report", "n.html")
    assert result.exit_code == 0, result.stderr
    assert "report   n.html" in result.stderr
    run("report", "n.thr", "a.svm", "-o", "again.html")
    trained, again = (Page(Path(name).read_text("utf-8")) for name in ("n.html", "again.html"))
    different = {"Make it again", "Data"}
    assert trained.cards.keys() == again.cards.keys()
    for name in trained.cards.keys() - different:
        assert trained.cards[name] == again.cards[name], name


def test_a_run_that_goes_on_reports_on_its_last_part() -> None:
    run("train", "b.svm", "-o", "n.thr", "--resume", "m.thr", "--report", "n.html", "-q")
    page = Page(Path("n.html").read_text("utf-8"))
    assert "rows of the last part of this model's training" in page.text
    # Both parts, file by file, are the run again.
    found = json.loads(run("report", "n.thr", "a.svm", "b.svm", "--json", "-q").stdout)
    assert found["data"]["is"] == "run"
    assert found["mistakes"]["rounds"] == 130


def test_try_guesses_the_label_and_says_what_comes_next() -> None:
    rows = "".join(
        f"{k % 7},{'red' if k % 3 else 'blue'},{'yes' if k % 3 else 'no'}\n" for k in range(60)
    )
    Path("table.csv").write_text("size,colour,outcome\n" + rows)
    Path("out").mkdir()
    result = run("try", "table.csv", "--into", "out")
    assert result.exit_code == 0, result.stderr
    assert "no column is called label; using outcome" in result.stderr
    assert "model    out/table.thr\nreport   out/table.report.html" in result.stdout
    page = Page(Path("out/table.report.html").read_text("utf-8"))
    assert "thresher train table.csv --label-field outcome -o out/table.thr" in page.text
    follow = [line.split()[1:] for line in result.stdout.splitlines() if line.startswith("  ")]
    assert len(follow) == 3
    for words in follow:
        assert run(*words).exit_code == 0, words
    found = json.loads(run("try", "table.csv", "--into", "out", "--json", "-q").stdout)
    assert found["report"] == "out/table.report.html"
    assert found["facts"]["verdict"]["made"] == found["facts"]["model"]["mistakes"]


def test_try_says_what_is_wrong_with_a_file() -> None:
    Path("empty.svm").write_text("")
    result = run("try", "empty.svm")
    assert result.exit_code == 2
    assert not Path("empty.thr").exists()
    assert not Path("empty.report.html").exists()


@pytest.mark.parametrize(
    ("name", "content", "wrong"),
    [
        ("plain.txt", b"no label\nin any line\n", "--format"),
        ("noise.dat", Random(1).randbytes(3000).translate(None, b",;|\t"), "this is not text"),
        ("wide.svm", b"+1 1:1 4294967299:1\n-1 2:1\n", "Number the columns anew"),
        ("wider.svm", b"+1 1:1 262144:1\n-1 2:1\n", "--bits"),
        ("numbers.csv", b"a,b,c\n1.5,2.25,3.1\n4.7,5.2,6.9\n7.1,8.8,9.3\n", "columns are a, b"),
        ("bare.svm", b"1:1 2:1\n2:1\n", "expected a label at the start of the line"),
        ("nothing", b"", "no lines"),
    ],
)
def test_try_names_the_command_that_takes_the_options_it_speaks_of(
    name: str, content: bytes, wrong: str
) -> None:
    Path(name).write_bytes(content)
    result = run("try", name)
    assert result.exit_code == 2
    told = result.stderr.splitlines()[-1]
    assert wrong in told
    assert told.isprintable()
    assert ("--" in told.partition("`try`")[0]) == (f"`thresher train {name} -o " in told)
    assert not Path(name).with_suffix(".thr").exists()


def test_a_race_as_a_page() -> None:
    words = ("--learner", "winnow", "--learner", "perceptron", "--no-plot", "-q")
    result = run("race", "a.svm", "--features", "30", *words, "-o", "race.html", "--json")
    told = json.loads(result.stdout)["learners"]
    text = Path("race.html").read_text("utf-8")
    page = Page(text)
    standings = next(table for table in page.tables if table[0][0] == "learner")
    assert [row[:2] for row in standings[1:]] == [
        [one["learner"], f"{one['mistakes']:,}"] for one in told
    ]
    for one in told:
        assert f"{one['learner']}: {one['mistakes']:,}" in page.texts
        if one["allowed"] is not None:
            assert [f"{one['allowed']:,}", one["theorem"]] in [row[4:6] for row in standings]
    run("race", "a.svm", "--features", "30", *words, "-o", "race.html")
    assert Path("race.html").read_text("utf-8").replace(" --json", "") == text.replace(
        " --json", ""
    )


def test_a_search_for_settings_as_a_page_and_as_points() -> None:
    words = ("--features", "30", "--learner", "arow", "--grid", "r=0.1,1,10", "-q")
    result = run("tune", "a.svm", *words, "-o", "tune.html", "--json")
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)["settings"]
    page = Page(Path("tune.html").read_text("utf-8"))
    standings = next(table for table in page.tables if table[0][0] == "learner")
    assert [row[:2] for row in standings[1:]] == [
        [one["learner"], f"{one['mistakes']:,}"] for one in told
    ]
    points = run("tune", "a.svm", *words, "-o", "-").stdout.splitlines()
    assert points[0] == "learner,rounds,mistakes"
    last = {line.rsplit(",", 2)[0]: line.rsplit(",", 2)[1:] for line in points[1:]}
    assert list(last.values()) == [["90", str(one["mistakes"])] for one in told]
    assert run("tune", "a.svm", *words, "-o", "tune.jpg").exit_code == 2
