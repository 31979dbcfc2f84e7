"""A theorem with one thing changed, and what really happens."""

from __future__ import annotations

from dataclasses import dataclass

from thresher import theory as th


@dataclass(frozen=True)
class Lie:
    theorem: type[th.Theorem]
    says: str
    claim: float
    happened: float
    truth: float
