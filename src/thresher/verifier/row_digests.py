"""The digest of a stream as a tree: rows in chunks, so that each can be checked by itself."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

from thresher.verifier.readers.labelled_rows import LabelledRows

#: Rows that share a leaf of the tree.
CHUNK_ROWS = 4096


def chunk_digests(stream: LabelledRows, workers: int = 1) -> tuple[str, ...]:
    """The digest of every 4,096 rows: of row starts, columns, values and labels.

    >>> from thresher.verifier.readers.labelled_rows import read_rows
    >>> stream = read_rows([[1.0]] * 5000, [1] * 5000)
    >>> whole, second = chunk_digests(stream), chunk_digests(stream.part(4096, 5000))
    >>> len(whole), whole[1:] == second
    (2, True)
    """
    firsts = range(0, len(stream), CHUNK_ROWS)
    parts = (stream.part(first, first + CHUNK_ROWS) for first in firsts)
    if workers == 1:
        return tuple(part.digest() for part in parts)
    # The digest of a long array is worked out without the lock of the interpreter.
    with ThreadPoolExecutor(workers) as pool:
        return tuple(pool.map(LabelledRows.digest, parts))


def tree_digest(chunks: Sequence[str], rounds: int, classes: Sequence[str] | None) -> str:
    """The root: SHA-256 of a line about the whole and the leaves in order."""
    head = json.dumps([rounds, CHUNK_ROWS, classes and list(classes)], separators=(",", ":"))
    return sha256(f"{head};{''.join(chunks)}".encode()).hexdigest()
