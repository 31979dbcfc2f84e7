"""Verdict: what a certificate says next to what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from thresher.verifier.certificate import Certificate

if TYPE_CHECKING:
    from thresher.pictures import Svg

HOLDS = "holds"
DOES_NOT_HOLD = "does not hold"
COULD_NOT_TELL = "could not tell"


def shown(value: object, most: int) -> str:
    """A value in a few characters, whatever it is.

    >>> shown(10**5000, 40), shown((1, 2), 40)
    ('a number of more than 4,300 digits', '(1, 2)')
    """
    try:
        text = "nothing" if value is None else str(value)
    except ValueError:
        # Python does not write them: that takes time.
        return "a number of more than 4,300 digits"
    return text if len(text) <= most else text[: most - 3] + "..."


@dataclass(frozen=True)
class Finding:
    """One thing, as claimed and as found."""

    what: str
    claimed: object
    found: object

    @property
    def agrees(self) -> bool:
        """Whether both are the same, to the type."""
        return _same(self.claimed, self.found)


def _same(a: object, b: object) -> bool:
    """Whether two values are one: 1 and 1.0 are two, and so are 0.0 and -0.0."""
    if type(a) is not type(b):
        return False
    if isinstance(a, tuple) and isinstance(b, tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return a.hex() == b.hex()
    return a == b


@dataclass(frozen=True)
class Verdict:
    """Claim and finding side by side, and whether the claim holds.

    ``unchecked`` names what could not be looked at, ``unmet`` what the theorem presupposes and
    the data do not show; a claim holds only if both are empty.
    """

    certificate: Certificate
    findings: tuple[Finding, ...]
    replayed: int | None
    #: Whether the counts are more than the declared class allows, by kind of mistake or in all.
    exceeds: bool = False
    unchecked: tuple[str, ...] = ()
    unmet: tuple[str, ...] = ()
    #: Premises of the theorem that were measured on the data, and hold.
    premises: tuple[str, ...] = ()
    #: Whose signatures are genuine; None: nobody asked.
    signers: tuple[str, ...] | None = None

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
        return self.status == HOLDS

    @property
    def status(self) -> str:
        """The verdict in words: "holds", "does not hold" or "could not tell"."""
        if not self.consistent:
            return DOES_NOT_HOLD
        return COULD_NOT_TELL if self.unchecked or self.unmet else HOLDS

    def _inequality_holds(self) -> bool:
        count = self.claimed if self.replayed is None else self.replayed
        kind, allowed = self.certificate.kind, self.allowed
        averages = bool(self.certificate.expectations)
        declared = self.certificate.claim is not None
        if kind == "expectation" or averages:
            # An average is no limit for one run: there is nothing to compare the count with.
            return kind == "expectation" and averages and allowed is None and not declared
        if kind == "count" or allowed is None:
            # A claim that no theorem is about would be a mere word.
            return kind == "count" and allowed is None and not declared
        if (kind == "hindsight") == declared:
            return False
        if kind == "refutation":
            return self.exceeds
        # Too many mistakes of one kind refute the class only if it can be refuted by these data.
        return count <= allowed and (not self.exceeds or bool(self.unmet))

    def __str__(self) -> str:
        # Imported here: the words are about verdicts.
        from thresher.verifier.verdict_text import verdict_text  # noqa: PLC0415

        return verdict_text(self)

    def plot(self) -> Svg:
        """What the certificate says, as a picture; see `Certificate.plot`."""
        return self.certificate.plot()

    def _repr_html_(self) -> str:
        from thresher.verifier.certificate_picture import verdict_html  # noqa: PLC0415

        return verdict_html(self)
