"""`thresher lab`: the address first, one machine, and an end at once."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.cli.running import run

LAB = [sys.executable, "-m", "thresher", "lab", "--no-browser"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_prints_its_address_answers_there_and_ends_at_once(
    tmp_path: Path, number: signal.Signals
) -> None:
    data = tmp_path / "mail.tsv"
    data.write_text("spam\tfree cash\nham\tsee you\n" * 20)
    with subprocess.Popen(
        [*LAB, str(data)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as lab:
        assert lab.stdout is not None
        assert lab.stderr is not None
        address = lab.stdout.readline().strip()
        try:
            assert address.startswith("http://127.0.0.1:")
            root, _, screen = address.partition("#")
            assert screen == "data?key=given"
            with urllib.request.urlopen(root) as answer:
                assert b"thresher lab" in answer.read()
            with urllib.request.urlopen(f"{root}api/data/look?key=given") as answer:
                assert b'"rows":40' in answer.read()
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(f"{root.rsplit('/', 2)[0]}/")
            # A page that waits for a long race keeps nobody waiting.
            stream = "disjunctions:rows=100000000,seed=1"
            with urllib.request.urlopen(f"{root}api/race?stream={stream}&learner=winnow") as race:
                assert race.readline().startswith(b"data: ")
                lab.send_signal(number)
                assert lab.wait(20) == 128 + number
                assert "Traceback" not in lab.stderr.read()
        finally:
            lab.kill()


def test_a_taken_port_says_so_and_what_to_do() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("lab", "--no-browser", "--port", str(port))
    assert done.exit_code == 2
    assert f"port {port} is taken" in done.stderr
    assert "leave it out" in done.stderr


def test_a_file_that_cannot_be_read_is_told_before_a_browser_opens(tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.touch()
    done = run("lab", "--no-browser", str(empty))
    assert done.exit_code == 2
    assert "not a single row" in done.stderr
    assert done.stdout == ""


def test_without_the_extra_it_says_how_to_get_it() -> None:
    program = (
        "import sys; sys.modules['starlette'] = None; sys.argv = ['thresher', 'lab'];"
        "from thresher.cli.main import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 2
    assert "thresher[lab]" in done.stderr


def test_other_commands_know_nothing_of_the_lab() -> None:
    program = (
        "import sys; sys.argv = ['thresher', '--help']; from thresher.cli.main import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "assert not {'thresher.lab', 'starlette', 'uvicorn'} & {*sys.modules}"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)
