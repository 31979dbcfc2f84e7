"""From names to columns."""

from thresher.names.tables import Hashed, Vocabulary

__all__ = ["Hashed", "Vocabulary"]
