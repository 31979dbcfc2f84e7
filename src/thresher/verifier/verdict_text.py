"""A verdict in words: what was counted, what is proven by it, what is only assumed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from thresher.verifier.risk_words import OF_ROWS_HELD_OUT, OF_THE_ROWS, premise_of, risk_words
from thresher.verifier.verdict import COULD_NOT_TELL, HOLDS, Verdict, shown

if TYPE_CHECKING:
    from thresher.verifier.certificate import Certificate

SAME_SOURCE = "rows are independent draws from one source, predicted before their labels, one pass"


def verdict_text(verdict: Verdict) -> str:
    """The lines of a verdict; the last one says whether the claim holds."""
    lines = [
        *_under("data", [_data(verdict)]),
        *_under("signed", _signed(verdict)),
        *_under("counted", _counted(verdict)),
        *_under(_proven_or_not(verdict), _proven(verdict)),
        *_under("assumed", _assumed(verdict)),
        *(
            f"{'DIFFERS':<10}{f.what}: claimed {_short(f.claimed)}, found {_short(f.found)}"
            for f in verdict.differences
        ),
        *(f"{'not known':<10}{what}" for what in (*verdict.unmet, *verdict.unchecked)),
        conclusion(verdict),
    ]
    return "\n".join(lines)


def _under(label: str, lines: Iterable[str]) -> Iterator[str]:
    """Lines with what they are about before the first."""
    for number, line in enumerate(lines):
        yield f"{'' if number else label:<10}{line}"


def conclusion(verdict: Verdict) -> str:
    """The last line: whether the claim holds."""
    kind = verdict.certificate.kind
    if verdict.status == COULD_NOT_TELL:
        return "COULD NOT TELL: nothing contradicts the claim; not everything could be checked"
    if verdict.status != HOLDS:
        return "THE CLAIM DOES NOT HOLD"
    if kind == "refutation":
        return "the claim holds: no target of the declared class fits the stream"
    if kind == "a priori":
        return "the claim holds: the run does not refute the declared class, nor does it prove it"
    return "the claim holds"


def _data(verdict: Verdict) -> str:
    return {True: "matches", False: "DIFFERS", None: "not given"}[verdict.same_data]


def _signed(verdict: Verdict) -> Iterator[str]:
    if verdict.signers is not None:
        yield from verdict.signers
        return
    for signature in verdict.certificate.signatures:
        yield f"{signature.by!r}, {signature.at}, {signature.fingerprint}: NOT CHECKED"


def _counted(verdict: Verdict) -> Iterator[str]:
    certificate, found = verdict.certificate, verdict.replayed
    claimed = f"{_many(certificate.mistakes)} in {certificate.learned} rounds"
    if found is None:
        yield f"nothing; claimed are {claimed}"
    elif found == certificate.mistakes:
        yield f"{claimed}, as claimed"
    else:
        yield f"{_many(found)}; CLAIMED are {claimed}"
    if found is not None and certificate.mixing is not None:
        yield certificate.mixing.words
    doubted = {finding.what for finding in verdict.differences} & {"facts", "expert_mistakes"}
    if found == certificate.mistakes and not doubted and certificate.beside_the_experts:
        yield certificate.beside_the_experts
    if found is not None and certificate.held_out_mistakes is not None:
        yield from _held_out(verdict)
    if certificate.emptied_in_round is not None:
        yield f"no concept of the class fits the first {certificate.emptied_in_round} rounds"


def _held_out(verdict: Verdict) -> Iterator[str]:
    """What became of the rows held out, which the model has not learned."""
    certificate = verdict.certificate
    said = f"{certificate.held_out_mistakes} of {certificate.held_out} rows held out wrong"
    odd = next((f.found for f in verdict.differences if f.what == "held-out mistakes"), None)
    yield f"{said}, as claimed" if odd is None else f"{odd} rows held out wrong; CLAIMED are {said}"


def _proven_or_not(verdict: Verdict) -> str:
    """What a theorem allows is proven only of data that were looked at, and are of its kind."""
    looked_at = verdict.same_data and verdict.replayed is not None
    return "proven" if looked_at and verdict.consistent and not verdict.unmet else "claimed"


def _proven(verdict: Verdict) -> Iterator[str]:
    certificate = verdict.certificate
    claim, theorem, allowed = certificate.claim, certificate.theorem, verdict.allowed
    if certificate.bounds:
        theorem = certificate.bounds[0].words
    if certificate.expected is not None:
        yield f"at most {certificate.expected:.4g} on average over the draws ({theorem})"
        yield "one run may exceed an average; nothing is compared with it"
        return
    if allowed is None:
        yield "nothing: no theorem applies"
        return
    condition = "" if claim is None else f" if a target of {claim} fits"
    yield f"at most {_many(allowed)} ({theorem}){condition}"
    if verdict.premises:
        yield f"measured on every round: {'; '.join(verdict.premises)}"
    if certificate.exceeds_rounds:
        yield "that is a mistake in every round: it tells of repetitions only"
    elif certificate.says_little and certificate.kind != "refutation":
        yield f"that says little: the commoner label alone would err {certificate.rarer} times"


def taken_for_granted(certificate: Certificate) -> Iterator[str]:
    """What a certificate rests on that no data can show, statements about new rows apart."""
    if certificate.kind == "a priori":
        yield "that the claim was made before the run"
    if certificate.scope == "mistake rounds":
        yield "that these are the mistaken rounds of a longer stream, and all of them"
        if certificate.witness is not None:
            yield "that the comparator was chosen before the run, not to fit these rounds"
    if certificate.expected is not None:
        yield "that labels do not depend on the draws"


def _assumed(verdict: Verdict) -> Iterator[str]:
    certificate = verdict.certificate
    yield from taken_for_granted(certificate)
    about_rows = [s for s in certificate.risks if premise_of(s) == OF_THE_ROWS]
    about_the_model = [s for s in certificate.risks if premise_of(s) != OF_THE_ROWS]
    for premise, statements in (
        (SAME_SOURCE, about_rows),
        (OF_ROWS_HELD_OUT, about_the_model),
    ):
        if statements:
            yield f"that {premise}; then"
        for statement in statements:
            yield risk_words(statement, certificate.delta)


def _many(count: int) -> str:
    return f"{count} mistake" if count == 1 else f"{count} mistakes"


def _short(value: object) -> str:
    if isinstance(value, Fraction) and value.denominator > 10**6 and abs(value) < 10**300:
        return repr(float(value))
    return shown(value, 40)
