"""Learners with two classes, one algorithm a file."""
