"""Signatures under a certificate: who said it, when, and about which claim.

A signature is one of Ed25519 over a line of JSON that holds the seal of the certificate, a name and
a time. The seal is a checksum of all the rest, so that whoever signs it signs every field.
Name and time are what the signer says; what a signature shows is which key made it.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thresher.errors import SignatureError
from thresher.verifier.shapes import Text

if TYPE_CHECKING:
    import os

#: Bytes of the longest file of keys; a key takes about a hundred.
MOST_KEY_BYTES = 2**20
KIND = "ssh-ed25519"
#: How ssh writes such a key: the length of the kind, the kind, the length of the key, the key.
HEAD = b"\x00\x00\x00\x0b" + KIND.encode() + b"\x00\x00\x00\x20"
SHAPE = {
    "by": Text("a name of at most 200 characters", r"[^\x00-\x1f]{0,200}"),
    "at": Text("a time such as '2026-11-16T09:30:00Z'", r"[0-9]{4}(-[0-9]{2}){2}T[0-9:]{8}Z"),
    "key": Text("32 bytes in base 64", r"[A-Za-z0-9+/]{43}="),
    "signature": Text("64 bytes in base 64", r"[A-Za-z0-9+/]{86}=="),
}


@dataclass(frozen=True)
class Signature:
    """A name, a time and a key, and what the key made of them and of a seal."""

    by: str
    at: str
    key: str
    signature: str

    def document(self) -> dict[str, str]:
        """The signature in JSON's terms."""
        return {"by": self.by, "at": self.at, "key": self.key, "signature": self.signature}

    @property
    def fingerprint(self) -> str:
        """The key as ``ssh-keygen -l`` shows it."""
        digest = sha256(HEAD + b64decode(self.key)).digest()
        return "SHA256:" + b64encode(digest).decode().rstrip("=")

    def is_genuine(self, seal: str) -> bool:
        """Whether the key signed this name, this time and this seal."""
        ed25519, invalid = _ed25519()
        try:
            public = ed25519.Ed25519PublicKey.from_public_bytes(b64decode(self.key))
            public.verify(b64decode(self.signature), message(seal, self.by, self.at))
        except (invalid, ValueError):
            return False
        return True


def canonical(document: Mapping[str, Any]) -> bytes:
    """The one text of a document: keys sorted, no spaces, ASCII."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def message(seal: str, by: str, at: str) -> bytes:
    """The bytes that are signed."""
    said = {"format": "thresher.signature", "version": 1, "seal": seal, "by": by, "at": at}
    return canonical(said)


def trusted_keys(path: str | os.PathLike[str]) -> Mapping[str, str]:
    """Keys, in base 64, with the names they go by, from a file as ssh has it.

    Each line is ``ssh-ed25519 AAAA... comment``, as in a ``.pub`` file or ``authorized_keys``,
    or has names before that, as in a file of allowed signers. Other lines are refused, so that
    none is overlooked; so are keys with options, which may have expired or be for other things.
    """
    with Path(path).open("rb") as file:
        text = file.read(MOST_KEY_BYTES + 1)
    if len(text) > MOST_KEY_BYTES:
        raise SignatureError(f"{path}: keys take at most {MOST_KEY_BYTES} bytes, found more.")
    found: dict[str, str] = {}
    for number, line in enumerate(text.decode("utf-8", "replace").splitlines(), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        at = next((at for at, word in enumerate(words[:-1]) if word == KIND), None)
        raw = _raw_key(words[at + 1]) if at is not None else None
        if at is None or raw is None or at > 1 or (at and _is_option(words[0])):
            raise SignatureError(
                f"{path}:{number}: expected a key, such as 'alice@example.org ssh-ed25519 "
                f"AAAA...', found {line[:60]!r}."
            )
        found[b64encode(raw).decode()] = words[0] if at else " ".join(words[2:]) or "no name"
    return found


def _is_option(word: str) -> bool:
    """Whether what stands before a key is no name: ``@revoked``, ``valid-before="..."``."""
    return word.startswith("@") or "=" in word or word in ("cert-authority", "restrict")


def _raw_key(text: str) -> bytes | None:
    try:
        whole = b64decode(text, validate=True)
    except ValueError:
        return None
    return whole[len(HEAD) :] if whole.startswith(HEAD) and len(whole) == len(HEAD) + 32 else None


def _ed25519() -> tuple[Any, type[Exception]]:
    try:
        from cryptography.exceptions import InvalidSignature  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415
    except ImportError:
        raise SignatureError(
            "signatures need the package cryptography, which is not installed.",
            "Install thresher[sign].",
        ) from None
    return ed25519, InvalidSignature


def judged(
    signatures: tuple[Signature, ...], seal: str, trusted: Mapping[str, str]
) -> Iterator[tuple[Signature, str | None, bool]]:
    """Each signature with the name its key is trusted by, if it is, and whether it is genuine."""
    for signature in signatures:
        name = trusted.get(signature.key)
        yield signature, name, name is not None and signature.is_genuine(seal)
