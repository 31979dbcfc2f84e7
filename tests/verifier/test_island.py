"""The verifier imports the theorems, the errors, and nothing else of thresher."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

import thresher as th

ROOT = Path(__file__).parents[2]
THE_ISLAND = ("thresher.errors", "thresher.records", "thresher.theory", "thresher.verifier")

X = [[1, 0, 2], [1, 1, 0], [0, 3, 0]] * 3
Y = [-1, 1, -1] * 3

#: Prints the modules of thresher that are loaded, and where each comes from.
SHOW = """
import json, sys
print(json.dumps({
    name: getattr(module, "__file__", None)
    for name, module in sys.modules.items()
    if name == "thresher" or name.startswith("thresher.")
}))
"""
FROM_ARRAYS = """
import sys, numpy as np
from thresher.verifier import Certificate, verify
certificate = Certificate.load(sys.argv[1])
rows = np.array([[1, 0, 2], [1, 1, 0], [0, 3, 0]] * 3)
assert verify(certificate, rows, [-1, 1, -1] * 3).holds
"""
FROM_SVMLIGHT = """
import sys
from thresher.verifier import Certificate, read_svmlight, verify
certificate = Certificate.load(sys.argv[1])
assert verify(certificate, read_svmlight([sys.argv[2]])).holds
"""


def loaded(code: str, *arguments: Path) -> dict[str, str | None]:
    """The modules of thresher that a fresh Python has loaded after running some code."""
    command = [sys.executable, "-c", code + SHOW, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found: dict[str, str | None] = json.loads(done.stdout.splitlines()[-1])
    return found


def strangers(modules: Iterable[str]) -> list[str]:
    """The modules that the verifier has no business with."""
    return sorted(
        name
        for name in modules
        if name != "thresher"
        and not any(name == room or name.startswith(f"{room}.") for room in THE_ISLAND)
    )


@pytest.fixture
def certified(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate and the rows it is about, as files."""
    learner = th.Perceptron(3)
    learner.learn(X, Y)
    th.certify(learner, X, Y).save(tmp_path / "run.json")
    lines = [
        f"{label} " + " ".join(f"{i}:{value}" for i, value in enumerate(row) if value)
        for row, label in zip(X, Y, strict=True)
    ]
    (tmp_path / "rows.svm").write_text("\n".join(lines) + "\n")
    return tmp_path / "run.json", tmp_path / "rows.svm"


def test_importing_the_verifier_loads_theorems_and_errors_and_nothing_else() -> None:
    modules = loaded("import thresher.verifier")
    assert strangers(modules) == []
    assert {"thresher.errors", "thresher.theory", "thresher.verifier"} <= modules.keys()


def test_importing_the_theory_loads_the_errors_and_nothing_else() -> None:
    modules = loaded("import thresher.theory")
    assert strangers(modules) == []
    assert not any(name.startswith("thresher.verifier") for name in modules)


@pytest.mark.parametrize("code", [FROM_ARRAYS, FROM_SVMLIGHT], ids=["arrays", "svmlight"])
def test_a_check_needs_nothing_else_either(code: str, certified: tuple[Path, Path]) -> None:
    assert strangers(loaded(code, *certified)) == []


def test_what_is_compiled_is_the_verifiers_own(certified: tuple[Path, Path]) -> None:
    for name, file in loaded(FROM_SVMLIGHT, *certified).items():
        assert file is not None, name
        own = name.startswith("thresher.verifier.compiled.")
        assert file.endswith(".py") or own, name


def test_the_compiled_modules_take_nothing_from_elsewhere() -> None:
    folder = ROOT / "src/thresher/verifier/compiled"
    sources = [*folder.glob("*.pyx"), *folder.glob("*.pxd")]
    assert sources
    for source in sources:
        text = source.read_text("utf-8")
        for line in re.findall(r"^.*import.*$", text, re.MULTILINE):
            if "thresher" in line:
                assert re.search(r"thresher\.(verifier\.compiled|errors)\b", line), (
                    source.name,
                    line,
                )


def test_a_stranger_would_be_noticed() -> None:
    assert "thresher.streams.batch" in strangers(
        loaded("import thresher.verifier, thresher.streams")
    )


def rooms() -> set[str]:
    """The packages and modules right under `thresher`."""
    folder = ROOT / "src/thresher"
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    return packages | {path.stem for path in folder.glob("*.py") if not path.stem.startswith("__")}


def contract(name: str) -> dict[str, Any]:
    """An import contract of the project, by its name."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    return next(each for each in contracts if each["name"] == name)


@pytest.mark.parametrize(
    ("name", "may_import"),
    [
        # Pictures import nothing, decide nothing, and are drawn when somebody looks.
        ("the verifier is an island", {"verifier", "theory", "errors", "pictures", "records"}),
        (
            "the certifier and the proofs know no learner",
            {"certifier", "proofs", "verifier", "theory", "errors", "pictures", "records"},
        ),
    ],
)
def test_the_contracts_forbid_every_room_that_is_not_allowed(
    name: str, may_import: set[str]
) -> None:
    forbidden = {module.removeprefix("thresher.") for module in contract(name)["forbidden_modules"]}
    assert forbidden == rooms() - may_import
