"""The slow twin of `kernels/scanning/lexicon.pyx`: which column a name in a file has."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.reference.murmur3 import hash_bytes


class OutsideError(Exception):
    """A number that is no column."""


class FullError(Exception):
    """One name too many for a vocabulary."""


def bare(name: bytes) -> bytes:
    """A name without the backslash that keeps a number from being a column."""
    escaped = re.fullmatch(rb"\\(\\*(?:0|[1-9][0-9]{0,9}))", name)
    return escaped[1] if escaped and int(escaped[1].lstrip(b"\\")) < 2**31 else name


@dataclass
class Columns:
    """Columns for names: hashed into `n_features`, or kept in a vocabulary."""

    n_features: int | None
    hashed: bool = True
    seed: int = 0
    strongest: bool = False
    numbers: bool = True
    add: bool = True
    vocabulary: dict[str, int] = field(default_factory=dict)

    def column_of(self, name: bytes) -> int | None:
        if self.numbers and bare(name) != name:
            return self.column_of_name(bare(name))
        if self.hashed and self.numbers and re.fullmatch(rb"0|[1-9][0-9]{0,9}", name):
            assert self.n_features is not None
            if self.n_features <= int(name) < 2**31:
                raise OutsideError
            if int(name) < 2**31:
                return int(name)
        return self.column_of_name(name)

    def column_of_name(self, name: bytes) -> int | None:
        if not self.hashed:
            return self.known(name.decode("utf-8"))
        assert self.n_features is not None
        return hash_bytes(name, self.seed) % self.n_features

    def known(self, name: str) -> int | None:
        if name not in self.vocabulary:
            if not self.add:
                return None
            if self.n_features is not None and len(self.vocabulary) >= self.n_features:
                raise FullError
            self.vocabulary[name] = len(self.vocabulary)
        return self.vocabulary[name]
