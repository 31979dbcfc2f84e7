"""Whole files through the commands without an option, next to Vowpal Wabbit."""
