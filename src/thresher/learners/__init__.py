"""One algorithm, one file."""
