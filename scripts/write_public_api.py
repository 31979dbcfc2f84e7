"""Write tests/public_api.json: the public names with their parameters, and the options of commands.

A test compares the tree with it, so that nothing public goes or changes by accident. What earlier
releases had stands there as well, and is never rewritten: whatever is gone the changelog tells.
`python -m scripts.write_public_api 0.3.0` keeps what is public now as that of a release.
"""

from __future__ import annotations

import inspect
import json
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click

import thresher as th
from thresher.cli.main import COMMANDS, thresher

LIST = Path(__file__).parents[1] / "tests" / "public_api.json"
#: Modules beside `thresher` whose `__all__` is public.
MODULES = (
    "thresher.certifier",
    "thresher.client",
    "thresher.cluster",
    "thresher.concepts",
    "thresher.errors",
    "thresher.games",
    "thresher.proofs",
    "thresher.river",
    "thresher.sklearn",
    "thresher.streams",
    "thresher.theory",
    "thresher.verifier",
)


def public_api() -> dict[str, Any]:
    """Names with their parameters, and commands with their options."""
    found: dict[str, Any] = {"thresher": _members(th)}
    for name in MODULES:
        found[name] = _members(import_module(name))
    root = click.Context(thresher, info_name="thresher")
    commands = {}
    for name in COMMANDS:
        command = thresher.get_command(root, name)
        assert command is not None
        commands[name] = sorted(_options(command))
    return {"names": found, "commands": commands}


def _options(command: click.Command) -> set[str]:
    if isinstance(command, click.Group):
        return {
            f"{name} {option}"
            for name, inner in command.commands.items()
            for option in _options(inner)
        }
    return {option for parameter in command.params for option in parameter.opts}


def _members(module: ModuleType) -> dict[str, list[str]]:
    """Those of `__all__`; without one, the classes and functions that the module defines."""
    names = getattr(module, "__all__", None) or [
        name
        for name, member in vars(module).items()
        if not name.startswith("_") and getattr(member, "__module__", None) == module.__name__
    ]
    return {name: _parameters(getattr(module, name)) for name in sorted(names)}


def _parameters(member: object) -> list[str]:
    if not callable(member):
        return []
    try:
        signature = inspect.signature(member)
    except ValueError:
        return []
    return [
        str(one.replace(annotation=one.empty)).partition("=")[0]
        for one in signature.parameters.values()
    ]


def listed(released: dict[str, Any], release: str | None = None) -> dict[str, Any]:
    """What is public now and what releases had, with this one added to them if it is given."""
    now = public_api()
    if release in released:
        raise SystemExit(f"{release} is listed already, and stays as it was released.")
    return {**now, "released": released | ({release: now} if release else {})}


if __name__ == "__main__":
    kept = json.loads(LIST.read_text("utf-8")) if LIST.exists() else {"released": {}}
    text = json.dumps(listed(kept["released"], *sys.argv[1:2]), indent=1, sort_keys=True)
    LIST.write_text(text + "\n", encoding="utf-8")
