"""Rules that are easy to state and easy to forget."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.long_ones import LONG

ROOT = Path(__file__).parents[1]
MADE_BY_TOOLS = {"build", "dist", "__pycache__"}
TEXT = {".py", ".pyx", ".pxd", ".pyi", ".md", ".toml", ".txt", ".build", ".options", ".json", ""}
KERNELS = sorted((ROOT / "src/thresher/kernels").glob("*/*.pyx"))

# Written so that none of them matches itself.
FORBIDDEN = [
    r"/(?:home|root|tmp|work|Users)/[\w.]",
    r"\bTO[D]O\b|\bFIX[M]E\b|\bXX[X]\b",
    r"\bNotImplemented[E]rror\b",
    r"pytest\.(?:mark\.)?[s]kip|importor[s]kip",
    r"pypi\.[o]rg|pythonhosted\.[o]rg",
]


def files_of_the_project(folder: Path = ROOT) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        hidden = path.name.startswith(".") and path.name != ".ci"
        if hidden or path.name in MADE_BY_TOOLS:
            continue
        if path.is_dir():
            yield from files_of_the_project(path)
        elif path.suffix in TEXT:
            yield path


def is_code(path: Path) -> bool:
    return path.suffix in {".py", ".pyx", ".pxd", ".pyi"}


def test_no_file_of_code_is_longer_than_400_lines() -> None:
    code = [path for path in files_of_the_project() if is_code(path)]
    assert len(code) > 10
    assert [path for path in code if len(path.read_text("utf-8").splitlines()) > 400] == []


def test_no_file_is_a_drawer_that_nobody_owns() -> None:
    drawers = {"utils", "util", "helpers", "common", "misc", "tools"}
    named = [path for path in files_of_the_project() if {path.stem, path.parent.name} & drawers]
    assert named == []


@pytest.mark.parametrize("pattern", FORBIDDEN)
def test_no_file_says_what_only_one_machine_or_one_moment_needs(pattern: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {match.group()}"
        for path in files_of_the_project()
        for match in re.finditer(pattern, path.read_text("utf-8"))
    ]
    assert found == []


@pytest.mark.parametrize(
    "lie",
    ["see /" + "root/x", "# TO" + "DO", "raise NotImplemented" + "Error", "pytest." + "skip()"],
)
def test_the_forbidden_words_are_recognised(lie: str) -> None:
    assert any(re.search(pattern, lie) for pattern in FORBIDDEN)


def stated(functions: list[ast.stmt]) -> dict[str, list[str]]:
    """Name and arguments of the public functions and methods in a stub."""
    found: dict[str, list[str]] = {}
    for node in functions:
        if isinstance(node, ast.ClassDef):
            inside = stated(node.body)
            found |= {f"{node.name}.{name}": arguments for name, arguments in inside.items()}
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            is_property = any(getattr(d, "id", "") == "property" for d in node.decorator_list)
            if not is_property:
                arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
                found[node.name] = [argument.arg for argument in arguments]
    return found


def compiled(owner: object, home: str) -> dict[str, list[str]]:
    """Name and arguments of the public functions and methods in a compiled module."""
    found: dict[str, list[str]] = {}
    for name, member in vars(owner).items():
        if name.startswith("_"):
            continue
        if isinstance(member, type) and member.__module__ == home:
            inside = compiled(member, home)
            found |= {f"{name}.{method}": arguments for method, arguments in inside.items()}
        elif inspect.isroutine(member) and getattr(member, "__module__", home) == home:
            function = getattr(owner, name)
            found[name] = list(inspect.signature(function).parameters)
    return found


def test_there_are_kernels() -> None:
    assert KERNELS


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_the_stub_of_a_kernel_states_what_was_compiled(kernel: Path) -> None:
    name = f"thresher.kernels.{kernel.parent.name}.{kernel.stem}"
    stub = ast.parse(kernel.with_suffix(".pyi").read_text("utf-8"))
    assert stated(stub.body) == compiled(importlib.import_module(name), name)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_a_kernel_has_a_slow_twin_and_says_where(kernel: Path) -> None:
    docstring = kernel.read_text("utf-8").split('"""')[1]
    twins = re.findall(r"`(tests/reference/\w+\.py)`", docstring)
    assert twins
    assert [twin for twin in twins if not (ROOT / twin).is_file()] == []


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_a_kernel_knows_nothing_of_the_stages_above(kernel: Path) -> None:
    imports = re.findall(r"^\s*(?:from|import|cimport) +(thresher[\w.]*)", kernel.read_text(), re.M)
    assert [
        name for name in imports if not name.startswith(("thresher.kernels", "thresher.errors"))
    ] == []


DOORS = ("cli", "lab", "demo.py")
A_FLAG = re.compile(r"(?<![\w-])--[a-z]")


def said_in(source: str) -> Iterator[str]:
    """The strings of a module that are no docstrings."""
    tree = ast.parse(source)
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, owners)]
    docstrings = {body[0].value for body in bodies if body and isinstance(body[0], ast.Expr)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node not in docstrings
        ):
            yield node.value


def test_nothing_below_the_doors_speaks_of_flags() -> None:
    home = ROOT / "src/thresher"
    modules = [path for path in home.rglob("*.py") if path.relative_to(home).parts[0] not in DOORS]
    found = [
        f"{path.relative_to(home)}: {text}"
        for path in modules
        for text in said_in(path.read_text("utf-8"))
        if A_FLAG.search(text)
    ]
    kernels = [path.stem for path in KERNELS if A_FLAG.search(path.read_text("utf-8"))]
    assert len(modules) > 200
    assert found + kernels == []


@pytest.mark.parametrize("lie", ["f'say --bits {3}'", "raise LabelError('--positive LABEL')"])
def test_a_flag_is_recognised(lie: str) -> None:
    assert any(A_FLAG.search(text) for text in said_in(lie))


def test_only_the_command_line_knows_a_terminal() -> None:
    below = [path for path in ROOT.glob("src/thresher/**/*.py") if "cli" not in path.parts]
    assert len(below) > 100
    terminal = re.compile(
        r"^\s*(?:import|from) (?:click|rich|thresher\.cli)\b|\bsys\.stderr\b", re.M
    )
    named = [path.name for path in below if terminal.search(path.read_text("utf-8"))]
    # The package runs as a command.
    assert named == ["__main__.py"]


def test_no_room_looks_into_a_learner() -> None:
    outside = [
        path
        for path in ROOT.glob("src/thresher/**/*.py")
        if "learners" not in path.parts and re.search(r"\._engine\b", path.read_text("utf-8"))
    ]
    assert outside == []


@pytest.mark.parametrize("path", LONG)
def test_what_takes_long_is_there(path: str) -> None:
    assert (ROOT / path).is_dir() == path.endswith("/")
    assert (ROOT / path).exists()
