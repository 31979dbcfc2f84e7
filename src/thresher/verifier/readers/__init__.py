"""The verifier's own readers: what a verdict rests on is read by the code that gives it."""
