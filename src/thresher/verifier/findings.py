"""What a certificate says of data, run and theorems, each next to what was found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from thresher.theory import ExpectedMistakes, MistakeBound
from thresher.verifier.certificate import Certificate
from thresher.verifier.measures.risk import risks_of, risks_of_version_1
from thresher.verifier.measures.strongest import (
    bounds_for,
    bounds_without_witness,
    errors_of,
    expectations_for,
)
from thresher.verifier.mistaken_rounds import read_list
from thresher.verifier.readers.labelled_rows import LabelledRows
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays.class_order import ClassOrder
from thresher.verifier.replays.playing import journal_digest
from thresher.verifier.row_digests import chunk_digests, tree_digest
from thresher.verifier.schema import VERSION
from thresher.verifier.state import State, state_digest
from thresher.verifier.statement import Statement
from thresher.verifier.verdict import Finding


def about_the_data(
    certificate: Certificate, stream: LabelledRows, workers: int = 1
) -> Iterator[Finding]:
    """Whether the stream is the one the certificate is about."""
    if certificate.version == 1:
        yield Finding("data digest", certificate.data_digest, stream.digest())
    else:
        chunks = chunk_digests(stream, workers)
        root = tree_digest(chunks, len(stream), stream.classes)
        yield Finding("data digest", certificate.data_digest, root)
        yield Finding("chunks", certificate.chunks, chunks)
        yield Finding("values", certificate.values, len(stream.value))
    yield Finding("rounds", certificate.rounds, len(stream))
    yield Finding("width", certificate.width, stream.width)
    if stream.classes is None:
        positives = int(np.count_nonzero(stream.label > 0))
        yield Finding("positives", certificate.positives, positives)


def about_the_run(certificate: Certificate, run: ReplayedRun) -> Iterator[Finding]:
    """Counts, journal and state."""
    replay = run.replay
    yield Finding("mistakes", certificate.mistakes, run.mistakes)
    if run.stream.classes is None:
        false_negatives, false_positives = replay.counts(run.stream)
        yield Finding("false negatives", certificate.false_negatives, false_negatives)
        yield Finding("false positives", certificate.false_positives, false_positives)
    else:
        # A name that neither the learner was given nor a row has says nothing.
        order = ClassOrder.of(run.stream, run.parameters)
        known = len(order.classes)
        numbers = () if run.held_out is None else np.unique(run.held_out.label).tolist()
        late = tuple((run.stream.classes or ())[number] for number in numbers if number >= known)
        yield Finding("classes", certificate.classes, (*order.classes, *late))
    yield Finding("arithmetic", certificate.arithmetic, replay.arithmetic)
    yield Finding("updates", certificate.updates, len(replay.updates))
    if certificate.version > 1:
        held = run.held_out_mistakes
        yield Finding("held-out mistakes", certificate.held_out_mistakes, held)
    yield Finding("emptied in round", certificate.emptied_in_round, replay.emptied_in_round)
    found = journal_digest(run.kept, replay.updates)
    yield Finding("journal digest", certificate.journal_digest, found)
    if certificate.scope == "mistake rounds":
        # A journal has the rounds that changed something, and no others; a run can be told from
        # it alone if these are the mistakes.
        yield Finding("rounds that are updates", len(run.stream), len(replay.updates))
        yield Finding("rounds that are mistakes", len(run.stream), run.mistakes)
    if certificate.version == 1:
        return
    yield Finding("state", certificate.state_digest, state_digest(replay.state))
    if certificate.mistaken_rounds is not None and certificate.learned == len(run.stream):
        listed = read_list(certificate.mistaken_rounds, certificate.learned)
        said = "no list of as many rounds" if listed is None else listed.tolist()
        yield Finding("mistaken rounds", said, replay.mistaken.tolist())
    yield Finding("facts", tuple(sorted(certificate.facts)), tuple(sorted(replay.facts)))
    for name in sorted({*certificate.facts} & {*replay.facts}):
        yield Finding(name, certificate.facts[name], tuple(replay.facts[name]))


def about_the_model(
    certificate: Certificate, model: Any, replayed: State | None
) -> Iterator[Finding]:
    """Whether a learner is the one that is claimed, and its numbers are those of the run's end.

    Other parameters make other predictions of the same numbers.
    """
    if model is None:
        return
    name, found = model.certified_as()
    yield Finding("learner of the model", certificate.learner, name)
    if name == certificate.learner:
        stated = certificate.algorithm.plain(certificate.parameters, VERSION)
        for each in sorted({*stated, *found}):
            yield Finding(f"{each} of the model", stated.get(each), found.get(each))
    said = certificate.state_digest if replayed is None else state_digest(replayed)
    if said:
        yield Finding("state of the model", said, state_digest(model.learned_state()))


def about_the_bounds(
    certificate: Certificate, run: ReplayedRun, declared: MistakeBound | None
) -> Iterator[Finding]:
    """Theorems and what they allow, from the claim or the witness alone."""
    witness = certificate.witness
    theorems = [] if declared is None else [declared]
    expected: list[ExpectedMistakes] = []
    unaided = bounds_without_witness(run)
    if certificate.claim is not None:
        yield Finding("witness", witness, None)
    elif unaided is not None:
        theorems = unaided
        yield Finding("witness", witness, None)
    elif witness is not None:
        theorems, expected = bounds_for(run, witness), expectations_for(run, witness)
        yield Finding("witness errors", witness.errors, errors_of(run, witness))
        if not theorems and not expected:
            # Weights that no theorem asks for say nothing, and nobody has looked at them.
            yield Finding("witness", witness, None)
    yield from compared("bounds", certificate.bounds, tuple(map(Statement.of, theorems)))
    averages = tuple(map(Statement.of, expected))
    yield from compared("expectations", certificate.expectations, averages)
    yield from compared("risks", certificate.risks, tuple(_risks(certificate, run, declared)))


def _risks(
    certificate: Certificate, run: ReplayedRun, declared: MistakeBound | None
) -> Iterator[Statement]:
    if certificate.scope != "all rounds":
        return
    if certificate.version > 1:
        yield from () if certificate.delta is None else risks_of(run, certificate.delta)
        return
    delta = next((s.quantities.get("delta") for s in certificate.risks), None)
    if isinstance(delta, Fraction | int):
        yield from risks_of_version_1(run, Fraction(delta), declared)


def compared(
    what: str, claimed: tuple[Statement, ...], found: tuple[Statement, ...]
) -> Iterator[Finding]:
    """Statements by the theorem they quote, and within them quantity by quantity."""
    names = tuple(s.theorem for s in claimed), tuple(s.theorem for s in found)
    yield Finding(what, *names)
    ours = _numbered(found)
    for key, said in _numbered(claimed).items():
        mine = ours.get(key)
        if mine is None:
            continue
        where = said.theorem
        yield Finding(f"{where} version", said.version, mine.version)
        if said.sequential is not None or mine.sequential is not None:
            yield Finding(f"{where} of", said.sequential, mine.sequential)
        for name in sorted({*said.quantities, *mine.quantities}):
            yield Finding(f"{where}.{name}", said.quantities.get(name), mine.quantities.get(name))
        yield Finding(f"{where} allows", said.allows, mine.allows)


def _numbered(statements: tuple[Statement, ...]) -> dict[tuple[str, int], Statement]:
    """Statements by their theorems; the first that quotes a theorem is its number 0."""
    seen: Counter[str] = Counter()
    found: dict[tuple[str, int], Statement] = {}
    for statement in statements:
        found[statement.theorem, seen[statement.theorem]] = statement
        seen[statement.theorem] += 1
    return found
