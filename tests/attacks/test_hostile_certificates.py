"""Certificates made to hurt: each is refused in one line, soon, and in little memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import thresher as th
from tests.attacks.certificates import sealed
from tests.attacks.limited import Document, certified, refused, small, thresher, written
from thresher.errors import CertificateError
from thresher.verifier import Certificate, trusted_keys

HONEST = certified(th.Perceptron(3), *small())
TEXT = json.dumps(HONEST)
LONG = "1" + "0" * 1999


def _with(path: str, value: Any) -> Document:
    document: Document = json.loads(TEXT)
    *way, last = path.split(".")
    inner: Any = document
    for key in way:
        inner = inner[int(key) if key.isdecimal() else key]
    inner[last] = value
    return document


TEXTS = {
    "nothing": b"",
    "a deep list": b"[" * 100_000,
    "deep objects": b'{"a":' * 100_000,
    "a deep list that ends": b"[" * 100_000 + b"]" * 100_000,
    "a hundred thousand unknown fields": b"{%s,%s"
    % (b",".join(b'"k%d":1' % i for i in range(100_000)), TEXT[1:].encode()),
    "a field a hundred thousand times": b"{%s,%s"
    % (b",".join([b'"k":1'] * 100_000), TEXT[1:].encode()),
    "a million digits": b'{"version":' + b"9" * 10**6 + b"}",
    "not a number": b'{"x":NaN}',
    "infinity": b'{"x":-Infinity}',
    "a float": b'{"x":1e999999999}',
    "UTF-16": TEXT.encode("utf-16"),
    "UTF-32": TEXT.encode("utf-32"),
    "a byte order mark": b"\xef\xbb\xbf" + TEXT.encode(),
    "a NUL at the end": TEXT.encode() + b"\0",
    "no UTF-8": b'{"\xff":1}',
    "more than sixteen megabytes": b" " * (16 * 2**20) + TEXT.encode(),
    "a name that ends the line": b'{"\\nthe claim holds":1,' + TEXT[1:].encode(),
    "half a character": b'{"\\ud800":1,' + TEXT[1:].encode(),
}
NAMES = ("x\nthe claim holds", "\ud800", "\x1b[2J", "", "a b", "x" * 101)
DOCUMENTS = {
    **{f"the quantity {name[:9]!a}": _with(f"bounds.0.quantities.{name}", 1) for name in NAMES},
    **{f"the fact {name[:9]!a}": _with("run.facts", {name: [1]}) for name in NAMES},
    "a fact beyond doubles": _with("run.facts", {"a": ["0x1.8p+9999"]}),
    "a risk beyond doubles": _with("risks.0.max_risk", "0x1.8p+1024"),
    "many quantities": _with("bounds.0.quantities", {f"q{i}": i for i in range(50_000)}),
    "many facts": _with("run.facts", {f"q{i}": [i] for i in range(50_000)}),
    "many bounds": _with("bounds", HONEST["bounds"] * 5000),
    "many risks": _with("risks", HONEST["risks"] * 5000),
    "weights without a common denominator": _with(
        "bounds.0.quantities.comparator", [f"1/{2 * i + 1}" for i in range(50_000)]
    ),
    "room for 10^39 features": _with("learner.parameters.n_features", 10**39),
    "room for 2^31 features": _with("learner.parameters.n_features", 2**31),
    "a margin of 2,000 digits": _with("learner.parameters.margin", LONG),
}


def test_the_names_of_paths_are_those_of_the_document() -> None:
    assert _with("run.mistakes", 9)["run"]["mistakes"] == 9


@pytest.mark.parametrize("what", TEXTS)
def test_a_text_that_is_no_certificate_is_refused_in_one_line(what: str) -> None:
    with pytest.raises(CertificateError) as caught:
        Certificate.from_json(TEXTS[what])
    said = str(caught.value)
    assert said.isprintable()
    assert len(said) < 500


@pytest.mark.parametrize("what", DOCUMENTS)
def test_a_document_beyond_the_limits_is_refused_by_the_place(what: str) -> None:
    with pytest.raises(CertificateError, match=r"\$\.") as caught:
        Certificate.from_json(json.dumps(sealed(DOCUMENTS[what])))
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("path", "least", "value"),
    [("witness.columns", 0, [2**62]), ("data.held_out_every", 2, 2**64)],
)
def test_what_has_no_place_in_64_bits_is_refused_before_it_is_looked_for(
    path: str, least: int, value: Any
) -> None:
    with pytest.raises(CertificateError, match=f"a whole number from {least} on below {2**62}"):
        Certificate.from_json(json.dumps(sealed(_with(path, value))))


@pytest.mark.parametrize(
    "what", ["a deep list", "a hundred thousand unknown fields", "half a character"]
)
def test_the_command_leaves_with_status_2(what: str, tmp_path: Path) -> None:
    assert refused(thresher("verify", written(tmp_path, TEXTS[what])))


def test_a_number_too_long_to_be_written_does_not_end_the_verdict(tmp_path: Path) -> None:
    given = {"radius_squared": LONG, "comparator_norm_squared": LONG, "margin": f"1/{LONG}"}
    statement = {"theorem": "Novikoff", "version": 1, "quantities": given, "max_mistakes": 1}
    for words in ((), ("--json",), ("-q",)):
        done = thresher("verify", written(tmp_path, _with("bounds", [statement])), *words)
        assert (done.returncode, done.stderr) == (1, "")


@pytest.mark.parametrize("theorem", ["ParameterMixing", "MixingWithLosses", "Nonsense"])
def test_a_theorem_that_certificates_do_not_quote_is_unknown(theorem: str, tmp_path: Path) -> None:
    given = {"sequential": "1", "shards": 2}
    statement = {"theorem": theorem, "version": 1, "quantities": given, "max_mistakes": 1}
    done = thresher("verify", written(tmp_path, _with("bounds", [statement])))
    assert (done.returncode, done.stderr) == (1, "")


def test_files_without_an_end_are_not_read_to_it(tmp_path: Path) -> None:
    certificate = written(tmp_path, HONEST)
    assert refused(thresher("verify", "/dev/zero"))
    assert refused(thresher("verify", certificate, "--trusted", "/dev/zero"))
    with pytest.raises(CertificateError, match="more than the"):
        Certificate.load("/dev/zero")
    (tmp_path / "keys").write_text("# no key\n" * 200_000)
    with pytest.raises(ValueError, match="at most 1048576 bytes"):
        trusted_keys(tmp_path / "keys")


def test_a_certificate_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    old = Certificate.from_json(TEXT)
    path = tmp_path / "run.json"
    old.save(path)
    before = path.read_bytes()
    broken = Certificate.from_json(TEXT)
    object.__setattr__(broken, "facts", {"a": (object(),)})
    with pytest.raises(TypeError):
        broken.save(path)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == ["run.json"]
