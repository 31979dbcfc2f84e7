"""Write the digests of all files of each pinned version into requirements/*.txt.

Run by `make pin` after a version there was changed by hand; the versions stay as they are. pip then
installs nothing else: a line with a digest makes it ask for one everywhere. The package index is
the one that pip would use, and is named in no file.
"""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

from packaging.utils import (
    InvalidSdistFilename,
    InvalidWheelFilename,
    canonicalize_name,
    parse_sdist_filename,
    parse_wheel_filename,
)
from packaging.version import InvalidVersion, Version
from pip._internal.commands import create_command
from pip._internal.index.collector import LinkCollector, parse_links
from pip._internal.models.link import Link

#: A pinned requirement: name, version, and what follows a semicolon.
PIN = re.compile(r"([\w.-]+)==([\w.]+)(\s*;[^\\]+?)?\s*\\?$")
#: Where thresher is tried or meant to run; others build from source.
PLATFORMS = re.compile(r"any$|(manylinux|musllinux).*_(x86_64|aarch64)$|macosx_|win_amd64$")
INTERPRETERS = re.compile(r"py3$|py2$|cp3(11|12|13|14)$")
#: A wheel for the stable ABI of an older release runs on ours too.
STABLE = re.compile(r"cp3\d+$")


def wanted(filename: str, version: str) -> bool:
    """Whether a machine that thresher runs on may install this file of this version."""
    try:
        if not filename.endswith(".whl"):
            return parse_sdist_filename(filename)[1] == Version(version)
        _, found, _, tags = parse_wheel_filename(filename)
    except (InvalidSdistFilename, InvalidWheelFilename, InvalidVersion):
        return False
    return found == Version(version) and any(
        PLATFORMS.match(tag.platform)
        and (INTERPRETERS if tag.abi != "abi3" else STABLE).match(tag.interpreter)
        for tag in tags
    )


@cache
def client() -> tuple[LinkCollector, str]:
    """What pip fetches pages with, as it is set up here, and the first index it would ask."""
    command = create_command("download")
    options, _ = command.parse_args([])
    session = command._build_session(options)  # type: ignore[attr-defined]
    return LinkCollector.create(session, options=options), options.index_url.rstrip("/")


@cache
def digests(name: str, version: str) -> list[str]:
    """SHA-256 of the files that are wanted, in order."""
    collector, index = client()
    page = collector.fetch_response(Link(f"{index}/{canonicalize_name(name)}/"))
    links = list(parse_links(page)) if page else []
    found = {link.hash for link in links if wanted(link.filename, version)}
    if not found or None in found:
        raise SystemExit(f"{name} {version}: the index has no digests of files for thresher.")
    return sorted(digest for digest in found if digest)


def pinned(text: str) -> str:
    """The text of a file of requirements, with the digests as they are now."""
    lines = []
    for line in text.splitlines():
        if line.lstrip().startswith("--hash="):
            continue
        pin = PIN.match(line)
        if pin:
            hashes = [f"    --hash=sha256:{digest}" for digest in digests(pin[1], pin[2])]
            line = " \\\n".join([line.rstrip(" \\"), *hashes])
        lines.append(line)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for path in [Path(name) for name in sys.argv[1:]]:
        path.write_text(pinned(path.read_text("utf-8")), "utf-8")
