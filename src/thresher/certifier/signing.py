"""Putting a signature under a certificate."""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from thresher.errors import SignatureError
from thresher.verifier.certificate import Certificate
from thresher.verifier.signature import MOST_KEY_BYTES, Signature, message

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


def sign(
    certificate: Certificate,
    key: str | os.PathLike[str],
    *,
    by: str = "",
    at: datetime | None = None,
    passphrase: Callable[[], str] | None = None,
) -> Certificate:
    """The certificate with one more signature.

    Parameters
    ----------
    certificate
        What is signed: its seal, and with it every field.
    key
        A file with a private key of Ed25519, as ``ssh-keygen -t ed25519`` writes it, or in PEM.
    by
        The name of the signer, as the signer likes it.
    at
        The time, as the signer says; None: now.
    passphrase
        Asked for the passphrase of a key that has one.
    """
    private = _private_key(Path(key), passphrase)
    time = (at or datetime.now(UTC)).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    made = private.sign(message(certificate.seal, by, time))
    public = private.public_key().public_bytes_raw()
    signature = Signature(by, time, b64encode(public).decode(), b64encode(made).decode())
    return replace(certificate, signatures=(*certificate.signatures, signature))


def _private_key(path: Path, passphrase: Callable[[], str] | None) -> Ed25519PrivateKey:
    try:
        from cryptography.exceptions import UnsupportedAlgorithm  # noqa: PLC0415
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415
    except ImportError:
        raise SignatureError(
            "signatures need the package cryptography, which is not installed.",
            "Install thresher[sign].",
        ) from None
    with path.open("rb") as file:
        content = file.read(MOST_KEY_BYTES + 1)
    if len(content) > MOST_KEY_BYTES:
        raise _unreadable(path)
    ssh = b"OPENSSH PRIVATE KEY" in content
    load = serialization.load_ssh_private_key if ssh else serialization.load_pem_private_key
    try:
        found = load(content, None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        # Which of them it is depends on the form of the key; the words do not.
        if "password" not in str(error).lower():
            raise _unreadable(path) from None
        if passphrase is None:
            raise SignatureError(f"{path}: the key has a passphrase.") from None
        found = None
    if found is None and passphrase is not None:
        try:
            found = load(content, passphrase().encode())
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise _unreadable(path) from None
    if not isinstance(found, ed25519.Ed25519PrivateKey):
        raise SignatureError(
            f"{path}: a key of another kind; certificates are signed with Ed25519.",
            "ssh-keygen -t ed25519 -f FILE makes one.",
        )
    return found


def _unreadable(path: Path) -> SignatureError:
    return SignatureError(
        f"{path}: no private key that can be read, or not with this passphrase.",
        "ssh-keygen -t ed25519 -f FILE makes one.",
    )
