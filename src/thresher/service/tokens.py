"""Tokens: who may read, learn or administer; a file has their digests, nobody has the tokens.

A line of the file is a role, a name and the SHA-256 of a token, with spaces between them:

    learn  checkout  sha256:9f86d081...

A token is 256 bits of chance, so that a plain digest of it tells nothing; passwords of people would
need another one. `#` begins a comment.
"""

from __future__ import annotations

import hmac
import os
import re
import secrets
from collections.abc import Iterable
from hashlib import sha256
from time import monotonic
from typing import NamedTuple

from thresher.errors import ServiceError, StoreError

#: Each may do what those before it may.
ROLES = ("read", "learn", "admin")
_LINE = re.compile(r"(\S+)\s+([\w.-]{1,64})\s+sha256:([0-9a-f]{64})(?:\s+rate:([0-9]{1,9}))?")


class Bearer(NamedTuple):
    """Somebody who has a token."""

    role: str
    name: str
    digest: bytes
    #: Requests in a second; None: as many as can be answered.
    rate: int | None = None

    def require(self, role: str) -> None:
        """Refuse what this role does not allow."""
        if ROLES.index(self.role) < ROLES.index(role):
            raise ServiceError(
                f"the token of {self.name} has the role {self.role}, and this takes {role}.",
                code="service.role",
            )


#: Whoever asks a service without tokens, which answers this machine alone.
ANYBODY = Bearer("admin", "anybody", b"")


class Tokens:
    """Who is known, and how much they have asked for."""

    def __init__(self, bearers: Iterable[Bearer]) -> None:
        self._bearers = list(bearers)
        #: By name: requests left, and since when.
        self._left: dict[str, tuple[float, float]] = {}

    def bearer(self, header: str) -> Bearer:
        """Who sent this header; every known digest is compared, each in constant time."""
        scheme, _, token = header.partition(" ")
        digest = sha256(token.strip().encode("utf-8", "surrogateescape")).digest()
        found = None
        for bearer in self._bearers:
            if hmac.compare_digest(bearer.digest, digest):
                found = bearer
        if found is None or scheme.lower() != "bearer":
            what = "a token that is not known" if header else "none"
            raise ServiceError(
                f"a request needs a token, found {what}.",
                "Send the header `Authorization: Bearer TOKEN`.",
                code="service.no_token",
            )
        self._count(found)
        return found

    def _count(self, bearer: Bearer) -> None:
        """Refuse whoever asks too often: a bucket holds the requests of a second."""
        if bearer.rate is None:
            return
        now = monotonic()
        left, since = self._left.get(bearer.name, (float(bearer.rate), now))
        left = min(float(bearer.rate), left + (now - since) * bearer.rate)
        if left < 1:
            raise ServiceError(
                f"{bearer.name} may send {bearer.rate} requests in a second.", code="service.rate"
            )
        self._left[bearer.name] = (left - 1, now)


def read_tokens(path: str | os.PathLike[str]) -> Tokens:
    """The tokens in a file, which its owner alone should be able to read."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise StoreError(f"{path}: the tokens cannot be read ({error}).", path=str(path)) from error
    bearers = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if not text:
            continue
        match = _LINE.fullmatch(text)
        if match is None or match[1] not in ROLES:
            raise StoreError(
                f"{path}:{number}: expected a role ({', '.join(ROLES)}), a name and "
                "sha256:DIGEST, with spaces between them.",
                path=str(path),
            )
        rate = None if match[4] is None else int(match[4])
        bearers.append(Bearer(match[1], match[2], bytes.fromhex(match[3]), rate))
    if not bearers:
        raise StoreError(f"{path}: there is not a single token.", path=str(path))
    return Tokens(bearers)


def new_token(role: str, name: str) -> tuple[str, str]:
    """A token that nobody guesses, and the line to put into the file.

    >>> token, line = new_token("learn", "checkout")
    >>> len(token), line.split()[:2]
    (43, ['learn', 'checkout'])
    """
    token = secrets.token_urlsafe(32)
    return token, f"{role}  {name}  sha256:{sha256(token.encode()).hexdigest()}"
