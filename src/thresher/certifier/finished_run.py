"""Reading a learner by its attributes, and playing its run again."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.certifier.concepts import class_data
from thresher.errors import NotCertifiableError, RunMismatchError
from thresher.verifier.journal import stream_of_journal
from thresher.verifier.replay import digest_of_journal, journal_digest
from thresher.verifier.replays import journal_rows, outside, replay
from thresher.verifier.rows import Stream, read_stream
from thresher.verifier.run import Run
from thresher.verifier.schema import PARAMETERS

ALL_ROUNDS = "all rounds"
MISTAKE_ROUNDS = "mistake rounds"


def finished_run(learner: Any, X: Any, y: Any) -> tuple[Run, str]:
    """The run on the stream, or on the journal if there is no stream; and which of the two."""
    name, parameters = identity(learner)
    if X is None and ("concepts" in parameters or "seed" in parameters):
        raise NotCertifiableError(
            f"the journal of {type(learner).__name__} does not show every mistake. Give X and y, "
            "the stream the learner was trained on."
        )
    if X is None:
        stream, scope = _journal_stream(learner, parameters), MISTAKE_ROUNDS
    else:
        stream, scope = read_stream(_by_column(learner, X), y), ALL_ROUNDS
    fault = outside(name, parameters, stream)
    if fault is not None:
        raise NotCertifiableError(
            f"the learner cannot have seen this stream: it has {fault}. "
            "Give the stream the learner was trained on."
        )
    run = Run(name, parameters, stream, replay(name, parameters, stream))
    check_same_run(learner, run, scope)
    return run, scope


def identity(learner: Any) -> tuple[str, dict[str, Any]]:
    """The learner's name, and its parameters as a certificate states them."""
    name = getattr(learner, "name", None)
    if not isinstance(name, str) or name not in PARAMETERS:
        raise NotCertifiableError(
            f"{type(learner).__name__} has no replay in thresher.verifier, so nobody could check "
            f"its certificate. Learners that can be certified: {', '.join(sorted(PARAMETERS))}."
        )
    varied = getattr(learner, "variations", ())
    if varied:
        raise NotCertifiableError(
            f"{type(learner).__name__} with {', '.join(varied)} is another algorithm than the one "
            "the theorems speak of. Leave that out to get a certificate."
        )
    if "concepts" in PARAMETERS[name]:
        return name, {"concepts": class_data(learner.concepts)}
    given = learner.parameters
    if "threshold" in PARAMETERS[name] and given["threshold"] is None:
        given = given | {"threshold": given["n_features"]}
    return name, {
        key: bool(given[key]) if PARAMETERS[name][key] is bool else _number(key, given[key])
        for key in PARAMETERS[name]
    }


def _number(key: str, value: Any) -> int | Fraction | None:
    if value is None:
        return None
    if key in ("n_features", "n_experts", "seed"):
        return int(value)
    return Fraction(value if isinstance(value, int | Fraction) else float(value))


def _by_column(learner: Any, X: Any) -> Any:
    """Rows with names, translated by the learner's vocabulary."""
    if not isinstance(X, list) or not X or not isinstance(X[0], Mapping):
        return X
    if not hasattr(learner, "column_of"):
        return X
    if type(learner.parameters.get("names")).__name__ == "Hashed":
        raise NotCertifiableError(
            "hashed names may share a column, and what they add up to is the learner's affair. "
            "Hash the stream into a matrix or a Batch first, train on that and certify it."
        )
    return [{learner.column_of(name): value for name, value in row.items()} for row in X]


def _journal_stream(learner: Any, parameters: Mapping[str, Any]) -> Stream:
    """The journal as a stream: to delete the other rounds changes nothing."""
    journal = learner.journal
    if not journal.complete:
        raise NotCertifiableError(
            f"the journal is not complete: {journal.omitted} updates did not fit into "
            "journal_bytes. Give X and y, the stream the learner was trained on."
        )
    return stream_of_journal(parameters, journal)


def check_same_run(learner: Any, run: Run, scope: str) -> None:
    """Refuse a learner whose counts or journal are not those of the replay."""
    counts = run.replay.counts(run.stream)
    if scope == ALL_ROUNDS and learner.n_rounds != len(run.stream):
        raise RunMismatchError("played rounds:", learner.n_rounds, len(run.stream))
    for what, claimed, replayed in (
        ("false negatives:", learner.false_negatives, counts[0]),
        ("false positives:", learner.false_positives, counts[1]),
    ):
        if claimed != replayed:
            raise RunMismatchError(what, claimed, replayed)
    if run.replay.emptied_in_round != getattr(learner, "emptied_in_round", None):
        raise RunMismatchError(
            "ran out of concepts in round", learner.emptied_in_round, run.replay.emptied_in_round
        )
    journal = learner.journal
    if scope == MISTAKE_ROUNDS or not journal.complete:
        return
    if not np.array_equal(journal.round_number, run.replay.updates):
        raise RunMismatchError(
            "updated in rounds", _few(journal.round_number), _few(run.replay.updates)
        )
    rows = journal_rows(run.parameters, run.stream)
    if digest_of_journal(journal) != journal_digest(rows, run.replay.updates):
        raise RunMismatchError("a journal with", "other rows", "the rows given")


def _few(rounds: NDArray[np.int64]) -> str:
    shown = ", ".join(map(str, rounds[:5].tolist()))
    return f"{shown}, ... ({len(rounds)} in all)" if len(rounds) > 5 else shown or "none"
