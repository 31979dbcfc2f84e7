"""Model files taken apart, changed, and put together again with digests that match."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from thresher.storage.tensor_file import TensorFile, write

Tensors = dict[str, NDArray[Any]]


def taken_apart(path: Path) -> tuple[dict[str, Any], Tensors]:
    """The description and copies of the arrays."""
    file = TensorFile(path)
    return json.loads(file.text), {name: file[name].copy() for name in file}


def put_together(path: Path, description: Any, tensors: Tensors) -> None:
    """A file whose digests are all right, whatever it says."""
    with path.open("wb") as file:
        write(file, json.dumps(description), tensors)


def forged(path: Path, change: Callable[[dict[str, Any], Tensors], Any]) -> None:
    """The same file after a change that nobody can see from its digests."""
    description, tensors = taken_apart(path)
    change(description, tensors)
    put_together(path, description, tensors)


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value inside a JSON value."""
    yield at
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*at, key))


def replaced(value: Any, at: tuple[Any, ...], by: Any) -> Any:
    """The JSON value with another value in one place."""
    if not at:
        return by
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[at[0]] = replaced(copy[at[0]], at[1:], by)
    return copy
