"""The screen Your data: a file is given, read and corrected."""

from __future__ import annotations

import json
import re
import secrets
from pathlib import Path
from typing import Any

from starlette.requests import Request

from thresher.errors import RequestError
from thresher.lab.files import SAID, ReadFile, read_file
from thresher.lab.replies import UPLOAD_LIMIT
from thresher.lab.shelf import Shelf

#: Of a file's name all that may matter to its format is kept.
_HARMLESS = re.compile(r"[^\w.-]+")

#: Bytes of a path.
MOST_OF_A_PATH = 4096


async def received(request: Request, folder: str) -> tuple[str, str]:
    """The body of a request as a file in the lab's own folder, and what it is called.

    It is read piece by piece and given up as soon as it is too long, whatever its header says.
    """
    name = _HARMLESS.sub("_", Path(request.query_params.get("name", "data")).name)[-80:].lstrip(".")
    name = name or "data"
    path = Path(folder, f"{secrets.token_hex(4)}-{name}")
    length = 0
    try:
        with path.open("wb") as file:
            async for chunk in request.stream():
                length += len(chunk)
                if length > UPLOAD_LIMIT:
                    raise RequestError(
                        f"the file is larger than {UPLOAD_LIMIT >> 20} MB. Give its path instead: "
                        "it is then read where it is."
                    )
                file.write(chunk)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return str(path), name


def given(shelf: Shelf, path: str, name: str, said: dict[str, Any], key: str) -> ReadFile:
    """Read a file and put it on the shelf, under its own number.

    A file that could not be read stays known by its number, so that more can be said about it.
    """
    shelf.note(key, path, name)
    try:
        found = read_file(path, name, said, key)
    except RequestError as error:
        raise RequestError(error.what, error.remedy, code=error.code, key=key) from None
    shelf.keep(key, found)
    return found


async def path_in(request: Request) -> str:
    """The path in the body of a request, of which no more is read than a path can have."""
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_OF_A_PATH:
            raise RequestError(f"a path has at most {MOST_OF_A_PATH:,} bytes, and this has more.")
    return body.decode("utf-8", "replace")


def by_path(path: str) -> tuple[str, str]:
    """A file of this machine that somebody named; nothing but a plain file is opened."""
    try:
        place = Path(path).expanduser()
        known = bool(path) and "\0" not in path and place.is_file()
    except (OSError, RuntimeError):
        # A name too long for this machine, or the home of nobody.
        known = False
    if not known:
        raise RequestError(f"there is no file {path[:200]!r}. Give its whole path.")
    return str(place), place.name


def said_in(text: str) -> dict[str, Any]:
    """What was said about a file, from JSON; anything that nobody asked for is refused."""
    try:
        said = json.loads(text or "{}")
        # Half a character can be written in JSON, and nowhere else.
        json.dumps(said, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        raise RequestError("what is said about a file must be JSON.") from None
    if not isinstance(said, dict) or {*said} - {*SAID}:
        raise RequestError(f"about a file can be said: {', '.join(SAID)}.")
    for key, value in said.items():
        wanted = list if key in ("ignored", "numeric", "categorical") else str
        if not isinstance(value, wanted) or (
            wanted is list and not all(isinstance(one, str) for one in value)
        ):
            raise RequestError(f"{key} is {'a list of names' if wanted is list else 'a text'}.")
    return {key: tuple(v) if isinstance(v, list) else v for key, v in said.items()}
