"""A certificate of shards that learned apart and were combined after each epoch.

The run is played again, epoch by epoch; it must make the mistakes that the model's history has for
every shard, and end with the model's own numbers, bit for bit. Comparators are searched for in a
sample of the rows, and measured on all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np

from thresher.certifier.certification import candidates
from thresher.certifier.finished_run import check_state_of, identity, names_of_classes
from thresher.errors import NotCertifiableError, RunMismatchError
from thresher.theory import MistakeBound
from thresher.verifier.algorithm import Algorithm
from thresher.verifier.certificate import Certificate
from thresher.verifier.mistaken_rounds import encoded
from thresher.verifier.mixed_runs.check import places_in_all
from thresher.verifier.mixed_runs.mixing import MOST_LISTED, Mixing, digest_of_shards
from thresher.verifier.mixed_runs.replay import Epoch, Replayed
from thresher.verifier.mixed_runs.run import MixedRun, mixed_bounds, mixed_run, mixing_is_known
from thresher.verifier.mixed_runs.shard_work import ShardFacts, look_at, measure, sum_of, take
from thresher.verifier.mixed_runs.source import ShardSource
from thresher.verifier.readers.labelled_rows import LabelledRows, joined
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.playing import FLOAT64, Parameters
from thresher.verifier.schema import MIXED_CLASSES_VERSION, MIXED_VERSION
from thresher.verifier.statement import Statement
from thresher.verifier.witness import Witness

#: Rows in which comparators are searched for, evenly taken from all shards.
SAMPLE = 20_000
#: Comparators that are measured on all rows: the best on the sample.
MOST_MEASURED = 12
#: Numerators of the learner's own weights as a comparator go up to this.
LARGEST = 2**11


def certify_shards(
    learner: Any,
    source: ShardSource,
    rounds: Sequence[int],
    mistakes: Sequence[Sequence[int]],
    *,
    witness: Any = None,
) -> Certificate:
    """The certificate of a run of shards that were combined.

    Parameters
    ----------
    learner
        What they were combined to in the end.
    source
        Who has the rows.
    rounds, mistakes
        Rows of each shard; for each epoch the mistakes of each shard, as the run has counted them.
    witness
        A comparator to use instead of searching for one, as for :func:`thresher.certify`.
    """
    algorithm, parameters, rule = combined_identity(learner)
    if sum(rounds) != source.n_rows:
        raise RunMismatchError("shards of together so many rows:", sum(rounds), source.n_rows)
    source.cut(rounds)
    facts: list[ShardFacts] = source.each(look_at, (algorithm.name, parameters))
    fault = next((one.fault for one in facts if one.fault is not None), None)
    if fault is not None:
        raise NotCertifiableError(
            f"the learner cannot have seen this data: it has {fault}. Give the data it was "
            "trained on."
        )
    replayed = Replayed(algorithm, parameters, source, tuple(rounds))
    epochs = _same_epochs(replayed, mistakes)
    check_state_of(learner, epochs[-1].state)
    found: Witness | None = None
    bounds: list[MistakeBound] = []
    errors: int | None = None
    if mixing_is_known(algorithm) and algorithm.theorems_for(parameters) is not None:
        run = mixed_run(algorithm, parameters, source, epochs, rounds)
        found, bounds, errors = _best(run, source, rounds, epochs, witness)
    total = sum(sum(one.mistakes) for one in epochs)
    missed = sum_of(one.false_negatives for one in epochs)
    digests = tuple(one.digest for one in facts)
    all_rounds = sum(rounds) * len(epochs)
    listed = all_rounds <= MOST_LISTED
    return Certificate(
        kind="hindsight" if bounds else "count",
        learner=algorithm.name,
        parameters=parameters,
        data_digest=digest_of_shards(digests),
        rounds=sum(rounds),
        values=sum(one.values for one in facts),
        positives=sum_of(one.positives for one in facts),
        classes=names_of_classes(learner) if algorithm.several else None,
        width=max(one.width for one in facts),
        mistakes=total,
        false_negatives=missed,
        false_positives=None if missed is None else total - missed,
        arithmetic=FLOAT64,
        updates=sum(len(places) for one in epochs for places in one.updates),
        journal_digest="",
        mistaken_rounds=encoded(places_in_all(epochs, rounds), all_rounds) if listed else None,
        state_digest=epochs[-1].digest,
        scope="all rounds",
        claim=None,
        witness=None if found is None else replace(found, errors=errors),
        bounds=tuple(map(Statement.of, bounds)),
        risks=(),
        mixing=Mixing(
            rule,
            tuple(rounds),
            digests,
            tuple(one.mistakes for one in epochs),
            tuple(one.digest for one in epochs),
        ),
        version=MIXED_CLASSES_VERSION if algorithm.several else MIXED_VERSION,
    )


def combined_identity(learner: Any) -> tuple[Algorithm, Parameters, str]:
    """Algorithm, parameters and how shards are combined; no data can mend what is refused here."""
    algorithm, parameters = identity(learner)
    rule = algorithm.mixing_rule(parameters)
    if rule is None:
        raise NotCertifiableError(
            f"the verifier cannot combine shards of {learner.plain_name} with these parameters, so "
            "nobody could check the certificate.",
            "Train such a learner on one machine, or another one on the cluster: docs/cluster.md "
            "says which have certificates.",
        )
    return algorithm, parameters, rule


def _same_epochs(replayed: Replayed, mistakes: Sequence[Sequence[int]]) -> list[Epoch]:
    """The epochs, which must have the mistakes that were counted."""
    found: list[Epoch] = []
    for epoch, counted in zip(replayed.epochs(), mistakes, strict=False):
        # The last two are comparators.
        found[-2:-1] = [one.without_state() for one in found[-2:-1]]
        found.append(epoch)
        if epoch.mistakes != tuple(counted):
            what = f"in epoch {len(found)} mistakes of its shards:"
            raise RunMismatchError(what, list(counted), list(epoch.mistakes))
        if len(found) == len(mistakes):
            break
    return found


def _best(
    run: MixedRun, source: ShardSource, rounds: Sequence[int], epochs: list[Epoch], witness: Any
) -> tuple[Witness | None, list[MistakeBound], int | None]:
    """The comparator by which mixing allows the fewest mistakes, and in how many rows it errs."""
    algorithm, parameters = run.algorithm, run.parameters
    sample = ReplayedRun.of(algorithm, parameters, _sample(source, rounds))
    scale = Fraction(sum(rounds), max(1, len(sample.stream)))
    tried = _ranked(run, sample, scale, _candidates(sample, epochs, witness))
    measured = source.each(measure, (algorithm.name, parameters, tried))
    best: tuple[Witness | None, list[MistakeBound], int | None] = None, [], None
    for number, candidate in enumerate(tried):
        each = [found[number] for found in measured]
        bounds = mixed_bounds(run.compared_with(each), candidate)
        if bounds and (not best[1] or bounds[0].max_mistakes() < best[1][0].max_mistakes()):
            wrong = [one.errors for one in each if one.errors is not None]
            best = candidate, bounds, sum(wrong) if len(wrong) == len(each) else None
    return best


def _sample(source: ShardSource, rounds: Sequence[int]) -> LabelledRows:
    """Rows from all shards, as many of each as it has its share in all of them."""
    every = max(1, -(-sum(rounds) // SAMPLE))
    return joined(source.each(take, (), [np.arange(0, n, every) for n in rounds]))


def _ranked(
    run: MixedRun, sample: ReplayedRun, scale: Fraction, found: Iterable[Witness]
) -> list[Witness]:
    """The comparators that promise most on the sample, losses taken as often as rows are."""
    name, parameters = run.algorithm.name, run.parameters
    ranked: list[tuple[int, int, Witness]] = []
    for candidate in found:
        [once] = measure(sample.stream, name, parameters, [candidate])
        scaled = replace(once, loss=once.loss * scale)
        bounds = mixed_bounds(run.compared_with([scaled]), candidate)
        if bounds:
            ranked.append((bounds[0].max_mistakes(), len(ranked), candidate))
    return [candidate for _, _, candidate in sorted(ranked)[:MOST_MEASURED]]


def _candidates(sample: ReplayedRun, epochs: list[Epoch], witness: Any) -> Iterator[Witness]:
    """The comparators given or found in the sample, and the learner's own weights, with levels."""
    if isinstance(witness, Witness):
        # Whoever states its levels wants these.
        yield witness
        return
    own = () if witness is not None else _own(sample, epochs)
    for candidate in (*islice(candidates(sample, witness), 200), *own):
        yield from _at_levels(sample, candidate)


def _at_levels(sample: ReplayedRun, candidate: Witness) -> Iterator[Witness]:
    """A comparator as it is, and at further levels of loss."""
    yield candidate
    plain = replace(candidate, level=None, rho=None)
    if sample.algorithm.uses_rho:
        # A set of features is a comparator of the one theorem about Winnow that mixing keeps.
        for rho in (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4)):
            yield replace(plain, rho=rho)
    if sample.algorithm.uses_level:
        u = plain.comparator
        margins = sample.spelled_out.margins(u).approximate / u.denominator
        for share in (2, 5, 10, 20, 30, 40, 50, 60, 75, 90):
            level = float(np.percentile(margins, share)) if len(margins) else 0.0
            if level > 0.0:
                short = Fraction(level).limit_denominator(10**6)
                yield replace(plain, level=short or Fraction(level))


def _own(sample: ReplayedRun, epochs: list[Epoch]) -> Iterator[Witness]:
    """Duals of the last epochs as comparators, in whole numbers."""
    if sample.parameters.get("literals", False) or sample.algorithm.uses_rho:
        return
    # SciPy, which comes with it, takes long to import.
    from thresher.certifier.witnesses.rounding import rounded  # noqa: PLC0415

    for epoch in epochs[-2:]:
        state = epoch.state
        weights = state["weight" if "weight" in state else "dual"]
        whole = np.append(weights, state["constant"][-1:]) if sample.bias else weights
        if np.all(np.isfinite(whole)) and np.any(whole):
            yield Witness(rounded(whole, state["columns"], sample.bias, LARGEST))
