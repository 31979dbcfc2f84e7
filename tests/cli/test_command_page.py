from __future__ import annotations

import shutil
import subprocess

import pytest

from scripts.write_man_pages import FOLDER, pages
from thresher.cli.main import COMMANDS

WRITE = "run: python -m scripts.write_man_pages"


def test_the_manual_pages_say_what_the_commands_say() -> None:
    expected = pages()
    assert {file.name for file in FOLDER.iterdir()} == expected.keys(), WRITE
    for name, text in expected.items():
        assert (FOLDER / name).read_text("utf-8") == text, WRITE


def test_every_command_has_its_options_and_examples_in_its_manual_page() -> None:
    found = pages()
    assert found.keys() == {"thresher.1", *(f"thresher-{name}.1" for name in COMMANDS)}
    train = found["thresher-train.1"]
    assert r".TP" + "\n" + r"\fB\-\-class\-weight LABEL:W\fR" in train
    assert r"  thresher train mail.svm \-o mail.thr" in train.splitlines()
    # A line that begins with a dot or a quote would be an order to the formatter.
    orders = {line.split()[0] for line in train.splitlines() if line.startswith((".", "'"))}
    assert orders == {".TH", ".SH", ".B", ".PP", ".TP", ".nf", ".fi"}


@pytest.mark.parametrize("name", ["thresher.1", "thresher-race.1"])
def test_a_formatter_has_nothing_to_complain_about(name: str) -> None:
    formatter = shutil.which("groff")
    if formatter is None:
        return
    done = subprocess.run(
        [formatter, "-man", "-Tutf8", "-ww", str(FOLDER / name)], capture_output=True, check=True
    )
    assert done.stderr == b""
    assert b"thresher" in done.stdout
