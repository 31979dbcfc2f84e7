"""Options from a file and from the environment."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import noisy_rows, run
from thresher.cli.settings import settings_file
from thresher.models.file import load_model


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with some rows, no variable, and a home of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("THRESHER_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    Path("a.svm").write_text(noisy_rows(40))
    return tmp_path


def trained(*words: str) -> tuple[dict[str, Any], str]:
    result = run("train", "a.svm", "-o", "m.thr", "--json", *words)
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout), result.stderr


def n_features(*words: str) -> int:
    found: int = trained(*words)[0]["parameters"]["n_features"]
    return found


def refused(*words: str) -> str:
    result = run("train", "a.svm", "-o", "m.thr", *words)
    assert result.exit_code == 2
    assert not Path("m.thr").exists()
    return result.stderr


def test_a_file_sets_options_of_all_commands_and_of_one() -> None:
    Path("thresher.toml").write_text('bits = 7\non_bad = "skip"\n[train]\nholdout = 4\nbits = 8\n')
    told, said = trained()
    assert told["parameters"]["n_features"] == 256
    assert told["holdout"]["every"] == 4
    first = said.splitlines()[0]
    assert first.startswith("settings --")
    assert first.endswith(" (from thresher.toml)")
    words = first.removeprefix("settings ").removesuffix(" (from thresher.toml)")
    assert sorted(words.split("--")) == ["", "bits 8 ", "holdout 4", "on-bad skip "]


def test_what_is_typed_comes_first_then_the_variable_then_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Path("thresher.toml").write_text("[train]\nbits = 5\n")
    assert n_features() == 2**5
    monkeypatch.setenv("THRESHER_BITS", "6")
    assert n_features() == 2**6
    monkeypatch.setenv("THRESHER_TRAIN_BITS", "7")
    assert n_features() == 2**7
    assert n_features("--bits", "8") == 2**8


def test_what_is_typed_puts_aside_what_settings_say_about_the_same_thing() -> None:
    Path("thresher.toml").write_text('bits = 5\n[train]\nlearner = "winnow"\nbeta = "1/2"\n')
    told, _ = trained()
    assert (told["learner"], told["parameters"]["beta"]) == ("winnow", "1/2")
    told, said = trained("--learner", "arow", "--features", "33")
    assert (told["learner"], told["parameters"]["n_features"]) == ("arow", 33)
    assert "settings" not in said


def test_the_history_of_a_model_says_what_settings_added() -> None:
    Path("thresher.toml").write_text(
        '[train]\nbits = 5\nset = ["r=2"]\nlearner = "arow"\nbias = true\n'
    )
    trained()
    (training,) = load_model("m.thr").history
    assert training.command is not None
    words = training.command.removeprefix("thresher train a.svm -o m.thr --json ")
    assert words == "--bits 5 --learner arow --set r=2 --bias"
    Path("thresher.toml").unlink()
    assert load_model("m.thr").learner == _again(words)


def _again(words: str) -> object:
    trained(*words.split())
    return load_model("m.thr").learner


def test_one_file_is_in_force(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    assert settings_file() is None
    own = folder / "home" / "thresher" / "config.toml"
    own.parent.mkdir(parents=True)
    own.write_text("bits = 6\n")
    assert n_features() == 2**6
    Path("thresher.toml").write_text("[train]\nholdout = 4\n")
    assert n_features() == 2**18
    Path("other.toml").write_text("bits = 9\n")
    monkeypatch.setenv("THRESHER_CONFIG", "other.toml")
    assert n_features() == 2**9
    monkeypatch.setenv("THRESHER_CONFIG", "")
    assert n_features() == 2**18


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("bitts = 7\n", "thresher.toml: there is no option 'bitts'. Did you mean 'bits'?"),
        (
            "[train]\nhold-out = 7\n",
            "thresher.toml, [train]: there is no option 'hold-out'. Did you",
        ),
        (
            "[trainn]\nbits = 7\n",
            "thresher.toml: there is no command 'trainn'. Did you mean 'train'?",
        ),
        ("train = 3\n", "thresher.toml: train is a command, whose options are a table: [train]."),
        ("race = 3\n", "thresher.toml: race is a command, whose options are a table: [race]."),
        ("[bits]\nx = 3\n", "thresher.toml: there is no command 'bits'."),
        ("bits = x\n", "thresher.toml: this is not TOML"),
        ('bits = "x"\n', "'x' is not a valid integer range. (from thresher.toml)"),
        ("[train]\nbias = 1\n", "thresher.toml: bias is true or false, found 1."),
        ("bits = true\n", "thresher.toml: bits is a text or a number, found True."),
        ("bits = [1, 2]\n", "thresher.toml: bits has one value, found [1, 2]."),
    ],
)
def test_what_a_file_cannot_say_is_refused(text: str, told: str) -> None:
    Path("thresher.toml").write_text(text)
    assert told in refused()


def test_a_file_that_was_named_must_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRESHER_CONFIG", "none.toml")
    assert "none.toml: No such file or directory." in refused()


def test_an_option_of_another_command_is_no_fault() -> None:
    Path("thresher.toml").write_text('delta = "0.01"\nbits = 6\n[race]\nplot = false\n')
    assert n_features() == 2**6


def test_several_values_are_a_list_or_words(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("thresher.toml").write_text('[race]\nlearner = ["winnow", "arow"]\nplot = false\n')
    result = run("race", "a.svm", "--bits", "6", "--json")
    named = {one["learner"] for one in json.loads(result.stdout)["learners"]}
    assert named == {"winnow", "arow", "commoner label"}
    monkeypatch.setenv("THRESHER_RACE_LEARNER", "perceptron winnow:beta=1/2")
    result = run("race", "a.svm", "--bits", "6", "--json")
    named = {one["learner"] for one in json.loads(result.stdout)["learners"]}
    assert named == {"perceptron", "winnow:beta=1/2", "commoner label"}


def test_words_of_a_variable_that_do_not_end_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRESHER_SET", "'r=2")
    assert "THRESHER_SET: these are no words of a shell (no closing quotation): 'r=2" in refused()


def test_settings_give_way_to_a_model_that_is_trained_further(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trained("--features", "50", "--learner", "winnow", "--positive", "1")
    Path("thresher.toml").write_text(
        'bits = 12\npositive = "-1"\npairs = "all"\nseed = 3\n[train]\nlearner = "arow"\n'
        'set = ["r=2"]\ncalibrate = "platt"\nmulticlass = true\nholdout = 4\nclass-weight = "1:2"\n'
    )
    monkeypatch.setenv("THRESHER_VOCABULARY", "true")
    told, said = trained("--resume", "m.thr")
    assert (told["learner"], told["parameters"]["n_features"]) == ("winnow", 50)
    assert said.splitlines()[0].startswith("settings --holdout 4 (from")
    result = run("train", "a.svm", "-o", "m.thr", "--resume", "m.thr", "--bits", "12")
    assert "the options ask for 4096" in result.stderr, "what is typed is meant"


def test_a_variable_that_is_none_by_a_letter_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRESHER_BITTS", "3")
    monkeypatch.setenv("THRESHER_FAVOURITE_COLOUR", "blue")
    monkeypatch.setenv("THRESHER_RACE_PLOT", "0")
    said = trained()[1]
    assert "warning: THRESHER_BITTS sets nothing. Did you mean 'BITS'?" in said
    assert said.count("warning") == 1


def test_quiet_settings_are_quiet() -> None:
    Path("thresher.toml").write_text("quiet = true\nbits = 6\n")
    assert trained()[1] == ""


def test_settings_about_reading_leave_a_model_alone_that_says_it_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trained("--features", "50")
    plain = run("predict", "m.thr", "a.svm").stdout
    Path("thresher.toml").write_text(
        'format = "text"\none-based = true\npositive = "-1"\nwords = "2"\nlabel-field = "x"\n'
    )
    for words in (["predict", "m.thr", "a.svm"], ["test", "m.thr", "a.svm"]):
        result = run(*words)
        assert (result.exit_code, result.stderr) == (0, "")
    assert run("predict", "m.thr", "a.svm").stdout == plain
    monkeypatch.setenv("THRESHER_PREDICT_FORMAT", "json")
    meant = run("predict", "m.thr", "a.svm")
    assert (meant.exit_code, "settings --format json" in meant.stderr) == (2, True)


def test_settings_leave_a_model_alone_that_is_certified() -> None:
    trained("--features", "50", "--learner", "winnow")
    Path("thresher.toml").write_text('one-based = true\nbits = 3\nlearner = "arow"\n')
    assert run("certify", "m.thr", "a.svm").exit_code == 0


def test_bad_lines_can_be_kept_by_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("a.svm").write_text(noisy_rows(5) + "1 x\n")
    Path("thresher.toml").write_text('on-bad = "quarantine bad lines.txt"\n')
    trained()
    assert Path("bad lines.txt").read_text().endswith("\n1 x\n")
    Path("thresher.toml").write_text('on-bad = "quarantine"\n')
    Path("m.thr").unlink()
    assert "quarantine FILE. (from thresher.toml)" in refused()


def test_two_letters_that_changed_places_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRESHER_BIST", "3")
    assert "warning: THRESHER_BIST sets nothing. Did you mean 'BITS'?" in trained()[1]
