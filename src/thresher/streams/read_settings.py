"""How a stream is read, beside what its bytes mean: that is a `Recipe`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from thresher.records import record
from thresher.streams.formats.blocks import CHUNK_BYTES, MAX_LINE_BYTES
from thresher.streams.formats.format import TableHeader
from thresher.streams.value_limits import ValueLimits


@record(kw_only=True)
class ReadSettings:
    """How a stream is read, and which rows are wanted."""

    #: Threads that scan; None: one a core, at most four.
    threads: int = 0
    chunk_bytes: int = CHUNK_BYTES
    max_line_bytes: int = MAX_LINE_BYTES
    #: Whether a vocabulary may grow; otherwise names it lacks are left out.
    add_names: bool = True
    #: Values that the learner of the rows can take; None: all.
    limits: ValueLimits | None = None
    #: Fields of objects and tables that are read, where these do not say so themselves; None: all.
    fields: tuple[str, ...] | None = None
    #: The files of which only a part is read, from one byte to another; it begins with a line.
    parts: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    #: The header of a table's first file, where others read that file.
    header: TableHeader | None = None
