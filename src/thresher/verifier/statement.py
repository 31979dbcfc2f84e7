"""Statement and Claim: theorems and declared targets as a certificate quotes them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

from thresher.errors import CertificateError, ThresherError
from thresher.theory import (
    Committee,
    Concept,
    Conjunction,
    Disjunction,
    ExpectedMistakes,
    Experts,
    KOfR,
    MistakeBound,
    Separator,
)

#: By name: an int, a fraction, or a tuple of fractions.
Quantities = Mapping[str, object]

#: The classes of targets that can be declared, by the name a certificate gives them.
CONCEPTS: dict[str, type[Concept]] = {
    concept.__name__: concept
    for concept in (KOfR, Committee, Conjunction, Disjunction, Experts, Separator)
}


@dataclass(frozen=True)
class Statement:
    """A theorem by name and version, what was measured for it, and what it allows."""

    theorem: str
    version: int
    quantities: Quantities
    allows: int | float
    #: Of a theorem about many learners, the one about a single learner that it follows from.
    sequential: str | None = None

    @classmethod
    def of(cls, theorem: MistakeBound | ExpectedMistakes) -> Statement:
        """A theorem as a certificate quotes it."""
        allows = (
            theorem.max_mistakes() if isinstance(theorem, MistakeBound) else float(theorem.bound())
        )
        measured = theorem.measured()
        sequential = measured.pop("sequential", None)
        named = None if sequential is None else str(sequential)
        return cls(theorem.name, theorem.version, measured, allows, named)

    @property
    def words(self) -> str:
        """Which theorem it is."""
        return self.theorem if self.sequential is None else f"{self.theorem} of {self.sequential}"

    def document(self, key: str) -> dict[str, Any]:
        """The statement in JSON's terms."""
        allows = self.allows.hex() if isinstance(self.allows, float) else self.allows
        return {
            "theorem": self.theorem,
            "version": self.version,
            "quantities": plain(self.quantities),
            **({} if self.sequential is None else {"sequential": self.sequential}),
            key: allows,
        }

    @classmethod
    def from_document(cls, document: dict[str, Any], key: str) -> Statement:
        """The statement that a document makes."""
        allows = document[key]
        return cls(
            document["theorem"],
            document["version"],
            exact(document["quantities"]),
            float.fromhex(allows) if isinstance(allows, str) else allows,
            document.get("sequential"),
        )


@dataclass(frozen=True)
class Claim:
    """A declared class of targets, by the name and fields of its concept."""

    concept: str
    quantities: Quantities

    @classmethod
    def of(cls, concept: Concept) -> Claim:
        """The concept as a certificate states it.

        >>> Claim.of(Disjunction(k=2, n=100))
        Claim(concept='Disjunction', quantities={'k': 2, 'n': 100, 'errors': 0})
        """
        found = {field.name: getattr(concept, field.name) for field in fields(concept)}  # type: ignore[arg-type]
        return cls(type(concept).__name__, found)

    def __str__(self) -> str:
        fields_ = ", ".join(f"{name}={value}" for name, value in self.quantities.items())
        return f"{self.concept}({fields_})"

    def declared(self) -> Concept:
        """The concept that the claim states; one that nobody knows is refused."""
        if self.concept not in CONCEPTS:
            raise CertificateError.must_be(
                "$.claim.concept", f"one of {', '.join(CONCEPTS)}", self.concept
            )
        kind = CONCEPTS[self.concept]
        wanted = {field.name for field in fields(kind)}  # type: ignore[arg-type]
        if wanted != set(self.quantities):
            raise CertificateError.must_be(
                "$.claim.quantities", f"{', '.join(sorted(wanted))}", sorted(self.quantities)
            )
        try:
            concept = kind(**self.quantities)
        except (TypeError, ThresherError) as error:
            raise CertificateError(f"certificate: $.claim.quantities: {error}") from None
        for name, value in Claim.of(concept).quantities.items():
            if type(value) is not type(self.quantities[name]):
                must = "a whole number" if isinstance(value, int) else "an exact number"
                raise CertificateError.must_be(
                    f"$.claim.quantities.{name}", must, self.quantities[name]
                )
        return concept


def plain(quantities: Quantities) -> dict[str, Any]:
    """Quantities in JSON's terms: fractions as texts such as "3/8"."""
    return {name: _plain(value) for name, value in quantities.items()}


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return plain(value)
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, Fraction) else value


def exact(document: dict[str, Any]) -> dict[str, Any]:
    """Quantities from JSON's terms: texts as fractions.

    >>> exact(plain({"margin": Fraction(3, 8), "errors": 2}))
    {'margin': Fraction(3, 8), 'errors': 2}
    """
    return {
        name: tuple(map(Fraction, value))
        if isinstance(value, list)
        else Fraction(value)
        if isinstance(value, str)
        else value
        for name, value in document.items()
    }
