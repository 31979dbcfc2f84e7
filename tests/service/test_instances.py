"""Several instances on one store: one learns, another takes over, and never two at a time."""

from __future__ import annotations

import random
import signal
import threading
import time
from functools import partial
from typing import Any

import httpx2
import pytest

import thresher as th
from tests.postgres_server import Server
from tests.service.conftest import PERCEPTRON, Service, learn, service_on, soon
from tests.service.killing import Victim
from tests.service.rows import examples
from thresher.client import Client
from thresher.errors import ServiceError
from thresher.models.file import model_digest
from thresher.service import tenant
from thresher.service.live_model import LiveModel
from thresher.service.recovery import recovered, written
from thresher.service.session import unreachable
from thresher.service.settings import Settings, created
from thresher.service.store import Store, append, create, delete, stored_called
from thresher.service.writer import Waiting, Work, committed


def out_of_reach() -> None:
    raise unreachable()


def digest(service: Service) -> str:
    return model_digest(service.models["m"].live.champion.model)


def replayed(where: str) -> tuple[int, str]:
    """What whoever opens the store finds: the number, and the state."""
    store = Store(where)
    live = recovered(store, stored_called(store, "m"), lambda text: None).live
    store.close()
    return live.sequence, model_digest(live.champion.model)


def test_another_instance_says_where_a_model_is_and_takes_it_when_the_first_ends(
    postgres: Server,
) -> None:
    where, rows = postgres.store(), examples(30, 1)
    with service_on(where, address="http://second:1") as second:
        with service_on(where, address="http://first:1") as first:
            first.put("/v1/models/m", json=PERCEPTRON)
            told = first.post("/v1/models/m/learn", json=rows[:20]).json()
            before = digest(first)
            for answer in (
                second.post("/v1/models/m/learn", json=rows[20]),
                second.post("/v1/models/m/predict", json={"features": {}}),
                second.put("/v1/models/m", json=PERCEPTRON),
                second.delete("/v1/models/m"),
            ):
                assert answer.status_code == 421
                assert answer.json()["fields"] == {"name": "m", "address": "http://first:1"}
            assert second.get("/v1/models/none").status_code == 404
        soon(lambda: second.post("/v1/models/m/learn", json=rows[0]).status_code == 200)
        assert digest(second) == before
        again = second.post("/v1/models/m/learn", json=rows[:20]).json()
        assert [one["sequence"] for one in again] == [one["sequence"] for one in told]
        assert all(one["repeated"] for one in again)
        assert second.post("/v1/models/m/learn", json=rows[20:]).json()[-1]["sequence"] == 30
        assert (30, digest(second)) == replayed(where)


def test_of_two_that_make_the_same_model_one_does(postgres: Server) -> None:
    where = postgres.store()
    with service_on(where) as one, service_on(where, address="http://other:1") as other:
        for k in range(3):
            name = f"/v1/models/m{k}"
            # Neither knows of the other's: the second finds it in the database.
            made = [each.put(name, json=PERCEPTRON).status_code for each in (one, other)]
            assert made == [201, 421]
            assert other.delete(name).status_code == 421
            assert one.delete(name).status_code == 204
            assert other.put(name, json=PERCEPTRON).status_code == 201


def test_two_instances_that_make_and_delete_at_once_agree_in_the_end(postgres: Server) -> None:
    where = postgres.store()
    with service_on(where) as one, service_on(where, address="http://other:1") as other:
        answers: set[int] = set()

        def busy(service: Service, seed: int) -> None:
            dice = random.Random(seed)
            for _ in range(25):
                name = f"/v1/models/m{dice.randrange(2)}"
                answers.add(service.put(name, json=PERCEPTRON).status_code)
                row = {"features": {"x": 1}, "label": 1}
                answers.add(service.post(f"{name}/learn", json=row).status_code)
                answers.add(service.delete(name).status_code)

        threads = [threading.Thread(target=busy, args=(each, k)) for k, each in
                   enumerate([one, one, other, other])]  # fmt: skip
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert answers <= {200, 201, 204, 404, 409, 421, 503}
        store = Store(where)
        left = {stored.name: stored.number for stored in store.models()}
        store.close()
        time.sleep(1.5)
        served = {each.stored.name: each.stored.number for each in [*one.models, *other.models]}
        assert served == left


def test_an_instance_that_slept_learns_nothing_when_it_wakes_up(postgres: Server) -> None:
    where, rows = postgres.store("takeover=1"), examples(40, 2)
    victim = Victim(where)
    victim.start()
    assert victim.process is not None
    try:
        with Client(victim.address) as client:
            client.create("m", **PERCEPTRON)
            for row in rows[:10]:
                client.learn("m", row["features"], row["label"], id=row["id"])
        victim.process.send_signal(signal.SIGSTOP)
        with service_on(where, address="http://heir:1") as heir:
            soon(lambda: heir.get("/v1/models/m").status_code == 200)
            for row in rows[10:20]:
                learn(heir, row["id"], row["features"], row["label"])
            victim.process.send_signal(signal.SIGCONT)
            with Client(victim.address, retries=0) as client:

                def refused() -> bool:
                    row = rows[20]
                    with pytest.raises(ServiceError) as error:
                        client.learn("m", row["features"], row["label"], id=row["id"])
                    return error.value.code == "service.elsewhere" or (
                        # Until it has seen that it lost the model.
                        error.value.code != "service.unreachable" and pytest.fail(error.value.code)
                    )

                soon(refused)
            assert heir.models["m"].live.sequence == 20
            learner = th.Perceptron(256)
            for row in rows[:20]:
                learner.learn_one(row["features"], row["label"])
            assert heir.models["m"].live.champion.model.learner == learner
            assert (20, digest(heir)) == replayed(where)
    finally:
        victim.process.send_signal(signal.SIGCONT)
        victim.kill()


def done(store: Store, work: Work) -> Any:
    """What a work has done, or the error with which it was refused."""
    result, error = committed(store.writing, [Waiting(work, lambda *_: None)]).results[0]
    return error or result


def test_a_writer_whose_lock_went_without_its_session_is_fenced_off(postgres: Server) -> None:
    store, thief = (Store(where) for where in [postgres.store()] * 2)
    settings = Settings("perceptron", n_features=64)
    snapshot = written(store, LiveModel(settings, created(settings)))
    number = done(store, lambda db: create(db, "m", b"{}", snapshot))
    entry = partial(append, model=number, kind="json", body=b"{}\n", ids=None, count=1)
    assert done(store, entry) == 1
    # As behind a pooler: the lock is nobody's, and another takes the model.
    store.writing.execute("SELECT pg_advisory_unlock_all()")
    claim = done(thief, lambda db: db.claimed())  # type: ignore[attr-defined]
    assert [(stored.number, last) for stored, last in claim.taken] == [(number, 1)]
    assert done(store, entry).code == "service.unreachable"
    # Not before it has said that it is level with the log.
    assert done(thief, entry).code == "service.unreachable"
    thief.writing.confirm(number, claim.instance)
    assert done(thief, entry) == 2
    assert done(store, lambda db: delete(db, number)).code == "service.unreachable"
    assert store.last(number) == 2
    store.close()
    thief.close()


@pytest.mark.parametrize("arrives", [True, False])
def test_whether_a_commit_was_made_is_told_truly(
    postgres: Server, monkeypatch: pytest.MonkeyPatch, arrives: bool
) -> None:
    store = Store(postgres.store())
    settings = Settings("perceptron", n_features=64)
    snapshot = written(store, LiveModel(settings, created(settings)))
    number = done(store, lambda db: create(db, "m", b"{}", snapshot))
    entry = partial(append, model=number, kind="json", body=b"{}\n", ids=None, count=1)
    honest = store.writing.execute

    def faulty(query: str, values: Any = ()) -> Any:
        if query == "COMMIT":
            monkeypatch.undo()
            if arrives:
                honest(query, values)
            store.writing._raw.close()
        return honest(query, values)

    monkeypatch.setattr(store.writing, "execute", faulty)
    told = done(store, entry)
    assert told == 1 if arrives else told.code == "service.unreachable"
    assert [one.last for one in store.entries(number, 0)] == ([1] if arrives else [])
    # The session that comes next has to be confirmed before it appends.
    assert done(store, entry).code == "service.unreachable"
    claim = done(store, lambda db: db.claimed())  # type: ignore[attr-defined]
    assert [last for _, last in claim.taken] == [int(arrives)]
    store.writing.confirm(number, claim.instance)
    assert done(store, entry) == 1 + arrives
    store.close()


def test_a_commit_without_an_answer_is_looked_for(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection ends at COMMIT: before it arrived, or before the answer did."""
    with service_on(postgres.store()) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        db: Any = service.models.store.writing
        honest = db.execute
        plan: list[bool] = []

        def faulty(query: str, values: Any = ()) -> Any:
            if query != "COMMIT" or not plan:
                return honest(query, values)
            if plan.pop():
                honest(query, values)
            db._raw.close()
            return honest("SELECT 1", ())

        monkeypatch.setattr(db, "execute", faulty)
        for k, arrives in enumerate([True, False, True, True, False]):
            row = {"id": f"e-{k}", "features": {f"w{k}": 1}, "label": -1}
            before = service.models["m"].live.sequence
            plan.append(arrives)
            answer = service.post("/v1/models/m/learn", json=row)
            if arrives and plan == [] and answer.status_code == 200:
                assert answer.json()["sequence"] == before + 1
            else:
                assert answer.status_code == 503
                # It is learned at most once, whatever became of the first attempt.
            soon(lambda row=row: service.post("/v1/models/m/learn", json=row).status_code == 200)  # type: ignore[misc]
        assert service.models["m"].live.sequence == 5
        monkeypatch.undo()
        found = service.models.store
        live = recovered(found, stored_called(found, "m"), lambda text: None).live
        assert (live.sequence, model_digest(live.champion.model)) == (5, digest(service))


def test_a_commit_that_nobody_can_be_asked_about_is_told_so_and_the_model_follows_the_log(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tenant, "LOOKED_FOR", 0.2)
    with service_on(postgres.store()) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        db: Any = service.models.store.writing
        honest, seen = db.execute, [""]

        def faulty(query: str, values: Any = ()) -> Any:
            # The commit of an event, and not of a beat.
            seen.append(query)
            cut = query == "COMMIT" and any("INSERT INTO log" in one for one in seen)
            found = honest(query, values)
            if cut:
                seen.clear()
                monkeypatch.setattr(db, "execute", honest)
                monkeypatch.setattr(db, "reopen", out_of_reach)
                db._raw.close()
                return honest(query, values)
            return found

        monkeypatch.setattr(db, "execute", faulty)
        row = {"id": "e", "features": {"w": 1}, "label": -1}
        answer = service.post("/v1/models/m/learn", json=row)
        assert (answer.status_code, answer.json()["type"]) == (503, "service.unknown")
        # It is in the log, and the model does not know it; predictions go on.
        told = service.post("/v1/models/m/predict", json={"features": {"w": 1}})
        assert (told.status_code, told.json()["sequence"]) == (200, 0)
        monkeypatch.undo()
        soon(lambda: service.post("/v1/models/m/learn", json=row).status_code == 200)
        assert service.models["m"].live.sequence == 1
        assert service.models["m"].live.champion.model.learner.n_rounds == 1


def test_when_the_database_is_away_predictions_go_on_and_learning_comes_back(
    postgres: Server,
) -> None:
    where, rows = postgres.store(), examples(30, 4)
    with service_on(where) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        service.post("/v1/models/m/learn", json=rows[:10])
        postgres.end(signal.SIGKILL)
        for row in rows[10:13]:
            answer = service.post("/v1/models/m/learn", json=row)
            assert answer.status_code == 503
            assert answer.headers["retry-after"] == "1"
            told = service.post("/v1/models/m/predict", json={"features": row["features"]})
            assert (told.status_code, told.json()["sequence"]) == (200, 10)
        assert service.get("/readyz").status_code == 503
        postgres.start()
        soon(lambda: service.post("/v1/models/m/learn", json=rows[10]).status_code == 200)
        told = service.post("/v1/models/m/learn", json=rows).json()
        assert [one["sequence"] for one in told] == [*range(1, 31)]
        assert (30, digest(service)) == replayed(where)
        assert service.get("/readyz").status_code == 200


def test_a_database_that_does_not_answer_keeps_nobody_who_predicts(postgres: Server) -> None:
    with service_on(postgres.store()) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        learn(service, "a", {"x": 1}, 1)
        postgres.pause(signal.SIGSTOP)
        try:
            # A name that is not served is looked for in the database; for a while.
            assert service.get("/v1/models/none").status_code == 503
            told = service.post("/v1/models/m/predict", json={"features": {"x": 1}})
            assert told.status_code == 200
            assert service.get("/v1/models/none").status_code == 503
        finally:
            postgres.pause(signal.SIGCONT)
        soon(lambda: service.get("/v1/models/none").status_code == 404)
        body = {"id": "b", "features": {"x": 1}, "label": 1}
        soon(lambda: service.post("/v1/models/m/learn", json=body).status_code == 200)
        assert service.models["m"].live.sequence == 2


def test_the_client_goes_where_it_is_sent_and_back_when_nobody_is_there() -> None:
    asked: list[str] = []
    away = {"moved": True}

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(str(request.url.host))
        if request.url.host == "first":
            if away["moved"]:
                fields = {"address": "http://second:1"}
                told = {"type": "service.elsewhere", "detail": "elsewhere", "fields": fields}
                return httpx2.Response(421, json=told)
            return httpx2.Response(200, json={"sequence": 2, "prediction": 1, "score": 0.0})
        if not away["moved"]:
            raise httpx2.ConnectError("nobody is there")
        return httpx2.Response(200, json={"sequence": 1, "prediction": 1, "score": 0.0})

    with Client("http://first:1", transport=httpx2.MockTransport(answer)) as client:
        assert client.predict("m", {}).sequence == 1
        assert client.predict("m", {}).sequence == 1
        assert asked == ["first", "second", "second"]
        away["moved"] = False
        assert client.predict("m", {}).sequence == 2
        assert asked[3:] == ["second", "first"]
    # A token does not leave TLS.
    away["moved"] = True
    with Client("https://first:1", transport=httpx2.MockTransport(answer)) as client:
        with pytest.raises(ServiceError):
            client.predict("m", {})
        assert asked[-1] == "first"
