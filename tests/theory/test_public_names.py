"""The names of the theory, found when they are used."""

from __future__ import annotations

import ast
from importlib import import_module
from pathlib import Path

import pytest

from thresher import theory


def test_the_stub_names_what_is_found() -> None:
    stub = ast.parse((Path(theory.__file__).parent / "__init__.pyi").read_text("utf-8"))
    stated = {
        alias.asname: node.module
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert set(map(str, stated)) == set(vars(theory)["__all__"])
    for name, home in stated.items():
        assert getattr(theory, str(name)) is getattr(import_module(str(home)), str(name))


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nobody'"):
        theory.Nobody  # type: ignore[attr-defined]  # noqa: B018
    assert "Novikoff" in dir(theory)
