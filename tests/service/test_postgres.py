"""A store in PostgreSQL keeps what a folder keeps."""

from __future__ import annotations

from tests.postgres_server import Server
from tests.service.conftest import PERCEPTRON, learn, service_on
from tests.service.rows import examples


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
