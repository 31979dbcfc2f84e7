"""Results for programs: one object on one line, which says first which command it is from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from thresher import __version__


def json_result(command: str, found: Mapping[str, Any]) -> str:
    """What a command found as its `--json` prints it.

    >>> json_result("test", {"rows": 2}).replace(__version__, "0.0.0")
    '{"command": "test", "thresher": "0.0.0", "rows": 2}'
    """
    return json.dumps({"command": command, "thresher": __version__, **found})
