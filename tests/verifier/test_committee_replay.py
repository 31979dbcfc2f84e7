"""The verifier's Committee against the learner, to the bit."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import fsum, log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import thresher as th
from tests.kernels.test_committee import (
    Example,
    columns_and_labels,
    grids,
    plain_streams,
    streams,
)
from tests.kernels.test_committee_seats import sparse_stream
from tests.reference.committee import Committee as SlowCommittee
from thresher.certifier import identity
from thresher.errors import CertificateError
from thresher.learners.two_class.committee_members import DEFAULT_MEMBERS, Member
from thresher.theory.enclosure import exp, ln
from thresher.verifier import ALGORITHMS, read_rows
from thresher.verifier.compiled import committee as compiled
from thresher.verifier.measures.mixture import (
    mixture_bounds,
    regrets,
)
from thresher.verifier.replayed_run import ReplayedRun
from thresher.verifier.replays import committee as replays
from thresher.verifier.replays.playing import Replay
from thresher.verifier.state import state_digest


def same_state(ours: Any, theirs: Any) -> bool:
    """Whether names, types, lengths and all bits agree."""
    return list(sorted(ours)) == list(sorted(theirs)) and state_digest(ours) == state_digest(theirs)


def replayed(learner: th.Committee, stream: list[Example]) -> ReplayedRun:
    algorithm, parameters = identity(learner)
    assert algorithm.name == "committee"
    assert set(parameters) == {"n_features", "members", "class_weight"}
    return ReplayedRun.of(algorithm, parameters, read_rows(*columns_and_labels(stream)))


def random_stream(seed: int, rows: int, columns: int = 30) -> list[Example]:
    rng = np.random.default_rng(seed)
    target = rng.standard_normal(columns)
    found: list[Example] = []
    for _ in range(rows):
        chosen = rng.choice(columns, 5, replace=False)
        row = {int(i): float(v) for i, v in zip(chosen, rng.standard_normal(5), strict=True)}
        noisy = sum(v * target[i] for i, v in row.items()) + rng.standard_normal()
        found.append((row, 1 if noisy >= 0 else -1))
    return found


@settings(max_examples=80, deadline=None)
@given(streams | plain_streams, grids, st.sampled_from([0, 1, 2]), st.sampled_from([None, 7, 1000]))
def test_the_replay_is_the_learner_to_the_bit(
    stream: list[Example], grid: tuple[Member, ...], breadth: int, n_features: int | None
) -> None:
    learner = th.Committee(n_features, members=grid)
    learner._engine.use_breadth(breadth)
    rounds = learner.learn(*columns_and_labels(stream))
    run = replayed(learner, stream)
    assert run.replay.mistaken.tolist() == np.flatnonzero(rounds.mistaken).tolist()
    assert same_state(run.replay.state, learner.learned_state())
    assert run.replay.facts["expert_mistakes"] == tuple(m.mistakes for m in learner.members)
    assert run.replay.facts["prior"] == tuple(m.prior for m in learner.members)
    losses = [*(m.log_loss for m in learner.members), learner.log_loss]
    for low, loss, high in zip(
        run.replay.facts["loss_lower"], losses, run.replay.facts["loss_upper"], strict=True
    ):
        # The learner's own figure is rounded a few times more.
        assert low * (1 - 1e-15) <= loss <= high * (1 + 1e-15)


@pytest.mark.parametrize("labels", ["noise", "one class"])
def test_a_long_stream_is_followed_to_the_last_bit_of_every_likelihood(labels: str) -> None:
    """With 3,000 rounds likelihoods leave the range of doubles, or no label is left to learn."""
    rng = np.random.default_rng(9)
    stream: list[Example] = [
        (row, 1 if labels == "one class" else int(rng.choice([-1, 1])))
        for row, _ in random_stream(8, 3000)
    ]
    learner = th.Committee(30)
    learner.learn(*columns_and_labels(stream))
    members = [(m.rule, m.setting, m.rows) for m in DEFAULT_MEMBERS]
    run = compiled.CommitteeRun(members, 30, 5, (1.0, 1.0))
    rows = read_rows(*columns_and_labels(stream))
    run.play(rows.row_start, rows.column, rows.value, rows.label, np.zeros(3000))
    wrong, likelihood, places = run.mixture.record()
    record = learner._record()
    assert wrong.tolist() == record["mistakes"].tolist()
    assert likelihood.tobytes() == record["likelihood"].tobytes()
    assert places.tolist() == record["places"].tolist()
    assert (places.max() > 3) == (labels == "noise")
    assert same_state(replayed(learner, stream).replay.state, learner.learned_state())


@pytest.mark.parametrize("n_features", [None, 30])
def test_a_long_stream_in_pieces_through_a_file_ends_in_the_same_state(
    n_features: int | None, tmp_path: Path
) -> None:
    stream = random_stream(1, 600)
    learner = th.Committee(n_features)
    for first in range(0, 600, 200):
        learner.learn(*columns_and_labels(stream[first : first + 200]))
        learner.save(tmp_path / "mixture.thr")
        learner = th.load(tmp_path / "mixture.thr", th.Committee)
    run = replayed(learner, stream)
    assert len(run.replay.mistaken) == learner.mistakes
    assert same_state(run.replay.state, learner.learned_state())


def test_room_for_features_that_never_came_is_no_part_of_the_state() -> None:
    stream = random_stream(2, 50)
    states = []
    for n_features in (None, 30, 5000):
        learner = th.Committee(n_features)
        learner.learn(*columns_and_labels(stream))
        states.append(state_digest(learner.learned_state()))
    assert len(set(states)) == 1


def test_a_column_far_out_needs_no_more_room() -> None:
    stream: list[Example] = [({3: 1.0, 2**31 - 2: 2.0}, 1), ({3: 2.0}, -1)]
    near: list[Example] = [({3: 1.0, 4: 2.0}, 1), ({3: 2.0}, -1)]
    given = identity(th.Committee())[1]
    far, close = (
        replays.replay_committee(read_rows(*columns_and_labels(rows)), given)
        for rows in (stream, near)
    )
    assert far.state["columns"].tolist() == far.state["slots"].tolist() == [3, 2**31 - 2]
    named = {name: close.state[name] for name in ("columns", "slots")}
    assert same_state({**far.state, **named}, close.state)


def test_losses_are_enclosed() -> None:
    stream = random_stream(3, 400)
    members = [(m.rule, m.rows, m.setting) for m in DEFAULT_MEMBERS]
    slow = SlowCommittee(members)
    given: list[list[float]] = [[] for _ in range(18)]
    for row, label in stream:
        leans = slow.opinions(slow.scores_of(row, slow.columns.seen(row)))[2]
        for own, lean in zip(given, [*leans, slow.mixed(leans)], strict=True):
            own.append(label * lean)
        slow.play(row, label)
    learner = th.Committee()
    learner.learn(*columns_and_labels(stream))
    facts = replayed(learner, stream).replay.facts
    for own, low, high in zip(given, facts["loss_lower"], facts["loss_upper"], strict=True):
        exact = sum((-ln((1 + Fraction(lean)) / 2) for lean in own), start=ln(1))
        at_least, at_most = exact.enclose(40)
        assert low <= at_least
        assert at_most <= high
        assert high - low < 1e-11
        assert fsum(-log((1 + lean) / 2) for lean in own) == pytest.approx(low, rel=1e-12)


@settings(max_examples=40, deadline=None)
@given(streams.filter(bool), grids)
def test_the_theorem_holds_for_the_run_as_it_was(
    stream: list[Example], grid: tuple[Member, ...]
) -> None:
    learner = th.Committee(members=grid)
    learner.learn(*columns_and_labels(stream))
    run = replayed(learner, stream)
    own, *allowed = [theorem.max_mistakes() for theorem in mixture_bounds(run)]
    assert len(allowed) == len(grid) + 2
    assert run.mistakes <= own <= min(allowed)
    assert regrets(run) == tuple(run.mistakes - m.mistakes for m in learner.members)


def test_an_expert_who_is_blamed_for_less_is_noticed_by_the_count() -> None:
    """The theorem would be false for half of the measured loss."""
    stream = random_stream(4, 2000)
    learner = th.Committee()
    learner.learn(*columns_and_labels(stream))
    run = replayed(learner, stream)
    best = min(theorem.max_mistakes() for theorem in mixture_bounds(run))
    facts = {
        **run.replay.facts,
        "loss_upper": tuple(loss / 4 for loss in run.replay.facts["loss_upper"]),
    }
    lie = Replay(run.replay.mistaken, run.replay.updates, run.replay.arithmetic, facts=facts)
    less = min(
        theorem.max_mistakes()
        for theorem in mixture_bounds(ReplayedRun(run.algorithm, run.parameters, run.stream, lie))
    )
    assert less < run.mistakes <= best


def test_a_committee_says_what_its_experts_and_its_forecasts_are_worth_on_new_rows() -> None:
    X, y = columns_and_labels(random_stream(7, 1500))
    learner = th.Committee()
    learner.learn(X, y)
    certificate = th.certify(learner, X, y)
    assert th.verify(certificate, X, y).holds
    risks = {risk.theorem: risk for risk in certificate.risks}
    best = min(member.mistakes for member in learner.members)
    difference = risks["RiskDifference"]
    assert difference.quantities["expert_mistakes"] == best
    # Nobody knew before the run which of them would be the best.
    assert difference.quantities["experts"] == len(learner.members) == 17
    assert difference.allows > (learner.mistakes - best) / 1500
    forecast = risks["AverageForecastRisk"]
    assert forecast.allows > certificate.facts["loss_lower"][-1] / 1500
    largest = forecast.quantities["largest_loss"]
    assert isinstance(largest, Fraction)
    assert largest > Fraction(8.000335)
    text = str(certificate)
    assert text.count("MixtureOfExperts") == text.count("LogarithmicLoss") == 1
    assert len([s for s in certificate.bounds if s.theorem == "MixtureOfExperts"]) == 17
    assert f"the best of its 17 experts makes {best} mistakes" in text
    assert "points with confidence 95 %" in text
    assert "nats a row with confidence 95 %" in text


@pytest.mark.parametrize("theorem", ["RiskDifference", "AverageForecastRisk"])
def test_a_smaller_risk_than_the_theorem_states_is_noticed(theorem: str) -> None:
    X, y = columns_and_labels(random_stream(8, 300))
    learner = th.Committee()
    learner.learn(X, y)
    certificate = th.certify(learner, X, y)
    for change in ({"allows": -0.25}, {"quantities": {"delta": Fraction(1, 2)}}):
        risks = tuple(
            replace(risk, **change) if risk.theorem == theorem else risk
            for risk in certificate.risks
        )
        forged = replace(certificate, risks=risks, seal="")
        assert not th.verify(forged, X, y).holds


def test_experts_who_are_blamed_for_more_than_they_did_are_not_shown_as_counted() -> None:
    X, y = columns_and_labels(random_stream(8, 300))
    learner = th.Committee()
    learner.learn(X, y)
    certificate = th.certify(learner, X, y)
    blamed = tuple(wrong + 50 for wrong in certificate.facts["expert_mistakes"])
    facts = {**certificate.facts, "expert_mistakes": blamed}
    verdict = th.verify(replace(certificate, facts=facts, seal=""), X, y)
    assert not verdict.holds
    assert "best of its" not in str(verdict)


def test_the_exponential_of_the_likelihood_is_its_enclosure() -> None:
    low, high = replays.enclosed_loss(0.3, 2, 5)
    product = exp(-Fraction(low)), exp(-Fraction(high))
    value = Fraction(0.3) / 2**1024
    assert product[1].enclose(40)[1] < value < product[0].enclose(40)[0]


@pytest.mark.parametrize(
    ("members", "says"),
    [
        ([], r"\$\.members must be up to 8 members, then up to 7 .*, found 0"),
        ([{"rule": "arow", "setting": "1", "rows": "unit"}] * 9, "up to 8 members.*, found 9"),
        ([{"rule": "arow", "setting": "1", "rows": "pairs"}] * 8, "up to 7 for.*, found 8"),
        ([{"rule": "matrix", "setting": "1", "rows": "unit"}], "a rule with rows it can see"),
        (
            [
                {"rule": "arow", "setting": "1", "rows": "pairs"},
                {"rule": "arow", "setting": "1", "rows": "standard"},
            ],
            "in order, found 2",
        ),
        ([{"rule": "wins", "setting": "1", "rows": "unit"}], r"\$\.members\[0\]\.rule must be"),
        ([{"rule": "arow", "setting": "0", "rows": "unit"}], r"members\[0\]\.setting must be"),
        ([{"rule": "arow", "setting": "1", "rows": "tall"}], r"\$\.members\[0\]\.rows must be"),
    ],
)
def test_members_that_no_committee_has_are_refused(members: Any, says: str) -> None:
    given = {"n_features": None, "members": members, "class_weight": None}
    with pytest.raises(CertificateError, match=says):
        ALGORITHMS["committee"].check(given, "$")


FAULTS = [("STARTS", (1.0, 1e-3, 1.0)), ("STARTS", (0.5, 1e-20, 1.0)), ("UNSEEN", 0.5)]


@pytest.mark.parametrize(("name", "value"), FAULTS)
def test_a_fault_in_the_replay_is_noticed(
    name: str, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream = random_stream(5, 40)
    learner = th.Committee()
    learner.learn(*columns_and_labels(stream))
    monkeypatch.setattr(compiled, name, value)
    assert not same_state(replayed(learner, stream).replay.state, learner.learned_state())


def test_the_lightest_change_of_a_setting_is_noticed() -> None:
    stream = random_stream(6, 40)
    learner = th.Committee(members=[("adagrad", 1.0, "unit")])
    learner.learn(*columns_and_labels(stream))
    other = th.Committee(members=[("adagrad", float(np.nextafter(np.float32(1), 2)), "unit")])
    algorithm, parameters = identity(other)
    run = algorithm.replay(read_rows(*columns_and_labels(stream)), parameters)
    assert not same_state(run.state, learner.learned_state())


@settings(max_examples=40, deadline=None)
@given(streams, grids, st.sampled_from([(2.0, 1.0), (0.0, 3.0), (1.0, 0.125), (1e9, 1e-9)]))
def test_the_replay_with_weights_of_classes_is_the_learner_to_the_bit(
    stream: list[Example], grid: tuple[Member, ...], classes: tuple[float, float]
) -> None:
    learner = th.Committee(members=grid, class_weight=classes)
    rounds = learner.learn(*columns_and_labels(stream))
    run = replayed(learner, stream)
    assert run.replay.mistaken.tolist() == np.flatnonzero(rounds.mistaken).tolist()
    assert same_state(run.replay.state, learner.learned_state())
    if min(classes) > 0.0:
        assert run.replay.facts["expert_mistakes"] == tuple(m.mistakes for m in learner.members)
    # The theorem of the mixture is about rows of weight 1.
    assert [theorem.name for theorem in mixture_bounds(run)] == ["LogarithmicLoss"]


def test_a_certificate_of_a_heavy_class_claims_what_holds_and_verifies() -> None:
    X, y = columns_and_labels(random_stream(9, 300))
    learner = th.Committee(class_weight={1: 3.0})
    learner.learn(X, y)
    certificate = th.certify(learner, X, y)
    assert "MixtureOfExperts" not in str(certificate)
    assert th.verify(certificate, X, y).holds
    even = replace(certificate, parameters={**certificate.parameters, "class_weight": None})
    assert not th.verify(replace(even, seal=""), X, y).holds


def test_experts_err_and_lose_in_rounds_that_weigh_nothing_too() -> None:
    # All members say +1 before long, and every -1 is a mistake that teaches nothing.
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((400, 3)), np.where(rng.random(400) < 0.5, 1, -1)
    learner = th.Committee(class_weight={-1: 0.0, 1: 1.0})
    learner.learn(X, y)
    certificate = th.certify(learner, X, y)
    facts, missed = certificate.facts, int(np.count_nonzero(y < 0))
    assert min(facts["expert_mistakes"]) == missed
    # Each of these rounds costs more than ln 2.
    assert facts["loss_upper"][-1] > missed * log(2)
    assert th.verify(certificate, X, y).holds
    risks = {risk.theorem: risk for risk in certificate.risks}
    assert risks["RiskDifference"].quantities["expert_mistakes"] == missed
    assert risks["AverageForecastRisk"].allows > missed * log(2) / 400


@pytest.mark.parametrize("width", [200, 1500])
def test_who_leaves_a_stream_that_grows_wide_leaves_the_replay_too(width: int) -> None:
    stream = sparse_stream(2 * width, width)
    learner = th.Committee()
    learner.learn(*columns_and_labels(stream))
    run = replayed(learner, stream)
    assert learner._engine.present == {200: 12, 1500: 8}[width]
    assert same_state(run.replay.state, learner.learned_state())
    assert run.replay.facts["expert_mistakes"] == tuple(m.mistakes for m in learner.members)
    assert run.mistakes <= min(theorem.max_mistakes() for theorem in mixture_bounds(run))
    probes = columns_and_labels(sparse_stream(30, width, seed=2))[0]
    rows = read_rows(probes, [1] * 30)
    assert run.replay.leans is not None
    assert run.replay.leans(rows).tobytes() == learner.scores(probes).tobytes()
