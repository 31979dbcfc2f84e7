"""Mixing: what a certificate says of shards that learned apart and were combined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from thresher.errors import CertificateError
from thresher.verifier.shapes import COUNT, DIGEST

RULES = ("average", "precision", "squares", "committee")
#: Shards and epochs of a run that is looked at, and how many of both there may be together.
MOST_SHARDS, MOST_EPOCHS, MOST_TASKS = 100_000, 10_000, 1_000_000
#: Rounds of all epochs of which a list says whether they were mistaken: a byte for each.
MOST_LISTED = 200_000_000
SHAPE: dict[str, Any] = {
    "rule": RULES,
    "rounds": [COUNT],
    "digests": [DIGEST],
    "mistakes": [[COUNT]],
    "states": [DIGEST],
}


@dataclass(frozen=True)
class Mixing:
    """The shards of a run and its epochs; all of it is found again by whoever checks."""

    #: How shards were combined.
    rule: str
    #: Rows of each shard, in the order of the data; and the digest of each shard's rows.
    rounds: tuple[int, ...]
    digests: tuple[str, ...]
    #: For each epoch the mistakes of each shard, and the digest of what they were combined to.
    mistakes: tuple[tuple[int, ...], ...]
    states: tuple[str, ...]

    @property
    def epochs(self) -> int:
        """How often all shards were read and combined."""
        return len(self.mistakes)

    @property
    def shards(self) -> int:
        """How many shards there were."""
        return len(self.rounds)

    @property
    def words(self) -> str:
        """How the shards learned."""
        shards = f"{self.shards} shard{'s' if self.shards > 1 else ''}"
        epochs = f"{self.epochs} epoch{'s' if self.epochs > 1 else ''}"
        return f"{shards} learned apart in {epochs}, combined by {self.rule} after each"

    def document(self) -> dict[str, Any]:
        """In JSON's terms."""
        return {
            "rule": self.rule,
            "rounds": list(self.rounds),
            "digests": list(self.digests),
            "mistakes": [list(epoch) for epoch in self.mistakes],
            "states": list(self.states),
        }

    @classmethod
    def from_document(cls, document: dict[str, Any]) -> Mixing:
        """What a document of the right shape says."""
        return cls(
            document["rule"],
            tuple(document["rounds"]),
            tuple(document["digests"]),
            tuple(map(tuple, document["mistakes"])),
            tuple(document["states"]),
        )


def check_mixing(mixing: dict[str, Any]) -> None:
    """Refuse lists that do not belong together, and more work than is looked at."""
    shards, epochs = len(mixing["rounds"]), len(mixing["mistakes"])
    within = 1 <= shards <= MOST_SHARDS and 1 <= epochs <= MOST_EPOCHS
    if not within or shards * epochs > MOST_TASKS:
        must = (
            f"from 1 to {MOST_SHARDS:,} shards in 1 to {MOST_EPOCHS:,} epochs, in all at most "
            f"{MOST_TASKS:,}"
        )
        raise CertificateError.must_be("$.mixing", must, f"{shards:,} in {epochs:,}")
    for name, wanted in (("digests", shards), ("states", epochs)):
        if len(mixing[name]) != wanted:
            must = f"a list of {wanted}"
            raise CertificateError.must_be(f"$.mixing.{name}", must, len(mixing[name]))
    for number, epoch in enumerate(mixing["mistakes"]):
        if len(epoch) != shards:
            must = f"a count for each of {shards} shards"
            raise CertificateError.must_be(f"$.mixing.mistakes[{number}]", must, len(epoch))


def digest_of_shards(digests: Sequence[str]) -> str:
    """The digest of all data: SHA-256 of how many shards there are, and of their digests."""
    return sha256(f"shards {len(digests)};{''.join(digests)}".encode()).hexdigest()
