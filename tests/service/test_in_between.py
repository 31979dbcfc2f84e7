"""What comes between an event and its answer: retries, deletes, swaps, snapshots, faults."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import apsw
import pytest

from tests.service.conftest import learn as learned_over_http
from tests.service.conftest import service_on
from thresher.errors import ServiceError, ThresherError
from thresher.models.file import model_digest
from thresher.service import changes, views
from thresher.service.learning import learn
from thresher.service.live_model import LiveModel
from thresher.service.live_models import Limits, LiveModels
from thresher.service.recovery import recovered, written
from thresher.service.served_model import ServedModel
from thresher.service.settings import Settings
from thresher.service.snapshots import take_snapshot
from thresher.service.store import Store
from thresher.service.upkeep import exported

M = "/v1/models/m"
PERCEPTRON = Settings("perceptron", n_features=64)
Story = Callable[[LiveModels, ServedModel], Awaitable[Any]]


def played(folder: Path, story: Story) -> Any:
    """What comes of a story about a new model; afterwards its store gives the same model again."""

    async def all_of_it() -> Any:
        store = Store(folder)
        models = LiveModels(store)
        await models.recover()
        served = await changes.make(models, "m", PERCEPTRON)
        told = await story(models, served)
        await models.close()
        for stored in store.models():
            live, again = models[stored.name].live, recovered(store, stored, print)
            assert again.live.sequence == live.sequence
            digests = [model_digest(one.champion.model) for one in (again.live, live)]
            assert digests[0] == digests[1]
        store.close()
        return told

    return asyncio.run(all_of_it())


def sent(models: LiveModels, served: ServedModel, k: int, name: str | None = None) -> Any:
    line = b'{"label":%d,"features":{"w%d":1,"v":2}}\n' % (1 if k % 3 else -1, k % 5)
    return learn(models, served, "json", line, [name or f"e{k}"])


def codes(found: list[Any]) -> list[Any]:
    return [one.code if isinstance(one, ServiceError) else one[0].sequence for one in found]


def test_retries_that_race_with_the_first_try_are_learned_once(tmp_path: Path) -> None:
    async def story(models: LiveModels, served: ServedModel) -> Any:
        return await asyncio.gather(*(sent(models, served, k % 4) for k in range(40)))

    told = played(tmp_path, story)
    assert [one[0].sequence for one in told] == [1 + k % 4 for k in range(40)]
    assert [one[0].repeated for one in told] == [k >= 4 for k in range(40)]
    assert {one[0].answer for one in told[4:]} == {one[0].answer for one in told[:4]}


def test_a_delete_in_between_refuses_what_is_not_in_the_log(tmp_path: Path) -> None:
    async def story(models: LiveModels, served: ServedModel) -> Any:
        first = asyncio.gather(*(sent(models, served, k) for k in range(5)))
        await asyncio.sleep(0)
        gone = asyncio.ensure_future(changes.remove(models, served))
        await asyncio.sleep(0)
        later = asyncio.gather(
            *(sent(models, served, k) for k in range(5, 9)), return_exceptions=True
        )
        before = await first
        await gone
        return codes(before), codes(await later), len(served.promised), models.along

    before, later, promised, along = played(tmp_path, story)
    assert before == [1, 2, 3, 4, 5]
    assert {*later} <= {"service.no_model", 6, 7, 8, 9}
    assert (promised, along) == (0, 0)


def test_a_bad_id_does_not_spoil_the_requests_that_it_waits_with(tmp_path: Path) -> None:
    async def story(models: LiveModels, served: ServedModel) -> Any:
        waiting = [sent(models, served, k, "e\0" if k == 3 else None) for k in range(9)]
        return codes(await asyncio.gather(*waiting, return_exceptions=True))

    assert played(tmp_path, story) == [1, 2, 3, "service.malformed", 4, 5, 6, 7, 8]


@pytest.mark.parametrize(
    ("limits", "shadow"),
    [
        (Limits(classes=3), None),
        (Limits(cells=3 * 64), Settings("multiclass_perceptron", n_features=64)),
    ],
)
def test_classes_that_wait_together_are_not_more_than_a_model_has(
    tmp_path: Path, limits: Limits, shadow: Settings | None
) -> None:
    def named(models: LiveModels, served: ServedModel, k: int) -> Any:
        line = b'{"label":"class %d","features":{"w":1}}\n' % k
        return learn(models, served, "json", line, [f"e{k}"])

    async def all_of_it() -> Any:
        store = Store(tmp_path)
        models = LiveModels(store, limits=limits)
        await models.recover()
        served = await changes.make(models, "m", Settings("multiclass_perceptron", n_features=16))
        if shadow is not None:
            await changes.follow(models, served, shadow)
        waiting = [named(models, served, k) for k in (0, 1, 2, 3, 4, 1, 2)]
        told = codes(await asyncio.gather(*waiting, return_exceptions=True))
        found = len(served.live.champion.model.learner.classes), served.coming
        await models.close()
        store.close()
        return told, found

    told, found = asyncio.run(all_of_it())
    much, before = "service.too_large", 0 if shadow is None else 1
    assert [one if one == much else one - before for one in told] == [1, 2, 3, much, much, 2, 3]
    assert found == (3, Counter())


def test_a_shadow_that_cannot_be_made_leaves_no_trace(tmp_path: Path) -> None:
    async def story(models: LiveModels, served: ServedModel) -> Any:
        await sent(models, served, 1)
        with pytest.raises(ThresherError, match="pairs"):
            await changes.follow(models, served, Settings("arow", pairs=["a*b"]))
        return codes([await sent(models, served, 2)])

    assert played(tmp_path, story) == [2]


@pytest.mark.parametrize("vocabulary", [False, True])
def test_lines_that_the_shadow_cannot_read_are_learned_by_the_model(
    tmp_path: Path, vocabulary: bool
) -> None:
    async def story(models: LiveModels, served: ServedModel) -> Any:
        shadow = Settings("arow", n_features=64, vocabulary=vocabulary, pairs=["a,b"])
        await changes.follow(models, served, shadow)
        return codes([await learn(models, served, "svmlight", b"1 1:1\n", None)])

    assert played(tmp_path, story) == [2]


def test_a_snapshot_is_told_by_its_own_number(tmp_path: Path) -> None:
    async def story(models: LiveModels, served: ServedModel) -> Any:
        await sent(models, served, 1)
        await changes.follow(models, served, PERCEPTRON)
        return await take_snapshot(models, served), [*models.store.snapshots(served.stored.number)]

    assert played(tmp_path, story) == (2, [0, 2])


@pytest.mark.parametrize("what", ["swap", "snapshot", "rollback", "look"])
def test_a_change_in_between_leaves_one_order(tmp_path: Path, what: str) -> None:
    async def change(models: LiveModels, served: ServedModel) -> Any:
        if what == "swap":
            return await changes.swap(models, served)
        if what == "snapshot":
            return await take_snapshot(models, served)
        if what == "look":
            return (await views.looked_at(models, served)).sequence
        return await changes.roll_back(models, served, 3)

    async def story(models: LiveModels, served: ServedModel) -> Any:
        await changes.follow(models, served, PERCEPTRON)
        for k in range(4):
            await sent(models, served, k)
        found = await asyncio.gather(
            *(sent(models, served, k) for k in range(10, 30)),
            change(models, served),
            *(sent(models, served, k) for k in range(30, 50)),
            *(sent(models, served, k) for k in range(10, 20)),
        )
        return [one if isinstance(one, int) else one[0].sequence for one in found]

    told = played(tmp_path, story)
    numbers = told[:20] + told[21:41] + ([told[20]] if what in ("swap", "rollback") else [])
    assert sorted(numbers) == list(range(6, 6 + len(numbers)))
    assert told[41:] == told[:10]


def test_a_commit_that_fails_tells_everybody_and_keeps_no_id(tmp_path: Path) -> None:
    async def story(models: LiveModels, served: ServedModel) -> Any:
        connection = models.store.writing
        # No entry comes in while this stands.
        connection.execute(
            "CREATE TEMP TRIGGER full BEFORE INSERT ON log BEGIN SELECT raise(ABORT, 'no'); END"
        )
        failed = await asyncio.gather(
            *(sent(models, served, k) for k in range(12)), return_exceptions=True
        )
        connection.execute("DROP TRIGGER full")
        again = await asyncio.gather(*(sent(models, served, k) for k in range(12)))
        assert models.along == 0
        return failed, again

    failed, again = played(tmp_path, story)
    assert all(isinstance(one, apsw.Error | ServiceError) for one in failed)
    assert [(one[0].sequence, one[0].repeated) for one in again] == [
        (k, False) for k in range(1, 13)
    ]


def test_a_large_model_is_looked_at_without_being_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with service_on(tmp_path) as service:
        service.put(M, json={"learner": "committee", "n_features": 256})
        for k in range(20):
            learned_over_http(service, f"e{k}", {f"w{k % 7}": 1}, k % 2)
        by_copy = service.get(f"{M}/file").content
        info = service.get(M).json()
        served = service.models["m"]
        served.digest = ("", "")
        monkeypatch.setattr(views, "MANY_CELLS", 0)
        monkeypatch.setattr(served.live, "frozen", None)
        assert service.get(M).json() == info
        assert service.get(f"{M}/file").content == by_copy
        assert service.get(f"{M}/report").status_code == 200
        # Nothing has changed since, so that nothing is made again.
        monkeypatch.setattr(views, "looked_at", None)
        assert service.get(M).json() == info


def test_an_export_leaves_out_what_was_taken_back(tmp_path: Path) -> None:
    with service_on(tmp_path / "s") as service:
        service.put(M, json={"learner": "perceptron", "n_features": 64})
        for number, back in ((6, None), (3, 4), (2, 8), (4, 1), (5, 17)):
            rows = [
                {"features": {f"w{k}": 1, "v": number}, "label": 1 if k % 2 else -1}
                for k in range(number)
            ]
            service.post(f"{M}/learn", json=rows)
            if back is not None:
                assert service.post(f"{M}/rollback", json={"sequence": back}).status_code == 200
        before = model_digest(service.models["m"].live.champion.model)
    store = Store(tmp_path / "s")
    found = exported(store, "m", effective=True)
    lines = list(found.lines)
    everything = list(exported(store, "m").lines)
    store.close()
    assert len(everything) == 20
    assert found.taken_back == 20 - len(lines) > 0
    with service_on(tmp_path / "t") as service:
        service.put(M, json={"learner": "perceptron", "n_features": 64})
        headers = {"content-type": "application/x-ndjson"}
        text = b"".join(lines).replace(b'"weight"', b'"importance"')
        assert service.post(f"{M}/learn", content=text, headers=headers).status_code == 200
        assert model_digest(service.models["m"].live.champion.model) == before


def test_the_same_model_is_made_once_by_two_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = Barrier(2)

    def written_together(store: Store, live: LiveModel) -> Any:
        both.wait(30)
        return written(store, live)

    monkeypatch.setattr(changes, "written", written_together)
    with service_on(tmp_path) as service, ThreadPoolExecutor(2) as pool:
        for other, statuses in ((64, [200, 201]), (32, [201, 409])):
            wanted = [{"learner": "perceptron", "n_features": size} for size in (64, other)]
            found = list(pool.map(lambda body: service.put(M, json=body).status_code, wanted))
            assert sorted(found) == statuses
            service.delete(M)
