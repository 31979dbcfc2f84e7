"""Write `__init__.pyi` of thresher.sklearn and thresher.river: the parameters, spelled out.

Run it after changing the parameters of a learner or a declaration; a test compares.
"""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from pathlib import Path
from types import ModuleType

DOORS = ("thresher.sklearn", "thresher.river")

#: Where the names in annotations come from.
HOMES = {
    "Any": "typing",
    "Exact": "thresher.parameters",
    "Iterable": "collections.abc",
    "Mapping": "collections.abc",
}

HEAD = '''\
"""The parameters of the classes, for type checkers.

Written by `scripts/write_adapter_stubs.py` from the declarations in `__init__.py`.
"""
'''


def path_of(door: ModuleType) -> Path:
    """Where the stub of a door stands."""
    assert door.__file__ is not None
    return Path(door.__file__).with_suffix(".pyi")


def stub(door: ModuleType) -> str:
    """The whole stub of a door."""
    kinds = [kind for kind in vars(door).values() if getattr(kind, "__name__", "") in door.__all__]
    classes = "\n".join(map(_declaration, kinds))
    homes = {name: home for name, home in HOMES.items() if re.search(rf"\b{name}\b", classes)}
    homes |= {kind.__base__.__name__: kind.__base__.__module__ for kind in kinds}
    names = "".join(f'    "{name}",\n' for name in door.__all__)
    return f"{HEAD}\n{_imports(homes)}\n\n__all__ = [\n{names}]\n\n{classes}"


def _imports(homes: dict[str, str]) -> str:
    """Import lines for names by their modules: the standard library, then our own."""
    lines = {
        home: f"from {home} import {', '.join(sorted(n for n in homes if homes[n] == home))}"
        for home in sorted(set(homes.values()))
    }
    ours = [line for home, line in lines.items() if home.startswith("thresher")]
    others = [line for home, line in lines.items() if not home.startswith("thresher")]
    return "\n\n".join("\n".join(part) for part in (others, ours) if part)


def _declaration(kind: type) -> str:
    """One class, with its `__init__`, a parameter a line."""
    base = kind.__bases__[0].__name__
    stated = inspect.signature(kind).parameters.values()
    parts = ["self", *(f"{one.name}: {one.annotation} = {_shown(one.default)}" for one in stated)]
    keywords = [one.kind is one.KEYWORD_ONLY for one in stated]
    if any(keywords):
        parts.insert(1 + keywords.index(True), "*")
    listed = "".join(f"        {part},\n" for part in parts)
    return f"class {kind.__name__}({base}):\n    def __init__(\n{listed}    ) -> None: ...\n"


def _shown(default: object) -> str:
    """A default as it is written in double quotes."""
    return f'"{default}"' if isinstance(default, str) else repr(default)


if __name__ == "__main__":
    for name in DOORS:
        door = import_module(name)
        path_of(door).write_text(stub(door), encoding="utf-8")
