"""Downgrades to format 1, lists of mistaken rounds that lie to workers, chunks, class names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.attacks.forgeries import BITS, CLASSES, EITHER, MAKERS, honest, run_of
from thresher.errors import ThresherError
from thresher.verifier.mistaken_rounds import encoded
from thresher.verifier.readers.labelled_rows import read_rows
from thresher.verifier.row_digests import chunk_digests, tree_digest

MANY = np.tile(BITS, (60, 1))[:2300]
TARGET = np.where(MANY[:, 0] | MANY[:, 1], 1, -1)


def downgraded(certificate: th.Certificate, X: Any, y: Any, **lies: Any) -> th.Certificate:
    """The same claim in format 1, with lies."""
    plain: dict[str, Any] = {
        "state_digest": "",
        "chunks": (),
        "mistaken_rounds": None,
        "values": 0,
        "facts": {},
    }
    digest = read_rows(X, y, certificate.classes).digest()
    first = replace(certificate, version=1, data_digest=digest, delta=None, **plain)
    return replace(first, **lies).resealed()


def status(certificate: th.Certificate, X: Any, y: Any, **options: Any) -> str:
    try:
        return th.verify(certificate, X, y, **options).status
    except ThresherError:
        return "refused"


@pytest.mark.parametrize("name", MAKERS)
def test_format_1_believes_no_more_than_format_2(name: str) -> None:
    run = honest(name)
    one_more = (run.certificate.false_positives or 0) + 1
    lies: list[dict[str, Any]] = [
        {"false_positives": one_more},
        {"kind": "refutation"},
        {"arithmetic": "exact" if run.certificate.arithmetic != "exact" else "float64"},
        {"scope": "mistake rounds"},
        {"rounds": run.certificate.rounds + 1},
        {"updates": run.certificate.updates + 1},
        {"journal_digest": "0" * 64},
        {"emptied_in_round": 3 if run.certificate.emptied_in_round != 3 else 4},
        {"classes": None, "positives": 7, "false_negatives": 0, "false_positives": 1},
        {"data_digest": run.certificate.data_digest},
        {"width": 9},
    ]
    for lie in lies:
        forged = downgraded(run.certificate, run.X, run.y, risks=(), **lie)
        assert forged.claim == run.certificate.claim
        if forged == downgraded(run.certificate, run.X, run.y, risks=()):
            continue
        assert status(forged, run.X, run.y) in ("does not hold", "refused"), lie


def mistaken_lies() -> dict[str, Any]:
    """Lists of mistaken rounds that are not those of the run."""
    run = run_of(th.Perceptron(4, bias=True), MANY, TARGET)
    true = np.flatnonzero(np.isin(np.arange(2300), run.learner.journal.round_number))
    n = len(MANY)
    return {
        "none": true[:0],
        "all": np.arange(n),
        "the first left out": true[1:],
        "the last left out": true[:-1],
        "one more at the end": np.append(true, n - 1),
        "one more at the start": np.union1d(true, [0, 1, 2, 3, 4, 5, 6, 7]),
        "one more where the second worker begins": np.union1d(true, [n // 2]),
        "one more before the second worker": np.union1d(true, [n // 2 - 1]),
        "shifted": np.minimum(true + 1, n - 1),
        "others instead": np.arange(len(true)) + n // 2,
    }


@pytest.mark.parametrize("lie", mistaken_lies())
@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_are_not_deceived_about_mistaken_rounds(lie: str, workers: int) -> None:
    run = run_of(th.Perceptron(4, bias=True), MANY, TARGET)
    rounds = mistaken_lies()[lie]
    for count in {run.certificate.mistakes, len(rounds)}:
        forged = replace(
            run.certificate, mistaken_rounds=encoded(rounds, len(MANY)), mistakes=count
        ).resealed()
        assert status(forged, MANY, TARGET, workers=workers) == "does not hold"
    silent = replace(run.certificate, mistaken_rounds=None).resealed()
    assert status(silent, MANY, TARGET, workers=workers) == "holds"


def test_classes_are_those_of_the_labels() -> None:
    run = honest("multiclass perceptron")
    names = run.certificate.classes
    assert names is not None
    stream = read_rows(BITS, CLASSES, names)
    for other in (
        ("x", "y", "z"), names[:2], (*names, "d"), (*names, names[0]), (names[0],) * 3,
        (names[0].upper(), *names[1:]), (names[0] + " ", *names[1:]), ("", *names[1:]),
        (names[1], names[0], names[2]), tuple(reversed(names)), (),
    ):  # fmt: skip
        root = tree_digest(run.certificate.chunks, len(stream), other)
        forged = replace(run.certificate, classes=other, data_digest=root).resealed()
        assert status(forged, BITS, CLASSES) in ("does not hold", "refused"), other


def test_chunks_belong_to_their_root() -> None:
    stream = read_rows(np.tile(BITS, (210, 1)), np.tile(EITHER, 210))
    run = run_of(th.Winnow(4), np.tile(BITS, (210, 1)), np.tile(EITHER, 210))
    chunks = chunk_digests(stream)
    assert len(chunks) == 3
    for lie in (
        chunks[::-1], chunks[:2], (*chunks, chunks[0]), (chunks[0],) * 3, (), ("0" * 64,) * 3,
        (chunks[1], chunks[0], chunks[2]), (chunks[0], chunks[2]), (*chunks, "0" * 64), chunks[1:],
    ):  # fmt: skip
        for root in (run.certificate.data_digest, tree_digest(lie, len(stream), None)):
            forged = replace(run.certificate, chunks=lie, data_digest=root).resealed()
            assert status(forged, run.X, run.y) == "does not hold"
