"""What stands behind the count of mistakes: theorem, comparator, replay and audit."""

from __future__ import annotations

from fractions import Fraction

import msgspec

from thresher import theory
from thresher.lab.potential import PotentialCurve, audit_of, potential_of
from thresher.lab.programs import spoken
from thresher.lab.recorded_run import RecordedRun
from thresher.lab.typography import pretty
from thresher.learners.finite.version_space import VersionSpaceLearner
from thresher.models.race import HINDSIGHT_ROWS, HINDSIGHT_VALUES
from thresher.proofs import Audit
from thresher.reports.lecture_table import short_number
from thresher.verifier import Certificate

#: Features of the comparator that are named.
MOST_NAMED = 8
#: What each kind of certificate says of its bound, in a word.
_KINDS = {
    "hindsight": "in hindsight",
    "a priori": "claimed",
    "refutation": "claimed, and refuted",
    "expectation": "on average over its draws",
    "count": "no theorem applies",
}


class Measured(msgspec.Struct):
    """A quantity of a theorem: its name, what it means, and what was found."""

    name: str
    meaning: str
    value: str


class Tick(msgspec.Struct):
    """A statement that was checked, at so many places."""

    statement: str
    places: int
    holds: bool
    arithmetic: str
    failure: str


class Evidence(msgspec.Struct):
    """The evidence of one run."""

    made: int
    allowed: int | None
    theorem: str | None
    statement: str
    reference: str
    measured: list[Measured]
    #: "in hindsight", "claimed", ...
    kind: str
    says: list[str]
    target: str
    replayed: bool
    audit: list[Tick]
    check: list[str]
    #: Why there is no theorem, where there is none.
    why_not: str
    potential: PotentialCurve | None


def evidence(run: RecordedRun) -> Evidence:
    """Search, replay and audit; the first call takes as long as that does."""
    certificate = run.certificate()
    audit = audit_of(run, certificate)
    theorem = None if certificate is None else certificate.theorem
    quoted = None if theorem is None else getattr(theory, theorem)
    bounds = () if certificate is None else certificate.bounds or certificate.expectations
    meanings = {} if quoted is None else quoted.quantities()
    return Evidence(
        made=run.mistakes,
        allowed=None if certificate is None else certificate.allowed,
        theorem=theorem,
        statement="" if quoted is None else pretty(quoted.statement),
        reference="" if quoted is None else quoted.reference,
        measured=[
            Measured(name, pretty(meanings.get(name, "")), number(value))
            for name, value in (bounds[0].quantities.items() if bounds else ())
        ],
        kind=_KINDS["count" if certificate is None else certificate.kind],
        says=[] if certificate is None else str(certificate).splitlines()[1:],
        target=_target(run, certificate),
        replayed=certificate is not None,
        audit=_ticks(audit),
        check=check_commands(run),
        why_not=_why_not(run, certificate),
        potential=potential_of(run, audit),
    )


def number(value: object) -> str:
    """A measured quantity as the page shows it.

    >>> number(44365311), number(Fraction(1, 3)), number((Fraction(2), 5))
    ('44,365,311', '1/3', '2, 5')
    """
    if isinstance(value, tuple):
        return ", ".join(map(number, value))
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Fraction):
        return f"{value.numerator:,}" if value.denominator == 1 else short_number(value)
    return str(value)


def _target(run: RecordedRun, certificate: Certificate | None) -> str:
    """The comparator by the names of its features."""
    if certificate is None:
        return ""
    if certificate.claim is not None:
        return str(certificate.claim)
    if certificate.witness is None:
        return ""
    u, name_of = certificate.witness.comparator, run.stream.name_of
    if u.is_a_set and len(u.columns) <= MOST_NAMED:
        joint = " and " if run.learner.name == "conjunction" else " or "
        return joint.join(map(name_of, u.columns)) or "nothing"
    if u.is_a_set:
        return f"{len(u.columns)} features"
    pairs = sorted(zip(u.columns, u.numerators, strict=True), key=lambda pair: -abs(pair[1]))
    shown = ", ".join(f"{name_of(column)} {weight:+,}" for column, weight in pairs[:4])
    more = f" and {len(pairs) - 4} more" if len(pairs) > 4 else ""
    return f"a separator: {shown}{more}"


def _ticks(audit: Audit | None) -> list[Tick]:
    if audit is None:
        return []
    return [
        Tick(
            pretty(check.statement),
            check.places,
            check.holds,
            check.arithmetic,
            "" if check.failure is None else str(check.failure),
        )
        for check in audit.invariants
        if check.places
    ]


def check_commands(run: RecordedRun) -> list[str]:
    """What to type to make the certificate and to check it, or to see every round of it."""
    file = run.stream.file
    if isinstance(run.learner, VersionSpaceLearner):
        return [*run.stream.commands, f"thresher trace {file} {spoken(run.text)}"]
    return [
        *run.stream.commands,
        f"thresher certify {file} {spoken(run.text)} -o run.cert.json",
        f"thresher verify run.cert.json {file}",
    ]


def _why_not(run: RecordedRun, certificate: Certificate | None) -> str:
    if certificate is None:
        return (
            f"The stream has more than {HINDSIGHT_ROWS:,} rounds or {HINDSIGHT_VALUES:,} values: a "
            "comparator is not searched for while you wait. The commands below search."
        )
    if certificate.theorem is None:
        return "No theorem is known for this learner with these parameters on such rows."
    return ""
