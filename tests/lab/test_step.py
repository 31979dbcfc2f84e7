"""Step shows what the library computes, round by round."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from starlette.testclient import TestClient

import thresher as th
from thresher.lab import recorded_run
from thresher.lab.frames import MOST_ROUNDS, frames
from thresher.lab.recorded_run import POINTS, RecordedRun
from thresher.lab.saved_page import saved_page
from thresher.lab.shelf import Shelf
from thresher.lab.step import next_mistake, overview
from thresher.lab.streams import stream_of
from thresher.streams import load_mushrooms

MUSHROOMS = "mushrooms:order=1"


@pytest.fixture(scope="module")
def shelf() -> Shelf:
    return Shelf()


def test_the_curves_are_those_of_the_learners(shelf: Shelf) -> None:
    batch, _ = load_mushrooms(1)
    for name, learner in (("winnow", th.Winnow(98)), ("elimination", th.Elimination(98))):
        rounds = learner.learn(batch)
        run = shelf.run(MUSHROOMS, name)
        steps = np.zeros(len(batch) + 1, np.int64)
        for (t, made), (after, _) in zip(run.curve(), [*run.curve()[1:], (None, 0)], strict=True):
            steps[t:after] = made
        np.testing.assert_array_equal(steps[1:], np.cumsum(rounds.mistaken))
        np.testing.assert_array_equal(run.scores, rounds.scores)


@pytest.mark.parametrize("name", ["winnow", "perceptron:bias=yes", "signed_winnow", "arow"])
def test_a_round_shows_the_score_before_it_and_the_weights_after_it(
    shelf: Shelf, name: str
) -> None:
    run = shelf.run(MUSHROOMS, name)
    fresh = run.learner.started_anew()
    for t in (1, 2, 346, 5000, 5644):
        (frame,) = frames(run, t, 1)
        fresh.learn(run.batch[fresh.n_rounds : t - 1])
        score = float(fresh.learn(run.batch[t - 1 : t]).scores[0])
        assert frame.t == t
        assert frame.score == pytest.approx(score, rel=1e-12)
        assert frame.wrong == bool(run.mistaken[t - 1])
        assert frame.mistakes == int(np.count_nonzero(run.mistaken[:t]))
        total = sum(part.adds for part in frame.parts) + frame.more_adds
        assert total == pytest.approx(score, rel=1e-9, abs=1e-9)
        weights = np.append(fresh.weights, getattr(fresh, "bias_weight", 0.0))  # type: ignore[attr-defined]
        for weight in frame.weights:
            assert weight.value == weights[weight.column]
        assert abs(frame.weights[0].value) == np.abs(weights).max()


def test_rounds_are_the_same_one_by_one_and_together(shelf: Shelf) -> None:
    run = shelf.run(MUSHROOMS, "winnow")
    together = frames(run, 340, 12)
    assert together == [frame for t in range(340, 352) for frame in frames(run, t, 1)]
    assert len(frames(run, 1, 10**6)) == MOST_ROUNDS
    assert [frame.t for frame in frames(run, 10**9, 5)] == [5644]


def test_copies_on_the_way_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = stream_of("disjunctions:rows=3000,seed=3,noise=1/10", {})
    batch = stream.whole()
    plain = RecordedRun(stream, batch, "winnow")
    monkeypatch.setattr(recorded_run, "CHUNK", 128)
    often = RecordedRun(stream, batch, "winnow")
    np.testing.assert_array_equal(plain.scores, often.scores)
    assert often.learner == plain.learner
    for t in (0, 1, 187, 188, 189, 1500, 2999, 3000):
        assert often.learner_before(t) == plain.learner_before(t)
        assert often.learner_before(t).n_rounds == t


def test_a_curve_has_so_many_points_whatever_its_length() -> None:
    stream = stream_of("disjunctions:rows=60000,seed=1,noise=1/4", {})
    run = RecordedRun(stream, stream.whole(), "perceptron")
    curve = run.curve()
    assert run.mistakes > POINTS >= len(curve)
    assert curve[0] == (0, 0)
    assert curve[-1] == (60000, run.mistakes)
    made = np.cumsum(run.mistaken)
    assert all(mistakes == made[t - 1] for t, mistakes in curve[1:])
    told = overview(stream, [run])["learners"][0]
    assert told["all"] is False
    assert next_mistake(run, 1000, 1) == 1 + int(np.flatnonzero(run.mistaken[1000:])[0]) + 1000
    assert next_mistake(run, 10**7, 1) == 10**7


def test_evidence_is_that_of_the_certifier(shelf: Shelf, lab: TestClient) -> None:
    batch, _ = load_mushrooms(1)
    learner = th.Winnow(98)
    learner.learn(batch)
    certificate = th.certify(learner, batch)
    told = lab.get("api/step/evidence", params={"stream": MUSHROOMS, "learner": "winnow"}).json()
    assert (told["made"], told["allowed"]) == (certificate.mistakes, certificate.allowed)
    assert told["theorem"] == certificate.theorem == "WinnowDisjunction"
    assert told["kind"] == "in hindsight"
    assert told["target"].count(" or ") == 4
    assert all(tick["holds"] for tick in told["audit"])
    audit = learner.audit()
    potential = told["potential"]
    assert potential["line"]["values"][1:] == audit.floats("total_weight").tolist()
    assert potential["rounds"][1:] == [int(t) + 1 for t in audit.table["round"]]
    pairs = zip(potential["line"]["values"], potential["most"]["values"], strict=True)
    assert all(value <= most for value, most in pairs)


def test_a_long_stream_with_a_known_target_is_claimed(lab: TestClient) -> None:
    stream = "disjunctions:rows=12000,seed=1"
    told = lab.get("api/step/evidence", params={"stream": stream, "learner": "winnow"}).json()
    assert told["kind"] == "claimed"
    assert told["made"] <= told["allowed"]


def test_a_weight_tells_which_rounds_made_it(lab: TestClient) -> None:
    of = {"stream": MUSHROOMS, "learner": "winnow"}
    told = lab.get("api/step/weight", params={**of, "column": 23}).json()
    assert told["name"] == "odor foul"
    assert told["matches"] is True
    assert told["entries"][-1]["weight"] == told["weight"]
    (frame,) = lab.get(
        "api/step/rounds", params={**of, "first": told["entries"][-1]["t"], "count": 1}
    ).json()
    assert any(one["column"] == 23 and one["moved"] for one in frame["weights"])


def test_a_saved_page_holds_the_run_and_loads_nothing(lab: TestClient) -> None:
    learners = "learner=winnow&learner=elimination"
    answer = lab.get(f"api/step/page?stream={MUSHROOMS}&{learners}&t=100")
    assert "attachment" in answer.headers["content-disposition"]
    page = answer.text
    found = re.search(r'id="recorded">(.*?)</script>', page, re.S)
    assert found is not None
    data = json.loads(found[1])
    rounds = {frame["t"] for frame in data["frames"][0]}
    winnow = data["overview"]["learners"][0]
    assert {t for t, _ in winnow["curve"][1:-1]} | {1, 100, 5644} <= rounds
    assert data["evidence"][1]["allowed"] == 73
    assert "default-src 'none'" in page
    assert "src=" not in page.split("<body>")[0]
    assert len(page) < 2_000_000


def test_no_name_of_a_feature_ends_the_script() -> None:
    page = saved_page(
        "</title><script>alert(1)", {"overview": {"title": "</script><script>alert(1)"}}
    )
    assert "<script>alert" not in page
    assert page.count("</script>") == 2


@pytest.mark.parametrize(
    "stream", [MUSHROOMS, "disjunctions:rows=300,seed=2,noise=1/20", "lower-bound:margin=1/4"]
)
def test_the_program_makes_the_same_run(
    shelf: Shelf, stream: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run = shelf.run(stream, "winnow:beta=1/2")
    told = overview(run.stream, [run])["learners"][0]
    exec(told["python"], {})
    assert capsys.readouterr().out.splitlines()[0] == str(run.mistakes)


@pytest.mark.parametrize("said", ["noise=1e-999999999", "balance=1e999999999", "drift=1e99999999"])
def test_a_number_that_no_memory_holds_is_refused_at_once(lab: TestClient, said: str) -> None:
    answer = lab.get("api/step", params={"stream": f"disjunctions:{said}", "learner": "winnow"})
    assert answer.status_code == 400
