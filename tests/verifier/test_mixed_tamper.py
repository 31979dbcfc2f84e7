"""Lies about shards that were combined: every one is refused, or does not hold."""

from __future__ import annotations

import copy
import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import Z_FULL_FLUSH, compress, compressobj, decompress

import numpy as np
import pytest

import thresher as th
from tests.cluster.combined import combined
from tests.verifier.mixed_cases import LEARNERS, MANY_ROUNDS, TARGET, MixedCase, certified, made
from tests.verifier.test_tamper import changed, leaves, lies
from thresher.certifier import certify_shards
from thresher.errors import CertificateError, LabelError
from thresher.theory import MixingWithLosses, PerceptronHinge
from thresher.verifier import Certificate, read_rows, state_digest
from thresher.verifier.mistaken_rounds import decoded, encoded
from thresher.verifier.mixed_runs.mixing import digest_of_shards
from thresher.verifier.mixed_runs.shard_work import look_at
from thresher.verifier.mixed_runs.source import ShardsInMemory
from thresher.verifier.statement import Statement

ROUNDS = (17, 23, 20)
NAMES = [
    "perceptron",
    "perceptron, bias",
    "winnow",
    "signed winnow",
    "p-norm",
    "arow",
    "committee, few",
    "each: arow",
    "each: committee, weights",
    "multiclass perceptron",
    "multiclass signed winnow",
]


@pytest.fixture(scope="module", params=NAMES)
def case(request: pytest.FixtureRequest) -> MixedCase:
    return certified(request.param, ROUNDS)


@pytest.fixture(scope="module")
def noisy() -> MixedCase:
    found = certified("perceptron, many", MANY_ROUNDS, witness=TARGET)
    assert found.certificate.bounds[0].sequential == "PerceptronHinge"
    return found


def accepted(document: dict[str, Any], case: MixedCase) -> bool:
    """Whether a document passes: as a certificate with a new seal, and then as a true one."""
    try:
        certificate = Certificate.from_json(json.dumps(document)).resealed()
        return th.verify(certificate, case.X, case.y).holds
    except (CertificateError, LabelError):
        return False


def at(document: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        document = document[key]
    return document


def same_run(document: dict[str, Any], case: MixedCase) -> bool:
    """Whether shards of a learner with the parameters stated would have done the same."""
    _, mistakes = combined(made(document["learner"]), case.X, case.y, ROUNDS, 3)
    return bool([list(one) for one in mistakes] == document["mixing"]["mistakes"])


def is_true(said: Certificate, case: MixedCase) -> bool:
    """Whether the shards and epochs that are stated do as is stated, by the learners themselves."""
    mixing = said.mixing
    assert mixing is not None
    fresh = type(case.learner)(**case.learner.parameters)
    learner, mistakes = combined(fresh, case.X, case.y, mixing.rounds, mixing.epochs)
    same = tuple(mistakes) == mixing.mistakes and learner.mistakes == said.mistakes
    return same and state_digest(learner.learned_state()) == mixing.states[-1] == said.state_digest


def test_no_field_can_be_changed_by_a_liar_who_renews_the_seal(case: MixedCase) -> None:
    document = json.loads(case.certificate.to_json())
    assert accepted(document, case)
    survived = [
        (path, lie)
        for path in leaves(document)
        for lie in lies(at(document, path))
        if lie != at(document, path) and accepted(changed(document, path, lie), case)
    ]
    for path, lie in survived:
        if path != ("seal",):
            assert path[:2] == ("learner", "parameters"), (path, lie)
            assert same_run(changed(document, path, lie), case), (path, lie)


def test_no_field_can_be_left_out_or_added(case: MixedCase) -> None:
    document = json.loads(case.certificate.to_json())
    for path in [*leaves(document), *((name,) for name in document)]:
        for name in (None, "extra"):
            other = copy.deepcopy(document)
            inner = at(other, path[:-1])
            if not isinstance(inner, dict):
                continue
            if name is None and path[2:] == ("learner", "parameters", "class_weight"):
                # Of a learner inside another this has always meant that nothing was asked for.
                continue
            if name is None:
                del inner[path[-1]]
            else:
                inner[name] = 1
            assert not accepted(other, case), path


def test_no_row_and_no_label_can_be_changed(case: MixedCase) -> None:
    for t in range(0, len(case.y), 7):
        rows, labels = case.X.copy(), case.y.copy()
        rows[t, t % rows.shape[1]] = 1.0 - rows[t, t % rows.shape[1]] / 3.0
        assert not th.verify(case.certificate, rows, case.y).holds
        labels[t] = -labels[t] if labels.dtype.kind == "i" else "ab"[labels[t] == "a"]
        assert not th.verify(case.certificate, case.X, labels).holds
    # Shards in another order, rows that cross a border, a shard that comes twice.
    for order in (
        [*range(17, 40), *range(17), *range(40, 60)],
        [*range(16), 17, 16, *range(18, 60)],
        [*range(17), *range(17), *range(23, 40), *range(40, 60)],
    ):
        verdict = th.verify(case.certificate, case.X[order], case.y[order])
        assert verdict.same_data is False


def test_the_borders_of_shards_cannot_be_moved(case: MixedCase) -> None:
    mixing = case.certificate.mixing
    assert mixing is not None
    rows = read_rows(case.X, case.y, case.certificate.classes)
    for rounds in ((16, 24, 20), (17, 22, 21), (40, 20), (60,), (17, 23, 20, 0), (0, 17, 23, 20)):
        # The liar knows the digests of the shards that these rows would be.
        source = ShardsInMemory(rows)
        source.cut(rounds)
        asked = case.certificate.learner, case.certificate.parameters
        digests = tuple(one.digest for one in source.each(look_at, asked))
        counts = tuple(
            tuple([*epoch, 0, 0][: len(rounds)]) if len(rounds) > 1 else (sum(epoch),)
            for epoch in mixing.mistakes
        )
        lie = replace(
            case.certificate,
            mixing=replace(mixing, rounds=rounds, digests=digests, mistakes=counts),
            data_digest=digest_of_shards(digests),
        ).resealed()
        verdict = th.verify(lie, case.X, case.y)
        assert verdict.same_data
        # To move a row that no shard gets wrong may make the very same run: then it is no lie.
        assert verdict.holds == is_true(lie, case), rounds


def test_epochs_can_be_neither_left_out_nor_added(case: MixedCase) -> None:
    mixing = case.certificate.mixing
    assert mixing is not None
    rounds = sum(ROUNDS)
    listed = decoded(str(case.certificate.mistaken_rounds), 3 * rounds)
    for epochs in (1, 2, 4, 5):
        mistakes = (mixing.mistakes * 2)[:epochs]
        total = sum(map(sum, mistakes))
        again = np.concatenate([listed, listed + 3 * rounds])
        lie = replace(
            case.certificate,
            mixing=replace(mixing, mistakes=mistakes, states=(mixing.states * 2)[:epochs]),
            mistakes=total,
            mistaken_rounds=encoded(again[again < epochs * rounds], epochs * rounds),
        ).resealed()
        assert th.verify(lie, case.X, case.y).holds == is_true(lie, case), epochs
        if epochs != 2:
            assert not is_true(lie, case)


def test_a_run_that_goes_on_is_another_true_claim_and_not_this_one() -> None:
    """Two epochs of the same run are certified by themselves: what is refused is the mixture."""
    two, three = (certified("perceptron", ROUNDS, n).certificate for n in (2, 3))
    assert two.mixing is not None
    assert three.mixing is not None
    assert two.mixing.states == three.mixing.states[:2]
    assert two.state_digest != three.state_digest


def test_mistakes_cannot_be_moved_between_shards_or_epochs(case: MixedCase) -> None:
    mixing = case.certificate.mixing
    assert mixing is not None
    for (a, b), (c, d) in [((0, 0), (0, 1)), ((0, 2), (2, 2)), ((1, 1), (2, 0))]:
        counts = [list(epoch) for epoch in mixing.mistakes]
        counts[a][b] -= 1
        counts[c][d] += 1
        if counts[a][b] < 0:
            continue
        lie = replace(mixing, mistakes=tuple(map(tuple, counts)))
        verdict = th.verify(replace(case.certificate, mixing=lie).resealed(), case.X, case.y)
        assert verdict.status == "does not hold"
        assert verdict.differences[0].what.startswith("mistakes of shards in epoch")


def test_a_list_of_other_mistakes_is_noticed(case: MixedCase) -> None:
    rounds = 3 * sum(ROUNDS)
    listed = decoded(str(case.certificate.mistaken_rounds), rounds)
    others = np.setdiff1d(np.arange(rounds), listed)
    for lie in (listed[1:], listed[:-1], np.append(listed[1:], others[0]), others):
        made = replace(case.certificate, mistaken_rounds=encoded(np.sort(lie), rounds)).resealed()
        verdict = th.verify(made, case.X, case.y)
        assert [finding.what for finding in verdict.differences] == ["mistaken rounds"]
    short = encoded(listed[listed < rounds - 8], rounds - 8)
    for text in ("", "AAAA", short, b64encode(compress(b"\0" * 999)).decode()):
        made = replace(case.certificate, mistaken_rounds=text).resealed()
        assert not th.verify(made, case.X, case.y).holds
    none = replace(case.certificate, mistaken_rounds=None).resealed()
    assert th.verify(none, case.X, case.y).holds


LIES_ABOUT_THEOREMS: dict[str, Callable[[int, PerceptronHinge], MixingWithLosses]] = {
    "noise counted once": lambda n, t: MixingWithLosses(replace(t, loss=t.loss / 3), n),
    "noise of one shard": lambda n, t: MixingWithLosses(replace(t, loss=t.loss / 9), n),
    "one shard": lambda n, t: MixingWithLosses(t, 1),
    "shorter rows": lambda n, t: MixingWithLosses(
        replace(t, radius_squared=t.radius_squared / 2), n
    ),
    "a smaller comparator": lambda n, t: MixingWithLosses(
        replace(t, comparator_norm_squared=t.comparator_norm_squared / 2), n
    ),
}


@pytest.mark.parametrize("name", LIES_ABOUT_THEOREMS)
def test_quantities_of_the_theorem_are_measured_anew(noisy: MixedCase, name: str) -> None:
    [statement] = noisy.certificate.bounds
    quantities: dict[str, Any] = dict(statement.quantities)
    shards = quantities.pop("shards")
    theorem = LIES_ABOUT_THEOREMS[name](shards, PerceptronHinge(**quantities))
    lie = replace(noisy.certificate, bounds=(Statement.of(theorem),)).resealed()
    # What the theorem would allow is worked out rightly from what is not so.
    assert th.verify(lie).consistent
    verdict = th.verify(lie, noisy.X, noisy.y)
    assert verdict.status == "does not hold"
    assert all(f.what.startswith("MixingWithLosses") for f in verdict.differences)


def test_a_theorem_about_one_learner_is_not_quoted(noisy: MixedCase) -> None:
    """Its shards make more mistakes than one learner is allowed."""
    [statement] = noisy.certificate.bounds
    for changes in (
        {"sequential": None},
        {"theorem": "ParameterMixing"},
        {"sequential": "Novikoff"},
    ):
        lie = replace(noisy.certificate, bounds=(replace(statement, **changes),))
        with_seal = json.loads(replace(lie, seal="0" * 64).to_json())
        assert not accepted(with_seal, noisy)


def test_a_count_is_not_taken_for_a_bound(noisy: MixedCase) -> None:
    lie = replace(noisy.certificate, kind="count", bounds=(), witness=None).resealed()
    assert th.verify(lie, noisy.X, noisy.y).holds
    for changes in (
        {"bounds": ()},
        {"witness": None},
        {"kind": "count"},
        {"kind": "count", "bounds": ()},
    ):
        made = replace(noisy.certificate, **changes).resealed()
        assert not th.verify(made, noisy.X, noisy.y).holds, changes


HUGE = 10**39
MB = 1 << 20
ZEROS = "0" * 64


def run_of(shards: int, epochs: int) -> dict[str, Any]:
    """What a document says of so many shards and epochs in which nothing happens."""
    return {
        "mixing.rounds": [0] * shards,
        "mixing.digests": [ZEROS] * shards,
        "mixing.mistakes": [[0] * shards] * epochs,
        "mixing.states": [ZEROS] * epochs,
    }


def nested(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


def packed_zeros(megabytes: int) -> bytes:
    """So many zeros as zlib packs them, without ever having them: one megabyte, again and again."""
    packer = compressobj(9)
    first = packer.compress(b"\0" * MB) + packer.flush(Z_FULL_FLUSH)
    again = packer.compress(b"\0" * MB) + packer.flush(Z_FULL_FLUSH)
    # The checksum of n zeros: 1 for their sum, n for the sum of the sums, both modulo 65,521.
    checksum = (megabytes * MB % 65_521 << 16 | 1).to_bytes(4, "big")
    return first + (megabytes - 1) * again + b"\x03\0" + checksum


def test_packed_zeros_are_what_zlib_would_have_packed() -> None:
    assert decompress(packed_zeros(3)) == b"\0" * (3 * MB)


HUGE_ROUNDS = {"mixing.rounds": [HUGE] * 3, "data.rounds": 3 * HUGE}
#: Fields of documents that ask for much, or are no runs at all.
HOSTILE: dict[str, dict[str, Any]] = {
    "many epochs": run_of(3, 10_001),
    "many shards": run_of(100_001, 1),
    "many of both": run_of(2_000, 501),
    "no epoch": run_of(3, 0),
    "no shard": run_of(0, 3),
    "fewer counts than shards": {"mixing.mistakes": [[1, 1, 1], [1], [1, 1, 1]]},
    "fewer digests than shards": {"mixing.digests": [ZEROS]},
    "fewer states than epochs": {"mixing.states": [ZEROS]},
    "huge rounds": HUGE_ROUNDS,
    "huge rounds and no list": {**HUGE_ROUNDS, "run.mistaken_rounds": None},
    "negative rounds": {"mixing.rounds": [-1, 400, 201]},
    "more rows than there are": {"mixing.rounds": [2**62] * 3},
    "a list that grows": {"run.mistaken_rounds": b64encode(packed_zeros(512)).decode()},
    "nested lists": {"mixing.mistakes": nested(500)},
    "another rule": {"mixing.rule": "precision"},
    "no rule": {"mixing.rule": "sum"},
    "several classes": {"learner.name": "multiclass_perceptron"},
    "means of weights": {"learner.parameters.average": True},
    "weights that decay": {"learner.parameters.decay": "1/4"},
}


def kilobytes(what: str) -> int:
    """Memory of this process, by the name that Linux has for it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    [line] = [line for line in lines if line.startswith(f"{what}:")]
    return int(line.split()[1])


@pytest.mark.parametrize("name", HOSTILE)
def test_documents_that_ask_for_much_are_refused_in_little_memory(
    noisy: MixedCase, name: str
) -> None:
    document = json.loads(noisy.certificate.to_json())
    for path, value in HOSTILE[name].items():
        document = changed(document, tuple(path.split(".")), value)
    # The peak so far is forgotten: another test may have needed more than this one ever will.
    Path("/proc/self/clear_refs").write_text("5")
    before = kilobytes("VmRSS")
    assert not accepted(document, noisy)
    # The list that grows would take half a gigabyte.
    assert kilobytes("VmHWM") - before < 200_000


def test_a_shard_without_rows_makes_another_run() -> None:
    """To average with a shard that never moves is another rule, and its run another claim."""
    make, X, y = LEARNERS["perceptron"]
    learner, mistakes = combined(make(), X, y, (30, 30), 2)
    source = ShardsInMemory(read_rows(X, y))
    honest = certify_shards(learner, source, (30, 30), mistakes)
    assert honest.mixing is not None
    empty = certified("perceptron", (30, 30, 0), 2).certificate
    assert empty.mixing is not None
    assert honest.state_digest != empty.state_digest
    digests = (*honest.mixing.digests, empty.mixing.digests[2])
    assert digest_of_shards(digests) != honest.data_digest
    lie = replace(
        honest,
        data_digest=digest_of_shards(digests),
        mixing=replace(
            honest.mixing,
            rounds=(30, 30, 0),
            digests=digests,
            mistakes=tuple((*epoch, 0) for epoch in honest.mixing.mistakes),
        ),
    ).resealed()
    assert th.verify(lie, X, y).status == "does not hold"
