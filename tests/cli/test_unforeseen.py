"""Whatever goes wrong in a command, it is one line and status 2: 1 would be an answer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click
import pytest

from tests.cli.running import noisy_rows, process, run
from thresher.cli import main
from thresher.cli.leaving import exit_status, wants_traceback
from thresher.cli.main import COMMANDS
from thresher.models.model import Model
from thresher.streams.reading import Stream

#: Words with which each command gets as far as its own code.
WORDS: dict[str, list[str]] = {
    "train": ["DATA", "-o", "OUT"],
    "predict": ["MODEL", "DATA"],
    "test": ["MODEL", "DATA"],
    "inspect": ["MODEL"],
    "certify": ["MODEL", "DATA"],
    "verify": ["DATA", "DATA"],
    "race": ["DATA"],
    "tune": ["DATA"],
    "advise": ["DATA"],
    "trace": ["DATA"],
    "generate": ["words", "-o", "OUT"],
    "convert": ["DATA", "-o", "OUT"],
    "export": ["MODEL", "-o", "OUT"],
    "demo": [],
    "completion": ["bash"],
    "try": ["DATA"],
    "report": ["MODEL", "-o", "OUT"],
    "lab": ["--no-browser"],
    "serve": ["--store", "OUT"],
    "store": ["check", "FOLDER"],
}

FAULTS: list[Callable[[], Exception]] = [
    lambda: TypeError("unsupported operand"),
    lambda: RecursionError("maximum recursion depth exceeded"),
    lambda: OverflowError("int too large to convert to float"),
    lambda: UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    lambda: UnicodeEncodeError("utf-8", "\udcff", 0, 1, "surrogates not allowed"),
    lambda: ZeroDivisionError("division by zero"),
    lambda: AssertionError(),
    lambda: StopIteration(),
    lambda: KeyError("two\nlines\x1b[2J"),
    lambda: SystemError("x" * 5000),
    lambda: click.ClickException("which click would leave with 1"),
    lambda: MemoryError(),
]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "a.svm").write_text(noisy_rows(20))
    assert run("train", "-q", tmp_path / "a.svm", "-o", tmp_path / "m.thr").exit_code == 0
    names = {"DATA": "a.svm", "MODEL": "m.thr", "OUT": "out.svm"}
    return {word: str(tmp_path / name) for word, name in names.items()}


def _command(name: str) -> click.Command:
    command = main.thresher.get_command(click.Context(main.thresher), name)
    assert command is not None
    return command


@pytest.mark.parametrize("name", COMMANDS)
def test_a_fault_in_any_command_is_one_line_and_status_two(
    name: str, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [files.get(word, word) for word in WORDS[name]]
    for make in FAULTS:

        def fail(*_: object, make: Callable[[], Exception] = make, **__: object) -> None:
            raise make()

        monkeypatch.setattr(_command(name), "callback", fail)
        result = run(name, *words)
        kind = type(make()).__name__
        assert (result.exit_code, result.stdout) == (2, ""), kind
        assert result.stderr.count("\n") == 1, kind
        assert len(result.stderr) < 500
        assert "\x1b" not in result.stderr
        assert kind in result.stderr or kind in ("ClickException", "MemoryError")
        assert "Traceback" not in result.stderr


def test_the_line_says_whose_fault_it_is_and_how_to_see_more(
    files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise TypeError("a bug.")

    monkeypatch.setattr(Stream, "chunks", fail)
    result = run("train", "-q", files["DATA"], "-o", files["OUT"])
    assert result.stderr == (
        "error: internal error: TypeError: a bug. This is a fault of thresher; "
        "--debug shows the traceback.\n"
    )
    assert not Path(files["OUT"]).exists()


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("before", [True, False])
def test_debug_before_or_after_the_name_of_a_command_shows_the_traceback(
    name: str, before: bool, files: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise LookupError("a bug")

    monkeypatch.setattr(_command(name), "callback", fail)
    words = [files.get(word, word) for word in WORDS[name]]
    result = run(*(["--debug", name] if before else [name, "--debug"]), *words)
    assert result.exit_code == 2
    assert result.stderr.startswith("Traceback (most recent call last):\n")
    assert "\nLookupError: a bug\nerror: internal error: LookupError: a bug." in result.stderr


def test_debug_shows_where_an_error_of_the_user_was_found(tmp_path: Path) -> None:
    result = run("inspect", tmp_path / "none.thr", "--debug")
    assert result.exit_code == 2
    assert "in load_model" in result.stderr
    assert "Traceback" not in run("inspect", tmp_path / "none.thr").stderr


def test_the_environment_can_ask_for_tracebacks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THRESHER_DEBUG", "1")
    assert wants_traceback([])
    assert run("inspect", "none.thr").stderr.startswith("Traceback")
    for off in ("", "0"):
        monkeypatch.setenv("THRESHER_DEBUG", off)
        assert not wants_traceback([])


def test_debug_leaves_no_trace_in_a_model(files: dict[str, str]) -> None:
    plain, debugged = Path(files["OUT"]), Path(files["OUT"] + ".debug")
    assert run("train", files["DATA"], "-o", plain, "-q").exit_code == 0
    assert run("--debug", "train", files["DATA"], "-o", debugged, "-q", "--debug").exit_code == 0
    history = [Model.load(path).history[0].command for path in (plain, debugged)]
    assert history[1] == str(history[0]).replace(str(plain), str(debugged))


def test_a_fault_while_a_fault_is_told_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise ValueError

    def fail() -> None:
        raise MuteError

    assert exit_status(fail) == 2
    assert capsys.readouterr().err.startswith("error: internal error: MuteError. ")


def test_a_process_with_a_fault_leaves_with_two_and_without_a_traceback(tmp_path: Path) -> None:
    # No message can hold such a name in any encoding but that of file names.
    running = process("train", tmp_path / "\udcff\n.svm", "-o", tmp_path / "m.thr")
    _, said = running.communicate()
    assert running.returncode == 2
    assert b"Traceback" not in said
    assert said.startswith(b"error: ")
