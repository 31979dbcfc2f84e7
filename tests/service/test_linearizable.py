"""Everything happens in the order of its numbers, as if one after another."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections import Counter
from pathlib import Path
from tempfile import mkdtemp
from time import monotonic
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import thresher as th
from tests.service.conftest import Service, service_on
from tests.service.rows import as_lines, examples
from thresher.errors import ServiceError
from thresher.service import changes
from thresher.service.learning import learn, read
from thresher.service.live_models import LiveModels
from thresher.service.pupil import Pupil
from thresher.service.settings import Settings
from thresher.service.store import Store

ROWS = examples(400, 11)


class Pair(NamedTuple):
    """What the sequential model says the service should be: who learned which rows, in order."""

    champion: tuple[str, tuple[int, ...]]
    shadow: tuple[str, tuple[int, ...]] | None = None

    def after(self, row: int) -> Pair:
        name, rows = self.champion
        shadow = None if self.shadow is None else (self.shadow[0], (*self.shadow[1], row))
        return Pair((name, (*rows, row)), shadow)


def learner_of(told: tuple[str, tuple[int, ...]]) -> Any:
    """A learner of our own that has learned these rows."""
    name, rows = told
    learner = th.Perceptron(256) if name == "perceptron" else th.PassiveAggressive(256)
    if rows:
        chosen = [ROWS[k] for k in rows]
        learner.learn([row["features"] for row in chosen], [row["label"] for row in chosen])
    return learner


def dual_of(pupil: Pupil) -> Any:
    """The dual vector of the learner of a pupil."""
    learner: Any = pupil.model.learner
    return learner.dual


class ServiceMachine(RuleBasedStateMachine):
    """Learns, predicts, is retried, taken back, swapped, restarted and killed."""

    @initialize()
    def begin(self) -> None:
        self.folder = Path(mkdtemp(prefix="thresher-machine-"))
        self.context = service_on(self.folder / "0")
        self.at = 0
        self.service: Service = self.context.__enter__()
        self.service.put("/v1/models/m", json={"learner": "perceptron", "n_features": 256})
        #: The states after each number.
        self.states = [Pair(("perceptron", ()))]
        self.numbers: dict[int, int] = {}

    def teardown(self) -> None:
        self.context.__exit__(None, None, None)
        shutil.rmtree(self.folder)

    @rule(rows=st.lists(st.integers(0, 399), min_size=1, max_size=5))
    def learn(self, rows: list[int]) -> None:
        told = self.service.post("/v1/models/m/learn", json=[ROWS[k] for k in rows]).json()
        for row, one in zip(rows, told, strict=True):
            if row in self.numbers:
                assert one["sequence"] == self.numbers[row]
                assert one["repeated"]
                continue
            before = self.states[-1]
            assert one["sequence"] == len(self.states)
            assert one["score"] == learner_of(before.champion).score_one(ROWS[row]["features"])
            self.numbers[row] = one["sequence"]
            self.states.append(before.after(row))

    @rule(row=st.integers(0, 399))
    def predict(self, row: int) -> None:
        last = len(self.states) - 1
        told = self.service.post(
            f"/v1/models/m/predict?at_least={last}", json={"features": ROWS[row]["features"]}
        ).json()
        own = learner_of(self.states[-1].champion)
        assert (told["sequence"], told["score"]) == (last, own.score_one(ROWS[row]["features"]))

    @rule(name=st.sampled_from(["perceptron", "passive_aggressive"]))
    def follow(self, name: str) -> None:
        body = {"learner": name, "n_features": 256}
        assert self.service.put("/v1/models/m/shadow", json=body).status_code == 201
        self.states.append(self.states[-1]._replace(shadow=(name, ())))

    @precondition(lambda self: self.states[-1].shadow is not None)
    @rule()
    def swap(self) -> None:
        assert self.service.post("/v1/models/m/swap").status_code == 200
        champion, shadow = self.states[-1]
        assert shadow is not None
        self.states.append(Pair(shadow, champion))

    @rule(data=st.data())
    def take_back(self, data: st.DataObject) -> None:
        kept = self.service.get("/v1/models/m/snapshots").json()
        oldest = kept[0]["sequence"]
        to = data.draw(st.integers(oldest, len(self.states) - 1))
        told = self.service.post("/v1/models/m/rollback", json={"sequence": to})
        assert told.json() == {"sequence": len(self.states)}
        self.states.append(self.states[to])

    @rule()
    def snapshot(self) -> None:
        assert self.service.post("/v1/models/m/snapshots").status_code == 201

    @rule(gently=st.booleans())
    def restart(self, gently: bool) -> None:
        target = self.folder / str(self.at)
        if not gently:
            # As it lies on the disk while the service runs: all that a kill would leave.
            target = self.folder / str(self.at + 1)
            shutil.copytree(self.folder / str(self.at), target)
            self.at += 1
        self.context.__exit__(None, None, None)
        self.context = service_on(target)
        self.service = self.context.__enter__()

    @invariant()
    def is_what_it_should_be(self) -> None:
        if not hasattr(self, "service"):
            return
        live = self.service.models["m"].live
        assert live.sequence == len(self.states) - 1
        champion, shadow = self.states[-1]
        assert (dual_of(live.champion) == learner_of(champion).dual).all()
        assert (live.shadow is None) == (shadow is None)
        if live.shadow is not None and shadow is not None:
            assert (dual_of(live.shadow) == learner_of(shadow).dual).all()


def operated(count: int) -> int:
    """Do so many operations or more, in runs of twenty; how many were done."""
    done = 0

    class Counted(ServiceMachine):
        @invariant()
        def counted(self) -> None:
            nonlocal done
            done += 1

    while done < count:
        runs = 1 + (count - done) // 20
        chosen = settings(
            max_examples=runs,
            stateful_step_count=20,
            deadline=None,
            derandomize=False,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        run_state_machine_as_test(Counted, settings=chosen)
    return done


ServiceMachine.TestCase.settings = settings(max_examples=10, stateful_step_count=20)
TestServiceMachine = ServiceMachine.TestCase


class Operation(NamedTuple):
    """What somebody saw: when they asked, when they were answered, and what."""

    asked: float
    answered: float
    kind: str
    sequence: int
    #: The row, and the score that was told; for a rollback, where it went.
    row: int
    score: float = 0.0


async def history(folder: Path, count: int, clients: int) -> list[Operation]:
    """So many operations by clients that do not wait for each other."""
    store = Store(folder)
    models = LiveModels(store)
    await models.recover()
    asked_for = Settings("perceptron", n_features=256)
    served = await changes.make(models, "m", asked_for)
    seen: list[Operation] = []
    fresh = iter(range(count))

    async def client(number: int) -> None:
        dice = random.Random(number)
        for own in fresh:
            row, asked = dice.randrange(len(ROWS)), monotonic()
            fate = dice.random()
            if fate < 0.6:
                line = as_lines([{**ROWS[row], "id": f"{number}-{own}"}])
                (told,) = await learn(models, served, "json", line, [f"{number}-{own}"])
                assert told.answer.score is not None
                found = ("learn", told.sequence, row, told.answer.score)
            elif fate < 0.985:
                line = as_lines([{"features": ROWS[row]["features"]}])
                guess = served.live.champion.predict(read(models, served, "json", line, 1))
                assert guess.scores[0] is not None
                found = ("predict", served.live.sequence, row, guess.scores[0])
                await asyncio.sleep(0)
            else:
                to = max(0, served.live.sequence - dice.randrange(50))
                try:
                    if fate < 0.993:
                        number = await changes.follow(models, served, asked_for)
                        found = ("follow", number, 0, 0.0)
                    elif fate < 0.996:
                        found = ("swap", await changes.swap(models, served), 0, 0.0)
                    else:
                        found = ("rollback", await changes.roll_back(models, served, to), to, 0.0)
                except ServiceError:
                    # Nobody learns along, or what leads there is not kept.
                    continue
            seen.append(Operation(asked, monotonic(), *found))

    await asyncio.gather(*(client(k) for k in range(clients)))
    await models.close()
    store.close()
    return seen


def _require_answers_in_order(seen: list[Operation], writes: list[Operation]) -> None:
    """Every answer is the one of a learner that does all this one after another."""
    guesses: dict[int, list[Operation]] = {}
    for one in seen:
        if one.kind == "predict":
            guesses.setdefault(one.sequence, []).append(one)
    kinds = Counter(one.kind for one in writes)
    assert min(kinds[kind] for kind in ("learn", "rollback", "swap", "follow")) > 10
    # Who predicts, and who learns along, after each number.
    done: list[list[th.Perceptron]] = [[th.Perceptron(256)]]
    for one in writes:
        after = [learner.copy() for learner in done[one.row if one.kind == "rollback" else -1]]
        if one.kind == "follow":
            after[1:] = [th.Perceptron(256)]
        elif one.kind == "swap":
            after.reverse()
        elif one.kind == "learn":
            features, label = ROWS[one.row]["features"], ROWS[one.row]["label"]
            assert one.score == after[0].score_one(features)
            for learner in after:
                learner.learn_one(features, label)
        done.append(after)
    for sequence, predicted in guesses.items():
        for one in predicted:
            assert one.score == done[sequence][0].score_one(ROWS[one.row]["features"])


@pytest.mark.long  # ten thousand, for a race is rare
def test_ten_thousand_operations_are_in_one_order(tmp_path: Path) -> None:
    seen = asyncio.run(history(tmp_path, 10_000, 16))
    assert len(seen) > 9_800
    writes = sorted((one for one in seen if one.kind != "predict"), key=lambda one: one.sequence)
    # Each number once, and no gap.
    assert [one.sequence for one in writes] == list(range(1, len(writes) + 1))
    # Whoever asked after another was answered has a later number.
    soonest = float("inf")
    for one in reversed(writes):
        assert one.asked <= soonest
        soonest = min(soonest, one.answered)
    _require_answers_in_order(seen, writes)
    # A prediction sees all that was acknowledged before it was asked for.
    acknowledged = sorted((one.answered, one.sequence) for one in writes)
    at = highest = 0
    for one in sorted((one for one in seen if one.kind == "predict"), key=lambda one: one.asked):
        while at < len(acknowledged) and acknowledged[at][0] < one.asked:
            highest = max(highest, acknowledged[at][1])
            at += 1
        assert one.sequence >= highest


async def changed_behind_a_back(folder: Path) -> list[str]:
    """What becomes of changes whose model moves on between the look and the commit."""
    store = Store(folder)
    models = LiveModels(store)
    await models.recover()
    asked = Settings("perceptron", n_features=256)
    served = await changes.make(models, "m", asked)
    await changes.follow(models, served, asked)
    codes: list[str] = []
    for change in (
        lambda seen: changes.make(models, "m", asked, served, seen),
        lambda seen: changes.remove(models, served, seen),
        lambda seen: changes.roll_back(models, served, 0, seen),
        lambda seen: changes.swap(models, served, seen),
    ):
        seen = served.live.sequence
        await learn(models, served, "json", as_lines([{**ROWS[len(codes)], "id": None}]), None)
        try:
            await change(seen)
        except ServiceError as error:
            codes.append(error.code)
    rounds = models["m"].live.champion.model.learner.n_rounds
    await models.close()
    files = len(list(store.path("").iterdir()))
    store.close()
    return [*codes, f"{rounds} rounds, {files} files"]


def test_a_change_that_was_overtaken_is_refused_where_it_is_committed(tmp_path: Path) -> None:
    found = asyncio.run(changed_behind_a_back(tmp_path))
    assert found == ["service.changed"] * 4 + ["4 rounds, 1 files"]
