from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

import thresher
from tests.cli.running import noisy_rows, process, run
from thresher.cli import main
from thresher.cli.main import COMMANDS
from thresher.cli.options import FORMATS
from thresher.cli.terminal import speech as terminal
from thresher.streams.formats import detection

HEAVY = ("numpy", "scipy", "sklearn", "pyarrow", "msgspec", "safetensors")


def test_help_lists_every_command_and_has_examples() -> None:
    result = run("--help")
    assert result.exit_code == 0
    assert [name for name in COMMANDS if f"\n  {name} " not in result.stdout] == []
    assert "Examples:" in result.stdout


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_says_what_the_list_says_and_shows_an_example(name: str) -> None:
    result = run(name, "--help")
    assert result.exit_code == 0
    assert f"thresher {name}" in re.split("Examples?:", result.stdout)[1]
    command = main.thresher.get_command(click.Context(main.thresher), name)
    assert command is not None
    assert command.get_short_help_str(200) == COMMANDS[name]


@pytest.mark.parametrize(
    "words", [["--help"], ["--version"], *([name, "--help"] for name in COMMANDS)]
)
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys\n"
        "from thresher.cli.main import thresher\n"
        f"try:\n    thresher.main({words!r})\n"
        "except SystemExit as left:\n    assert left.code == 0\n"
        f"print('HEAVY', [name for name in {HEAVY!r} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "HEAVY []"


def test_leaving_tells_whoever_asked_and_loses_nothing_that_was_said() -> None:
    code = (
        "import atexit, sys\n"
        "from thresher.cli.main import main\n"
        "atexit.register(lambda: print('left', end=''))\n"
        "sys.argv = ['thresher', 'predikt']\n"
        "main()\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "left")
    assert "there is no command" in done.stderr


def test_an_unknown_command_is_answered_by_the_nearest_one() -> None:
    result = run("predikt")
    assert result.exit_code == 2
    assert "there is no command 'predikt'. Did you mean 'predict'?" in result.stderr
    assert result.stdout == ""


def test_no_command_at_all_shows_the_help_and_is_bad_usage() -> None:
    result = run()
    assert result.exit_code == 2
    assert "Commands:" in result.stderr


def test_the_version_is_that_of_the_package() -> None:
    assert run("--version").stdout == f"thresher {thresher.__version__}\n"


def test_the_formats_offered_are_the_formats_there_are() -> None:
    assert sorted(FORMATS) == sorted(known.name for known in detection.FORMATS)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_names_the_program(shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_THRESHER_COMPLETE" in result.stdout
    assert f"{shell}_complete" in result.stdout


def test_the_completion_script_is_one_that_bash_can_read() -> None:
    script = run("completion", "bash").stdout
    subprocess.run(["bash", "-n"], input=script, text=True, check=True)


def test_completion_knows_commands_and_options() -> None:
    words = {"COMP_WORDS": "thresher train --lear", "COMP_CWORD": "2"}
    done = subprocess.run(
        [sys.executable, "-m", "thresher"],
        env=words | {"_THRESHER_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == "plain,--learner\n"


def test_an_error_takes_one_line_on_standard_error(tmp_path: Path) -> None:
    result = run("train", tmp_path / "none.svm", "-o", tmp_path / "m.thr")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert "none.svm" in result.stderr


def test_a_fault_of_the_system_names_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", "some.file")

    monkeypatch.setattr(click.Group, "main", refuse)
    result = run("train")
    assert result.exit_code == 2
    assert result.stderr == "error: some.file: Permission denied\n"


@pytest.mark.parametrize("stop", [KeyboardInterrupt, click.exceptions.Abort])
def test_a_keyboard_interrupt_is_quiet(monkeypatch: pytest.MonkeyPatch, stop: type) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise stop

    monkeypatch.setattr(click.Group, "main", interrupt)
    result = run("train")
    assert (result.exit_code, result.output) == (130, "")


def test_a_reader_that_leaves_ends_the_command_quietly(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_text(noisy_rows(40_000))
    assert run("train", tmp_path / "a.svm", "-o", tmp_path / "m.thr").exit_code == 0
    running = process("predict", tmp_path / "m.thr", tmp_path / "a.svm", "--json")
    assert running.stdout is not None
    assert running.stdout.readline().startswith(b'{"label": ')
    running.stdout.close()
    _, said = running.communicate()
    assert (running.returncode, said) == (141, b"")


def test_a_full_disk_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_text(noisy_rows(10))
    assert run("train", tmp_path / "a.svm", "-o", tmp_path / "m.thr").exit_code == 0
    with open("/dev/full", "wb") as full:
        running = process("predict", tmp_path / "m.thr", tmp_path / "a.svm", stdout=full.fileno())
        _, said = running.communicate()
    assert running.returncode == 2
    assert said == b"error: No space left on device\n"


def test_training_goes_on_when_nobody_can_hear_its_progress(tmp_path: Path) -> None:
    (tmp_path / "a.svm").write_text(noisy_rows(10))
    words = ["train", str(tmp_path / "a.svm"), "-o", str(tmp_path / "m.thr"), "--json"]
    for redirected in ("2>&-", "2>/dev/full"):
        (tmp_path / "m.thr").unlink(missing_ok=True)
        shell = f'"$0" -m thresher "$@" {redirected}'
        done = subprocess.run(
            ["sh", "-c", shell, sys.executable, *words], capture_output=True, check=True
        )
        assert json.loads(done.stdout)["rounds"] == 10
        assert (tmp_path / "m.thr").is_file()


def test_colour_is_for_terminals_without_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "is_terminal", lambda _: True)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert terminal.painted("x", "red") == "\x1b[31mx\x1b[0m"
    monkeypatch.setenv("NO_COLOR", "1")
    assert terminal.painted("x", "red") == "x"
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("TERM", "dumb")
    assert terminal.painted("x", "red") == "x"


def test_labels_of_a_file_do_not_command_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    labels = ["a", "x\x1b[31m\x07\u202e"] * 4
    rows = "".join(f"{label},{k}\n" for k, label in enumerate(labels))
    (tmp_path / "a.csv").write_text(f"label,size\n{rows}", "utf-8")
    trained, shown = run("train", "a.csv", "-o", "m.thr"), run("inspect", "m.thr")
    certified = run("certify", "a.csv", "-o", "c.json")
    for text in (trained.stderr, shown.stdout, certified.stderr):
        assert "\\x1b[31m\\x07\\u202e" in text
        assert not {"\x1b", "\x07", "\u202e"} & {*text}
