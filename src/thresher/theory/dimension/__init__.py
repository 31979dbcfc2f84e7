"""How many points a class with a margin can shatter."""

from thresher.theory.dimension.shattering import MarginShattering

__all__ = ["MarginShattering"]
