"""`thresher generate`: streams of every kind, the same each time."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import process, run
from tests.streams.examples import joined
from thresher.games import RandomStream, concept_classes, greedy_winnow, streams
from thresher.models.synthetic_streams import kinds_of_streams

KINDS = [kind for kind, _, _ in kinds_of_streams()]


def test_every_class_and_every_construction_is_a_kind() -> None:
    assert {*KINDS} == {"words", *concept_classes(), *streams()}
    listed = run("generate", "--list").stdout
    for kind, summary, _ in kinds_of_streams():
        assert kind in listed
        assert summary.replace("`", "") in listed


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_is_generated_the_same_each_time(kind: str) -> None:
    words = ("generate", kind, "-n", "40", "--seed", "3")
    first = run(*words)
    assert first.exit_code == 0, first.output
    assert first.stdout.count("\n") == 40 or kind in streams()
    assert run(*words).stdout == first.stdout
    assert first.stderr


def test_a_random_stream_is_that_of_the_library(tmp_path: Path) -> None:
    path = tmp_path / "some.thb"
    words = ["--set", "n_features=50,r=4", "--set", "active=6", "--noise", "1/20", "--seed", "9"]
    more = ["--attribute-noise", "0.1", "--balance", "1/4", "--drift", "100,200", "-n", "300"]
    assert run("generate", "disjunctions", *words, *more, "-o", path).exit_code == 0
    concepts = concept_classes()["disjunctions"](n_features=50, r=4, active=6)
    expected = RandomStream(concepts, 300, 9, "1/4", "1/20", "1/10", (100, 200))
    assert joined(path) == expected.batch()


def test_a_construction_is_that_of_the_library(tmp_path: Path) -> None:
    path = tmp_path / "some.jsonl"
    result = run("generate", "greedy-winnow", "--set", "n_features=64", "-o", path)
    assert joined(path) == greedy_winnow(n_features=64, r=1).batch
    assert "16 mistakes forced" in result.stderr


def test_the_secret_can_be_kept_in_a_file(tmp_path: Path) -> None:
    words = ("generate", "disjunctions", "-n", "10", "--secret", tmp_path / "secret.txt")
    result = run(*words, "-q")
    assert result.stderr == ""
    assert (tmp_path / "secret.txt").read_text().startswith("Quorum(count=1, plain=(")
    shown = run("generate", "disjunctions", "-n", "10").stderr
    assert shown.startswith("the target is x")
    drifting = ("words", "-n", "10", "--set", "n_features=10,active=2", "--drift", "5")
    run("generate", *drifting, "--secret", tmp_path / "words.txt")
    assert [line.split(":")[0] for line in (tmp_path / "words.txt").read_text().splitlines()] == [
        "from round 0",
        "from round 5",
    ]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "--list lists them"),
        (["nonsense"], "there is no stream called 'nonsense'"),
        (["words", "--noise", "0.1"], "--noise is for random streams, not for words"),
        (["nested", "--drift", "10"], "--drift is for random streams, not for nested"),
        (["words", "--set", "beta=1"], "--set beta: words has n_features, active, tilt, real"),
        (["disjunctions", "--set", "q=1"], "Parameters and their defaults: n_features=100"),
        (["disjunctions", "--noise", "2"], "label_noise must be between 0 and 1"),
        (["disjunctions", "-n", "many"], "neither a number of rows nor 'unlimited'"),
        (["disjunctions", "--noise", "much"], "no share"),
        (["disjunctions", "--drift", "x"], "no rounds"),
        (["disjunctions", "-o", "x.txt"], "does not say which format to write"),
        (["disjunctions", "-n", "unlimited", "--to", "csv"], "csv needs an end"),
        (["lower-bound", "--against", "nobody"], "nobody"),
    ],
)
def test_bad_wishes_are_refused(words: list[str], says: str) -> None:
    result = run("generate", *words)
    assert result.exit_code == 2
    assert says in " ".join(result.stderr.split())


@pytest.mark.parametrize("kind", ["words", "disjunctions"])
def test_an_unlimited_stream_ends_with_its_reader(kind: str) -> None:
    with process("generate", kind, "-n", "unlimited", "-q") as running:
        assert running.stdout is not None
        first = running.stdout.readline()
        running.stdout.close()
        assert running.wait(timeout=60) == 141
        assert running.stderr is not None
        assert running.stderr.read() == b""
    assert first.split()[0] in (b"1", b"-1")


def test_what_is_generated_can_be_read_at_once() -> None:
    with process("generate", "words", "-n", "200", "--to", "binary", "-q") as source:
        reader = process("convert", "-", "-o", "-", "--to", "svmlight", "-q", stdin=source.stdout)  # type: ignore[arg-type]
        text, _ = reader.communicate(timeout=60)
    assert source.wait(timeout=60) == reader.returncode == 0
    assert text.decode() == run("generate", "words", "-n", "200").stdout


def test_the_secret_does_not_go_where_the_rows_go(tmp_path: Path) -> None:
    path = tmp_path / "rows.svm"
    again = tmp_path / "." / ".." / tmp_path.name / "rows.svm"
    result = run("generate", "disjunctions", "-n", "5", "-o", path, "--secret", again)
    assert (result.exit_code, path.exists()) == (2, False)
    assert "the rows go there; choose another name" in result.stderr
