"""The hot loops: a score, a comparison and, rarely, an update."""
