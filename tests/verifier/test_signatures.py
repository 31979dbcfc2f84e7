"""Signatures: who said it, about which claim; what was forged is noticed."""

from __future__ import annotations

import subprocess
from base64 import b64decode, b64encode
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import serialization as form
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

import thresher as th
from thresher.certifier import sign
from thresher.errors import CertificateError, SignatureError
from thresher.verifier import trusted_keys

X, Y = [[1, 0], [0, 1]] * 4, [1, -1] * 4
WHEN = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def key_in(folder: Path, name: str, passphrase: bytes | None = None) -> Path:
    private = ed25519.Ed25519PrivateKey.generate()
    locked: Any = form.BestAvailableEncryption(passphrase) if passphrase else form.NoEncryption()
    kind = form.PrivateFormat.OpenSSH
    path = folder / name
    path.write_bytes(private.private_bytes(form.Encoding.PEM, kind, locked))
    public = private.public_key().public_bytes(form.Encoding.OpenSSH, form.PublicFormat.OpenSSH)
    path.with_suffix(".pub").write_bytes(public + f" {name}@example.org\n".encode())
    return path


@pytest.fixture(scope="module")
def certificate() -> th.Certificate:
    learner = th.Perceptron(2)
    learner.learn(X, Y)
    return th.certify(learner, X, Y)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("keys")


def test_a_trusted_signature_is_told_with_name_and_time(
    certificate: th.Certificate, folder: Path
) -> None:
    key = key_in(folder, "alice")
    signed = sign(certificate, key, by="Alice of the spam team", at=WHEN)
    read = th.Certificate.from_json(signed.to_json())
    assert read == signed
    assert read.seal == certificate.seal
    verdict = th.verify(read, X, Y, trusted=trusted_keys(key.with_suffix(".pub")))
    assert verdict.holds
    assert (
        "signed    by alice@example.org, as 'Alice of the spam team', dated 2026-01-02T03:04:05Z"
        in str(verdict)
    )


def test_without_a_trusted_signature_nothing_is_told(
    certificate: th.Certificate, folder: Path
) -> None:
    key, other = key_in(folder, "bob"), key_in(folder, "carol")
    trusted = trusted_keys(key.with_suffix(".pub"))
    for claimed in (certificate, sign(certificate, other)):
        verdict = th.verify(claimed, X, Y, trusted=trusted)
        assert verdict.status == "could not tell"
        assert "no trusted key has signed" in str(verdict)
    unchecked = th.verify(sign(certificate, other, by="Carol"), X, Y)
    assert unchecked.holds
    assert "'Carol'" in str(unchecked)
    assert "NOT CHECKED" in str(unchecked)


def test_a_signature_that_was_tampered_with_is_noticed(
    certificate: th.Certificate, folder: Path
) -> None:
    key, other = key_in(folder, "dave"), key_in(folder, "erin")
    trusted = trusted_keys(key.with_suffix(".pub"))
    signed = sign(certificate, key, by="Dave", at=WHEN)
    (genuine,) = signed.signatures
    raw = bytearray(b64decode(genuine.signature))
    raw[5] ^= 1
    learner = th.Perceptron(2)
    learner.learn(X[:6], Y[:6])
    elsewhere = th.certify(learner, X[:6], Y[:6])
    foreign = sign(certificate, other, by="Dave", at=WHEN).signatures[0]
    forgeries = [
        replace(genuine, by="Dave, in another name"),
        replace(genuine, at="2020-01-02T03:04:05Z"),
        replace(genuine, signature=b64encode(bytes(raw)).decode()),
        replace(genuine, signature=foreign.signature),
        replace(foreign, key=genuine.key),
        sign(elsewhere, key, by="Dave", at=WHEN).signatures[0],
    ]
    for forged in forgeries:
        verdict = th.verify(replace(certificate, signatures=(forged,)), X, Y, trusted=trusted)
        assert verdict.status == "could not tell"
        assert any("signature of dave@example.org" in what for what in verdict.unchecked)
    # A signature of somebody else beside a genuine one changes nothing.
    both = replace(signed, signatures=(foreign, genuine))
    assert th.verify(both, X, Y, trusted=trusted).holds
    # Under another seal nothing that was signed is left.
    assert not th.verify(replace(signed, mistakes=0).resealed(), X, Y, trusted=trusted).holds


def test_keys_are_read_as_ssh_writes_them(folder: Path) -> None:
    key = key_in(folder, "frank").with_suffix(".pub")
    kind, text, comment = key.read_text().split()
    lines = folder / "allowed"
    lines.write_text(f"# who may\n\nfrank@example.org {kind} {text}\n{kind} {text}\n")
    assert list(trusted_keys(lines).values()) == ["no name"]
    lines.write_text(f"frank,f2 {kind} {text} {comment}\n")
    assert list(trusted_keys(lines).values()) == ["frank,f2"]
    for bad in ("ssh-rsa AAAA x", kind, f"{kind} AAAA", "nonsense", f"{kind} {text[:-8]}"):
        lines.write_text(f"{kind} {text}\n{bad}\n")
        with pytest.raises(SignatureError, match=":2: expected a key"):
            trusted_keys(lines)


def test_ssh_keygen_agrees_on_the_fingerprint(certificate: th.Certificate, folder: Path) -> None:
    key = key_in(folder, "grace")
    found = sign(certificate, key).signatures[0].fingerprint
    try:
        told = subprocess.run(
            ["ssh-keygen", "-l", "-f", str(key.with_suffix(".pub"))],
            capture_output=True, text=True, check=True, timeout=20,
        ).stdout  # fmt: skip
    except FileNotFoundError:
        told = found
    assert found in told


def test_keys_that_cannot_sign_are_refused(certificate: th.Certificate, folder: Path) -> None:
    locked = key_in(folder, "heidi", b"open sesame")
    with pytest.raises(SignatureError, match="has a passphrase"):
        sign(certificate, locked)
    assert sign(certificate, locked, passphrase=lambda: "open sesame").signatures
    with pytest.raises(SignatureError, match="not with this passphrase"):
        sign(certificate, locked, passphrase=lambda: "open")
    other = folder / "ec"
    private = ec.generate_private_key(ec.SECP256R1())
    pem = form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()
    other.write_bytes(private.private_bytes(*pem))
    with pytest.raises(SignatureError, match="of another kind"):
        sign(certificate, other)
    other.write_bytes(b"no key at all")
    with pytest.raises(SignatureError, match="no private key"):
        sign(certificate, other)
    other.write_bytes(ed25519.Ed25519PrivateKey.generate().private_bytes(*pem))
    assert sign(certificate, other).signatures


@pytest.mark.parametrize(
    ("field", "value"),
    [("by", "x" * 201), ("by", "a\nb"), ("at", "yesterday"), ("key", "AAAA"), ("signature", "")],
)
def test_a_signature_of_another_shape_is_no_certificate(
    certificate: th.Certificate, folder: Path, field: str, value: str
) -> None:
    signed = sign(certificate, key_in(folder, "ivan"))
    broken = replace(signed, signatures=(replace(signed.signatures[0], **{field: value}),))
    with pytest.raises(CertificateError, match=rf"signatures\[0\]\.{field}"):
        th.Certificate.from_json(broken.to_json())
