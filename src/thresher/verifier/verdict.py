"""Verdict: what a certificate says next to what was found."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from thresher.verifier.certificate import Certificate


@dataclass(frozen=True)
class Finding:
    """One thing, as claimed and as found."""

    what: str
    claimed: object
    found: object

    @property
    def agrees(self) -> bool:
        """Whether both are the same, to the type."""
        return type(self.claimed) is type(self.found) and self.claimed == self.found


@dataclass(frozen=True)
class Verdict:
    """Claim and finding side by side, and whether the claim holds.

    ``unchecked`` names what could not be looked at; a claim holds only if that is nothing.
    """

    certificate: Certificate
    findings: tuple[Finding, ...]
    replayed: int | None
    #: Whether the counts are more than the declared class allows, by kind of mistake or in all.
    exceeds: bool = False
    unchecked: tuple[str, ...] = ()

    @property
    def differences(self) -> tuple[Finding, ...]:
        """The findings that contradict the claim."""
        return tuple(finding for finding in self.findings if not finding.agrees)

    @property
    def same_data(self) -> bool | None:
        """Whether the data is the data of the certificate; None if none was given."""
        return next((f.agrees for f in self.findings if f.what == "data digest"), None)

    @property
    def claimed(self) -> int:
        """The mistakes the certificate states."""
        return self.certificate.mistakes

    @property
    def allowed(self) -> int | None:
        """The mistakes its strongest theorem allows."""
        return self.certificate.allowed

    @property
    def consistent(self) -> bool:
        """Whether nothing that was checked contradicts the claim."""
        return not self.differences and self._inequality_holds()

    @property
    def holds(self) -> bool:
        """Whether everything was checked and agrees, and the claimed inequality is true."""
        return self.consistent and not self.unchecked

    def _inequality_holds(self) -> bool:
        count = self.claimed if self.replayed is None else self.replayed
        kind, allowed = self.certificate.kind, self.allowed
        averages = bool(self.certificate.expectations)
        if kind == "expectation" or averages:
            # An average is no limit for one run: there is nothing to compare the count with.
            declared = self.certificate.claim is not None
            return kind == "expectation" and averages and allowed is None and not declared
        if kind == "count" or allowed is None:
            return kind == "count" and allowed is None
        declared = self.certificate.claim is not None
        if (kind == "hindsight") == declared:
            return False
        return self.exceeds if kind == "refutation" else count <= allowed and not self.exceeds

    def __str__(self) -> str:
        replayed = "not replayed" if self.replayed is None else f"{self.replayed} mistakes"
        data = {True: "matches", False: "DIFFERS", None: "not given"}[self.same_data]
        theorem = self.certificate.theorem
        allowed = (
            "no theorem applies" if theorem is None else f"{self.allowed} mistakes ({theorem})"
        )
        if self.certificate.expected is not None:
            average = f"{self.certificate.expected:.4g} mistakes ({theorem})"
            allowed = f"on average over the draws {average}; one run may exceed it"
        emptied = self.certificate.emptied_in_round
        if emptied is not None:
            allowed += f": no concept of the class fits the first {emptied} rounds"
        if self.certificate.exceeds_rounds:
            allowed += ", a mistake in every round"
        lines = [
            f"data      {data}",
            f"claimed   {self.claimed} mistakes",
            f"replayed  {replayed}",
            f"allowed   {allowed}",
        ]
        lines += [
            f"DIFFERS   {f.what}: claimed {_short(f.claimed)}, found {_short(f.found)}"
            for f in self.differences
        ]
        lines += [f"unchecked {what}" for what in self.unchecked]
        if self.holds and self.certificate.kind == "refutation":
            lines.append("the claim holds: no target of the declared class fits the stream")
        elif self.holds:
            lines.append("the claim holds")
        elif self.consistent:
            lines.append("nothing contradicts the claim; not everything could be checked")
        else:
            lines.append("THE CLAIM DOES NOT HOLD")
        return "\n".join(lines)


def _short(value: object) -> str:
    if isinstance(value, Fraction) and value.denominator > 10**6:
        return repr(float(value))
    text = str(value)
    return text if len(text) <= 40 else text[:37] + "..."
