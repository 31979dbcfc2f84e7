"""SQLite, DuckDB and PostgreSQL with a table of rows, and what a query finds in them."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from tests.postgres_server import new_data, programs

Cell = float | str | None
Found = list[dict[str, Any]]


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def literal(cell: Cell) -> str:
    if cell is None:
        return "NULL"
    return "'" + cell.replace("'", "''") + "'" if isinstance(cell, str) else f"'{cell!r}'"


class Sqlite:
    """SQLite, in memory."""

    types: Sequence[str] = ("REAL", "TEXT")

    def found(self, sql: str, columns: dict[str, str], rows: Sequence[Sequence[Cell]]) -> Found:
        base = sqlite3.connect(":memory:")
        try:
            return self._found(base, sql, columns, rows)
        finally:
            base.close()

    def _found(self, base: Any, sql: str, columns: dict[str, str], rows: Any) -> Found:
        named = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())
        base.execute(f"CREATE TABLE data ({named})")
        marks = ", ".join("?" * len(columns))
        for row in rows:
            base.execute(f"INSERT INTO data VALUES ({marks})", list(row))
        cursor = base.execute(f"SELECT * FROM ({sql}) AS t ORDER BY id")
        names = [column[0] for column in cursor.description]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


class DuckDb(Sqlite):
    """DuckDB, in memory."""

    types = ("DOUBLE", "VARCHAR")

    def found(self, sql: str, columns: dict[str, str], rows: Sequence[Sequence[Cell]]) -> Found:
        with duckdb.connect(":memory:") as base:
            return self._found(base, sql, columns, rows)


class Postgres:
    """PostgreSQL, through its own terminal and a socket in a folder of ours."""

    types = ("DOUBLE PRECISION", "TEXT")

    def __init__(self, programs: Path, socket: Path) -> None:
        self._psql = [str(programs / "psql"), "-h", str(socket), "-U", "postgres", "-qtAX"]
        self._psql += ["-v", "ON_ERROR_STOP=1", "-f", "-", "postgres"]

    def ran(self, script: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self._psql, input=script, text=True, capture_output=True)

    def found(self, sql: str, columns: dict[str, str], rows: Sequence[Sequence[Cell]]) -> Found:
        named = ", ".join(f"{quoted(name)} {kind}" for name, kind in columns.items())
        lines = ["DROP TABLE IF EXISTS data;", f"CREATE TABLE data ({named});"]
        lines += [f"INSERT INTO data VALUES ({', '.join(map(literal, row))});" for row in rows]
        lines += [f"SELECT row_to_json(t) FROM ({sql}) AS t ORDER BY id;\n"]
        done = self.ran("\n".join(lines))
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines()]


@contextmanager
def postgres(folder: Path) -> Iterator[Postgres]:
    """A server of our own, reached by a socket alone, which ends with the block."""
    bin_, who = programs(folder)
    data = folder / "data"
    new_data(bin_, who, data)
    command: list[str | Path] = [bin_ / "postgres", "-D", data, "-k", data, "-h", "", "-F"]
    server = subprocess.Popen(command, stderr=subprocess.DEVNULL, **who)
    try:
        base = Postgres(bin_, data)
        while base.ran("SELECT 1;").returncode:
            assert server.poll() is None, "the server ended"
            time.sleep(0.05)
        yield base
    finally:
        server.terminate()
        server.wait()
