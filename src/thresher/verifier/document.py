"""Certificates as JSON documents: reading with limits, writing in canonical form."""

from __future__ import annotations

import json
from fractions import Fraction
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from thresher.errors import CertificateError
from thresher.verifier.algorithms import ALGORITHMS
from thresher.verifier.mixed_runs.mixing import Mixing
from thresher.verifier.replays.playing import FLOAT64
from thresher.verifier.schema import (
    CONVENTIONS,
    FORMAT,
    MIXED_CLASSES_VERSION,
    MIXED_VERSION,
    VERSION,
    check_document,
)
from thresher.verifier.shapes import MOST_WHOLE_DIGITS
from thresher.verifier.signature import Signature, canonical
from thresher.verifier.statement import Claim, Statement, exact, plain
from thresher.verifier.witness import Comparator, Witness

if TYPE_CHECKING:
    from thresher.verifier.certificate import Certificate

#: Bytes of the longest text that is looked at; those that are written stay below a megabyte,
#: unless a class of concepts in them is larger.
MOST_BYTES = 16 * 2**20


def seal_of(certificate: Certificate) -> str:
    """SHA-256 of the canonical text of everything but the seal."""
    return sha256(canonical(written(certificate))).hexdigest()


def written(certificate: Certificate) -> dict[str, Any]:
    """A certificate in JSON's terms, without its seal."""
    if certificate.version >= MIXED_VERSION:
        return written_mixed(certificate)
    c, claim, first = certificate, certificate.claim, certificate.version == 1
    data: dict[str, Any] = {
        "digest": c.data_digest,
        "rounds": c.rounds,
        "positives": c.positives,
        "width": c.width,
    }
    run: dict[str, Any] = {
        "false_negatives": c.false_negatives,
        "false_positives": c.false_positives,
        "arithmetic": c.arithmetic,
        "updates": c.updates,
        "journal_digest": c.journal_digest,
        "emptied_in_round": c.emptied_in_round,
    }
    if not first:
        classes = None if c.classes is None else list(c.classes)
        data |= {
            "chunks": list(c.chunks),
            "values": c.values,
            "classes": classes,
            "held_out_every": c.held_out_every,
        }
        run |= {
            "mistakes": c.mistakes,
            "mistaken_rounds": c.mistaken_rounds,
            "held_out_mistakes": c.held_out_mistakes,
            "state_digest": c.state_digest,
            "facts": {name: list(map(_number, fact)) for name, fact in c.facts.items()},
        }
    return {
        "format": FORMAT,
        "version": c.version,
        "conventions": CONVENTIONS,
        "kind": c.kind,
        "learner": {
            "name": c.learner,
            "parameters": c.algorithm.plain(c.parameters, c.version),
        },
        "data": data,
        "run": run,
        "scope": c.scope,
        "claim": claim and {"concept": claim.concept, "quantities": plain(claim.quantities)},
        "witness": c.witness and _witness_document(c.witness, first),
        "bounds": [statement.document("max_mistakes") for statement in c.bounds],
        "expectations": [s.document("max_expected") for s in c.expectations],
        "risks": [statement.document("max_risk") for statement in c.risks],
        **({} if first else plain({"delta": c.delta})),
    }


def written_mixed(certificate: Certificate) -> dict[str, Any]:
    """A certificate of shards that were combined, in JSON's terms, without its seal."""
    c = certificate
    assert c.mixing is not None
    data: dict[str, Any] = {"positives": c.positives}
    missed: dict[str, Any] = {
        "false_negatives": c.false_negatives,
        "false_positives": c.false_positives,
    }
    if c.version == MIXED_CLASSES_VERSION:
        data, missed = {"classes": list(c.classes or ())}, {}
    return {
        "format": FORMAT,
        "version": c.version,
        "conventions": CONVENTIONS,
        "kind": c.kind,
        "learner": {"name": c.learner, "parameters": c.algorithm.plain(c.parameters, VERSION)},
        "data": {
            "digest": c.data_digest,
            "rounds": c.rounds,
            "values": c.values,
            "width": c.width,
            **data,
        },
        "run": {
            "mistakes": c.mistakes,
            **missed,
            "updates": c.updates,
            "mistaken_rounds": c.mistaken_rounds,
            "state_digest": c.state_digest,
        },
        "mixing": c.mixing.document(),
        "witness": c.witness and _witness_document(c.witness, first=False),
        "bounds": [statement.document("max_mistakes") for statement in c.bounds],
    }


def _number(value: int | float) -> int | str:
    return value.hex() if isinstance(value, float) else value


def _witness_document(witness: Witness, first: bool) -> dict[str, Any]:
    comparator = witness.comparator
    return {
        "columns": list(comparator.columns),
        "numerators": list(comparator.numerators),
        "bias": comparator.bias,
        "denominator": comparator.denominator,
        **plain({"level": witness.level, "rho": witness.rho}),
        "errors": witness.errors,
        # How a witness was found proves nothing, and nobody can check it.
        **({"origin": witness.origin} if first else {}),
    }


def parsed(text: str | bytes) -> dict[str, Any]:
    """The document in a JSON text; a text that is no certificate is refused by the place.

    Nothing is worked out before sizes are known to be small.
    """
    if len(text) > MOST_BYTES:
        raise CertificateError(
            f"certificate: {len(text):,} bytes, more than the {MOST_BYTES:,} that are looked at."
        )
    try:
        # Other encodings than UTF-8 would give one certificate several forms.
        found = json.loads(
            text.decode() if isinstance(text, bytes) else text,
            object_pairs_hook=_no_duplicates,
            parse_int=_whole,
            parse_float=_refused,
            parse_constant=_refused,
        )
    except CertificateError:
        raise
    except (ValueError, RecursionError) as error:
        raise CertificateError(f"certificate: not JSON: {error}.") from None
    return check_document(found)


def fields_of(document: dict[str, Any]) -> dict[str, Any]:
    """What `Certificate` is made from, from a document that has the shape of one."""
    if document["version"] >= MIXED_VERSION:
        return _mixed_fields(document)
    claim, witness = document["claim"], document["witness"]
    learner, data, run = document["learner"], dict(document["data"]), dict(document["run"])
    data["data_digest"] = data.pop("digest")
    if document["version"] == 1:
        run["mistakes"] = run["false_negatives"] + run["false_positives"]
    else:
        data |= {
            "chunks": tuple(data["chunks"]),
            "classes": data["classes"] and tuple(data["classes"]),
        }
        run["facts"] = {name: tuple(map(_read, fact)) for name, fact in run["facts"].items()}
    return {
        "version": document["version"],
        "kind": document["kind"],
        "learner": learner["name"],
        "parameters": ALGORITHMS[learner["name"]].parsed(learner["parameters"]),
        **data,
        **run,
        "scope": document["scope"],
        "claim": claim and Claim(claim["concept"], exact(claim["quantities"])),
        "witness": witness and _witness(witness),
        "bounds": tuple(Statement.from_document(s, "max_mistakes") for s in document["bounds"]),
        "expectations": tuple(
            Statement.from_document(s, "max_expected") for s in document["expectations"]
        ),
        "risks": tuple(Statement.from_document(s, "max_risk") for s in document["risks"]),
        "delta": document.get("delta") and Fraction(document["delta"]),
        "seal": document["seal"],
        "signatures": tuple(Signature(**said) for said in document.get("signatures", ())),
    }


def _mixed_fields(document: dict[str, Any]) -> dict[str, Any]:
    """The same for a document about shards that were combined."""
    learner, data, witness = document["learner"], dict(document["data"]), document["witness"]
    if "classes" in data:
        data["classes"] = tuple(data["classes"])
    return {
        "version": document["version"],
        "kind": document["kind"],
        "learner": learner["name"],
        "parameters": ALGORITHMS[learner["name"]].parsed(learner["parameters"]),
        "data_digest": data.pop("digest"),
        **data,
        **document["run"],
        # Averages round, and nobody has looked whether without rounding it would be the same.
        "arithmetic": FLOAT64,
        "journal_digest": "",
        "scope": "all rounds",
        "claim": None,
        "witness": witness and _witness(witness),
        "bounds": tuple(Statement.from_document(s, "max_mistakes") for s in document["bounds"]),
        "risks": (),
        "mixing": Mixing.from_document(document["mixing"]),
        "seal": document["seal"],
        "signatures": tuple(Signature(**said) for said in document["signatures"]),
    }


def _read(value: int | str) -> int | float:
    return float.fromhex(value) if isinstance(value, str) else value


def _witness(document: dict[str, Any]) -> Witness:
    comparator = Comparator(
        tuple(document["columns"]),
        tuple(document["numerators"]),
        document["bias"],
        document["denominator"],
    )
    level, rho = (document[name] and Fraction(document[name]) for name in ("level", "rho"))
    return Witness(comparator, level, rho, document["errors"], document.get("origin", ""))


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise CertificateError(f"certificate: the field {twice[:60]!a} is given twice.")
    return found


def _whole(digits: str) -> int:
    if len(digits) > MOST_WHOLE_DIGITS:
        raise CertificateError(f"certificate: a whole number of {len(digits):,} digits.")
    return int(digits)


def _refused(text: str) -> None:
    raise CertificateError(
        f"certificate: the number {text[:40]}; numbers are whole, exact ('3/8') or hexadecimal."
    )
