"""Check a certificate, trusting nothing that made it.

The verifier imports the theorems and nothing else of thresher, no learner, no kernel and no
reader of streams: a bug there must not be able to vouch for itself. The run is played again
by a few lines of its own, norms, margins and losses are recomputed in exact arithmetic, and
the theorem is asked again.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from thresher.errors import ThresherError
from thresher.theory import ExpectedMistakes, MistakeBound, RiskBound, Theorem, catalogue
from thresher.verifier.certificate import Certificate
from thresher.verifier.journal import about_the_journal, rows_of_journal
from thresher.verifier.measures.limits import Limits
from thresher.verifier.measures.risk import risks_of, stated
from thresher.verifier.measures.strongest import (
    bounds_for,
    class_bounds,
    errors_of,
    expectations_for,
)
from thresher.verifier.readers.labelled_rows import LabelledRows, read_rows
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.playing import digest_of_journal, journal_digest
from thresher.verifier.statement import Statement
from thresher.verifier.verdict import Finding, Verdict


def verify(certificate: Certificate, X: Any = None, y: Any = None, journal: Any = None) -> Verdict:
    """Recompute everything a certificate says, and put both side by side.

    Parameters
    ----------
    certificate
        The claim.
    X, y
        The stream, as `thresher.certify` was given it: an array, a SciPy matrix, a batch, or
        dicts with whole keys.
    journal
        The journal of updates. With the stream it is checked against it; alone it shows that
        the counted mistakes were mistakes, not that there were no others.

    Examples
    --------
    >>> import thresher as th
    >>> X, y = [[1, 0], [0, 1]] * 3, [1, -1] * 3
    >>> learner = th.Perceptron(2)
    >>> _ = learner.learn(X, y)
    >>> print(th.verify(th.certify(learner, X, y), X, y))
    data      matches
    claimed   1 mistakes
    replayed  1 mistakes
    allowed   1 mistakes (NovikoffBySum)
    the claim holds
    """
    # A certificate made by hand must have the form of one that was read.
    certificate = Certificate.from_json(certificate.to_json())
    findings = [Finding("seal", certificate.seal, certificate.proper_seal())]
    declared = None
    if certificate.claim is not None:
        concept = certificate.claim.declared()
        declared = certificate.algorithm.allowance(certificate.parameters, concept)
    if X is not None or y is not None:
        return _on_the_stream(certificate, declared, read_rows(X, y), findings, journal)
    if journal is not None and certificate.scope == "mistake rounds":
        stream = rows_of_journal(certificate.algorithm, certificate.parameters, journal)
        return _on_the_stream(certificate, declared, stream, findings, None)
    unchecked = ["whether the data is the data", "whether there were other mistakes"]
    replayed = None
    if journal is not None:
        replayed, found = about_the_journal(certificate, journal)
        findings += found
    else:
        unchecked.append("whether the mistakes were mistakes")
    findings += about_the_arithmetic(certificate)
    if certificate.algorithm.learns_a_class:
        unchecked.append("whether a concept of the class agrees with every label")
    if declared is None and certificate.witness is not None:
        unchecked.append("margins and losses of the witness")
    return Verdict(
        certificate, tuple(findings), replayed, _exceeds(certificate, declared), tuple(unchecked)
    )


def _on_the_stream(
    certificate: Certificate,
    declared: MistakeBound | None,
    stream: LabelledRows,
    findings: list[Finding],
    journal: Any,
) -> Verdict:
    findings += about_the_data(certificate, stream)
    if journal is not None:
        given = digest_of_journal(journal)
        findings.append(Finding("journal given", certificate.journal_digest, given))
    algorithm, parameters = certificate.algorithm, certificate.parameters
    fault = algorithm.fault(parameters, stream)
    findings.append(Finding("beyond the learner", None, fault))
    if fault is not None:
        return Verdict(certificate, tuple(findings), None, False)
    run = ReplayedRun.of(algorithm, parameters, stream)
    findings += about_the_run(certificate, run)
    findings += about_the_bounds(certificate, run, declared)
    return Verdict(certificate, tuple(findings), run.mistakes, _exceeds(certificate, declared))


def _exceeds(certificate: Certificate, declared: MistakeBound | None) -> bool:
    """Whether the counts claimed are more than the declared class allows."""
    if declared is None:
        return False
    counts = certificate.false_negatives, certificate.false_positives
    return bool(Limits.of(declared).exceeded(*(np.array([count]) for count in counts))[0])


def about_the_data(certificate: Certificate, stream: LabelledRows) -> Iterator[Finding]:
    """Whether the stream is the one the certificate is about."""
    yield Finding("data digest", certificate.data_digest, stream.digest())
    yield Finding("rounds", certificate.rounds, len(stream))
    yield Finding("positives", certificate.positives, int(np.count_nonzero(stream.label > 0)))
    yield Finding("width", certificate.width, stream.width)


def about_the_run(certificate: Certificate, run: ReplayedRun) -> Iterator[Finding]:
    """Counts and journal."""
    false_negatives, false_positives = run.replay.counts(run.stream)
    yield Finding("false negatives", certificate.false_negatives, false_negatives)
    yield Finding("false positives", certificate.false_positives, false_positives)
    yield Finding("arithmetic", certificate.arithmetic, run.replay.arithmetic)
    yield Finding("updates", certificate.updates, len(run.replay.updates))
    yield Finding("emptied in round", certificate.emptied_in_round, run.replay.emptied_in_round)
    found = journal_digest(run.kept, run.replay.updates)
    yield Finding("journal digest", certificate.journal_digest, found)


def about_the_bounds(
    certificate: Certificate, run: ReplayedRun, declared: MistakeBound | None
) -> Iterator[Finding]:
    """Theorems and what they allow, from the claim or the witness alone."""
    witness = certificate.witness
    theorems = [] if declared is None else [declared]
    expected: list[ExpectedMistakes] = []
    if certificate.claim is not None:
        yield Finding("witness", witness, None)
    elif run.algorithm.learns_a_class:
        theorems = class_bounds(run)
        yield Finding("witness", witness, None)
    elif witness is not None:
        theorems, expected = bounds_for(run, witness), expectations_for(run, witness)
        yield Finding("witness errors", witness.errors, errors_of(run, witness))
    yield from compared("bounds", certificate.bounds, tuple(map(Statement.of, theorems)))
    averages = tuple(map(Statement.of, expected))
    yield from compared("expectations", certificate.expectations, averages)
    delta = next((s.quantities.get("delta") for s in certificate.risks), None)
    risks: tuple[Statement, ...] = ()
    if certificate.scope == "all rounds" and isinstance(delta, Fraction | int):
        risks = tuple(risks_of(run, Fraction(delta), declared))
    yield from compared("risks", certificate.risks, risks)


def about_the_arithmetic(certificate: Certificate) -> Iterator[Finding]:
    """Whether the theorems allow what they are said to, if the quantities are right."""
    known = {theorem.name: theorem for theorem in catalogue()}
    for statement in (*certificate.bounds, *certificate.expectations, *certificate.risks):
        try:
            theorem = known[statement.theorem](**statement.quantities)
            allows = _allowed_by(theorem)
            yield Finding(f"{statement.theorem} version", statement.version, theorem.version)
        except (KeyError, TypeError, ThresherError) as error:
            allows = str(error)
        yield Finding(f"{statement.theorem} allows", statement.allows, allows)


def _allowed_by(theorem: Theorem) -> object:
    if isinstance(theorem, RiskBound):
        risk = stated(theorem)
        return None if risk is None else risk.allows
    if isinstance(theorem, MistakeBound | ExpectedMistakes):
        return Statement.of(theorem).allows
    return None


def compared(
    what: str, claimed: tuple[Statement, ...], found: tuple[Statement, ...]
) -> Iterator[Finding]:
    """Statements one by one, and within them quantity by quantity."""
    yield Finding(what, tuple(s.theorem for s in claimed), tuple(s.theorem for s in found))
    for ours, theirs in zip(claimed, found, strict=False):
        where = ours.theorem
        yield Finding(f"{where} version", ours.version, theirs.version)
        for name in sorted({*ours.quantities, *theirs.quantities}):
            yield Finding(f"{where}.{name}", ours.quantities.get(name), theirs.quantities.get(name))
        yield Finding(f"{where} allows", ours.allows, theirs.allows)
