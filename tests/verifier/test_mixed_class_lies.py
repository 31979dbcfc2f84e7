"""Lies about shards of committees and of several classes, each told as well as a liar can."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import thresher as th
from tests.verifier.mixed_cases import MixedCase, certified
from thresher.certifier import certify_shards
from thresher.errors import CertificateError, LabelError, RunMismatchError
from thresher.verifier import Certificate, Comparator, Witness, read_rows
from thresher.verifier.mixed_runs.mixing import Mixing, digest_of_shards
from thresher.verifier.mixed_runs.shard_work import look_at
from thresher.verifier.mixed_runs.source import ShardsInMemory

ROUNDS = (17, 23, 20)
COMMITTEES = ["committee", "each: committee"]
SEVERAL = ["each: committee", "each: arow", "multiclass perceptron"]


def mixing_of(case: MixedCase) -> Mixing:
    assert case.certificate.mixing is not None
    return case.certificate.mixing


def counts_changed(mixing: Mixing) -> Mixing:
    first, *others = mixing.mistakes
    return replace(mixing, mistakes=((first[0], first[1] + 1, first[2]), *others))


def state_changed(mixing: Mixing) -> Mixing:
    first, *others = mixing.states
    return replace(mixing, states=(f"{int(first, 16) ^ 1:064x}", *others))


LIES: dict[str, tuple[Callable[[Mixing], Mixing], str]] = {
    "a mistake more": (counts_changed, "mistakes of shards in epoch 1"),
    "a bit of a state": (state_changed, "state after epoch 1"),
    "epochs exchanged": (
        lambda m: replace(m, states=(m.states[1], m.states[0], m.states[2])),
        "state after epoch 1",
    ),
}


@pytest.mark.parametrize("name", [*COMMITTEES, *SEVERAL[1:]])
@pytest.mark.parametrize("lie", LIES)
def test_a_lie_about_an_epoch_is_named(name: str, lie: str) -> None:
    case = certified(name, ROUNDS)
    change, what = LIES[lie]
    made = replace(case.certificate, mixing=change(mixing_of(case))).resealed()
    verdict = th.verify(made, case.X, case.y)
    assert verdict.status == "does not hold"
    assert [finding.what for finding in verdict.differences] == [what]


@pytest.mark.parametrize("name", [*COMMITTEES, *SEVERAL[1:]])
def test_shards_cannot_change_places(name: str) -> None:
    case = certified(name, ROUNDS)
    mixing, order = mixing_of(case), [*range(17, 40), *range(17), *range(40, 60)]
    # The liar has exchanged the rows as well, so that the digests are those of the data.
    rows = read_rows(case.X[order], case.y[order], case.certificate.classes)
    source = ShardsInMemory(rows)
    source.cut((23, 17, 20))
    asked = case.certificate.learner, case.certificate.parameters
    digests = tuple(one.digest for one in source.each(look_at, asked))
    assert digests == (mixing.digests[1], mixing.digests[0], mixing.digests[2])
    lie = replace(
        case.certificate,
        data_digest=digest_of_shards(digests),
        mixing=replace(
            mixing,
            rounds=(23, 17, 20),
            digests=digests,
            mistakes=tuple((b, a, c) for a, b, c in mixing.mistakes),
        ),
    ).resealed()
    verdict = th.verify(lie, case.X[order], case.y[order])
    assert verdict.same_data
    assert verdict.status == "does not hold"


@pytest.mark.parametrize("name", [*COMMITTEES, *SEVERAL[1:]])
def test_another_number_of_shards_is_another_run(name: str) -> None:
    case, other = certified(name, ROUNDS), certified(name, (17, 23, 10, 10))
    assert case.certificate.state_digest != other.certificate.state_digest
    verdict = th.verify(other.certificate, case.X, case.y, model=case.learner)
    assert [finding.what for finding in verdict.differences] == ["state of the model"]
    lie = replace(
        case.certificate,
        data_digest=other.certificate.data_digest,
        mixing=replace(
            mixing_of(case),
            rounds=(17, 23, 10, 10),
            digests=mixing_of(other).digests,
            mistakes=tuple((*epoch[:2], epoch[2], 0) for epoch in mixing_of(case).mistakes),
        ),
    ).resealed()
    assert th.verify(lie, case.X, case.y).status == "does not hold"


def nudged(learner: th.Committee) -> th.Committee:
    """The same but for one bit of what one expert weighs."""
    shared = learner.shared_numbers()
    (other, counts, weighted) = shared.own[0]
    belief = other[8].copy()
    belief[0] = np.nextafter(belief[0], 1.0)
    own = ((*other[:8], belief, *other[9:]), counts, weighted)
    return learner.with_shared(replace(shared, own=(own,)))


def test_a_committee_that_is_one_bit_off_is_noticed() -> None:
    case = certified("committee", ROUNDS)
    other = nudged(case.learner)
    assert case.learner.members[0].weight != other.members[0].weight
    verdict = th.verify(case.certificate, case.X, case.y, model=other)
    assert [finding.what for finding in verdict.differences] == ["state of the model"]
    source, mixing = ShardsInMemory(read_rows(case.X, case.y)), mixing_of(case)
    with pytest.raises(RunMismatchError, match="belief"):
        certify_shards(other, source, mixing.rounds, mixing.mistakes)


@pytest.mark.parametrize("name", SEVERAL)
def test_classes_are_those_of_the_rows_in_the_order_of_the_learner(name: str) -> None:
    case = certified(name, ROUNDS)
    assert case.certificate.classes == ("a", "b", "c", "d")
    assert case.certificate.positives is case.certificate.false_negatives is None
    for classes in (("b", "a", "c", "d"), ("a", "b", "c", "d", "e"), ("e", "a", "b", "c", "d")):
        # With digests of the same rows, whose labels have other numbers now.
        source = ShardsInMemory(read_rows(case.X, case.y, classes))
        source.cut(ROUNDS)
        asked = case.certificate.learner, case.certificate.parameters
        digests = tuple(one.digest for one in source.each(look_at, asked))
        lie = replace(
            case.certificate,
            classes=classes,
            data_digest=digest_of_shards(digests),
            mixing=replace(mixing_of(case), digests=digests),
        ).resealed()
        verdict = th.verify(lie, case.X, case.y)
        assert [finding.what for finding in verdict.differences] == ["classes"]
    with pytest.raises(LabelError, match="none of the classes"):
        th.verify(replace(case.certificate, classes=("a", "b", "c")).resealed(), case.X, case.y)


def test_a_document_has_the_version_of_its_classes() -> None:
    two, several = (certified(name, ROUNDS).certificate for name in COMMITTEES)
    assert (two.version, several.version) == (3, 4)
    for certificate, other in ((two, 4), (several, 3)):
        document = json.loads(certificate.to_json())
        document["version"] = other
        with pytest.raises(CertificateError):
            Certificate.from_json(json.dumps(document))
    document = json.loads(several.to_json())
    document["data"]["classes"][1] = "a"
    with pytest.raises(CertificateError, match="names that differ"):
        Certificate.from_json(json.dumps(document))
    document = json.loads(several.to_json())
    document["learner"] = json.loads(two.to_json())["learner"]
    with pytest.raises(CertificateError, match="3 for a learner of two classes"):
        Certificate.from_json(json.dumps(document))


@pytest.mark.parametrize("name", [*COMMITTEES, "multiclass perceptron"])
def test_no_comparator_says_anything_of_them(name: str) -> None:
    case = certified(name, ROUNDS)
    assert (case.certificate.kind, case.certificate.bounds) == ("count", ())
    given: Any = Witness(Comparator((1,), (1,), 0))
    verdict = th.verify(replace(case.certificate, witness=given).resealed(), case.X, case.y)
    assert [finding.what for finding in verdict.differences] == ["witness"]
