"""Learners with several classes, one algorithm a file."""
