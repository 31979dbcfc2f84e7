"""The slow twin of `kernels/scanning/lexicon.pyx`: which column a name in a file has."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tests.reference.murmur3 import hash_bytes


class OutsideError(Exception):
    """A number that is no column."""


class FullError(Exception):
    """One name too many for a vocabulary."""


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
        if not self.hashed:
            return self.known(name.decode("utf-8"))
        assert self.n_features is not None
        if self.numbers and re.fullmatch(rb"0|[1-9][0-9]{0,9}", name) and int(name) < 2**31:
            if int(name) >= self.n_features:
                raise OutsideError
            return int(name)
        return hash_bytes(name, self.seed) % self.n_features

    def known(self, name: str) -> int | None:
        if name not in self.vocabulary:
            if not self.add:
                return None
            if self.n_features is not None and len(self.vocabulary) >= self.n_features:
                raise FullError
            self.vocabulary[name] = len(self.vocabulary)
        return self.vocabulary[name]
