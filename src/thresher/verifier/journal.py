"""What the journal of updates shows by itself.

To delete the rounds that changed nothing changes nothing, so a journal can be played by
itself: every row of it must be an update again, and the mistakes must be those counted. That
no round left out was a mistake, only the stream can show.
"""

from __future__ import annotations

from typing import Any

from thresher.verifier.algorithm import Algorithm
from thresher.verifier.certificate import Certificate
from thresher.verifier.readers.labelled_rows import LabelledRows, read_rows
from thresher.verifier.replays.playing import Parameters, digest_of_journal
from thresher.verifier.verdict import Finding


def rows_of_journal(algorithm: Algorithm, parameters: Parameters, journal: Any) -> LabelledRows:
    """The rows of a journal as the learner saw them."""
    return algorithm.seen(read_rows(journal), parameters)


def says_nothing_alone(certificate: Certificate, journal: Any) -> bool:
    """Whether a journal by itself can neither agree with the certificate nor contradict it.

    It lacks updates, or its labels are numbers of classes that only a learner has names for.
    """
    return certificate.algorithm.several or not getattr(journal, "complete", True)


def about_the_journal(certificate: Certificate, journal: Any) -> tuple[int | None, list[Finding]]:
    """The mistakes in a replay of the journal, and what was found on the way."""
    algorithm, parameters = certificate.algorithm, certificate.parameters
    stream = rows_of_journal(algorithm, parameters, journal)
    findings = [
        Finding("journal digest", certificate.journal_digest, digest_of_journal(journal)),
        Finding("updates", certificate.updates, len(stream)),
    ]
    fault = algorithm.fault(parameters, stream)
    findings.append(Finding("beyond the learner", None, fault))
    if fault is not None or parameters.get("average", False):
        # The mean of all weights goes by the rounds, of which the journal lacks some.
        return None, findings
    played = algorithm.replay(stream, parameters)
    false_negatives, false_positives = played.counts(stream)
    findings.append(Finding("rows that are updates", len(stream), len(played.updates)))
    finite = algorithm.learns_a_class and played.emptied_in_round is None
    if not (finite or algorithm.journal_shows_all(parameters)):
        return None, findings
    return len(played.mistaken), [
        *findings,
        Finding("false negatives", certificate.false_negatives, false_negatives),
        Finding("false positives", certificate.false_positives, false_positives),
    ]
