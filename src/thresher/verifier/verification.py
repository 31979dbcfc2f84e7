"""Check a certificate, trusting nothing that made it.

The verifier imports the theorems and nothing else of thresher, no learner, no kernel and no
reader of streams: a bug there must not be able to vouch for itself. The run is played again
by code of its own, norms, margins and losses are recomputed in exact arithmetic, and
the theorem is asked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from inspect import getattr_static
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import BeyondReachError, CertificateError, ThresherError
from thresher.theory import ExpectedMistakes, MistakeBound, RiskBound, Theorem, catalogue
from thresher.theory.quantities import Quantity
from thresher.verifier.certificate import Certificate
from thresher.verifier.findings import (
    about_the_bounds,
    about_the_data,
    about_the_model,
    about_the_run,
)
from thresher.verifier.held_out import divided
from thresher.verifier.journal import (
    about_the_journal,
    rows_of_journal,
    says_nothing_alone,
)
from thresher.verifier.measures.limits import Limits
from thresher.verifier.measures.premises import premises_of
from thresher.verifier.measures.risk import stated
from thresher.verifier.mistaken_rounds import read_list
from thresher.verifier.mixed_runs.check import MixedCheck
from thresher.verifier.mixed_runs.run import mixed_theorem
from thresher.verifier.mixed_runs.source import ShardsInMemory, ShardSource
from thresher.verifier.readers.labelled_rows import LabelledRows, read_rows
from thresher.verifier.replayed_run import Elsewhere, ReplayedRun
from thresher.verifier.replays.playing import digest_of_journal
from thresher.verifier.signature import judged
from thresher.verifier.statement import Statement
from thresher.verifier.verdict import Finding, Verdict

#: What numbers that no honest certificate has can make arithmetic raise.
BEYOND_ARITHMETIC = (
    ArithmeticError,
    ValueError,
    TypeError,
    LookupError,
    RecursionError,
    MemoryError,
)


def verify(  # noqa: PLR0913  (each is an option, and has a default)
    certificate: Certificate,
    X: Any = None,
    y: Any = None,
    journal: Any = None,
    *,
    model: Any = None,
    trusted: Mapping[str, str] | None = None,
    workers: int = 1,
    elsewhere: Elsewhere | None = None,
) -> Verdict:
    """Recompute everything a certificate says, and compare the two.

    Parameters
    ----------
    certificate
        The claim.
    X, y
        The stream, as it was given to `thresher.certify`: an array, a SciPy matrix, a batch, or
        dicts with whole keys.
    journal
        The journal of updates. Together with the stream, it is checked against the stream. Alone,
        it shows that the counted mistakes were mistakes, not that there were no others.
    model
        The learner that the run is said to have produced: its `learned_state` must equal the final
        state of the run, to the last bit.
    trusted
        Keys, as `thresher.verifier.trusted_keys` reads them, one of which must have signed.
    workers
        How many threads may share the work. The verdict is the same with any number.
    elsewhere
        What checks ranges of rounds instead of threads, such as the workers of a cluster.

    Examples
    --------
    >>> import thresher as th
    >>> X, y = [[1, 0], [0, 1]] * 3, [1, -1] * 3
    >>> learner = th.Perceptron(2)
    >>> _ = learner.learn(X, y)
    >>> verdict = th.verify(th.certify(learner, X, y, delta=None), X, y)
    >>> print(verdict)
    data      matches
    counted   1 mistake in 6 rounds, as claimed
    proven    at most 1 mistake (NovikoffBySum)
    the claim holds
    """
    # A certificate made by hand must have the form of one that was read.
    certificate = Certificate.from_json(certificate.to_json())
    check = _Check(certificate, journal, model, workers, elsewhere)
    return _judged(lambda: check.verdict(X, y), trusted)


def verify_shards(
    certificate: Certificate,
    source: ShardSource,
    *,
    model: Any = None,
    trusted: Mapping[str, str] | None = None,
) -> Verdict:
    """The verdict on a certificate of shards that were combined; somebody else has their rows.

    It is the one that `verify` gives on the same rows, to the letter.
    """
    certificate = Certificate.from_json(certificate.to_json())
    mixing = certificate.mixing
    if mixing is None:
        raise CertificateError("certificate: it is about one learner, and no shards.")
    check = MixedCheck(certificate, mixing, source, model)
    return _judged(check.verdict, trusted)


def _judged(check: Callable[[], Verdict], trusted: Mapping[str, str] | None) -> Verdict:
    """The verdict of a check; numbers that no honest certificate has are refused."""
    try:
        verdict = check()
        return verdict if trusted is None else with_signers(verdict, trusted)
    except BEYOND_ARITHMETIC as error:
        if isinstance(error, ThresherError):
            raise
        raise CertificateError(
            f"certificate: the check broke off with {type(error).__name__}: {str(error)[:200]}. "
            "Its numbers are beyond what can be worked out, so nothing is known of the claim."
        ) from error


@dataclass(frozen=True)
class _Check:
    """One certificate, and what was given besides the data."""

    certificate: Certificate
    journal: Any
    model: Any
    workers: int
    elsewhere: Elsewhere | None = None

    def verdict(self, X: Any, y: Any) -> Verdict:
        """On the stream, on the journal that stands for it, or on what there is."""
        certificate, journal = self.certificate, self.journal
        findings = [Finding("seal", certificate.seal, certificate.proper_seal())]
        if certificate.mixing is not None and (X is not None or y is not None):
            source = ShardsInMemory(read_rows(X, y, certificate.classes), self.workers)
            return MixedCheck(certificate, certificate.mixing, source, self.model).verdict()
        if X is not None or y is not None:
            return self._on_the_stream(read_rows(X, y, certificate.classes), findings)
        if journal is not None and certificate.scope == "mistake rounds":
            stream = rows_of_journal(certificate.algorithm, certificate.parameters, journal)
            return self._on_the_stream(stream, findings)
        return self._without_the_stream(findings)

    def _on_the_stream(self, stream: LabelledRows, findings: list[Finding]) -> Verdict:
        certificate = self.certificate
        declared = declared_bound(certificate)
        findings += about_the_data(certificate, stream, self.workers)
        if self.journal is not None and certificate.scope == "all rounds":
            given = digest_of_journal(self.journal)
            findings.append(Finding("journal given", certificate.journal_digest, given))
        algorithm, parameters = certificate.algorithm, certificate.parameters
        if self.journal is not None and certificate.scope == "mistake rounds":
            rows = rows_of_journal(algorithm, parameters, self.journal)
            findings.append(Finding("journal given", stream.digest(), rows.digest()))
        fault = algorithm.fault(parameters, stream)
        findings.append(Finding("beyond the learner", None, fault))
        if fault is not None:
            return Verdict(certificate, tuple(findings), None)
        learned, held_out = divided(stream, certificate.held_out_every)
        claimed = claimed_rounds(certificate, len(learned))
        run = ReplayedRun.of(
            algorithm,
            parameters,
            learned,
            claimed,
            self.workers,
            held_out,
            self.elsewhere if held_out is None else None,
        )
        findings += about_the_run(certificate, run)
        findings += about_the_bounds(certificate, run, declared)
        findings += about_the_model(certificate, self.model, run.replay.state)
        met, unmet = premises(certificate, run, exceeds(certificate, declared))
        return Verdict(
            certificate,
            tuple(findings),
            run.mistakes,
            exceeds(certificate, declared),
            unmet=unmet,
            premises=met,
        )

    def _without_the_stream(self, findings: list[Finding]) -> Verdict:
        certificate, journal = self.certificate, self.journal
        if certificate.mixing is not None:
            # A journal of one learner cannot be that of many.
            journal = None
        declared = declared_bound(certificate)
        unchecked = ["whether the data is the data", "whether there were other mistakes"]
        replayed = None
        if journal is not None and not says_nothing_alone(certificate, journal):
            replayed, found = about_the_journal(certificate, journal)
            findings += found
        else:
            unchecked.append("whether the mistakes were mistakes")
        findings += about_the_arithmetic(certificate)
        findings += about_the_model(certificate, self.model, None)
        if certificate.held_out_every is not None:
            unchecked.append("whether the rows held out are as wrong as claimed, and no more")
        if certificate.algorithm.learns_a_class:
            unchecked.append("whether a concept of the class agrees with every label")
        if declared is None and certificate.witness is not None:
            unchecked.append("margins and losses of the witness")
        if certificate.claim is not None:
            unchecked.append("whether the data are of the kind that the claim presupposes")
        return Verdict(
            certificate,
            tuple(findings),
            replayed,
            exceeds(certificate, declared),
            tuple(unchecked),
        )


def with_signers(verdict: Verdict, trusted: Mapping[str, str]) -> Verdict:
    """The verdict on a certificate that somebody trusted must have signed."""
    certificate = verdict.certificate
    open_: list[str] = []
    signers: list[str] = []
    for signature, name, genuine in judged(certificate.signatures, certificate.seal, trusted):
        if genuine:
            signers.append(f"by {name}, as {signature.by!r}, dated {signature.at}")
        elif name is not None:
            # Anybody can add a signature to a true claim: a bad one shows nothing about it.
            open_.append(f"who added a signature of {name} that this key did not make for this")
    if not signers:
        open_.append("who says so: no trusted key has signed this certificate")
    return replace(
        verdict, unchecked=(*verdict.unchecked, *open_), signers=tuple(dict.fromkeys(signers))
    )


def claimed_rounds(certificate: Certificate, rounds: int) -> NDArray[np.bool_] | None:
    """For each of the rounds that were read, whether the certificate says it was mistaken."""
    if certificate.mistaken_rounds is None or certificate.learned != rounds:
        return None
    listed = read_list(certificate.mistaken_rounds, rounds)
    if listed is None:
        return None
    claimed = np.zeros(rounds, bool)
    claimed[listed] = True
    return claimed


def declared_bound(certificate: Certificate) -> MistakeBound | None:
    """What the declared class allows, where there is one."""
    if certificate.claim is None:
        return None
    return certificate.algorithm.allowance(certificate.parameters, certificate.claim.declared())


def exceeds(certificate: Certificate, declared: MistakeBound | None) -> bool:
    """Whether the counts claimed are more than the declared class allows."""
    negatives, positives = certificate.false_negatives, certificate.false_positives
    if declared is None or negatives is None or positives is None:
        return False
    counts = (np.array([count], object) for count in (negatives, positives))
    return bool(Limits.of(declared).exceeded(*counts)[0])


def premises(
    certificate: Certificate, run: ReplayedRun, exceeded: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the theorem presupposes: what the data show, and what they do not."""
    met: list[str] = []
    unmet: list[str] = []
    if certificate.claim is not None:
        for premise in premises_of(run, certificate.claim.declared()):
            if premise.met:
                met.append(premise.what)
            else:
                unmet.append(f"the claim presupposes that {premise.what}; found {premise.found}")
    if (exceeded or certificate.kind == "refutation") and not run.same_on_paper:
        unmet.append(
            "sums were rounded to double precision, and the theorem is about exact ones: "
            "without rounding the run may have made fewer mistakes"
        )
    return tuple(met), tuple(unmet)


def about_the_arithmetic(certificate: Certificate) -> Iterator[Finding]:
    """Whether the theorems allow what they are said to, if the quantities are right."""
    known = {theorem.name: theorem for theorem in catalogue() if is_measured(theorem)}
    for statement in (*certificate.bounds, *certificate.expectations, *certificate.risks):
        try:
            theorem = _theorem_of(statement, known)
            allows = _allowed_by(theorem)
            yield Finding(f"{statement.theorem} version", statement.version, theorem.version)
        except BeyondReachError:
            raise
        except (KeyError, TypeError, ThresherError) as error:
            allows = str(error)
        yield Finding(f"{statement.theorem} allows", statement.allows, allows)


def _theorem_of(statement: Statement, known: Mapping[str, type[Theorem]]) -> Theorem:
    """The theorem that is quoted, with its quantities."""
    if statement.sequential is None:
        return known[statement.theorem](**statement.quantities)
    quantities: dict[str, Any] = dict(statement.quantities)
    shards = quantities.pop("shards")
    sequential = known[statement.sequential](**quantities)
    mixed = mixed_theorem(sequential, shards) if isinstance(sequential, MistakeBound) else None
    if mixed is None or mixed.name != statement.theorem:
        raise KeyError(statement.theorem)
    return mixed


def is_measured(theorem: type[Theorem]) -> bool:
    """Whether all that a theorem is made from can be measured: no other theorem, for example."""
    return all(isinstance(getattr_static(theorem, f.name, None), Quantity) for f in fields(theorem))


def _allowed_by(theorem: Theorem) -> object:
    if isinstance(theorem, RiskBound):
        risk = stated(theorem)
        return None if risk is None else risk.allows
    if isinstance(theorem, MistakeBound | ExpectedMistakes):
        return Statement.of(theorem).allows
    return None
