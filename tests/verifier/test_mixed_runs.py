"""Runs of shards that learned apart, played again to the bit by the verifier's own code."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import thresher as th
from tests.reference import mixing as twin
from tests.verifier.mixed_cases import (
    BITS,
    LEARNERS,
    MANY,
    MANY_ROUNDS,
    OF_MANY,
    OR,
    ROUNDS,
    TARGET,
    D,
    certified,
)
from thresher.certifier import certify_shards, sign
from thresher.errors import CertificateError, NotCertifiableError, RunMismatchError
from thresher.theory import MixingWithLosses, ParameterMixing
from thresher.verifier import (
    Certificate,
    Comparator,
    Witness,
    read_rows,
    state_digest,
    trusted_keys,
    verify_shards,
)
from thresher.verifier.mixed_runs.check import MixedCheck, divided, places_in_all
from thresher.verifier.mixed_runs.combining import combined
from thresher.verifier.mixed_runs.replay import NO_ROWS, Epoch, Replayed
from thresher.verifier.mixed_runs.shard_work import play
from thresher.verifier.mixed_runs.source import ShardsInMemory
from thresher.verifier.readers.labelled_rows import LabelledRows


@pytest.mark.parametrize("name", LEARNERS)
@pytest.mark.parametrize(("rounds", "epochs"), [(ROUNDS, 3), ((60,), 2), ((1,) * 60, 2)])
def test_a_replay_ends_with_the_numbers_of_the_learners_to_the_bit(
    name: str, rounds: tuple[int, ...], epochs: int
) -> None:
    case = certified(name, rounds, epochs)
    # Its rows are as many as the shards'.
    verdict = th.verify(case.certificate, case.X, case.y, model=case.learner)
    assert verdict.holds, verdict
    assert verdict.replayed == case.learner.mistakes
    assert case.certificate.state_digest == state_digest(case.learner.learned_state())
    assert case.certificate.learned == sum(rounds) * epochs == case.learner.n_rounds
    read = Certificate.from_json(case.certificate.to_json())
    assert read.to_json() == case.certificate.to_json()


@pytest.mark.parametrize("name", LEARNERS)
def test_threads_change_nothing(name: str) -> None:
    case = certified(name)
    alone = th.verify(case.certificate, case.X, case.y)
    assert th.verify(case.certificate, case.X, case.y, workers=3) == alone


def numbers(random: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    """Numbers of all sizes, many of them equal, with zeros of both signs."""
    some = random.choice([0.0, -0.0, 1.0, -1.0, 0.1, 1e16, -1e16, 3.0], shape)
    sizes = random.choice([1.0, 1.0, 1e-300, 1e100], shape)
    return np.where(random.random(shape) < 0.5, some, random.standard_normal(shape) * sizes)


@pytest.mark.parametrize("shards", [1, 2, 3, 7])
def test_averages_are_those_of_the_twin_to_the_bit(shards: int) -> None:
    random = np.random.default_rng(shards)
    for _ in range(50):
        before = numbers(random, (12,))
        after = np.where(random.random((shards, 12)) < 0.4, numbers(random, (shards, 12)), before)
        columns = np.arange(12)
        states = [{"columns": columns, "weight": one} for one in (before, *after)]
        found = combined(states[0], states[1:], "average")
        dense = np.zeros(12)
        dense[found["columns"]] = found["weight"]
        wanted = twin.average(after.tolist(), before.tolist())
        # The twin adds fractions, which know one zero.
        bits = [[(value + 0.0).hex() for value in values] for values in (dense.tolist(), wanted)]
        assert bits[0] == bits[1]


def replayed(name: str) -> tuple[Replayed, list[Epoch], Certificate]:
    case = certified(name)
    source = ShardsInMemory(read_rows(case.X, case.y))
    source.cut(ROUNDS)
    certificate = case.certificate
    run = Replayed(certificate.algorithm, certificate.parameters, source, ROUNDS)
    return run, list(islice(run.epochs(), 3)), certificate


CONSERVATIVE = ["perceptron", "perceptron, bias", "winnow", "signed winnow", "normalized winnow"]


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_given_the_mistakes_all_epochs_can_be_checked_at_once(name: str) -> None:
    run, epochs, _ = replayed(name)
    found = run.as_claimed([one.mistaken for one in epochs])
    assert found is not None
    assert [state_digest(one.state) for one in found] == [state_digest(e.state) for e in epochs]
    assert [one.mistakes for one in found] == [one.mistakes for one in epochs]
    assert [one.false_negatives for one in found] == [one.false_negatives for one in epochs]


@pytest.mark.parametrize("name", CONSERVATIVE)
def test_a_mistake_that_is_dropped_moved_or_added_is_noticed(name: str) -> None:
    run, epochs, _ = replayed(name)
    listed = places_in_all(epochs, ROUNDS)
    every = np.arange(sum(ROUNDS) * 3)
    others = np.setdiff1d(every, listed)
    lies = [np.delete(listed, k) for k in range(len(listed))]
    lies += [np.sort(np.append(listed, one)) for one in others[::3]]
    lies += [np.sort(np.append(np.delete(listed, 0), one)) for one in others[::3]]
    for lie in lies:
        assert run.as_claimed(divided(lie, ROUNDS, 3)) is None


def test_a_shard_sends_what_it_changed_and_no_more() -> None:
    run, epochs, certificate = replayed("perceptron")
    begins, name, parameters = epochs[0].state, certificate.learner, certificate.parameters
    assert len(begins["columns"]) > 1
    idle = play(NO_ROWS, name, parameters, begins)
    assert not len(idle.change["columns"])
    # As many shards as somebody likes to claim take little room then, and are no other run.
    busy = run.source.each(play, (name, parameters, begins))
    whole = [run.algorithm.replay(rows, parameters, start=begins).state for rows in parts(run)]
    found = combined(begins, [one.change for one in busy], "average")
    assert state_digest(found) == state_digest(combined(begins, whole, "average"))


def parts(run: Replayed) -> list[LabelledRows]:
    found: list[LabelledRows] = run.source.each(lambda rows: rows, ())
    return found


def test_epochs_that_are_too_large_together_are_played_one_after_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run, epochs, certificate = replayed("perceptron")
    assert certificate.mixing is not None
    monkeypatch.setattr("thresher.verifier.mixed_runs.replay.MOST_BYTES", 8)
    assert run.as_claimed([one.mistaken for one in epochs]) is None
    check = MixedCheck(certificate, certificate.mixing, run.source)
    assert check.verdict().holds
    # Only the last state is looked at again.
    assert [bool(one.state) for one in check._epochs()] == [False, False, True]


def test_learners_that_change_in_other_rounds_are_played_epoch_by_epoch() -> None:
    for name in ("arow", "perceptron, margin", "passive-aggressive", "p-norm"):
        run, epochs, _ = replayed(name)
        assert run.as_claimed([one.mistaken for one in epochs]) is None


def test_losses_are_those_of_all_epochs() -> None:
    losses = []
    for epochs in (1, 2, 5):
        case = certified("perceptron, many", MANY_ROUNDS, epochs, given(Fraction(1)))
        [statement] = case.certificate.bounds
        assert statement.sequential == "PerceptronHinge"
        assert statement.quantities["shards"] == 3
        losses.append(statement.quantities["loss"])
    # What the comparator loses on all rows at its level, by hand.
    scores = MANY @ np.array(TARGET[:-1], float) + TARGET[-1]
    once = Fraction(float(np.maximum(0.0, 1.0 - OF_MANY * scores).sum()))
    assert losses == [once, 2 * once, 5 * once]


def given(level: Fraction | None) -> Witness:
    """The target of the rows, at a level of loss or at its margin."""
    columns = tuple(i for i, weight in enumerate(TARGET[:-1]) if weight)
    numerators = tuple(weight for weight in TARGET[:-1] if weight)
    return Witness(Comparator(columns, numerators, TARGET[-1]), level=level)


def test_a_separator_makes_it_the_theorem_without_losses() -> None:
    certificate = certified("perceptron, bias", witness=given(None)).certificate
    [statement] = certificate.bounds
    assert (statement.theorem, statement.sequential) == ("ParameterMixing", "Novikoff")
    assert certificate.mistakes <= statement.allows
    names = {ParameterMixing.__name__, MixingWithLosses.__name__}
    for name in LEARNERS:
        found = certified(name).certificate
        assert {each.theorem for each in found.bounds} <= names
        assert found.kind == ("hindsight" if found.bounds else "count")


def test_without_the_data_the_arithmetic_is_checked_and_no_more() -> None:
    certificate = certified("perceptron, bias", witness=given(None)).certificate
    verdict = th.verify(certificate)
    assert verdict.status == "could not tell"
    [statement] = certificate.bounds
    for lie in (
        replace(statement, allows=int(statement.allows) - 1),
        replace(statement, sequential="PerceptronHinge"),
        replace(statement, theorem="MixingWithLosses"),
        replace(statement, quantities={**statement.quantities, "shards": 1}),
    ):
        assert not th.verify(replace(certificate, bounds=(lie,)).resealed()).consistent


def test_another_model_is_named() -> None:
    case = certified("perceptron")
    other = certified("perceptron", (30, 30)).learner
    verdict = th.verify(case.certificate, case.X, case.y, model=other)
    assert [finding.what for finding in verdict.differences] == ["state of the model"]


def test_a_learner_that_is_not_what_the_run_ends_with_is_not_certified() -> None:
    case = certified("perceptron")
    source = ShardsInMemory(read_rows(case.X, case.y))
    mixing = case.certificate.mixing
    assert mixing is not None
    rounds, mistakes = mixing.rounds, mixing.mistakes
    other = case.learner.with_dual(case.learner.dual * 2.0)
    with pytest.raises(RunMismatchError, match="weight"):
        certify_shards(other, source, rounds, mistakes)
    wrong = [list(epoch) for epoch in mistakes]
    wrong[1][0] += 1
    with pytest.raises(RunMismatchError, match="epoch 2"):
        certify_shards(case.learner, source, rounds, wrong)
    with pytest.raises(RunMismatchError, match="rows"):
        certify_shards(case.learner, source, (17, 0, 23, 19), mistakes)


def test_a_learner_that_nobody_combines_is_refused() -> None:
    for learner in (th.Perceptron(D, average=True), th.Winnow(D, zeroing=True), th.SignedWinnow(D)):
        learner.learn(BITS, OR)
        with pytest.raises(NotCertifiableError, match="cannot combine"):
            certify_shards(learner, ShardsInMemory(read_rows(BITS, OR)), (60,), [(1,)])


def test_a_certificate_of_one_learner_has_no_shards() -> None:
    learner = th.Perceptron(D)
    learner.learn(BITS, OR)
    with pytest.raises(CertificateError, match="no shards"):
        verify_shards(th.certify(learner, BITS, OR), ShardsInMemory(read_rows(BITS, OR)))


def test_a_comparator_that_is_given_is_used() -> None:
    case = certified("winnow", witness={1: 1, 4: 1})
    witness = case.certificate.witness
    assert witness is not None
    assert witness.comparator.columns == (1, 4)
    assert witness.rho == Fraction(0)
    [statement] = case.certificate.bounds
    assert (statement.sequential, statement.quantities["loss"]) == ("WinnowComparator", 0)


def test_it_is_signed_and_shown_as_other_certificates_are(tmp_path: Path) -> None:
    key = tmp_path / "key"
    private = Ed25519PrivateKey.generate()
    form = serialization
    key.write_bytes(
        private.private_bytes(form.Encoding.PEM, form.PrivateFormat.OpenSSH, form.NoEncryption())
    )
    public = private.public_key().public_bytes(form.Encoding.OpenSSH, form.PublicFormat.OpenSSH)
    (tmp_path / "key.pub").write_bytes(public + b" me\n")
    case = certified("perceptron, bias")
    signed = sign(case.certificate, key, by="me")
    verdict = th.verify(signed, case.X, case.y, trusted=trusted_keys(tmp_path / "key.pub"))
    assert verdict.holds
    assert verdict.signers is not None
    assert "4 shards learned apart in 3 epochs" in str(verdict)
    lie = replace(signed, mistakes=signed.mistakes + 1)
    assert not th.verify(lie, case.X, case.y, trusted=trusted_keys(tmp_path / "key.pub")).holds
    assert f"{signed.mistakes} mistakes in 180 rounds" in str(signed.plot())
    assert "4 shards" in signed._repr_html_()
    assert "4 shards" in verdict._repr_html_()
