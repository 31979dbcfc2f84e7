"""The command, with a limit of memory and of time, on files that somebody made to hurt."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

import thresher as th
from tests.attacks.certificates import sealed
from tests.cli.running import PLAIN

Document = dict[str, Any]
#: What a check of less than a megabyte may take: seconds of a processor, and bytes.
SECONDS, MEMORY = 20, 2 << 30


def limits() -> None:
    """Of the process that this is called in."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def thresher(*words: object) -> subprocess.CompletedProcess[str]:
    """Run a command; one that exceeds the limits is killed, and has no status of ours."""
    line = [sys.executable, "-m", "thresher", *map(str, words)]
    environment = os.environ | PLAIN | {"PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        line, capture_output=True, text=True, errors="replace", env=environment, preexec_fn=limits
    )


def written(folder: Path, document: Document | str | bytes) -> Path:
    """A certificate as a file; a document is sealed."""
    path = folder / "hostile.json"
    if isinstance(document, dict):
        document = json.dumps(sealed(document))
    path.write_bytes(document.encode() if isinstance(document, str) else document)
    return path


def certified(learner: Any, X: Any, y: Any) -> Document:
    """The certificate of a learner's run, in JSON's terms."""
    learner.learn(X, y)
    document: Document = json.loads(th.certify(learner, X, y).to_json())
    return document


def with_parameters(document: Document, **parameters: Any) -> Document:
    """The same with other parameters of the learner."""
    learner = document["learner"]
    stated = {**learner["parameters"], **parameters}
    return document | {"learner": {**learner, "parameters": stated}}


def small() -> tuple[np.ndarray[Any, Any], list[int]]:
    """A stream of twelve rows."""
    return np.array([[1.0, 0, 1], [0, 1, 1], [1, 1, 0]] * 4), [1, -1, 1] * 4


def refused(done: subprocess.CompletedProcess[str]) -> bool:
    """Whether a command said in one line that it cannot tell, and meant the file."""
    return (
        done.returncode == 2
        and done.stderr.count("\n") == 1
        and done.stderr.startswith("error: ")
        and not any(word in done.stderr for word in ("internal error", "memory", "broke off"))
    )
