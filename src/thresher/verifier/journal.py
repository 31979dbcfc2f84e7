"""What the journal of updates shows by itself.

To delete the rounds that changed nothing changes nothing, so a journal can be played by
itself: every row of it must be an update again, and the mistakes must be those counted. That
no round left out was a mistake, only the stream can show.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from thresher.verifier.certificate import Certificate
from thresher.verifier.replay import digest_of_journal
from thresher.verifier.replays import outside, replay
from thresher.verifier.rows import Stream, read_stream
from thresher.verifier.verdict import Finding


def stream_of_journal(parameters: Mapping[str, Any], journal: Any) -> Stream:
    """The rows of a journal; where literals were spelled out, the variables that are on."""
    stream = read_stream(journal)
    if not parameters.get("literals", False):
        return stream
    on = stream.column < parameters["n_features"]
    counts = np.bincount(stream.row[on], minlength=len(stream))
    start = np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    return Stream(start, stream.column[on], stream.value[on], stream.label)


def about_the_journal(certificate: Certificate, journal: Any) -> tuple[int | None, list[Finding]]:
    """The mistakes in a replay of the journal, and what was found on the way."""
    stream = stream_of_journal(certificate.parameters, journal)
    findings = [
        Finding("journal digest", certificate.journal_digest, digest_of_journal(journal)),
        Finding("updates", certificate.updates, len(stream)),
    ]
    fault = outside(certificate.learner, certificate.parameters, stream)
    findings.append(Finding("beyond the learner", None, fault))
    if fault is not None:
        return None, findings
    played = replay(certificate.learner, certificate.parameters, stream)
    false_negatives, false_positives = played.counts(stream)
    findings.append(Finding("rows that are updates", len(stream), len(played.updates)))
    if "seed" in certificate.parameters or played.emptied_in_round is not None:
        # Draws go by the number of the round, and a class that has run out errs unrecorded.
        return None, findings
    return len(played.mistaken), [
        *findings,
        Finding("false negatives", certificate.false_negatives, false_negatives),
        Finding("false positives", certificate.false_positives, false_positives),
    ]
