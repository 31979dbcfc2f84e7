from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import thresher as th
from tests.cli.running import process, run
from tests.cluster.data import N_FEATURES, written
from tests.streams.shelves import shelf
from thresher.cluster import train
from thresher.models.file import load_model

FEATURES = ("--features", N_FEATURES)


@pytest.fixture
def place(cluster: Any) -> tuple[str, ...]:
    return "--cluster", cluster.scheduler_address


def test_train_writes_the_model_that_the_function_returns(
    tmp_path: Path, place: tuple[str, ...]
) -> None:
    files, path = written(tmp_path, 100, 80), tmp_path / "m.thr"
    words = ("--passes", 3, "--shards", 4, "--learner", "perceptron")
    result = run("train", files, "-o", path, *FEATURES, *place, *words)
    assert result.exit_code == 0, result.stderr
    model = train(files, "perceptron", n_features=N_FEATURES, shards=4, epochs=3)
    written_model = load_model(path)
    assert written_model.learner == model.learner
    assert written_model.history[0].shards == model.history[0].shards
    assert written_model.history[0].command is not None
    assert "--shards 4" in written_model.history[0].command
    assert f"rounds    {540}" in result.stdout
    assert "theorem   MixingWithLosses with PerceptronHinge allows" in result.stdout
    # The table: a line for each epoch.
    assert [line.split()[0] for line in result.stderr.splitlines()[-3:]] == ["1", "2", "3"]


def test_train_tells_programs_the_mistakes_of_each_shard_and_what_is_allowed(
    tmp_path: Path, place: tuple[str, ...]
) -> None:
    files = written(tmp_path, 100, 80)
    words = ("--passes", 2, "--shards", 3, "--learner", "perceptron", "--json", "-q")
    result = run("train", files, "-o", tmp_path / "m.thr", *FEATURES, *place, *words)
    found = json.loads(result.stdout)
    assert result.stderr == ""
    assert sum(sum(shard["mistakes"]) for shard in found["shards"]) == found["mistakes"]
    assert len(found["shards"]) == found["theorem"]["shards"] == 3
    assert found["theorem"]["name"] == "MixingWithLosses"
    assert found["mistakes"] <= found["theorem"]["allowed"]


@pytest.mark.parametrize("words", [(), ("--scores",), ("--json",)])
def test_predict_says_what_it_says_on_one_machine(
    tmp_path: Path, place: tuple[str, ...], words: tuple[str, ...]
) -> None:
    files, path = written(tmp_path, 100, 80), tmp_path / "m.thr"
    th.train(files, n_features=N_FEATURES, save_to=path)
    alone = run("predict", path, files, *words)
    apart = run("predict", path, files, *words, *place, "--shards", 5)
    assert apart.exit_code == 0, apart.stderr
    assert apart.stdout == alone.stdout
    assert len(apart.stdout.splitlines()) == 180


def test_test_says_what_it_says_on_one_machine(tmp_path: Path, place: tuple[str, ...]) -> None:
    files, path = written(tmp_path, 100, 80), tmp_path / "m.thr"
    th.train(files, "perceptron", n_features=N_FEATURES, save_to=path)
    words = ("--json", "--window", 30)
    alone = run("test", path, files, *words)
    apart = run("test", path, files, *words, *place, "--shards", 5)
    assert json.loads(apart.stdout) == json.loads(alone.stdout)


def test_several_classes_are_tested_and_predicted(tmp_path: Path, place: tuple[str, ...]) -> None:
    file, path = tmp_path / "three.vw", tmp_path / "m.thr"
    file.write_text("law | court judge\nart | paint canvas\ntax | pay form\n" * 60)
    words = ("--shards", 3, "--passes", 2, "--bits", 10)
    result = run("train", file, "-o", path, *words, *place)
    assert result.exit_code == 0, result.stderr
    assert "classes   3" in result.stdout
    assert "theorem   none is known for committee for each class" in result.stdout
    assert load_model(path).learner == train(file, n_features=1024, shards=3, epochs=2).learner
    for command in ("test", "predict"):
        alone = run(command, path, file)
        apart = run(command, path, file, *place, "--shards", 4)
        assert apart.stdout == alone.stdout, apart.stderr


def test_a_column_that_was_not_learned_is_told_once(tmp_path: Path, place: tuple[str, ...]) -> None:
    path, lines = tmp_path / "m.thr", "x,1\ny,2\n" * 20
    (tmp_path / "old.csv").write_text(f"label,a\n{lines}")
    th.train(tmp_path / "old.csv", save_to=path)
    for number in range(3):
        more = lines.replace("\n", ",5\n")
        (tmp_path / f"new-{number}.csv").write_text(f"label,a,b\n{more}")
    for command in ("test", "predict"):
        alone = run(command, path, tmp_path / "new-*.csv")
        apart = run(command, path, tmp_path / "new-*.csv", *place, "--shards", 3)
        assert apart.stderr == alone.stderr
        assert apart.stderr.count("has not learned from column 'b'") == 1


@pytest.mark.parametrize("command", ["test", "predict"])
@pytest.mark.parametrize("policy", [("skip",), ("stop",), ("quarantine", "bad.txt")])
def test_bad_lines_are_met_as_on_one_machine(
    tmp_path: Path,
    place: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    policy: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, 60, 60)
    th.train("part-*.svm", "perceptron", n_features=N_FEATURES, save_to="m.thr")
    text = (tmp_path / "part-1.svm").read_text().splitlines()
    text[41] = "1 5:x"
    path = tmp_path / "part-1.svm"
    path.write_text("".join(f"{line}\n" for line in text))
    found = []
    for more in ((), (*place, "--shards", "5")):
        result = run(command, "m.thr", path, "--on-bad", *policy, *more)
        # Where the first bad line stops it, less may have been written before.
        said = result.stdout if policy != ("stop",) else ""
        kept = (tmp_path / "bad.txt").read_bytes() if "bad.txt" in policy else b""
        found.append((result.exit_code, said, result.stderr, kept))
    assert found[0] == found[1]
    assert "part-1.svm:42: found" in found[0][2]


def without_seconds(text: str) -> Any:
    found = json.loads(text)
    for learner in found["learners"]:
        del learner["seconds"]
    return found


@pytest.mark.parametrize(
    "words", [(), ("--learner", "winnow", "--learner", "arow", "--window", 20, "--no-bounds")]
)
def test_race_says_what_it_says_on_one_machine(
    tmp_path: Path, place: tuple[str, ...], words: tuple[object, ...]
) -> None:
    files = written(tmp_path, 60, 60)
    # A value that Winnow cannot take: it leaves the race, and the others go on.
    with (tmp_path / "part-1.svm").open("a") as file:
        file.write("1 3:2.5\n0 4:1\n")
    alone = run("race", files, *FEATURES, "--json", *words)
    apart = run("race", files, *FEATURES, "--json", *words, *place)
    assert apart.exit_code == 0, apart.stderr
    assert without_seconds(apart.stdout) == without_seconds(alone.stdout)
    assert apart.stderr == alone.stderr
    assert any(learner["out_at"] for learner in without_seconds(apart.stdout)["learners"])


def test_options_of_a_cluster_go_with_one(tmp_path: Path) -> None:
    files = written(tmp_path, 20)
    for words in (("--shards", 2), ("--deadline", 10)):
        result = run("train", files, "-o", tmp_path / "m.thr", *words)
        assert result.exit_code == 2
        assert f"{words[0]} goes with --cluster" in result.stderr


def test_an_address_that_is_none_is_bad_usage(tmp_path: Path) -> None:
    files = written(tmp_path, 20)
    result = run("train", files, "-o", tmp_path / "m.thr", "--cluster", "nowhere")
    assert result.exit_code == 2
    assert "address must be 'local:N'" in result.stderr


def test_ctrl_c_keeps_the_epochs_that_are_done_and_says_how_to_go_on(
    tmp_path: Path, place: tuple[str, ...]
) -> None:
    files, path = written(tmp_path, 300, 300), tmp_path / "m.thr"
    words = ("--passes", "100000", "--shards", "2", *map(str, FEATURES), *place)
    with process("train", files, "-o", path, *words) as running:
        until = time.monotonic() + 60
        while not path.exists() and time.monotonic() < until:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=60)
    assert running.returncode == 128 + signal.SIGINT, said
    shards = load_model(path).history[0].shards
    assert shards is not None
    assert f"--resume {path}" in said.decode()
    more = shards.epochs + 2
    result = run(
        "train", files, "-o", path, "--resume", path, "--passes", more, "--shards", 2, *place
    )
    assert result.exit_code == 0, result.stderr
    whole = train(files, n_features=N_FEATURES, shards=2, epochs=more)
    assert load_model(path).learner == whole.learner


def test_ctrl_c_in_a_terminal_leaves_the_workers_silent(tmp_path: Path) -> None:
    files, path = written(tmp_path, 100), tmp_path / "m.thr"
    words = [
        sys.executable,
        "-m",
        "thresher",
        "train",
        files,
        "-o",
        str(path),
        "--passes",
        "100000",
    ]
    words += ["--cluster", "local:1", "--shards", "2", "-q"]
    # A terminal sends the signal to all processes of its group.
    with subprocess.Popen(
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as running:
        until = time.monotonic() + 90
        while not path.exists() and time.monotonic() < until:
            time.sleep(0.05)
        os.killpg(running.pid, signal.SIGINT)
        _, said = running.communicate(timeout=90)
    assert running.returncode == 128 + signal.SIGINT
    assert "Traceback" not in said.decode()
    assert "--resume" in said.decode()


def test_a_cluster_is_not_imported_by_those_who_need_none() -> None:
    code = "import sys, thresher.cli.main, thresher.cli.train, thresher.cli.predict as p; "
    code += "from thresher.models.train import train; import thresher.cluster; "
    code += "print([m for m in ('dask', 'distributed', 'tornado') if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


def test_packed_files_elsewhere_with_bad_lines_are_met_as_on_one_machine(
    tmp_path: Path, place: tuple[str, ...]
) -> None:
    written(tmp_path, 60, 60)
    model = tmp_path / "m.thr"
    th.train(tmp_path / "part-*.svm", "perceptron", n_features=N_FEATURES, save_to=model)
    lines = (tmp_path / "part-1.svm").read_text().splitlines()
    lines[41] = "1 5:x"
    bad = "".join(f"{line}\n" for line in lines).encode()
    files = {"a.svm.gz": gzip.compress(bad), "b.svm": bad}
    with shelf(files) as web:
        there = [f"{web.address}/{name}?X-Signature=5eCr3t" for name in files]
        for words in (
            ("predict", model, *there, "--scores"),
            ("test", model, *there, "--json"),
            ("race", *there, *FEATURES, "--json", "--learner", "arow", "--learner", "perceptron"),
        ):
            alone = run(*words, "--on-bad", "skip")
            apart = run(*words, "--on-bad", "skip", *place)
            assert apart.exit_code == alone.exit_code == 0, apart.stderr
            assert apart.stderr == alone.stderr
            assert "2 bad lines were skipped, the first: " in apart.stderr
            assert "/a.svm.gz:42: found '5:x'" in apart.stderr
            assert "5eCr3t" not in apart.stderr + apart.stdout
            if words[0] == "race":
                assert without_seconds(apart.stdout) == without_seconds(alone.stdout)
            else:
                assert apart.stdout == alone.stdout
            stopped = run(*words, *place)
            assert stopped.exit_code == 2
            assert "/a.svm.gz:42: found '5:x'" in stopped.stderr


def test_train_exactly_is_to_train_on_one_machine(tmp_path: Path, place: tuple[str, ...]) -> None:
    files, paths = written(tmp_path, 100, 80), [tmp_path / "one.thr", tmp_path / "many.thr"]
    words = ("--learner", "perceptron", "--passes", 2, *FEATURES)
    assert run("train", files, "-o", paths[0], *words).exit_code == 0
    result = run("train", files, "-o", paths[1], *words, *place, "--exact", "--shards", 5)
    assert result.exit_code == 0, result.stderr
    assert "blocks that count" in result.stdout
    one, many = map(load_model, paths)
    assert many.learner == one.learner
    assert many.learner.journal == one.learner.journal
    assert result.stdout.splitlines()[0] == "rounds    360"


def test_counterexamples_are_told_and_their_certificate_verified(
    tmp_path: Path, place: tuple[str, ...]
) -> None:
    files, path = written(tmp_path, 60, 50, noise=0.0), tmp_path / "m.thr"
    words = ("--learner", "perceptron", *FEATURES, "--mode", "counterexamples", "--shards", 2)
    result = run("train", files, "-o", path, *words, *place, "--json", "-q")
    assert result.exit_code == 0, result.stderr
    found = json.loads(result.stdout)["counterexamples"]
    assert found["consistent"]
    assert found["learned"] <= found["theorem"]["mistakes"]
    assert found["sent"] <= 2 * found["learned"]
    stream = (found["file"], *sorted(map(str, tmp_path.glob("part-*.svm"))))
    certificate = tmp_path / "run.json"
    certified = run("certify", path, *stream, "-o", certificate)
    assert certified.exit_code == 0, certified.stderr
    assert f"{found['learned']} mistakes in {found['learned'] + 110} rounds" in certified.stdout
    assert run("verify", certificate, *stream, *FEATURES).exit_code == 0


def test_counterexamples_that_are_left_are_an_exit_status(
    tmp_path: Path, place: tuple[str, ...]
) -> None:
    path = tmp_path / "a.svm"
    path.write_text("1 0:1\n0 0:1\n")
    words = ("--learner", "perceptron", *FEATURES, "--mode", "counterexamples", "--rounds", 3)
    result = run("train", path, "-o", tmp_path / "m.thr", *words, *place)
    assert result.exit_code == 1
    assert "after 3 rounds there are still rows that the learner gets wrong" in result.stderr
    assert "agrees    no: counter-examples are left" in result.stdout
    assert (tmp_path / "m.thr").exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--exact",), "--mode and --exact go with --cluster"),
        (("--mode", "counterexamples"), "--mode and --exact go with --cluster"),
        (("--cluster", "local:1", "--rounds", 3), "--rounds goes with --mode counterexamples"),
    ],
)
def test_options_of_modes_go_with_theirs(tmp_path: Path, words: tuple[Any, ...], said: str) -> None:
    result = run("train", written(tmp_path, 10), "-o", tmp_path / "m.thr", *words)
    assert result.exit_code == 2
    assert said in result.stderr
