"""A store in PostgreSQL keeps what a folder keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run
from tests.postgres_server import Server
from tests.service.conftest import PERCEPTRON, Where, learn, service_on
from tests.service.rows import examples
from thresher.errors import StoreError
from thresher.service.session import Session
from thresher.service.store import Store


def test_a_store_in_postgresql_remembers(postgres: Server) -> None:
    where = postgres.store()
    rows = examples(20, 3)
    with service_on(where) as service:
        assert service.put("/v1/models/m", json=PERCEPTRON).status_code == 201
        first = [learn(service, row["id"], row["features"], row["label"]) for row in rows]
        again = [learn(service, row["id"], row["features"], row["label"]) for row in rows]
        assert [told.pop("repeated") for told in again] == [True] * 20
        assert again == first
        before = service.get("/v1/models/m").json()["digest"]
    with service_on(where) as service:
        assert service.get("/v1/models/m").json()["digest"] == before
        again = service.post("/v1/models/m/learn", json=rows).json()
        assert [told.pop("repeated") for told in again] == [True] * 20
        assert service.post("/v1/models/m/snapshots").status_code == 201
        assert service.models["m"].known == {}
        again = service.post("/v1/models/m/learn", json=rows).json()
        assert [told.pop("repeated") for told in again] == [True] * 20
    with service_on(where) as service:
        assert service.get("/v1/models/m").json()["digest"] == before


def test_an_id_is_any_text_but_for_the_character_0(where: Where) -> None:
    with service_on(where) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        bad = {"id": "a\0b", "features": {"x": 1}}
        assert service.post("/v1/models/m/predict", json=bad).status_code == 400
        assert service.post("/v1/models/m/learn", json=bad | {"label": 1}).status_code == 400
        idents = ["Zürich \U0001f600", "'; DROP TABLE log; --", "\u2028", "x" * 200]
        for ident in idents:
            learn(service, ident, {"x": 1}, 1)
        assert service.post("/v1/models/m/snapshots").status_code == 201
        for ident in idents:
            assert learn(service, ident, {"x": 1}, 1)["repeated"]


def test_a_full_disk_stops_learning_until_there_is_room(postgres: Server) -> None:
    where = postgres.store()
    schema = where.rpartition("=")[2]
    with service_on(where) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        learn(service, "a", {"x": 1}, 1)
        postgres.ask(
            f"CREATE FUNCTION {schema}.no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
            " RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$"
        )
        postgres.ask(
            f"CREATE TRIGGER no_room BEFORE INSERT ON {schema}.log"
            f" EXECUTE FUNCTION {schema}.no_room()"
        )
        body = {"id": "b", "features": {"x": 1}, "label": 1}
        answer = service.post("/v1/models/m/learn", json=body)
        assert (answer.status_code, answer.headers["retry-after"]) == (507, "30")
        told = service.post("/v1/models/m/predict", json={"features": {"x": 1}})
        assert told.status_code == 200
        postgres.ask(f"DROP TRIGGER no_room ON {schema}.log")
        assert learn(service, "b", {"x": 1}, 1)["sequence"] == 2


def test_a_table_of_ids_is_asked_only_for_ids_that_may_be_there(postgres: Server) -> None:
    where, rows = postgres.store(), examples(60, 9)
    for begin in (0, 20, 40):
        with service_on(where) as service:
            if not begin:
                service.put("/v1/models/m", json=PERCEPTRON)
            asked: list[str] = []
            reading = service.models.store.reading
            honest = reading.execute

            def counted(
                query: str, values: Any = (), honest: Any = honest, asked: list[str] = asked
            ) -> Any:
                asked.extend([query] if "FROM ids" in query else [])
                return honest(query, values)

            reading.execute = counted
            service.post("/v1/models/m/learn", json=rows[begin : begin + 20])
            assert asked == []
            service.post("/v1/models/m/snapshots")
            again = service.post("/v1/models/m/learn", json=rows[: begin + 20]).json()
            assert all(one["repeated"] for one in again)
            # All in one question.
            assert len(asked) == 1


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        ("UPDATE {0}.format SET version = 99", "store.version"),
        ("DROP TABLE {0}.format", "store.foreign"),
        ("DROP SCHEMA {0} CASCADE; CREATE SCHEMA {0}; REVOKE ALL ON SCHEMA {0} FROM careful",
         "store.not_allowed"),
        ("", "store.unreachable"),
    ],
)  # fmt: skip
def test_a_database_that_is_not_for_us_is_refused_without_a_password(
    postgres: Server, spoil: str, code: str
) -> None:
    where = postgres.store()
    schema = where.rpartition("=")[2]
    Store(where).close()
    postgres.ask("DROP ROLE IF EXISTS careful")
    postgres.ask("CREATE ROLE careful LOGIN PASSWORD 'right'")
    postgres.ask(f"GRANT ALL ON SCHEMA {schema} TO careful")
    postgres.ask(f"GRANT ALL ON ALL TABLES IN SCHEMA {schema} TO careful")
    for statement in spoil.format(schema).split(";"):
        if statement:
            postgres.ask(statement)
    secret = "right" if spoil else "s3cr3t"
    url = where.replace("postgres@", f"careful:{secret}@")
    with pytest.raises(StoreError) as error:
        Store(url)
    assert error.value.code == code
    for command in (("serve", "--store", url, "--port", "0"), ("store", "check", url)):
        done = run(*command)
        assert done.exit_code == 2
        assert secret not in done.stdout + done.stderr
    postgres.ask(f"DROP SCHEMA {schema} CASCADE")
    postgres.ask("DROP ROLE careful")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:s3cr@t@127.0.0.1/db",
        "postgresql://ann:s3/cret@127.0.0.1/db",
        "postgresql://ann:s3?cret@127.0.0.1/db",
        "postgresql://ann:s3cret@127.0.0.1:port/db",
        "postgresql://ann:s3cret@127.0.0.1/db?nonsense=s3cret",
        "postgresql://ann:s3cret@127.0.0.1/db?takeover=soon",
        "postgresql://ann:s3cret@127.0.0.1:1/db?schema=pg_x",
        "postgresql://ann@127.0.0.1:1/db?password=s3cret",
    ],
)
def test_no_part_of_a_password_is_repeated(url: str) -> None:
    for command in (("store", "check", url), ("store", "backup", url, "copy")):
        done = run(*command)
        assert done.exit_code == 2
        for part in ("s3cr", "t@127", "cret"):
            assert part not in (done.stdout + done.stderr).replace("takeover=soon", "")


def test_the_commands_look_after_a_database(postgres: Server, tmp_path: Path) -> None:
    where, rows = postgres.store(), examples(40, 5)
    with service_on(where) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        service.post("/v1/models/m/learn", json=rows[:20])
        service.post("/v1/models/m/snapshots")
        service.post("/v1/models/m/learn", json=rows[20:])
        # While it is at work.
        found = run("store", "check", where)
        assert found.exit_code == 0, found.stdout
        assert "snapshot 20 is the same, to the bit" in found.stdout
        assert run("store", "export", where, "m").stdout.count("\n") == 40
        assert "is served by an instance" in run("store", "compact", where).stderr
        before = service.get("/v1/models/m").json()["digest"]
    assert "pg_dump" in run("store", "backup", where, tmp_path / "copy").stderr
    assert run("store", "compact", where).exit_code == 0
    assert run("store", "export", where, "m").stdout == ""
    with service_on(where) as service:
        assert service.get("/v1/models/m").json()["digest"] == before
        assert service.post("/v1/models/m/learn", json=rows[3]).json()["repeated"]


def test_models_are_let_go_before_the_server_sees_that_the_session_is_over(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, kept = postgres.store(), list[Session]()
    with service_on(where) as service:
        service.put("/v1/models/m", json=PERCEPTRON)
        monkeypatch.setattr(Session, "close", lambda session: kept.append(session))
    monkeypatch.undo()
    try:
        assert kept
        assert run("store", "compact", where).exit_code == 0
    finally:
        for session in kept:
            session.close()
