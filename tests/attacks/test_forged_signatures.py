"""Signatures and files of keys: nobody speaks for another, and nobody silences a true claim."""

from __future__ import annotations

from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import thresher as th
from tests.attacks.forgeries import BITS, EITHER, honest
from thresher.certifier import sign
from thresher.errors import SignatureError
from thresher.verifier import trusted_keys
from thresher.verifier.signature import Signature

WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def key_in(folder: Path, name: str) -> Path:
    """A private key in a file, and the public one beside it."""
    private = Ed25519PrivateKey.generate()
    path = folder / name
    path.write_bytes(
        private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.OpenSSH,
            serialization.NoEncryption(),
        )
    )
    public = private.public_key().public_bytes(
        serialization.Encoding.OpenSSH, serialization.PublicFormat.OpenSSH
    )
    path.with_suffix(".pub").write_bytes(public + b" " + name.encode() + b"\n")
    return path


def signatures_of(folder: Path) -> tuple[Any, dict[str, Signature]]:
    """The keys that are trusted (Alice's), and signatures that she did not make for this."""
    alice, mallory = key_in(folder, "alice"), key_in(folder, "mallory")
    certificate, other = honest("perceptron").certificate, honest("winnow").certificate
    own = sign(certificate, alice, by="Alice", at=WHEN).signatures[0]
    foreign = sign(certificate, mallory, by="Alice", at=WHEN).signatures[0]
    elsewhere = sign(other, alice, by="Alice", at=WHEN).signatures[0]
    zero = b64encode(bytes(32)).decode()
    return trusted_keys(alice.with_suffix(".pub")), {
        "another name": replace(own, by="Bob"),
        "another name of the same letters": replace(own, by="Alice "),
        "another time": replace(own, at="2026-01-02T03:04:06Z"),
        "of another certificate": elsewhere,
        "by another key under her name": foreign,
        "by another key under her key": replace(foreign, key=own.key),
        "her signature under another key": replace(own, key=foreign.key),
        "all zeros": replace(own, signature=b64encode(bytes(64)).decode()),
        "all zeros by the key of order one": replace(
            own, key=zero, signature=b64encode(bytes(64)).decode()
        ),
        "turned round": replace(own, signature=own.signature[-3::-1] + "=="),
        "her key in other letters": replace(own, key=own.key[:-2] + "B="),
    }


LIES = [
    "another name", "another name of the same letters", "another time", "of another certificate",
    "by another key under her name", "by another key under her key",
    "her signature under another key", "all zeros", "all zeros by the key of order one",
    "turned round", "her key in other letters",
]  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_nobody_signs_for_another_and_a_bad_signature_refutes_nothing(
    lie: str, tmp_path: Path
) -> None:
    trusted, forged = signatures_of(tmp_path)
    certificate = replace(honest("perceptron").certificate, signatures=(forged[lie],))
    verdict = th.verify(certificate, BITS, EITHER, trusted=trusted)
    assert verdict.status == "could not tell"
    assert verdict.signers == ()
    assert th.verify(certificate, BITS, EITHER).holds


@pytest.mark.parametrize("lie", LIES)
def test_a_lie_is_not_covered_by_a_good_signature(lie: str, tmp_path: Path) -> None:
    trusted, forged = signatures_of(tmp_path)
    certificate = honest("perceptron").certificate
    signed = sign(certificate, tmp_path / "alice", by="Alice", at=WHEN)
    assert th.verify(signed, BITS, EITHER, trusted=trusted).holds
    both = replace(signed, signatures=(*signed.signatures, forged[lie]))
    assert len(th.verify(both, BITS, EITHER, trusted=trusted).signers or ()) == 1
    changed = replace(certificate, mistakes=certificate.mistakes - 1).resealed()
    for seal in (changed.seal, certificate.seal):
        stolen = replace(changed, seal=seal, signatures=both.signatures)
        assert th.verify(stolen, BITS, EITHER, trusted=trusted).status == "does not hold"


def test_the_same_signature_twice_is_one_signer(tmp_path: Path) -> None:
    trusted, _ = signatures_of(tmp_path)
    signed = sign(honest("perceptron").certificate, tmp_path / "alice", by="Alice", at=WHEN)
    twice = replace(signed, signatures=signed.signatures * 2)
    assert th.verify(twice, BITS, EITHER, trusted=trusted).signers == (
        "by alice, as 'Alice', dated 2026-01-02T03:04:05Z",
    )


@pytest.mark.parametrize(
    "before",
    [
        'alice valid-before="20200101"', 'alice namespaces="git"', 'alice cert-authority',
        '@revoked *', '@revoked', '@cert-authority', 'command="echo"', 'restrict',
        'cert-authority', 'valid-after=20300101', 'from="10.0.0.1",no-pty', 'alice bob',
    ],
)  # fmt: skip
def test_keys_with_options_are_not_trusted_without_them(before: str, tmp_path: Path) -> None:
    public = key_in(tmp_path, "alice").with_suffix(".pub").read_text().strip()
    keys = tmp_path / "keys"
    keys.write_text(f"carol {public}\n{before} {public}\n")
    with pytest.raises(SignatureError, match=":2: expected a key"):
        trusted_keys(keys)
