"""Place: the address of a database, taken apart, and shown without its password."""

from __future__ import annotations

import os
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from thresher.errors import StoreError

SCHEMES = ("postgresql", "postgres")
#: The schema of a store, unless its address names one.
SCHEMA = "thresher"
#: Seconds without a sign of life after which others take a model over.
TAKEOVER = 15.0


class Place(NamedTuple):
    """Where a store is in PostgreSQL."""

    #: For libpq, with a password if there is one.
    conninfo: str
    schema: str
    takeover: float
    #: For people.
    shown: str


def is_postgres(where: str | os.PathLike[str]) -> bool:
    """Whether a store is to be in PostgreSQL.

    >>> is_postgres("postgresql://localhost/db"), is_postgres("models")
    (True, False)
    """
    return isinstance(where, str) and where.partition("://")[0] in SCHEMES and "://" in where


def place_of(url: str) -> Place:
    """An address such as ``postgresql://user@host/database?schema=mail``.

    >>> place_of("postgresql://ann:secret@db.example/mail?schema=a&sslmode=require").shown
    'postgresql://ann@db.example/mail?schema=a'
    >>> place_of("postgresql:///mail?password=secret").shown
    'postgresql:///mail?schema=thresher'
    """
    parts = urlsplit(url)
    if "@" in parts.path + parts.query + parts.fragment or parts.netloc.count("@") > 1:
        # Nothing of it is shown: a part of the password may stand anywhere.
        raise StoreError(
            "the address of the database has an @ where none is expected.",
            "In a user or a password write @ as %40, : as %3A, / as %2F, ? as %3F, # as %23; or "
            "keep the password out of the address, in PGPASSWORD or ~/.pgpass.",
            code="store.address",
        )
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    schema = query.pop("schema", SCHEMA)
    seconds = query.pop("takeover", str(TAKEOVER))
    host = parts.netloc.rpartition("@")[2]
    user = parts.netloc.rpartition("@")[0].partition(":")[0]
    name = f"{user}@{host}" if user else host
    shown = f"{parts.scheme}://{name}{parts.path}?{urlencode({'schema': schema})}"
    if not schema or len(schema.encode()) > 63 or "\0" in schema or schema.startswith("pg_"):
        raise StoreError(
            f"{shown}: a schema is called by 1 to 63 letters, and pg_ is not for us.",
            code="store.address",
        )
    try:
        takeover = float(seconds)
    except ValueError:
        takeover = 0.0
    if not 1.0 <= takeover <= 3600.0:
        raise StoreError(
            f"{shown}: takeover is a number of seconds from 1 to 3600, found {seconds[:20]!r}.",
            code="store.address",
        )
    rest = urlunsplit(parts._replace(query=urlencode(query)))
    return Place(rest, schema, takeover, shown)
