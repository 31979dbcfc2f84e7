"""What a process of `thresher verify` or `thresher certify` has loaded when it is done."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import run

RUN = """
import atexit, json, sys
report = open(sys.argv.pop(1), "w")
atexit.register(lambda: json.dump([m for m in sys.modules if m.startswith("thresher.")], report))
from thresher.cli.main import thresher
thresher()
"""
CSV = "label,free,cash,lunch\n" + "1,1,0,1\n0,0,1,0\n1,1,1,0\n0,0,1,1\n" * 4


def modules(folder: Path, *words: str) -> list[str]:
    """The modules of thresher that a command has loaded at its end."""
    report = folder / "modules.json"
    command = [sys.executable, "-c", RUN, str(report), *words]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    found: list[str] = json.loads(report.read_text("utf-8"))
    return found


#: What says which files to read, and opens them; it knows nothing of learners.
READING = {
    "thresher.models",
    "thresher.models.input_data",
    "thresher.models.own_reader",
    "thresher.models.opening",
    "thresher.models.labelled",
    "thresher.models.events",
    "thresher.models.known_fields",
}


def inside(room: str, names: list[str]) -> Iterator[str]:
    others = (name for name in names if name not in READING)
    return (name for name in others if f"{name}.".startswith(f"thresher.{room}."))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows in two formats, and certificates and a model of them."""
    folder = tmp_path_factory.mktemp("evidence")
    (folder / "rows.csv").write_text(CSV)
    (folder / "rows.svm").write_text("+1 0:1 2:1\n-1 1:1\n+1 0:1 1:1\n-1 1:1 2:1\n" * 4)
    for form in ("csv", "svm"):
        data = folder / f"rows.{form}"
        options = ["--learner", "winnow", "--features", 64, "-o", folder / f"{form}.json"]
        assert run("certify", data, *options).exit_code == 0
    options = ["--learner", "winnow", "--features", 64, "-o", folder / "model.thr"]
    assert run("train", folder / "rows.csv", *options).exit_code == 0
    return folder


def test_verifying_a_table_loads_its_reader_but_no_learner(folder: Path) -> None:
    found = modules(folder, "verify", "csv.json", "rows.csv", "--features", "64")
    assert list(inside("streams", found))
    for room in ("learners", "models", "storage", "reports", "certifier", "proofs"):
        assert list(inside(room, found)) == []


def test_verifying_svmlight_loads_no_reader_and_no_kernel_either(folder: Path) -> None:
    found = modules(folder, "verify", "svm.json", "rows.svm")
    assert list(inside("verifier", found))
    for room in ("learners", "models", "certifier", "streams", "kernels", "names"):
        assert list(inside(room, found)) == []


def test_certifying_a_model_loads_its_own_learner_and_no_report(folder: Path) -> None:
    found = modules(folder, "certify", "model.thr", "rows.csv")
    others = {"perceptron", "committee", "arow", "passive_aggressive", "conjunction"}
    kinds = [name for name in inside("learners", found) if name.split(".")[-1] in others]
    assert "thresher.learners.two_class.winnow" in found
    assert kinds == []
    assert list(inside("reports", found)) == []
