"""A certificate of shards that were combined, next to what a replay of all of them finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher.verifier.certificate import Certificate
from thresher.verifier.findings import about_the_model, compared
from thresher.verifier.mistaken_rounds import read_list
from thresher.verifier.mixed_runs.mixing import Mixing, digest_of_shards
from thresher.verifier.mixed_runs.replay import Epoch, Listed, Replayed
from thresher.verifier.mixed_runs.run import mixed_bounds, mixed_run, mixing_is_known
from thresher.verifier.mixed_runs.shard_work import ShardFacts, look_at, measure, sum_of
from thresher.verifier.mixed_runs.source import ShardSource
from thresher.verifier.statement import Statement
from thresher.verifier.verdict import Finding, Verdict


@dataclass(frozen=True)
class MixedCheck:
    """One certificate, and who has the rows."""

    certificate: Certificate
    mixing: Mixing
    source: ShardSource
    model: Any = None

    def verdict(self) -> Verdict:
        """Data, then epochs up to the first that differs, then theorems."""
        certificate, mixing, source = self.certificate, self.mixing, self.source
        seal = Finding("seal", certificate.seal, certificate.proper_seal())
        findings = [
            Finding("rounds", certificate.rounds, source.n_rows),
            Finding("rounds of all shards", sum(mixing.rounds), source.n_rows),
        ]
        if sum(mixing.rounds) != source.n_rows:
            # Without as many rows there are no shards to look at.
            findings.append(Finding("data digest", certificate.data_digest, "of other rows"))
            return Verdict(certificate, (seal, *findings), None)
        source.cut(mixing.rounds)
        asked = certificate.learner, certificate.parameters
        facts: list[ShardFacts] = source.each(look_at, asked)
        findings += self._about_the_data(facts)
        fault = next((one.fault for one in facts if one.fault is not None), None)
        findings.append(Finding("beyond the learner", None, fault))
        if not all(finding.agrees for finding in findings):
            # Epochs on other data would say nothing of these, and take long.
            return Verdict(certificate, (seal, *findings), None)
        epochs = self._epochs()
        findings += self._about_the_epochs(epochs)
        if not all(finding.agrees for finding in findings):
            return Verdict(certificate, (seal, *findings), None)
        findings += self._about_the_run(epochs)
        findings += self._about_the_bounds(epochs)
        findings += about_the_model(certificate, self.model, epochs[-1].state)
        mistakes = sum(sum(one.mistakes) for one in epochs)
        return Verdict(certificate, (seal, *findings), mistakes)

    def _about_the_data(self, facts: Sequence[ShardFacts]) -> Iterator[Finding]:
        certificate = self.certificate
        digests = tuple(one.digest for one in facts)
        yield Finding("data digest", certificate.data_digest, digest_of_shards(digests))
        yield Finding("digests of shards", self.mixing.digests, digests)
        yield Finding("rounds of shards", self.mixing.rounds, tuple(one.rounds for one in facts))
        yield Finding("values", certificate.values, sum(one.values for one in facts))
        positives = sum_of(one.positives for one in facts)
        yield Finding("positives", certificate.positives, positives)
        yield Finding("width", certificate.width, max(one.width for one in facts))

    def _listed(self) -> Listed | None:
        """Which rows of each shard are claimed to be mistaken in each epoch."""
        certificate, mixing = self.certificate, self.mixing
        if certificate.mistaken_rounds is None:
            return None
        found = read_list(certificate.mistaken_rounds, certificate.learned)
        return None if found is None else divided(found, mixing.rounds, mixing.epochs)

    def _epochs(self) -> list[Epoch]:
        """The epochs of the run, up to the first that is not as claimed."""
        certificate, mixing = self.certificate, self.mixing
        run = Replayed(
            certificate.algorithm, certificate.parameters, self.source, tuple(mixing.rounds)
        )
        listed = self._listed()
        epochs = None if listed is None else run.as_claimed(listed)
        found: list[Epoch] = []
        for number, epoch in enumerate(run.epochs() if epochs is None else epochs):
            found[-1:] = [one.without_state() for one in found[-1:]]
            found.append(epoch)
            said = mixing.mistakes[number], mixing.states[number]
            if said != (epoch.mistakes, epoch.digest):
                break
            if len(found) == mixing.epochs:
                break
        return found

    def _about_the_epochs(self, epochs: Sequence[Epoch]) -> Iterator[Finding]:
        for number, epoch in enumerate(epochs):
            said = self.mixing.mistakes[number]
            yield Finding(f"mistakes of shards in epoch {number + 1}", said, epoch.mistakes)
            stated = self.mixing.states[number]
            yield Finding(f"state after epoch {number + 1}", stated, epoch.digest)

    def _about_the_run(self, epochs: Sequence[Epoch]) -> Iterator[Finding]:
        certificate = self.certificate
        mistakes = sum(sum(one.mistakes) for one in epochs)
        missed = sum_of(one.false_negatives for one in epochs)
        yield Finding("mistakes", certificate.mistakes, mistakes)
        if missed is not None:
            yield Finding("false negatives", certificate.false_negatives, missed)
            yield Finding("false positives", certificate.false_positives, mistakes - missed)
        else:
            # A name that neither the learner was given nor a row has says nothing.
            classes = tuple(epochs[-1].state["classes"].tolist())
            yield Finding("classes", certificate.classes, classes)
        updates = sum(len(places) for one in epochs for places in one.updates)
        yield Finding("updates", certificate.updates, updates)
        yield Finding("state", certificate.state_digest, epochs[-1].digest)
        if certificate.mistaken_rounds is not None:
            listed = read_list(certificate.mistaken_rounds, certificate.learned)
            said = "no list of as many rounds" if listed is None else listed.tolist()
            found = places_in_all(epochs, self.mixing.rounds).tolist()
            yield Finding("mistaken rounds", said, found)

    def _about_the_bounds(self, epochs: Sequence[Epoch]) -> Iterator[Finding]:
        certificate, mixing, witness = self.certificate, self.mixing, self.certificate.witness
        theorems: tuple[Statement, ...] = ()
        if witness is not None and not mixing_is_known(certificate.algorithm):
            yield Finding("witness", witness, None)
        elif witness is not None:
            name, parameters = certificate.learner, certificate.parameters
            rounds = tuple(mixing.rounds)
            run = mixed_run(certificate.algorithm, parameters, self.source, epochs, rounds)
            each = [found[0] for found in self.source.each(measure, (name, parameters, [witness]))]
            run = run.compared_with(each)
            theorems = tuple(map(Statement.of, mixed_bounds(run, witness)))
            wrong = [one.errors for one in each if one.errors is not None]
            errors = sum(wrong) if len(wrong) == len(each) else None
            yield Finding("witness errors", witness.errors, errors)
            if not theorems:
                # Weights that no theorem asks for say nothing, and nobody has looked at them.
                yield Finding("witness", witness, None)
        yield from compared("bounds", certificate.bounds, theorems)


def divided(
    found: NDArray[np.int64], rounds: Sequence[int], epochs: int
) -> list[list[NDArray[np.int64]]]:
    """Rounds, counted through all epochs and shards, as rows of each shard in each epoch.

    >>> [[shard.tolist() for shard in one] for one in divided(np.array([1, 2, 4]), [2, 1], 2)]
    [[[1], [0]], [[1], []]]
    """
    ends = [0, *accumulate(list(rounds) * epochs)]
    places = [
        found[np.searchsorted(found, first) : np.searchsorted(found, stop)] - first
        for first, stop in pairwise(ends)
    ]
    shards = len(rounds)
    return [places[first : first + shards] for first in range(0, len(places), shards)]


def places_in_all(epochs: Sequence[Epoch], rounds: Sequence[int]) -> NDArray[np.int64]:
    """The mistaken rounds of all epochs and shards, counted through."""
    before = [0, *accumulate(list(rounds) * len(epochs))]
    parts = [places for epoch in epochs for places in epoch.mistaken]
    return np.concatenate([part + at for part, at in zip(parts, before, strict=False)])
