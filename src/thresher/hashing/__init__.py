"""From names to columns."""

from thresher.hashing.names import Hashed, Vocabulary

__all__ = ["Hashed", "Vocabulary"]
