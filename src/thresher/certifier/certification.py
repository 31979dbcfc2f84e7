"""From a finished run to the strongest certificate that applies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from thresher.certifier.finished_run import ALL_ROUNDS, finished_run
from thresher.errors import NotCertifiableError, ParameterError
from thresher.theory import Concept, ExpectedMistakes, MistakeBound
from thresher.verifier.certificate import Certificate
from thresher.verifier.measures.limits import Limits
from thresher.verifier.measures.premises import premises_of
from thresher.verifier.measures.risk import risks_of
from thresher.verifier.measures.strongest import (
    bounds_for,
    bounds_without_witness,
    errors_of,
    expectations_for,
)
from thresher.verifier.mistaken_rounds import encoded
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.playing import journal_digest
from thresher.verifier.row_digests import chunk_digests, tree_digest
from thresher.verifier.state import state_digest
from thresher.verifier.statement import Claim, Statement
from thresher.verifier.witness import Witness


def certify(
    learner: Any,
    X: Any = None,
    y: Any = None,
    *,
    claim: Concept | None = None,
    witness: Any = None,
    delta: float | Fraction | None = 0.05,
    holdout: int | None = None,
) -> Certificate:
    """The strongest certificate for a run.

    Without a claim, it searches for a comparator in hindsight and quotes the theorem that allows
    the fewest mistakes with it; losses are summed over all rounds. With a claim, the bound is the
    one known before the run; a run that exceeds it refutes the claim.

    Parameters
    ----------
    learner
        The learner, after its run.
    X, y
        The whole stream it was trained on, in order. Without it, the certificate covers only the
        journal, and needs a claim or a witness.
    claim
        A declared class of targets, such as `thresher.theory.Disjunction`.
    witness
        A comparator to use instead of searching for one: a list of weights or a dict
        from column to weight.
    delta
        The probability with which each statement about the risk may fail. None: no such
        statements.
    holdout
        If given, rows whose number, counted from 1, is a multiple of it were not learned: X and y
        have all rows, and the learner has seen the others. Its final predictions for the held-out
        rows bound its risk (`thresher.theory.HoldoutRisk`), provided that they are independent
        draws from one source and had no part in training or choosing the model.

    Examples
    --------
    >>> import thresher as th
    >>> X, y = [[1, 0, 1], [0, 1, 1], [1, 1, 0]] * 5, [1, -1, 1] * 5
    >>> learner = th.Perceptron(3)
    >>> learner.learn(X, y).mistakes
    2
    >>> certificate = th.certify(learner, X, y)
    >>> certificate.theorem, certificate.allowed, certificate.kind
    ('NovikoffBySum', 3, 'hindsight')
    >>> certificate.witness.comparator.numerators, certificate.bounds[0].quantities["margin"]
    ((16, -5, -5), Fraction(10, 1))

    Every fifth row held out:

    >>> X, y = [[1, 0], [0, 1], [1, 1], [1, 0]] * 25, [1, -1, 1, 1] * 25
    >>> learned = [t for t in range(100) if (t + 1) % 5]
    >>> learner = th.Perceptron(2)
    >>> _ = learner.learn([X[t] for t in learned], [y[t] for t in learned])
    >>> certificate = th.certify(learner, X, y, holdout=5)
    >>> certificate.held_out_mistakes, certificate.held_out, certificate.risks[-1].theorem
    (0, 20, 'HoldoutRisk')
    """
    run, stream, scope = finished_run(learner, X, y, holdout)
    theorem = found = None
    expected: list[ExpectedMistakes] = []
    if claim is not None:
        theorem = run.algorithm.allowance(run.parameters, claim)
        if theorem is None:
            raise NotCertifiableError(
                f"no theorem says what {type(learner).__name__} with these parameters does on "
                f"{claim}. Without a claim, a comparator is searched for in hindsight."
            )
        bounds: list[MistakeBound] = [theorem]
        require_premises(run, claim)
        check_refutation(run, theorem)
    elif witness is None and scope != ALL_ROUNDS:
        raise NotCertifiableError(
            "the journal alone can be certified for a declared claim or witness only: one "
            "found afterwards would fit itself to the mistakes. Give X and y, or a claim."
        )
    elif (unaided := bounds_without_witness(run)) is not None:
        if witness is not None:
            raise NotCertifiableError(
                f"what is known of {type(learner).__name__} asks for no comparator. Leave the "
                "witness out."
            )
        bounds = unaided
    elif run.algorithm.draws:
        bounds = []
        pairs = ((each, expectations_for(run, each)) for each in candidates(run, witness))
        found, expected = next((pair for pair in pairs if pair[1]), (None, expected))
    else:
        found, bounds = best_witness(run, candidates(run, witness))
    replay, learned = run.replay, run.stream
    chunks = chunk_digests(stream)
    share = None if delta is None or scope != ALL_ROUNDS else as_share(delta)
    risks = () if share is None else tuple(risks_of(run, share))
    several = stream.classes is not None
    counts = (None, None) if several else replay.counts(learned)
    return Certificate(
        kind="expectation" if expected else kind_of(theorem, bounds, counts),
        learner=run.algorithm.name,
        parameters=run.parameters,
        data_digest=tree_digest(chunks, len(stream), stream.classes),
        chunks=chunks,
        rounds=len(stream),
        values=len(stream.value),
        positives=None if several else int(np.count_nonzero(stream.label > 0)),
        width=stream.width,
        classes=stream.classes,
        mistakes=run.mistakes,
        false_negatives=counts[0],
        false_positives=counts[1],
        arithmetic=replay.arithmetic,
        updates=len(replay.updates),
        journal_digest=journal_digest(run.kept, replay.updates),
        mistaken_rounds=encoded(replay.mistaken, len(learned)),
        held_out_every=None if holdout is None else int(holdout),
        held_out_mistakes=run.held_out_mistakes,
        state_digest=state_digest(replay.state),
        facts=replay.facts,
        scope=scope,
        claim=None if claim is None else Claim.of(claim),
        witness=found and replace(found, errors=errors_of(run, found)),
        bounds=tuple(map(Statement.of, bounds)),
        risks=risks,
        delta=share if risks else None,
        expectations=tuple(map(Statement.of, expected)),
        emptied_in_round=replay.emptied_in_round,
    )


def as_share(delta: float | Fraction) -> Fraction:
    """A probability as a fraction: 0.05 means one in twenty, not the double next to it."""
    share = Fraction(str(float(delta))) if isinstance(delta, float) else Fraction(delta)
    if not 0 < share < 1:
        raise ParameterError("certify", "delta", "a probability above 0 and below 1", delta)
    return share


def require_premises(run: ReplayedRun, claim: Concept) -> None:
    """Refuse a claim that presupposes what the data do not show: nothing would follow from it."""
    for premise in premises_of(run, claim):
        if not premise.met:
            raise NotCertifiableError(
                f"{claim} presupposes that {premise.what}; found {premise.found}. The theorem "
                "says nothing about such data. Declare a class that the data can belong to."
            )


def check_refutation(run: ReplayedRun, theorem: MistakeBound) -> None:
    """Refuse to call a claim refuted if only rounding may have done it."""
    counts = run.replay.counts(run.stream)
    if kind_of(theorem, [theorem], counts) == "refutation" and not run.same_on_paper:
        raise NotCertifiableError(
            f"the run made {run.mistakes} mistakes and the claim allows "
            f"{theorem.max_mistakes()}, but sums were rounded to double precision and the theorem "
            "is about exact ones: the claim is neither refuted nor confirmed. Values that are "
            "whole numbers, or multiples of one power of two, are added up exactly."
        )


def kind_of(
    claimed: MistakeBound | None,
    bounds: list[MistakeBound],
    counts: tuple[int | None, int | None],
) -> str:
    """What the certificate says: see `Certificate`."""
    if claimed is None:
        return "hindsight" if bounds else "count"
    pair = (np.array([count]) for count in counts)
    return "refutation" if Limits.of(claimed).exceeded(*pair)[0] else "a priori"


def candidates(run: ReplayedRun, witness: Any) -> Iterable[Witness]:
    """The witness given, or those that a search finds."""
    if not len(run.stream):
        return ()
    run = run.spelled_out
    # SciPy takes long to import, and only the search needs it.
    if witness is not None:
        from thresher.certifier.witnesses.given import given_witnesses  # noqa: PLC0415

        return given_witnesses(run, witness)
    from thresher.certifier.witnesses.search import searched_witnesses  # noqa: PLC0415

    return searched_witnesses(run)


def best_witness(
    run: ReplayedRun, found: Iterable[Witness]
) -> tuple[Witness | None, list[MistakeBound]]:
    """The witness through which a theorem allows the fewest mistakes."""
    best: tuple[Witness | None, list[MistakeBound]] = (None, [])
    for candidate in found:
        bounds = bounds_for(run, candidate)
        if bounds and (not best[1] or bounds[0].max_mistakes() < best[1][0].max_mistakes()):
            best = candidate, bounds
    return best
