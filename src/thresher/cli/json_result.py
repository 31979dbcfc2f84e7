"""Results for programs: one object on one line, which says first which command it is from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

from thresher import __version__


def json_result(command: str, found: Mapping[str, Any]) -> str:
    """What a command found as its `--json` prints it.

    >>> json_result("test", {"rows": 2}).replace(__version__, "0.0.0")
    '{"command": "test", "thresher": "0.0.0", "rows": 2}'
    """
    return strict_json({"command": command, "thresher": __version__, **found})


def strict_json(found: Any) -> str:
    """What is found, on one line; a number that JSON does not have is null there.

    >>> strict_json({"score": float("inf"), "parts": [0.5, float("nan")]})
    '{"score": null, "parts": [0.5, null]}'
    """
    try:
        return json.dumps(found, allow_nan=False)
    except ValueError:
        return json.dumps(_with_nulls(found), allow_nan=False)


def _with_nulls(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: _with_nulls(one) for name, one in found.items()}
    if isinstance(found, list | tuple):
        return [_with_nulls(one) for one in found]
    return None if isinstance(found, float) and not isfinite(found) else found
