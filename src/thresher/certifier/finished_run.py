"""Reading a learner by its attributes, and playing its run again."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.errors import NotCertifiableError, ParameterError, RunMismatchError
from thresher.verifier.algorithm import Algorithm
from thresher.verifier.algorithms import ALGORITHMS
from thresher.verifier.held_out import divided
from thresher.verifier.journal import rows_of_journal
from thresher.verifier.readers.labelled_rows import LabelledRows, read_rows
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.playing import digest_of_journal, journal_digest
from thresher.verifier.shapes import stated
from thresher.verifier.state import State, state_digest
from thresher.verifier.statement import plain

ALL_ROUNDS = "all rounds"
MISTAKE_ROUNDS = "mistake rounds"
#: Parameters that change no prediction on rows by column: certificates leave them out.
UNSTATED = {"journal_bytes", "names", "method", "memory"}


def finished_run(
    learner: Any, X: Any, y: Any, holdout: int | None = None
) -> tuple[ReplayedRun, LabelledRows, str]:
    """The run, all rows that were given, and whether they are the stream or its journal."""
    algorithm, parameters = identity(learner)
    check_holdout(algorithm, X, holdout)
    kept = not algorithm.several and learner.journal is not None
    if X is None and not (kept and algorithm.journal_shows_all(parameters)):
        raise NotCertifiableError(
            f"the journal of {type(learner).__name__} does not show every mistake. Give X and y, "
            "the stream the learner was trained on."
        )
    if X is None:
        stream, scope = _journal_rows(learner, algorithm, parameters), MISTAKE_ROUNDS
    else:
        names = names_of_classes(learner) if algorithm.several else None
        if names is not None and holdout is not None:
            names = with_others(names, X, y)
        stream, scope = read_rows(_by_column(learner, X), y, names), ALL_ROUNDS
    fault = algorithm.fault(parameters, stream)
    if fault is not None:
        raise NotCertifiableError(
            f"the learner cannot have seen this stream: it has {fault}. "
            "Give the stream the learner was trained on."
        )
    learned, held_out = divided(stream, holdout)
    run = ReplayedRun.of(algorithm, parameters, learned, held_out=held_out)
    check_same_run(learner, run, scope)
    return run, stream, scope


def check_holdout(algorithm: Algorithm, X: Any, holdout: int | None) -> None:
    """Refuse rows held out of a journal, or predicted by lot."""
    if holdout is None:
        return
    if isinstance(holdout, bool) or holdout != int(holdout) or holdout < 2:
        raise ParameterError("certify", "holdout", "a whole number from 2 on, or None", holdout)
    if X is None:
        raise NotCertifiableError(
            "a journal has no rows that were held out. Give X and y, all rows in order."
        )
    if algorithm.draws:
        raise NotCertifiableError(
            f"the predictions of {algorithm.title} are drawn by lot, so that rows held out say "
            "nothing of a single model. Leave holdout out."
        )


def with_others(names: tuple[str, ...], X: Any, y: Any) -> tuple[str, ...]:
    """The classes of the learner, and those that only rows held out may have."""
    labels = X.classes if y is None else y
    found = dict.fromkeys((*names, *map(str, getattr(labels, "tolist", lambda: labels)())))
    return tuple(found)


def names_of_classes(learner: Any) -> tuple[str, ...]:
    """The classes by the texts that certificates know them by, in the learner's order."""
    names = tuple(map(str, learner.classes))
    if len(set(names)) < len(names):
        raise NotCertifiableError(
            "two classes have the same text, one as a number: a certificate could not tell them "
            "apart. Name them differently."
        )
    return names


def identity(learner: Any) -> tuple[Algorithm, dict[str, Any]]:
    """What the verifier knows about a learner, and its parameters as a certificate states them."""
    algorithm = ALGORITHMS.get(getattr(learner, "name", ""))
    if algorithm is None:
        raise NotCertifiableError(
            f"{type(learner).__name__} has no replay in thresher.verifier, so nobody could check "
            f"its certificate. Learners that can be certified: {', '.join(sorted(ALGORITHMS))}."
        )
    if "importance" in getattr(learner, "variations", ()):
        raise NotCertifiableError(
            f"{type(learner).__name__} has learned rows of which some count more than others, and "
            "a certificate does not say how much.",
            "Learn them without importance to get one.",
            code="nothing_to_certify.importance",
        )
    if algorithm.learns_a_class:
        # The classes come with readers of streams, which nobody else here needs.
        from thresher.certifier.class_data import class_data  # noqa: PLC0415

        return algorithm, {"concepts": class_data(learner.concepts)}
    given = spelled_out(learner)
    unknown = {name for name in given.keys() - algorithm.parameters.keys() if given[name]}
    if unknown - UNSTATED:
        raise NotCertifiableError(
            f"{type(learner).__name__} with {', '.join(sorted(unknown - UNSTATED))} has no replay "
            "in thresher.verifier, so nobody could check its certificate. Leave that out."
        )
    if "learner" in algorithm.parameters:
        given["learner"] = nested_identity(learner.inner_learner)
    shapes = algorithm.parameters
    return algorithm, {name: stated(given[name], shape) for name, shape in shapes.items()}


def nested_identity(learner: Any) -> dict[str, Any]:
    """A learner inside another as the certificate of the whole states it, in JSON's terms."""
    algorithm, parameters = identity(learner)
    return {"name": algorithm.name, "parameters": plain(parameters)}


def spelled_out(learner: Any) -> dict[str, Any]:
    """The parameters of a learner with nothing left for others to work out.

    >>> import thresher as th
    >>> found = spelled_out(th.Winnow(n_features=7, class_weight={+1: 3}))
    >>> found["threshold"], found["class_weight"]
    (7, {'negative': 1.0, 'positive': 3})
    """
    given: dict[str, Any] = dict(learner.settled_parameters)
    if given.get("threshold", 0) is None:
        given["threshold"] = given["n_features"] * (2 if given.get("literals", False) else 1)
    if given.get("p", 0) is None:
        given["p"] = learner.p
    weights = given.get("class_weight")
    if weights is not None and not learner.several:
        if not isinstance(weights, Mapping):
            weights = dict(zip((-1, 1), weights, strict=True))
        pair = {"negative": weights.get(-1, 1.0), "positive": weights.get(1, 1.0)}
        given["class_weight"] = None if set(pair.values()) == {1.0} else pair
    return given


def _by_column(learner: Any, X: Any) -> Any:
    """Rows with names, translated by the learner's vocabulary."""
    if not isinstance(X, list) or not X or not isinstance(X[0], Mapping):
        return X
    table = learner.name_table
    if table is None:
        return X
    if table.hashed and learner.parameters.get("names") is not None:
        raise NotCertifiableError(
            "hashed names may share a column, and what they add up to is the learner's affair. "
            "Hash the stream into a matrix or a Batch first, train on that and certify it."
        )
    return [{table.column_of(name): value for name, value in row.items()} for row in X]


def _journal_rows(
    learner: Any, algorithm: Algorithm, parameters: Mapping[str, Any]
) -> LabelledRows:
    """The journal as a stream: to leave out the other rounds changes nothing."""
    journal = learner.journal
    if not journal.complete:
        raise NotCertifiableError(
            f"the journal is not complete: {journal.omitted} updates did not fit into "
            "journal_bytes.",
            "Give X and y, the stream the learner was trained on.",
            code="certify.journal",
        )
    return rows_of_journal(algorithm, parameters, journal)


def check_same_run(learner: Any, run: ReplayedRun, scope: str) -> None:
    """Refuse a learner whose counts or journal are not those of the replay."""
    if scope == ALL_ROUNDS and learner.n_rounds != len(run.stream):
        raise RunMismatchError("played rounds:", learner.n_rounds, len(run.stream))
    for what, claimed, replayed in _counts(learner, run):
        if claimed != replayed:
            raise RunMismatchError(what, claimed, replayed)
    if run.replay.emptied_in_round != getattr(learner, "emptied_in_round", None):
        raise RunMismatchError(
            "ran out of concepts in round", learner.emptied_in_round, run.replay.emptied_in_round
        )
    check_journal(learner, run, scope)
    check_state_of(learner, run.replay.state)


def check_journal(learner: Any, run: ReplayedRun, scope: str) -> None:
    """Refuse a learner whose journal has other rows than those that changed it."""
    journal = None if learner.several else learner.journal
    if scope == MISTAKE_ROUNDS or journal is None or not journal.complete:
        return
    if not np.array_equal(journal.round_number, run.replay.updates):
        raise RunMismatchError(
            "updated in rounds", _few(journal.round_number), _few(run.replay.updates)
        )
    if run.algorithm.several:
        return
    if digest_of_journal(journal) != journal_digest(run.kept, run.replay.updates):
        raise RunMismatchError("a journal with", "other rows", "the rows given")


def check_state_of(learner: Any, played: State) -> None:
    """Refuse a learner whose numbers are not, bit for bit, those that a run ends with."""
    own = learner.learned_state()
    if state_digest(own) == state_digest(played):
        return
    odd = next(
        (
            name
            for name in sorted({*own, *played})
            if name not in own
            or name not in played
            or state_digest({name: own[name]}) != state_digest({name: played[name]})
        ),
        "numbers",
    )
    raise RunMismatchError("numbers that do not come out of this run, in", odd, "others there")


def _counts(learner: Any, run: ReplayedRun) -> list[tuple[str, int, int]]:
    """The learner's mistakes and those of the replay; of two classes, each kind by itself."""
    if run.algorithm.several:
        return [("mistakes:", learner.mistakes, run.mistakes)]
    missed, false = run.replay.counts(run.stream)
    return [
        ("false negatives:", learner.false_negatives, missed),
        ("false positives:", learner.false_positives, false),
    ]


def _few(rounds: NDArray[np.int64]) -> str:
    shown = ", ".join(map(str, rounds[:5].tolist()))
    return f"{shown}, ... ({len(rounds)} in all)" if len(rounds) > 5 else shown or "none"
