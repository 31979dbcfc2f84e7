"""Certificate: a claim about a run, with all it takes to check it, and no verdict."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from typing import Any

from thresher.errors import CertificateError
from thresher.theory import ExpectedMistakes, MistakeBound
from thresher.verifier.measure import Comparator
from thresher.verifier.schema import CONVENTIONS, FORMAT, VERSION, check_document

#: By name: an int, a fraction, or a tuple of fractions.
Quantities = Mapping[str, object]


@dataclass(frozen=True)
class Statement:
    """A theorem by name and version, what was measured for it, and what it allows."""

    theorem: str
    version: int
    quantities: Quantities
    allows: int | float

    @classmethod
    def of(cls, theorem: MistakeBound | ExpectedMistakes) -> Statement:
        """A theorem as a certificate quotes it."""
        allows = (
            theorem.max_mistakes() if isinstance(theorem, MistakeBound) else float(theorem.bound())
        )
        return cls(theorem.name, theorem.version, theorem.measured(), allows)

    def document(self, key: str) -> dict[str, Any]:
        """The statement in JSON's terms."""
        allows = self.allows.hex() if isinstance(self.allows, float) else self.allows
        quantities = {name: _plain(value) for name, value in self.quantities.items()}
        return {
            "theorem": self.theorem,
            "version": self.version,
            "quantities": quantities,
            key: allows,
        }


@dataclass(frozen=True)
class Claim:
    """A declared class of targets, by the name and fields of its concept."""

    concept: str
    quantities: Quantities


@dataclass(frozen=True)
class Witness:
    """The comparator, the levels at which its losses are taken, and where it came from."""

    comparator: Comparator
    level: Fraction | None = None
    rho: Fraction | None = None
    #: In how many rounds the comparator itself is wrong; None where that means nothing.
    errors: int | None = None
    origin: str = ""


@dataclass(frozen=True)
class Certificate:
    """A claim that a learner made so many mistakes on a stream, and that a theorem allows them.

    It carries no verdict: `thresher.verify` recomputes everything from the data. Of the
    ``bounds`` the first allows the fewest mistakes. ``kind`` says what is claimed:

    * ``hindsight``: mistakes are at most ``allowed``, for the ``witness`` found after the run;
    * ``a priori``: the same for a declared ``claim``, known before the run;
    * ``refutation``: mistakes exceed what the ``claim`` allows, so no target of the declared
      class fits the stream;
    * ``expectation``: the counts, and in ``expectations`` what a theorem allows on average
      over the learner's own draws; a single run may exceed that, and is not compared with it;
    * ``count``: the counts alone; no theorem applies. For a learner over a finite class
      ``emptied_in_round`` then says which label no concept was left to agree with.
    """

    kind: str
    learner: str
    # Numbers, and for learners over a finite class the class as plain data.
    parameters: Mapping[str, Any]
    data_digest: str
    rounds: int
    positives: int
    width: int
    false_negatives: int
    false_positives: int
    arithmetic: str
    updates: int
    journal_digest: str
    scope: str
    claim: Claim | None
    witness: Witness | None
    bounds: tuple[Statement, ...]
    risks: tuple[Statement, ...]
    expectations: tuple[Statement, ...] = ()
    emptied_in_round: int | None = None
    seal: str = ""

    def __post_init__(self) -> None:
        if not self.seal:
            object.__setattr__(self, "seal", self.proper_seal())

    @property
    def mistakes(self) -> int:
        """The number of mistakes claimed."""
        return self.false_negatives + self.false_positives

    @property
    def theorem(self) -> str | None:
        """The name of the strongest theorem that applies."""
        quoted = self.bounds or self.expectations
        return quoted[0].theorem if quoted else None

    @property
    def allowed(self) -> int | None:
        """The mistakes that theorem allows."""
        return int(self.bounds[0].allows) if self.bounds else None

    @property
    def expected(self) -> float | None:
        """The mistakes that theorem allows on average over the learner's draws."""
        return float(self.expectations[0].allows) if self.expectations else None

    @property
    def exceeds_rounds(self) -> bool:
        """Whether even the strongest theorem allows a mistake in every round of this stream.

        It still limits the mistakes if the same rows come again and again.
        """
        return self.allowed is not None and self.allowed >= self.rounds > self.mistakes

    @property
    def regret(self) -> int | None:
        """Mistakes beyond those of the best comparator found."""
        if self.witness is None or self.witness.errors is None:
            return None
        return self.mistakes - self.witness.errors

    def proper_seal(self) -> str:
        """SHA-256 of the canonical bytes of everything but the seal."""
        return sha256(_canonical(self._document())).hexdigest()

    def resealed(self) -> Certificate:
        """The same claim with the seal that belongs to it."""
        return replace(self, seal="")

    def _document(self) -> dict[str, Any]:
        claim, witness = self.claim, self.witness
        return {
            "format": FORMAT,
            "version": VERSION,
            "conventions": CONVENTIONS,
            "kind": self.kind,
            "learner": {
                "name": self.learner,
                "parameters": {name: _plain(value) for name, value in self.parameters.items()},
            },
            "data": {
                "digest": self.data_digest,
                "rounds": self.rounds,
                "positives": self.positives,
                "width": self.width,
            },
            "run": {
                "false_negatives": self.false_negatives,
                "false_positives": self.false_positives,
                "arithmetic": self.arithmetic,
                "updates": self.updates,
                "journal_digest": self.journal_digest,
                "emptied_in_round": self.emptied_in_round,
            },
            "scope": self.scope,
            "claim": claim
            and {
                "concept": claim.concept,
                "quantities": {name: _plain(value) for name, value in claim.quantities.items()},
            },
            "witness": witness
            and {
                "columns": list(witness.comparator.columns),
                "numerators": list(witness.comparator.numerators),
                "bias": witness.comparator.bias,
                "denominator": witness.comparator.denominator,
                "level": _plain(witness.level),
                "rho": _plain(witness.rho),
                "errors": witness.errors,
                "origin": witness.origin,
            },
            "bounds": [statement.document("max_mistakes") for statement in self.bounds],
            "expectations": [s.document("max_expected") for s in self.expectations],
            "risks": [statement.document("max_risk") for statement in self.risks],
        }

    def to_json(self) -> str:
        """The certificate as JSON in canonical form: sorted keys, no spaces, one line."""
        return _canonical(self._document() | {"seal": self.seal}).decode()

    @classmethod
    def from_json(cls, text: str | bytes) -> Certificate:
        """The certificate in a JSON text; a text that is none is refused by the place."""
        try:
            document = check_document(json.loads(text, object_pairs_hook=_no_duplicates))
            found = cls._from_document(document)
        except CertificateError:
            raise
        except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
            raise CertificateError(f"certificate: not JSON: {error}.") from None
        except ValueError as error:
            # Python reads no whole number of more than 4,300 digits.
            raise CertificateError(f"certificate: {error}.") from None
        if found._document() | {"seal": found.seal} != document:
            raise CertificateError("certificate: fractions must be in lowest terms.")
        return found

    @classmethod
    def _from_document(cls, document: dict[str, Any]) -> Certificate:
        claim, witness = document["claim"], document["witness"]
        return cls(
            kind=document["kind"],
            learner=document["learner"]["name"],
            parameters={
                name: Fraction(value) if isinstance(value, str) else value
                for name, value in document["learner"]["parameters"].items()
            },
            data_digest=document["data"]["digest"],
            rounds=document["data"]["rounds"],
            positives=document["data"]["positives"],
            width=document["data"]["width"],
            **document["run"],
            scope=document["scope"],
            claim=claim and Claim(claim["concept"], _exact(claim["quantities"])),
            witness=witness and _witness(witness),
            bounds=_statements(document["bounds"], "max_mistakes"),
            risks=_statements(document["risks"], "max_risk"),
            expectations=_statements(document["expectations"], "max_expected"),
            seal=document["seal"],
        )

    def save(self, path: str | Path) -> None:
        """Write the JSON form to a file."""
        Path(path).write_text(self.to_json() + "\n", "utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Certificate:
        """Read the JSON form from a file."""
        return cls.from_json(Path(path).read_bytes())

    def __str__(self) -> str:
        lines = [f"{self.learner}: {self.mistakes} mistakes in {self.rounds} rounds"]
        lines += [f"{s.theorem} allows {s.allows} ({self.kind})" for s in self.bounds]
        lines += [
            f"{s.theorem} allows {s.allows:.4g} on average over the draws"
            for s in self.expectations
        ]
        if self.emptied_in_round is not None:
            lines.append(f"no concept of the class fits the first {self.emptied_in_round} rounds")
        if self.exceeds_rounds:
            lines.append("that is a mistake in every round: it tells of repetitions only")
        lines += [f"{s.theorem}: risk at most {s.allows:.4g}" for s in self.risks]
        return "\n".join(lines)


def _canonical(document: dict[str, Any]) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    return [str(item) for item in value] if isinstance(value, tuple) else value


def _exact(quantities: dict[str, Any]) -> dict[str, object]:
    return {
        name: tuple(map(Fraction, value))
        if isinstance(value, list)
        else Fraction(value)
        if isinstance(value, str)
        else value
        for name, value in quantities.items()
    }


def _statements(documents: list[dict[str, Any]], key: str) -> tuple[Statement, ...]:
    return tuple(
        Statement(
            s["theorem"],
            s["version"],
            _exact(s["quantities"]),
            float.fromhex(s[key]) if isinstance(s[key], str) else s[key],
        )
        for s in documents
    )


def _witness(document: dict[str, Any]) -> Witness:
    comparator = Comparator(
        tuple(document["columns"]),
        tuple(document["numerators"]),
        document["bias"],
        document["denominator"],
    )
    level, rho = (document[name] and Fraction(document[name]) for name in ("level", "rho"))
    return Witness(comparator, level, rho, document["errors"], document["origin"])


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for i, (name, _) in enumerate(pairs) if name in dict(pairs[:i]))
        raise CertificateError(f"certificate: the field {twice!r} is given twice.")
    return found
