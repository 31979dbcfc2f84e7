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
from thresher.verifier.algorithm import Algorithm
from thresher.verifier.algorithms import ALGORITHMS
from thresher.verifier.schema import CONVENTIONS, FORMAT, VERSION, check_document
from thresher.verifier.statement import Claim, Statement, exact, plain
from thresher.verifier.witness import Comparator, Witness


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
    def algorithm(self) -> Algorithm:
        """What the verifier knows about the learner."""
        return ALGORITHMS[self.learner]

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
                "parameters": self.algorithm.plain(self.parameters, VERSION),
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
                "quantities": plain(claim.quantities),
            },
            "witness": witness
            and {
                "columns": list(witness.comparator.columns),
                "numerators": list(witness.comparator.numerators),
                "bias": witness.comparator.bias,
                "denominator": witness.comparator.denominator,
                **plain({"level": witness.level, "rho": witness.rho}),
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
            parameters=ALGORITHMS[document["learner"]["name"]].parsed(
                document["learner"]["parameters"]
            ),
            data_digest=document["data"]["digest"],
            rounds=document["data"]["rounds"],
            positives=document["data"]["positives"],
            width=document["data"]["width"],
            **document["run"],
            scope=document["scope"],
            claim=claim and Claim(claim["concept"], exact(claim["quantities"])),
            witness=witness and _witness(witness),
            bounds=tuple(Statement.from_document(s, "max_mistakes") for s in document["bounds"]),
            risks=tuple(Statement.from_document(s, "max_risk") for s in document["risks"]),
            expectations=tuple(
                Statement.from_document(s, "max_expected") for s in document["expectations"]
            ),
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
